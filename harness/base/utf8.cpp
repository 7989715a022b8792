#include "base/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace jrpcheck {
namespace {

// Nearly all that is checked is ASCII: so many bytes of it are stepped over at once.
constexpr std::size_t kStride = sizeof(std::uint64_t);

// Whether these are kStride bytes of ASCII.
bool is_ascii(std::string_view bytes) {
  std::uint64_t word = 0;
  if (bytes.size() != kStride) return false;
  std::memcpy(&word, bytes.data(), kStride);
  return (word & 0x8080808080808080U) == 0;
}

// Length of the sequence that begins at `bytes[at]`, or 0 when it is not well-formed
// (RFC 3629 §4: the second byte's range depends on the first).
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t offset) {
    return at + offset < bytes.size() ? static_cast<unsigned char>(bytes[at + offset]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return is_continuation(byte(1)) ? 2 : 0;
  if (first < 0xF0) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    const bool ok = byte(1) >= low && byte(1) <= high && is_continuation(byte(2));
    return ok ? 3 : 0;
  }
  if (first < 0xF5) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    const bool ok =
        byte(1) >= low && byte(1) <= high && is_continuation(byte(2)) && is_continuation(byte(3));
    return ok ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    while (is_ascii(bytes.substr(at, kStride))) at += kStride;
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
    if (at == bytes.size()) break;
    const std::size_t length = sequence_length(bytes, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

std::size_t code_points_in(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

}  // namespace jrpcheck
