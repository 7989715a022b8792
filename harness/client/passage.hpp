// Passages: one connection of a client to a real server, taken apart so that an answer in it can be
// another. Bytes in, bytes out; no I/O.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/answer.hpp"
#include "client/door.hpp"
#include "client/own_calls.hpp"
#include "dialogue/message.hpp"
#include "wire/binding.hpp"
#include "wire/http1.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::client {

/// One thing that the server says.
struct Said {
  std::string bytes;                                ///< as it is passed on
  std::optional<dialogue::Message> message = {};    ///< which stands in it
  std::optional<wire::HttpMessage> response = {};   ///< of HTTP, whose body that is
  std::optional<wire::ServerSentEvent> event = {};  ///< of an event stream, whose data that is
};

class Passage {
 public:
  virtual ~Passage() = default;

  /// What goes on to the server of what the client has sent.
  virtual std::string onward(std::string_view bytes) = 0;
  /// The client says nothing more: what of it is left to go on.
  virtual std::string onward_at_end() { return {}; }
  /// What is owed to the client beside what the server says.
  virtual std::string owed() { return {}; }
  /// What the server's bytes complete.
  virtual std::vector<Said> back(std::string_view bytes) = 0;
  /// The server says nothing more.
  virtual std::vector<Said> back_at_end() = 0;
  /// How messages are told apart on a stream, once that is known.
  virtual void use(const wire::Binding&) {}
  /// An answer in the place of what was said: in as many writes.
  virtual std::vector<std::string> encode(const Answer& answer, const Said& in_place_of) = 0;
};

/// Where the passage leads, as far as HTTP says so in its heads.
struct Destination {
  std::string authority;      ///< of the Host field; empty: the client's stays
  std::string authorization;  ///< empty: that of the client stays
};

/// Answers to `own_calls` do not go on; over HTTP, where an answer is all that a call brings, there
/// are none. Null: nor are there elsewhere.
std::unique_ptr<Passage> make_passage(const Door& door, const Destination& destination,
                                      OwnCalls* own_calls = nullptr);

/// An answer as the frames of a server.
std::vector<std::string> websocket_writes(const Answer& answer);

/// Several writes as the answer has them: cut off at the end, all in one, or the last in two.
void arrange_writes(std::vector<std::string>& writes, const Answer& answer);

}  // namespace jrpcheck::client
