// One character as it may be written: by itself, or as JSON, XML, a URL or a shell escapes it.
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck::result {

/// A character by its number, and how many bytes of the text that is.
struct Numbered {
  unsigned code_point;
  std::size_t length;
};

/// \u00e4, \ud83d\ude00 (RFC 8259 §7) and &#228; at the beginning of the text.
std::optional<Numbered> numbered(std::string_view text);

std::string utf8_of(unsigned code_point);

/// How many bytes at the beginning of the text are this character; 0 where it is another.
std::size_t spelled(std::string_view text, char wanted, bool any_case);

/// The character that is written at the beginning of the text.
char meant_at(std::string_view text);

/// Whether a character stands for itself and for no other, whatever is behind it.
inline bool is_plain(char c) { return c != '\\' && c != '%' && c != '&' && c != '\'' && c != '+'; }

using Characters = std::bitset<256>;

/// All that what is written at the beginning of the text may be, in either case.
Characters readings_of(std::string_view text);

/// All that may stand behind the first character of what is looked for, where the text begins with
/// that character.
Characters readings_behind(std::string_view text, char first);

}  // namespace jrpcheck::result
