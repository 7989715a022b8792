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

// How long a character is that begins so, and what its second byte may be. Length 0 stands for a
// byte that begins none.
struct Lead {
  std::size_t length;
  unsigned char lowest;
  unsigned char highest;
};

constexpr Lead lead_of(unsigned char first) {
  if (first < 0x80) return {1, 0, 0};
  if (first < 0xC2) return {0, 0, 0};
  if (first < 0xE0) return {2, 0x80, 0xBF};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first < 0xF0) return {3, 0x80, 0xBF};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first < 0xF4) return {4, 0x80, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

Utf8Beginning first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const Lead lead = lead_of(byte(0));
  if (lead.length == 0) return {};
  const std::size_t most = std::min(lead.length, text.size());
  std::size_t length = 1;
  while (length < most && (length == 1 ? byte(1) >= lead.lowest && byte(1) <= lead.highest
                                       : is_continuation(byte(length)))) {
    ++length;
  }
  return {length, length == lead.length};
}

std::optional<std::size_t> find_invalid_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    while (is_ascii(bytes.substr(at, kStride))) at += kStride;
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
    if (at == bytes.size()) break;
    const auto character = first_character(bytes.substr(at));
    if (!character.is_whole) return at;
    at += character.length;
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
