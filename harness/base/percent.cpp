#include "base/percent.hpp"

#include <charconv>
#include <cstddef>

namespace jrpcheck {

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
