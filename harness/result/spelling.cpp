#include "result/spelling.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "result/written_character.hpp"

namespace jrpcheck::result {
namespace {

std::size_t place_of_pair(char first, char second) {
  return std::size_t{static_cast<unsigned char>(first)} << 8U | static_cast<unsigned char>(second);
}

// A cut may go through the middle of a character that is written as an escape.
constexpr std::size_t kMostOfEscape = 15;

// So many characters are held against the beginning of one text. Only one that was made for it
// takes more: a server may set two hundred cookies of zeros, and answer with zeros.
constexpr std::size_t kMostEffort = 100'000;

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

// Of two texts, where it can be read in one way.
struct IsShared {
  bool operator()(char a, char b) const {
    return a == b && is_plain(a) && static_cast<unsigned char>(a) < 0x80;
  }
};

struct Match {
  std::size_t characters = 0;  // of what is looked for
  std::size_t bytes = 0;       // of the text
};

Match match(std::string_view text, std::string_view what, bool is_hexadecimal) {
  // What stands there as it is could be read otherwise, where it has percent signs or backslashes.
  if (text.substr(0, what.size()) == what) return {what.size(), what.size()};
  Match matched;
  // What is plain stands for itself, but for what may be written between bytes.
  if (!is_hexadecimal) {
    const auto end = std::mismatch(text.begin(), text.end(), what.begin(), what.end(), IsShared());
    matched.characters = matched.bytes = static_cast<std::size_t>(end.first - text.begin());
  }
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
    note_ends(which);
  }
}

void SpellingFinder::add_candidate(char first, std::size_t which) {
  auto& those = by_first_[static_cast<unsigned char>(first)];
  std::size_t shared = 0;
  if (!those.empty()) {
    const auto& [text, is_hexadecimal] = spellings_[which];
    const auto& before = spellings_[those.back().which];
    const auto end =
        std::mismatch(text.begin(), text.end(), before.text.begin(), before.text.end(), IsShared());
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

void SpellingFinder::note_ends(std::size_t which) {
  const auto& [text, is_hexadecimal] = spellings_[which];
  auto& ends = ends_[is_hexadecimal ? 1 : 0];
  for (std::size_t from = 1; from < text.size(); ++from) {
    ends[static_cast<unsigned char>(text[from])].push_back({which, from});
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
    std::size_t found_before = std::string::npos;
    for (const auto& [which, shared] : those) {
      if (shared > found_before) continue;
      found_before = std::string::npos;
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
  std::size_t effort = 0;
  for (std::size_t skipped = 0; skipped < text.size() && skipped <= kMostOfEscape; ++skipped) {
    const std::size_t length = ended_at_very_begin(text.substr(skipped), least, effort);
    if (effort > kMostEffort) return text.size();
    if (length > 0) return skipped + length;
    if (!may_be_of_escape(text[skipped])) break;
  }
  return 0;
}

std::size_t SpellingFinder::ended_at_very_begin(std::string_view text, std::size_t least,
                                                std::size_t& effort) const {
  std::size_t longest = 0;
  const std::size_t between = between_bytes(text);
  const Characters at_once = readings_of(text);
  const Characters behind = between > 0 ? readings_of(text.substr(between)) : at_once;
  for (const bool is_hexadecimal : {false, true}) {
    const Characters& readings = is_hexadecimal ? behind : at_once;
    const std::size_t before = is_hexadecimal ? between : 0;
    for (std::size_t first = 0; first < readings.size(); ++first) {
      if (!readings.test(first)) continue;
      for (const auto& [which, from] : ends_[is_hexadecimal ? 1 : 0][first]) {
        const auto end = std::string_view(spellings_[which].text).substr(from);
        if (end.size() < least) continue;
        const Match matched = match(text.substr(before), end, is_hexadecimal);
        effort += matched.characters + 1;
        if (effort > kMostEffort) return longest;
        if (matched.characters == end.size()) longest = std::max(longest, before + matched.bytes);
      }
    }
  }
  return longest;
}

}  // namespace jrpcheck::result
