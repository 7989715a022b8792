// A byte stream with a framing on it: messages out, frames in.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "transport/byte_stream.hpp"
#include "wire/binding.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::session {

/// How much a peer has sent.
struct Volume {
  std::size_t bytes = 0;
  std::size_t frames = 0;
};

/// Whether more came between `before` and `now` than any one question asks for. A peer that goes on
/// beyond it is flooding, and listening on would only fill the memory.
bool is_flood(const Volume& before, const Volume& now);

/// The longest message that is taken from a server, over any transport. What is longer breaks the
/// framing, and its reader says so.
constexpr wire::FrameLimits kReplyLimits{.max_message_bytes = 4U << 20};

/// What is said of such a message, which breaks no rule; behind it stands which limit it is.
constexpr std::string_view kMoreThanRead = "more came than jrpcheck reads: ";

/// How bytes are cut: pieces of `every` bytes (0: one piece), and at these offsets.
struct Pieces {
  std::size_t every = 0;
  std::vector<std::size_t> offsets = {};
  /// Those between the offsets arrive apart: after each the stream is listened on for so long.
  microseconds apart{0};
  /// But after the first until so many messages have come back, which shows that it has been read.
  std::size_t after_frames = 0;
};

class FramedStream {
 public:
  /// `stream` must outlive this.
  FramedStream(transport::ByteStream& stream, const wire::Binding& binding)
      : stream_(&stream), framing_(binding.framing(kReplyLimits)), masks_(binding.masks) {}

  std::string encode(std::string_view message) { return framing_->encode(message); }
  std::string encode_frame(const wire::FrameDetails& details, std::string_view payload) {
    if (details.opcode == wire::kClose) has_said_farewell_ = true;
    return framing_->encode_frame(details, payload);
  }

  /// What is shown of a message in place of its bytes, which nobody can read where they are masked.
  std::string shown(const std::string& message, const std::string& framed) const {
    return masks_ ? message : framed;
  }
  bool masks() const { return masks_; }

  /// What the handshake has agreed on.
  void use_extensions(std::string_view agreed) { framing_->use_extensions(agreed); }

  /// Bytes of the peer that have come before this was made.
  void take_in(std::string_view bytes);

  /// Writes all of it, taking in what arrives meanwhile. Gives up at the deadline, when the peer
  /// takes no more, and when it floods; tells whether all was written.
  bool send(std::string_view bytes, Deadline deadline);

  /// The same in several writes. What follows a piece that could not be written whole is not sent.
  bool send_in_pieces(std::string_view bytes, const Pieces& pieces, Deadline deadline);

  void close_write();

  /// The next frame; nothing at the deadline, or when the stream has ended and all frames are out.
  std::optional<wire::Frame> receive(Deadline deadline);

  /// The next frame; nothing at the deadline, and also once bytes have come that end no frame yet.
  std::optional<wire::Frame> receive_some(Deadline deadline);

  /// The next frame that has arrived already. Does not wait; looks at the stream at most once.
  std::optional<wire::Frame> receive_arrived();

  /// What has come of a frame that is not ended yet.
  std::string unfinished() const { return framing_->unfinished(); }

  /// Nothing more comes of that, though a reset has ended the stream and not its peer.
  void end_of_input();

  /// Takes those bytes for the rest of the last message, which is broken without them: they are
  /// reported by no later frame.
  void disown_unfinished() { disowned_ = unfinished(); }

  /// Takes in what comes until the stream ends, at most until the deadline. Gives up before a
  /// flood.
  void await_end(Deadline deadline) { listen(deadline); }

  bool ended() const { return ended_; }
  /// Whether a peer that has answered our Close still holds the connection open at the deadline,
  /// which its server ends at once (RFC 6455 §7.1.1).
  bool is_held_open(Deadline deadline);
  bool was_reset() const { return reset_; }
  /// Behind a Close frame of ours nothing may be sent (RFC 6455 §5.5.1).
  bool can_write() const { return is_writable() && !has_said_farewell_; }
  bool has_said_farewell() const { return has_said_farewell_; }
  bool closed_by_us() const { return closed_; }
  /// How much has come in since the stream was opened.
  const Volume& received() const { return received_; }
  /// The first of it, as it came: what a peer that speaks another framing has said.
  const std::string& first_bytes() const { return first_bytes_; }

 private:
  bool is_writable() const { return !broken_ && !closed_; }
  void take_frames();
  void take_in_behind_close(std::string_view last, Deadline deadline);
  void listen(Deadline deadline);
  void await_frames(std::size_t total, Deadline deadline);
  transport::Transfer transfer(std::string_view out, Deadline deadline);
  std::optional<wire::Frame> take_frame();

  transport::ByteStream* stream_;
  std::unique_ptr<wire::Framing> framing_;
  bool masks_;
  std::deque<wire::Frame> frames_;
  std::string disowned_;
  std::string owed_;                // by the codec, and not written yet
  bool is_within_message_ = false;  // a part of one is sent, and nothing may come between
  Volume received_;
  std::string first_bytes_;
  bool ended_ = false;
  bool reset_ = false;
  bool broken_ = false;
  bool closed_ = false;
  bool has_said_farewell_ = false;
  bool is_held_open_ = false;
};

/// The offsets at which `size` bytes are cut; ascending, without 0 and `size`.
std::vector<std::size_t> cut_offsets(std::size_t size, std::size_t every,
                                     const std::vector<std::size_t>& offsets);

}  // namespace jrpcheck::session
