#include "reference-impl/oversized_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace jrpcheck::reference {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_number(char c) { return c == '-' || is_digit(c); }

std::size_t end_of_number(std::string_view text, std::size_t begin) {
  return std::min(text.find_first_not_of("0123456789+-.eE", begin), text.size());
}

/// The offset after the closing quotation mark of the string that begins at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

bool is_oversized(const std::string& token) {
  char* end = nullptr;
  const double value = std::strtod(token.c_str(), &end);
  return *end == '\0' && std::isinf(value);
}

/// The first two digits of every run of digits: a token of the same grammar, right or wrong (a
/// leading zero stays one), whose value is below 100e99.
std::string shortened(std::string_view token) {
  std::string out;
  int run = 0;
  for (const char c : token) {
    run = is_digit(c) ? run + 1 : 0;
    if (run <= 2) out += c;
  }
  return out;
}

}  // namespace

ShortenedText shorten_oversized_numbers(std::string_view text) {
  ShortenedText result;
  std::size_t place = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    if (starts_number(text[begin])) {
      end = end_of_number(text, begin);
      const std::string token(text.substr(begin, end - begin));
      const bool oversized = is_oversized(token);
      result.text += oversized ? shortened(token) : token;
      if (oversized) result.oversized.emplace(place, token);
      ++place;
    } else {
      end = text[begin] == '"' ? end_of_string(text, begin) : begin + 1;
      result.text += text.substr(begin, end - begin);
    }
  }
  return result;
}

}  // namespace jrpcheck::reference
