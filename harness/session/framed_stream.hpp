// A byte stream with a framing on it: messages out, frames in.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "transport/byte_stream.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::session {

class FramedStream {
 public:
  /// `stream` must outlive this.
  FramedStream(transport::ByteStream& stream, wire::FramingKind framing)
      : stream_(&stream), framing_(wire::make_framing(framing)) {}

  std::string encode(std::string_view message) const { return framing_->encode(message); }

  /// Writes all of it, taking in what arrives meanwhile. Gives up at the deadline, or when the peer
  /// takes no more.
  void send(std::string_view bytes, Deadline deadline);

  /// The same in several writes: pieces of `every` bytes (0: one piece), and cut at these offsets.
  void send_in_pieces(std::string_view bytes, std::size_t every,
                      const std::vector<std::size_t>& offsets, Deadline deadline);

  void close_write();

  /// The next frame; nothing at the deadline, or when the stream has ended and all frames are out.
  std::optional<wire::Frame> receive(Deadline deadline);

  bool ended() const { return ended_; }
  bool can_write() const { return !broken_ && !closed_; }
  bool closed_by_us() const { return closed_; }
  /// How much has come in since the stream was opened.
  std::size_t received_bytes() const { return received_bytes_; }

 private:
  void take_in(const transport::Transfer& done, std::string& in);

  transport::ByteStream* stream_;
  std::unique_ptr<wire::Framing> framing_;
  std::size_t received_bytes_ = 0;
  bool ended_ = false;
  bool broken_ = false;
  bool closed_ = false;
};

/// The offsets at which `size` bytes are cut; ascending, without 0 and `size`.
std::vector<std::size_t> cut_offsets(std::size_t size, std::size_t every,
                                     const std::vector<std::size_t>& offsets);

}  // namespace jrpcheck::session
