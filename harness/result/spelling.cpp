#include "result/spelling.hpp"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
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

// A character by its number, and how many bytes of the text that is.
struct Numbered {
  unsigned code_point;
  std::size_t length;
};

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

// \u00e4, \ud83d\ude00 (RFC 8259 §7) and &#228;.
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

// How many bytes at the beginning of the text are this character; 0 where it is another.
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

// The character that is written at the beginning of the text.
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

// Whether a character stands for itself and for no other, whatever is behind it.
bool is_plain(char c) { return std::string_view("\\%&'+").find(c) == std::string_view::npos; }

std::size_t place_of_pair(char first, char second) {
  return std::size_t{static_cast<unsigned char>(first)} << 8U | static_cast<unsigned char>(second);
}

using Characters = std::bitset<256>;

// All that what is written at the beginning of the text may be, in either case.
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

// All that may stand behind the first character of what is looked for, where the text begins with
// that character.
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

// A cut may go through the middle of a character that is written as an escape.
constexpr std::size_t kMostOfEscape = 15;

bool may_be_of_escape(char c) {
  return hex_digit(c) >= 0 || std::string_view("\\ux%&#;").find(c) != std::string_view::npos;
}

// Or nothing at all.
bool is_begun_escape(std::string_view rest) {
  return rest.empty() || (rest.size() <= kMostOfEscape &&
                          std::string_view("\\%&").find(rest.front()) != std::string_view::npos &&
                          std::ranges::all_of(rest, may_be_of_escape));
}

// What dumps and logs write between two bytes in hexadecimal.
std::size_t between_bytes(std::string_view text) {
  constexpr int kMostBetween = 2;
  std::size_t length = 0;
  for (int i = 0; i < kMostBetween && length < text.size(); ++i) {
    for (const char c : {':', '-', ' ', ','}) {
      const std::size_t found = spelled(text.substr(length), c, false);
      length += found;
      if (found > 0) break;
    }
  }
  return text.substr(length, 2) == "0x" ? length + 2 : length;
}

struct Match {
  std::size_t characters = 0;  // of what is looked for
  std::size_t bytes = 0;       // of the text
};

Match match(std::string_view text, std::string_view what, bool is_hexadecimal) {
  // What stands there as it is could be read otherwise, where it has percent signs or backslashes.
  if (text.substr(0, what.size()) == what) return {what.size(), what.size()};
  Match matched;
  while (matched.characters < what.size() && matched.bytes < text.size()) {
    const char wanted = what[matched.characters];
    // Of the end of a secret only the last byte is known to be whole.
    const bool is_between = matched.characters > 0 && (what.size() - matched.characters) % 2 == 0;
    if (is_hexadecimal && is_between) matched.bytes += between_bytes(text.substr(matched.bytes));
    if (matched.bytes >= text.size()) break;
    // What is beyond ASCII is several bytes, and one number.
    const auto number = static_cast<unsigned char>(wanted) < 0x80
                            ? std::nullopt
                            : numbered(text.substr(matched.bytes));
    const std::string whole = number ? utf8_of(number->code_point) : std::string();
    if (number && what.substr(matched.characters).starts_with(whole)) {
      matched.characters += whole.size();
      matched.bytes += number->length;
      continue;
    }
    const std::size_t length = spelled(text.substr(matched.bytes), wanted, is_hexadecimal);
    if (length == 0) break;
    matched.bytes += length;
    // What is written as one run is one run here as well.
    do {
      ++matched.characters;
    } while (wanted == '\\' && matched.characters < what.size() &&
             what[matched.characters] == '\\');
  }
  return matched;
}

}  // namespace

SpellingFinder::SpellingFinder(std::vector<Spelling> spellings) : spellings_(std::move(spellings)) {
  std::vector<std::size_t> order(spellings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [this](std::size_t which) {
    return std::tie(spellings_[which].is_hexadecimal, spellings_[which].text);
  });
  for (const std::size_t which : order) {
    const auto& [text, is_hexadecimal] = spellings_[which];
    longest_ = std::max(longest_, text.size());
    add_candidate(text.front(), which);
    const char other = is_hexadecimal ? to_upper(text.front()) : text.front();
    if (other != text.front()) add_candidate(other, which);
    note_beginning(text, is_hexadecimal);
  }
}

void SpellingFinder::add_candidate(char first, std::size_t which) {
  auto& those = by_first_[static_cast<unsigned char>(first)];
  std::size_t shared = 0;
  if (!those.empty()) {
    const auto& [text, is_hexadecimal] = spellings_[which];
    const auto& before = spellings_[those.back().which];
    const auto is_shared = [](char a, char b) {
      return a == b && is_plain(a) && static_cast<unsigned char>(a) < 0x80;
    };
    const auto end =
        std::mismatch(text.begin(), text.end(), before.text.begin(), before.text.end(), is_shared);
    if (before.is_hexadecimal == is_hexadecimal) {
      shared = static_cast<std::size_t>(end.first - text.begin());
    }
  }
  those.push_back({which, shared});
}

