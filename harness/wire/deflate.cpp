#include "wire/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace jrpcheck::wire {
namespace {

// The empty block that every flush ends with, and that does not travel (RFC 7692 §7.2.1).
constexpr std::string_view kTail("\0\0\xFF\xFF", 4);
constexpr std::size_t kPiece = 16U << 10;
constexpr int kSmallestWindow = 9;  // zlib compresses with no smaller one

// zlib only reads what it is given.
Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

}  // namespace

struct Deflater::State {
  explicit State(const DeflateParameters& parameters) : keeps_context(parameters.keeps_context) {
    const int bits = std::max(parameters.window_bits, kSmallestWindow);
    // What is stored refers to nothing, and so fits into every window.
    const int level =
        parameters.window_bits < kSmallestWindow ? Z_NO_COMPRESSION : Z_DEFAULT_COMPRESSION;
    ::deflateInit2(&stream, level, Z_DEFLATED, -bits, 8, Z_DEFAULT_STRATEGY);
  }
  ~State() { ::deflateEnd(&stream); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  z_stream stream{};
  bool keeps_context;
};

Deflater::Deflater(const DeflateParameters& parameters) : parameters_(parameters) {}
Deflater::Deflater(Deflater&&) noexcept = default;
Deflater& Deflater::operator=(Deflater&&) noexcept = default;
Deflater::~Deflater() = default;

std::string Deflater::deflate(std::string_view payload, bool ends_message) {
  if (!state_) state_ = std::make_unique<State>(parameters_);
  z_stream& stream = state_->stream;
  std::string out;
  std::array<char, kPiece> piece;
  stream.next_in = bytes_of(payload);
  stream.avail_in = static_cast<uInt>(payload.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    ::deflate(&stream, Z_SYNC_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  } while (stream.avail_out == 0);
  if (!ends_message) return out;
  // A flush behind a flush adds nothing: the tail is then that of the frame before.
  if (out.ends_with(kTail)) out.resize(out.size() - kTail.size());
  if (out.empty()) out.push_back('\0');
  if (!state_->keeps_context) ::deflateReset(&stream);
  return out;
}

struct Inflater::State {
  explicit State(const DeflateParameters& parameters) : keeps_context(parameters.keeps_context) {
    ::inflateInit2(&stream, -parameters.window_bits);
  }
  ~State() { ::inflateEnd(&stream); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Outcome take(std::string_view payload, std::size_t limit, std::string& text) {
    std::array<char, kPiece> piece;
    stream.next_in = bytes_of(payload);
    stream.avail_in = static_cast<uInt>(payload.size());
    while (true) {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = piece.size();
      const int result = ::inflate(&stream, Z_SYNC_FLUSH);
      const std::size_t size = piece.size() - stream.avail_out;
      if (size > limit - std::min(limit, text.size())) return Outcome::too_long;
      text.append(piece.data(), size);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return Outcome::broken;
      if (result == Z_STREAM_END) {
        // A block may be marked as the last, and another follows all the same (RFC 7692 §7.2.3.5),
        // which may refer to what came before: the window stays.
        ::inflateResetKeep(&stream);
        if (stream.avail_in > 0) continue;
      }
      if (stream.avail_in == 0 && stream.avail_out > 0) return Outcome::fine;
      if (result == Z_BUF_ERROR) return Outcome::fine;
    }
  }

  z_stream stream{};
  bool keeps_context;
};

Inflater::Inflater(const DeflateParameters& parameters) : parameters_(parameters) {}
Inflater::Inflater(Inflater&&) noexcept = default;
Inflater& Inflater::operator=(Inflater&&) noexcept = default;
Inflater::~Inflater() = default;

Inflater::Outcome Inflater::inflate(std::string_view payload, bool ends_message, std::size_t limit,
                                    std::string& text) {
  if (!state_) state_ = std::make_unique<State>(parameters_);
  Outcome outcome = state_->take(payload, limit, text);
  if (!ends_message || outcome != Outcome::fine) return outcome;
  outcome = state_->take(kTail, limit, text);
  // A message ends between two blocks, or it was cut off.
  const bool is_within_block = (state_->stream.data_type & 128) == 0;
  if (outcome == Outcome::fine && is_within_block) outcome = Outcome::broken;
  if (!state_->keeps_context) ::inflateReset(&state_->stream);
  return outcome;
}

}  // namespace jrpcheck::wire
