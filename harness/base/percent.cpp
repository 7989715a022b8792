#include "base/percent.hpp"

#include <charconv>
#include <cstddef>

#include "base/ascii.hpp"

namespace jrpcheck {

std::string percent_encoded(std::string_view text, std::string_view also_plain) {
  constexpr std::string_view kUnreserved = "-._~";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_alphanumeric(c) || kUnreserved.find(c) != kUnreserved.npos ||
        also_plain.find(c) != also_plain.npos) {
      encoded += c;
    } else {
      encoded += {'%', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    }
  }
  return encoded;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned int byte = 0;
    const char* digits = text.data() + i + 1;
    const bool escape = text[i] == '%' && i + 2 < text.size() &&
                        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    decoded.push_back(escape ? static_cast<char>(byte) : text[i]);
    if (escape) i += 2;
  }
  return decoded;
}

}  // namespace jrpcheck
