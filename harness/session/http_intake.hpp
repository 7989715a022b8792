// What comes back over HTTP, put into an exchange: responses, and the messages of those that are
// event streams, as they come.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "session/http_connection.hpp"
#include "session/patience.hpp"
#include "wire/http1.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::session {

/// The event of a response.
dialogue::Event event_of(const wire::HttpMessage& response);

/// The note of the response to a message that answers a Request of the server's own.
inline constexpr const char* kAnswerTaken = "response to the answer";

/// Where it is put.
struct Taking {
  dialogue::Exchange& exchange;
  dialogue::Transcript& transcript;
  std::optional<std::size_t> call = {};  ///< as in Reply
  bool is_control = false;               ///< it answers a control call
  std::string note = {};
};

/// What a request waits for, where an event stream answers it.
struct Awaited {
  std::size_t replies = 1;  ///< how many Responses are due on it
  bool until_end = false;   ///< it is read to its end, or for as long as a server may take for that
};

/// What is due to a message; one reply where nobody can say.
Awaited awaited_by(const dialogue::Message& message);

/// What is waited for on a stream that stands open.
struct Due {
  std::size_t replies = 0;
  std::set<std::string> ids = {};  ///< of the calls, as of id_keys_of
  std::string sentinel = {};       ///< the id of a call that was sent behind what is owed nothing
};

class HttpIntake {
 public:
  /// Sends the answer to a Request of the server's own.
  using SendAnswer = std::function<void(const std::string& answer, dialogue::Transcript&)>;

  /// Asks for what follows an event of a stream that has broken off.
  using Resume = std::function<std::optional<HttpConnection>(const std::string& last_event_id,
                                                             dialogue::Transcript&)>;

  HttpIntake(Patience& patience, std::map<std::string, std::string> answers, SendAnswer send_answer,
             Resume resume);
  ~HttpIntake();

  /// Waits for the next response, and takes it in. What does not come, or breaks HTTP/1.1, ends the
  /// exchange.
  void take_response(HttpConnection& connection, Awaited awaited, Deadline deadline,
                     const Taking& taking);

  /// The head of the response that came last.
  const wire::HttpMessage& last() const { return last_; }

  /// Keeps the stream that answers a GET on this connection; false where no stream does.
  bool keep_stream(HttpConnection connection, Deadline deadline, dialogue::Transcript& transcript);
  void leave_stream();
  /// Notices that the stream has ended, where it has.
  void look_at_stream();
  bool has_stream() const;
  /// Whether what answers a message comes on that stream, as its first event has said.
  bool answers_on_stream() const;
  /// Where messages go, as the stream says first (MCP 2024-11-05, HTTP with SSE).
  std::optional<std::string> await_endpoint(Deadline deadline, dialogue::Transcript& transcript);
  /// Takes in what comes on it, until all that is due has.
  void take_from_stream(Due due, Deadline deadline, const Taking& taking);
  /// Takes in what has come on a stream that has ended.
  void take_rest(const Taking& taking);
  /// What came on it in answer to earlier calls.
  std::vector<dialogue::Message> take_late() { return std::exchange(late_, {}); }

 private:
  struct Stream;
  struct Standing;
  const wire::HttpMessage* await_head(HttpConnection& connection, Deadline& deadline) const;
  void take_whole(const wire::HttpMessage& response, const Taking& taking);
  /// How many replies are due on it still, where it has broken off behind an event with an id.
  std::size_t take_stream(HttpConnection& connection, Awaited awaited, Deadline deadline,
                          const Taking& taking);
  void take_up_again(Awaited awaited, Deadline deadline, const Taking& taking);
  void take_blocks(Stream& stream, const std::string& body, const Taking& taking);
  void take_block(Stream& stream, const wire::ServerSentEvent& block, const Taking& taking);
  bool takes_aside(Stream& stream, const wire::ServerSentEvent& block,
                   const dialogue::Message& message, const Taking& taking);
  void answer(const dialogue::Message& message, const Taking& taking);

  Patience& patience_;
  std::map<std::string, std::string> answers_;
  SendAnswer send_answer_;
  Resume resume_;
  std::unique_ptr<Standing> standing_;
  std::set<std::string> asked_before_;  // ids of calls whose answers come on it
  std::vector<dialogue::Message> late_;
  std::string last_event_id_;  // of the stream that has broken off
  microseconds retry_{0};      // how long a client is to wait before it comes back; 0: its choice
  wire::HttpMessage last_;
  std::size_t streams_ = 0;  // that have begun
};

}  // namespace jrpcheck::session
