// Framings: how messages are told apart on a stream of bytes. Bytes in, messages out; no I/O.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck::wire {

/// One thing a framing found on the stream: a message, or bytes that break the framing's rules.
struct Frame {
  std::string payload;    ///< the message without its framing; the offending bytes of a violation
  std::string head;       ///< the header block as it came, for framings that have one
  std::string violation;  ///< empty for a message; else what rule was broken
  bool beyond_limit = false;  ///< no rule but a FrameLimit: `violation` says which

  bool is_message() const { return violation.empty(); }
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

  /// Bytes that the codec itself owes the peer by what has come in: a pong, a close. They leave
  /// before the next message, and are given once.
  virtual std::string owed() { return {}; }

  /// Takes in the next bytes of the stream.
  virtual void feed(std::string_view bytes) = 0;

  /// Says that the stream has ended: what is left over becomes a last frame or a violation.
  virtual void end_of_input() = 0;

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

/// The length of each message before it, as four bytes, the highest first.
std::unique_ptr<Framing> make_length32(FrameLimits limits);

}  // namespace jrpcheck::wire
