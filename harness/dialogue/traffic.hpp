// Traffic: what passed between a client and a server that others run, as data.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.hpp"
#include "dialogue/message.hpp"

namespace jrpcheck::dialogue {

enum class Side { client, server };

std::string_view name_of(Side side);
inline Side other(Side side) { return side == Side::client ? Side::server : Side::client; }

/// On which event stream (text/event-stream) a message of a server came, or which has ended.
enum class EventStream {
  none,
  answer,      ///< of the answer to the request of its exchange
  broken_off,  ///< the end of such a one that may go on elsewhere
  open,        ///< one that a GET asked for: for all that the server has to say
  resumed,     ///< likewise, from where another has broken off
};

std::string_view name_of(EventStream stream);

/// One thing that passed.
struct TrafficEvent {
  enum class Kind {
    message,    ///< of `side`; over HTTP also a response without a body
    violation,  ///< bytes that break the framing, as `note` says
    noise,      ///< what is framed, and no message
    closed,     ///< `side` sends nothing more
    lost,       ///< something of this connection is missing here: nobody knows what
    given_up,   ///< the client wants nothing more of what it has asked (DELETE of a session)
    upgraded,   ///< what the server answers to a request for WebSocket, which `note` is
  };

  Kind kind = Kind::message;
  Side side = Side::client;
  microseconds at{0};          ///< since the recording began
  std::size_t connection = 1;  ///< which one of those that were recorded
  Message message = {};        ///< of a violation and of noise its bytes
  std::string note = {};       ///< "exited with code 1", the rule that was broken
  /// Where a response answers its request by itself (HTTP): which of the connection.
  std::optional<std::size_t> exchange = {};
  std::size_t http_status = 0;  ///< 0 where there is no HTTP, and of requests
  std::string content_type = {};
  EventStream stream = EventStream::none;
  bool in_several_lines = false;  ///< as in Reply
  bool is_binary = false;         ///< as in Reply
};

std::string_view name_of(TrafficEvent::Kind kind);

/// In place of the connection where something is lost, and nobody knows of which.
inline constexpr std::size_t kAnyConnection = std::numeric_limits<std::size_t>::max();

/// The note of a server that closes a connection of HTTP on which it has answered before, just as a
/// request comes: it may have closed it before (RFC 9112 §9.5).
inline constexpr std::string_view kClosedAsItCame = "closed a connection it had kept, as this came";

/// The notes of responses of HTTP whose heads nobody may send (RFC 9112 §2.1, §5.2, §6.1, §6.2; RFC
/// 9110 §5.3, §8.6).
inline constexpr std::string_view kBareLineFeed =
    "A line of the response's head ends in a bare line feed.";
inline constexpr std::string_view kFoldedLine =
    "A field of the response's head goes on in the next line.";
inline constexpr std::string_view kLengthBesideCoding =
    "The response has Content-Length and Transfer-Encoding both.";
inline constexpr std::string_view kLengthOf204 =
    "A response with status 204 has Content-Length or Transfer-Encoding.";
inline constexpr std::string_view kTwoTypes = "The response has Content-Type more than once.";

/// The note of whoever ends a connection by a reset, which takes back what was on its way (RFC 9293
/// §3.5.2).
inline constexpr std::string_view kReset = "reset the connection";

}  // namespace jrpcheck::dialogue
