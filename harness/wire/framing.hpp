// Framings: how messages are told apart on a stream of bytes. Bytes in, messages out; no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck::wire {

/// What a framing says of itself between messages.
struct ControlFrame {
  enum class Kind { ping, pong, close };
  Kind kind = Kind::ping;
  std::size_t close_code = 0;  ///< of a close

  bool operator==(const ControlFrame&) const = default;
};

std::string_view name_of(ControlFrame::Kind kind);

/// How one frame is written where that is not left to the framing (RFC 6455 §5.2).
struct FrameDetails {
  unsigned opcode = 1;
  bool fin = true;
  unsigned rsv = 0;  ///< three bits, the highest is RSV1
  bool mask = true;
  bool mask_bit = true;  ///< says that there is a mask; false: it is there, and nothing says so
  std::optional<std::uint64_t> length = {};  ///< what is announced; else what the payload has
  unsigned length_bits = 0;                  ///< 7, 16 or 64; 0: the fewest that will do
  bool deflate = false;                      ///< the payload is compressed (RFC 7692)

  bool operator==(const FrameDetails&) const = default;
};

/// One thing a framing found on the stream: a message, or bytes that break the framing's rules.
struct Frame {
  std::string payload;    ///< the message without its framing; the offending bytes of a violation
  std::string head;       ///< the header block as it came, for framings that have one
  std::string violation;  ///< empty for a message; else what rule was broken
  bool beyond_limit = false;  ///< no rule but a FrameLimit: `violation` says which
  bool is_binary = false;     ///< a message that is marked as no text
  /// Not what a message says, but what its framing does.
  std::optional<ControlFrame> control = {};

  bool is_message() const { return violation.empty() && !control; }
};

/// What a framing accepts before it gives up on a message. A hostile peer must not be able to
/// exhaust memory: beyond these, the bytes are reported as a violation and dropped.
struct FrameLimits {
  std::size_t max_message_bytes = 64U << 20;
  std::size_t max_head_bytes = 64U << 10;
};

/// One direction of a stream. However the stream is cut into pieces for `feed`, the frames that
/// `next` gives are the same.
class Framing {
 public:
  virtual ~Framing() = default;

  /// `payload` as it is written on the wire.
  virtual std::string encode(std::string_view payload) = 0;
  /// The same with frames that are written as they are described, where there are frames.
  virtual std::string encode_frame(const FrameDetails&, std::string_view payload) {
    return encode(payload);
  }

  /// What the handshake of the connection has agreed on: a Sec-WebSocket-Extensions.
  virtual void use_extensions(std::string_view) {}

  /// Bytes that the codec itself owes the peer by what has come in: a pong, a close. They leave
  /// before the next message, and are given once.
  virtual std::string owed() { return {}; }

  /// Takes in the next bytes of the stream.
  virtual void feed(std::string_view bytes) = 0;

  /// Says that the stream has ended: what is left over becomes a last frame or a violation.
  virtual void end_of_input() = 0;

  /// Whether the peer has said that nothing more comes, though the stream may stand.
  virtual bool is_closed() const { return false; }

  /// The bytes held of what is no frame yet.
  virtual std::string unfinished() const { return {}; }

  /// The next frame that is complete, in the order of the stream.
  virtual std::optional<Frame> next() = 0;
};

/// Makes a codec.
using MakeFraming = std::unique_ptr<Framing> (*)(FrameLimits limits);

/// One message to a line (newline-delimited JSON; the stdio binding of MCP).
std::unique_ptr<Framing> make_lines(FrameLimits limits);

/// A header block with Content-Length before each message (LSP base protocol).
std::unique_ptr<Framing> make_content_length(FrameLimits limits);

/// JSON values one after another; where each ends follows from the JSON itself.
std::unique_ptr<Framing> make_concatenated(FrameLimits limits);

/// The violation of a length before a message that is not that of the message.
inline constexpr std::string_view kWrongLength = "a length that is not that of its message";

/// The length of each message before it, as four bytes, the highest first.
std::unique_ptr<Framing> make_length32(FrameLimits limits);

}  // namespace jrpcheck::wire
