#include "base/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace jrpcheck {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  std::uint32_t bits = 0;
  const auto end = std::min(text.find('='), text.size());
  if (text.size() - end > 2 || text.find_first_not_of('=', end) != std::string_view::npos) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = i < end ? kAlphabet.find(text[i]) : 0;
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (i % 4 != 3) continue;
    for (const unsigned int shift : {16U, 8U, 0U}) bytes += static_cast<char>(bits >> shift);
    bits = 0;
  }
  bytes.resize(bytes.size() - (text.size() - end));
  return bytes;
}

}  // namespace jrpcheck
