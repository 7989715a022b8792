// WebSocket in both roles (RFC 6455): bytes in, messages and control frames out; no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wire/deflate.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::wire {

/// RFC 6455 §5.2; the others are reserved.
enum Opcode : unsigned {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

/// Those that stand for what a Close frame did not say (RFC 6455 §7.4.1), and never on the wire.
constexpr int kNoCloseCode = 1005;   ///< a Close frame without a code
constexpr int kNoCloseFrame = 1006;  ///< the connection ended without one

/// "text", "close"; empty where it is reserved.
std::string_view name_of_opcode(unsigned opcode);

/// The longest payload of a control frame (RFC 6455 §5.5).
constexpr std::size_t kLongestControl = 125;

/// A frame with that payload as it is written, right or wrong. Without `mask` it is unmasked,
/// whatever the details say.
std::string websocket_frame(const FrameDetails& details, std::string_view payload,
                            std::optional<std::uint32_t> mask);

/// The details for people: "ping", "text, more to come", "opcode 3".
std::string text_of(const FrameDetails& details);

/// The payload of a Close frame; empty for kNoCloseCode.
std::string close_payload(int code, std::string_view reason = {});

/// Whether the code may stand in a Close frame (RFC 6455 §7.4).
bool may_be_sent(int code);

/// The ways in which frames can break RFC 6455.
enum class WebSocketFault {
  none,
  not_masked,            ///< §5.1: a client masks
  masked,                ///< §5.1: a server does not
  reserved_bits,         ///< §5.2: no extension gives them a meaning
  reserved_opcode,       ///< §5.2
  nothing_to_continue,   ///< §5.4
  message_interrupted,   ///< §5.4: by another data frame
  control_too_long,      ///< §5.5
  control_in_fragments,  ///< §5.5
  length_not_shortest,   ///< §5.2
  length_negative,       ///< §5.2: the highest bit of 64; what follows cannot be told apart
  close_code_missing,    ///< §5.5.1: half of it is there
  close_code_reserved,   ///< §7.4
  not_utf8,              ///< §8.1: of a text message
  reason_not_utf8,       ///< §5.5.1: of a Close
  cut_off,               ///< the stream has ended within a frame or a message
  too_long,              ///< no rule but a FrameLimit
  not_deflated,          ///< RFC 7692 §7.2.2: compressed, and cannot be inflated
  behind_close,          ///< §5.5.1: a data frame
};

/// "a frame is masked": stays as it is, for stored runs hold it.
std::string_view name_of(WebSocketFault fault);
/// The code with which a connection is failed for it (RFC 6455 §7.4.1).
int close_code_for(WebSocketFault fault);

/// One thing that was found on the stream.
struct WebSocketItem {
  enum class Kind { message, ping, pong, close, fault };

  Kind kind = Kind::message;
  /// A message, the payload of a control frame, the reason of a Close; of a fault its bytes.
  std::string payload;
  bool is_binary = false;
  bool is_between_fragments = false;  ///< of a control frame
  int close_code = kNoCloseCode;
  WebSocketFault fault = WebSocketFault::none;
};

/// Reads what a peer sends. However the bytes are cut for `feed`, `next` gives the same items.
///
/// What breaks a rule is a fault, and reading goes on wherever the next frame can be found: a
/// frame that is read all the same follows its fault. An endpoint that fails the connection, as
/// RFC 6455 wants, takes nothing more after the first.
class WebSocketReader {
 public:
  enum class Role {
    client,  ///< reads the frames of a server
    server,  ///< reads those of a client
  };

  explicit WebSocketReader(Role role, FrameLimits limits = {});
  WebSocketReader(WebSocketReader&&) noexcept;
  WebSocketReader& operator=(WebSocketReader&&) noexcept;
  ~WebSocketReader();

  /// Messages may come compressed from here on, as was agreed on.
  void use_deflate(const DeflateParameters& parameters);

  void feed(std::string_view bytes);
  /// The stream has ended: what is left over is a fault, unless a Close came before.
  void end_of_input();
  std::optional<WebSocketItem> next();

  /// What has come of a message that is not complete.
  std::string unfinished() const;

 private:
  struct Head;
  class Stream;
  std::unique_ptr<Stream> stream_;
};

/// The client's side as a framing: text messages out, pings answered, a Close answered by another.
/// What the handshake has agreed on is used for reading; it writes compressed what says so alone.
std::unique_ptr<Framing> make_websocket(FrameLimits limits);

/// The Sec-WebSocket-Key of the n-th connection: 16 bytes in base64 (RFC 6455 §4.1).
std::string websocket_key(std::uint64_t number);
/// The Sec-WebSocket-Accept that answers it (RFC 6455 §4.2.2).
std::string websocket_accept(std::string_view key);

}  // namespace jrpcheck::wire
