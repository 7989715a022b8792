#include "result/written_character.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace jrpcheck::result {
namespace {

// The number that so many digits make; nothing where they are not all there.
std::optional<unsigned> number_of(std::string_view text, std::size_t digits, int base) {
  if (text.size() < digits) return std::nullopt;
  unsigned number = 0;
  for (const char c : text.substr(0, digits)) {
    const int digit = hex_digit(c);
    if (digit < 0 || digit >= base) return std::nullopt;
    number = number * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
  }
  return number;
}

bool is_same(char c, char wanted, bool any_case) {
  return c == wanted || (any_case && to_upper(c) == to_upper(wanted));
}

bool is_code_of(std::optional<unsigned> number, char wanted, bool any_case) {
  return number && *number <= 0xFF && is_same(static_cast<char>(*number), wanted, any_case);
}

// JSON within JSON within a shell's words needs no more.
constexpr std::size_t kMostBackslashes = 8;

std::optional<Numbered> code_unit(std::string_view text) {
  const auto begin = text.substr(0, kMostBackslashes + 1).find_first_not_of('\\');
  if (begin == std::string_view::npos || begin == 0 || text[begin] != 'u') return std::nullopt;
  const auto unit = number_of(text.substr(begin + 1), 4, 16);
  return unit ? std::optional(Numbered{*unit, begin + 5}) : std::nullopt;
}

// &#43; and &#x2B;.
std::optional<Numbered> numbered_entity(std::string_view text) {
  const auto end = text.substr(0, 10).find(';');
  if (end == std::string_view::npos || text.substr(0, 2) != "&#") return std::nullopt;
  const bool is_hex = text[2] == 'x' || text[2] == 'X';
  const auto digits = text.substr(is_hex ? 3 : 2, end - std::min<std::size_t>(end, is_hex ? 3 : 2));
  const auto number = number_of(digits, digits.size(), is_hex ? 16 : 10);
  return number && !digits.empty() ? std::optional(Numbered{*number, end + 1}) : std::nullopt;
}

// Behind backslashes: \u002B, \x2b, \053, \/ and the like (RFC 8259 §7, printf).
std::size_t escaped(std::string_view text, char wanted, bool any_case) {
  const auto begin = text.substr(0, kMostBackslashes + 1).find_first_not_of('\\');
  if (begin == std::string_view::npos) return 0;
  const auto rest = text.substr(begin + 1);
  if (text[begin] == 'u' && is_code_of(number_of(rest, 4, 16), wanted, any_case)) return begin + 5;
  if (text[begin] == 'x' && is_code_of(number_of(rest, 2, 16), wanted, any_case)) return begin + 3;
  if (is_code_of(number_of(text.substr(begin), 3, 8), wanted, any_case)) return begin + 3;
  return text[begin] == wanted && wanted != '\\' ? begin + 1 : 0;
}

// %2B, and %252B where it has been encoded twice (RFC 3986 §2.1).
std::size_t percent_encoded(std::string_view text, char wanted, bool any_case) {
  const std::size_t begin = text.substr(0, 3) == "%25" ? 3 : 1;
  if (is_code_of(number_of(text.substr(begin), 2, 16), wanted, any_case)) return begin + 2;
  if (wanted != '%') return 0;
  return text.substr(0, 2) == "%%" ? 2 : begin == 3 ? 3 : 0;
}

// &amp; and by number.
std::size_t as_entity(std::string_view text, char wanted, bool any_case) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (const auto& [entity, stands_for] : kNamed) {
    if (wanted == stands_for && text.substr(0, entity.size()) == entity) return entity.size();
  }
  const auto number = numbered_entity(text);
  return number && is_code_of(number->code_point, wanted, any_case) ? number->length : 0;
}

char character_of(std::optional<unsigned> number, char otherwise) {
  return number && *number <= 0xFF ? static_cast<char>(*number) : otherwise;
}

