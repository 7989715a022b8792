// Characters of ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace jrpcheck {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_upper(c) || is_lower(c); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }

constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

/// Whether there are digits, and nothing else.
constexpr bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// Whether there is nothing but white space as JSON has it (RFC 8259 §2).
constexpr bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

inline constexpr std::string_view kHexDigits = "0123456789abcdef";

/// The value of a hexadecimal digit, whatever its case; -1 of what is none.
constexpr int hex_digit(char c) {
  const auto value = kHexDigits.find(to_lower(c));
  return value == std::string_view::npos ? -1 : static_cast<int>(value);
}

}  // namespace jrpcheck