void SpellingFinder::note_beginning(std::string_view text, bool any_case) {
  if (text.size() < 2) {
    beginnings_.set();  // whatever comes second
    return;
  }
  for (const char first : {text[0], any_case ? to_upper(text[0]) : text[0]}) {
    for (const char second : {text[1], any_case ? to_upper(text[1]) : text[1]}) {
      beginnings_.set(place_of_pair(first, second));
    }
  }
}

// Most places of most texts are dismissed by this: without it a server that sets many cookies would
// have each place held against dozens of spellings.
bool SpellingFinder::may_begin(std::string_view text) const {
  return text.size() < 2 || !is_plain(text[0]) || !is_plain(text[1]) ||
         beginnings_.test(place_of_pair(text[0], text[1]));
}

template <typename Visit>
bool SpellingFinder::any_candidate(std::string_view text, const Visit& visit) const {
  if (!may_begin(text)) return false;
  const char meant = meant_at(text);
  for (const char first : {text.front(), meant}) {
    const auto& those = by_first_[static_cast<unsigned char>(first)];
    const Characters seconds = those.empty() ? Characters() : readings_behind(text, first);
    // What shares more with one than was found of it is found as little. A server may set two
    // hundred cookies that begin alike.
    std::optional<std::size_t> found_before;
    for (const auto& [which, shared] : those) {
      if (found_before && shared > *found_before) continue;
      found_before.reset();
      const auto& [wanted, is_hexadecimal] = spellings_[which];
      if (wanted.size() > 1 && !seconds.test(static_cast<unsigned char>(wanted[1]))) continue;
      const Match matched = match(text, wanted, is_hexadecimal);
      if (visit(which, matched)) return true;
      if (matched.characters < wanted.size()) found_before = matched.characters;
    }
    if (meant == text.front()) break;
  }
  return false;
}

std::optional<SpellingFinder::Found> SpellingFinder::find(std::string_view text,
                                                          std::size_t from) const {
  std::optional<Found> found;
  for (std::size_t at = from; at < text.size() && !found; ++at) {
    any_candidate(text.substr(at), [&](std::size_t which, const Match& matched) {
      const bool is_whole = matched.characters == spellings_[which].text.size();
      if (is_whole && (!found || at + matched.bytes > found->end)) {
        found = Found{which, at, at + matched.bytes};
      }
      return false;
    });
  }
  return found;
}

std::optional<std::size_t> SpellingFinder::begun_at_end(std::string_view text,
                                                        std::size_t least) const {
  // No character takes more, but in rare cases.
  constexpr std::size_t kBytesOfCharacter = 10;
  const std::size_t most = std::min(text.size(), longest_ * kBytesOfCharacter);
  for (std::size_t at = text.size() - most; at + least <= text.size(); ++at) {
    const bool is_begun =
        any_candidate(text.substr(at), [&](std::size_t which, const Match& matched) {
          const auto rest = text.substr(at + matched.bytes);
          const bool is_to_the_end =
              is_begun_escape(rest) || (spellings_[which].is_hexadecimal && rest == "0");
          return is_to_the_end && matched.characters >= least;
        });
    if (is_begun) return at;
  }
  return std::nullopt;
}

std::size_t SpellingFinder::ended_at_begin(std::string_view text, std::size_t least) const {
  for (std::size_t skipped = 0; skipped < text.size() && skipped <= kMostOfEscape; ++skipped) {
    const std::size_t length = ended_at_very_begin(text.substr(skipped), least);
    if (length > 0) return skipped + length;
    if (!may_be_of_escape(text[skipped])) break;
  }
  return 0;
}

std::size_t SpellingFinder::ended_at_very_begin(std::string_view text, std::size_t least) const {
  std::size_t longest = 0;
  const std::size_t between = between_bytes(text);
  const Characters at_once = readings_of(text);
  const Characters behind = between > 0 ? readings_of(text.substr(between)) : at_once;
  for (const auto& [wanted, is_hexadecimal] : spellings_) {
    const Characters& readings = is_hexadecimal ? behind : at_once;
    const std::size_t before = is_hexadecimal ? between : 0;
    for (std::size_t from = 1; from + least <= wanted.size(); ++from) {
      // All the ends of all spellings are too many to be held against the text.
      if (!readings.test(static_cast<unsigned char>(wanted[from]))) continue;
      const auto end = std::string_view(wanted).substr(from);
      const Match matched = match(text.substr(before), end, is_hexadecimal);
      if (matched.characters == end.size()) longest = std::max(longest, before + matched.bytes);
    }
  }
  return longest;
}

}  // namespace jrpcheck::result