char meant_by_backslashes(std::string_view text) {
  const auto begin = text.substr(0, kMostBackslashes + 1).find_first_not_of('\\');
  if (begin == std::string_view::npos) return '\\';
  const auto rest = text.substr(begin + 1);
  if (const auto number = numbered(text)) return utf8_of(number->code_point).front();
  if (text[begin] == 'x') return character_of(number_of(rest, 2, 16), 'x');
  return character_of(number_of(text.substr(begin), 3, 8), text[begin]);
}

char meant_by_entity(std::string_view text) {
  for (const char named : {'&', '<', '>', '"', '\''}) {
    if (as_entity(text, named, false) > 0) return named;
  }
  const auto number = numbered(text);
  return number ? utf8_of(number->code_point).front() : '&';
}

}  // namespace

std::optional<Numbered> numbered(std::string_view text) {
  const auto first = text.starts_with('&') ? numbered_entity(text) : code_unit(text);
  if (!first || first->code_point < 0xD800 || first->code_point > 0xDBFF) return first;
  const auto second = code_unit(text.substr(first->length));
  if (!second || second->code_point < 0xDC00 || second->code_point > 0xDFFF) return first;
  const unsigned code_point =
      0x10000 + ((first->code_point - 0xD800) << 10U) + (second->code_point - 0xDC00);
  return Numbered{code_point, first->length + second->length};
}

std::string utf8_of(unsigned code_point) {
  std::string bytes;
  append_utf8(bytes, std::min(code_point, 0x10FFFFU));
  return bytes;
}

std::size_t spelled(std::string_view text, char wanted, bool any_case) {
  std::size_t length = 0;
  switch (text.front()) {
    case '\\':
      length = escaped(text, wanted, any_case);
      break;
    case '%':
      length = percent_encoded(text, wanted, any_case);
      break;
    case '&':
      length = as_entity(text, wanted, any_case);
      break;
    case '\'':
      if (wanted == '\'' && text.substr(0, 4) == "'\\''") length = 4;
      break;
    case '+':
      if (wanted == ' ') length = 1;
      break;
    default:
      break;
  }
  if (length > 0) return length;
  if (!is_same(text.front(), wanted, any_case)) return 0;
  // One backslash may be written as two or four.
  if (wanted != '\\') return 1;
  const auto run = text.substr(0, kMostBackslashes);
  return std::min(run.find_first_not_of('\\'), run.size());
}

char meant_at(std::string_view text) {
  switch (text.front()) {
    case '+':
      return ' ';
    case '\\':
      return meant_by_backslashes(text);
    case '%': {
      const std::size_t begin = text.substr(0, 3) == "%25" ? 3 : 1;
      return character_of(number_of(text.substr(begin), 2, 16), '%');
    }
    case '&':
      return meant_by_entity(text);
    default:
      return text.front();
  }
}

Characters readings_of(std::string_view text) {
  Characters readings;
  if (text.empty()) return readings;
  const auto note = [&readings](char c) {
    readings.set(static_cast<unsigned char>(to_lower(c)));
    readings.set(static_cast<unsigned char>(to_upper(c)));
  };
  note(text.front());
  if (is_plain(text.front())) return readings;
  note(meant_at(text));
  // A number may be that of a byte as well, and a letter behind backslashes stand for itself.
  const auto number = numbered(text);
  if (number && number->code_point <= 0xFF) note(static_cast<char>(number->code_point));
  const auto behind = text.substr(0, kMostBackslashes + 1).find_first_not_of('\\');
  if (behind != std::string_view::npos) note(text[behind]);
  return readings;
}

Characters readings_behind(std::string_view text, char first) {
  // What is beyond ASCII takes several bytes at once, and backslashes stand in runs.
  Characters readings;
  if (static_cast<unsigned char>(first) >= 0x80 || first == '\\') return readings.set();
  if (first == text.front()) readings |= readings_of(text.substr(1));
  for (const bool any_case : {false, true}) {
    const std::size_t length = spelled(text, first, any_case);
    if (length > 0) readings |= readings_of(text.substr(length));
  }
  return readings;
}

}  // namespace jrpcheck::result
