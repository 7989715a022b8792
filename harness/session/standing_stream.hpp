// The event stream that stands open: a GET has asked for it, and no message is answered by it alone
// (MCP transports § Listening for Messages from the Server; in 2024-11-05, HTTP with SSE, all
// answers come on it).
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "session/event_stream.hpp"
#include "session/http_connection.hpp"

namespace jrpcheck::session {

/// What is waited for on it.
struct Due {
  std::size_t replies = 0;
  std::set<std::string> ids = {};  ///< of the calls, as of id_keys_of
  std::string sentinel = {};       ///< the id of a call that was sent behind what is owed nothing
};

/// What one such stream leaves to the next.
struct EarlierCalls {
  std::set<std::string> ids = {};            ///< of those whose answers come on it
  std::vector<dialogue::Message> late = {};  ///< what came on it in answer to them
};

/// Whose stream it is: that of the client that asks, or of one that asks nothing.
enum class Listener { own, another };

class StandingStream : public EventStream {
 public:
  StandingStream(HttpConnection connection, std::size_t number, dialogue::HttpHead head,
                 const AnswerCall& answer_call, EarlierCalls& earlier, Listener listener)
      : EventStream(number, std::move(head), answer_call),
        connection_(std::move(connection)),
        earlier_(earlier),
        listener_(listener) {}

  /// Notices that it has ended, where it has.
  void look();
  bool is_open() const { return !has_ended_ && !connection_.ended(); }
  /// Whether what answers a message comes on it, as its first event has said.
  bool brings_answers() const { return !endpoint_.empty(); }
  /// Where messages go, as it says first (MCP 2024-11-05, HTTP with SSE).
  std::optional<std::string> await_endpoint(Deadline deadline, dialogue::Transcript& transcript);
  /// Takes in what comes on it, until all that is due has.
  void await(Due due, Deadline deadline, const Taking& taking);
  /// Takes in what has come on it.
  void take_arrived(const Taking& taking) { await({}, Deadline::in(microseconds(0)), taking); }
  /// Notes what comes on it until then.
  void overhear(Deadline deadline, dialogue::Transcript& transcript);

 private:
  bool takes_aside(const wire::ServerSentEvent& block, const dialogue::Message& message,
                   const Taking& taking) override;

  HttpConnection connection_;
  EarlierCalls& earlier_;
  Listener listener_;
  bool has_ended_ = false;
  Due due_ = {};
  bool awaits_endpoint_ = false;  // elsewhere an event of that name is one like others
  std::string endpoint_ = {};
};

}  // namespace jrpcheck::session
