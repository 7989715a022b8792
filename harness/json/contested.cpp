#include "json/contested.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "json/number.hpp"

namespace jrpcheck::json {
namespace {

using json::Kind;

// The tightest limits that are common: 64 in System.Text.Json and 100 in Ruby's parser.
constexpr std::size_t kInspectedDepth = 30;
// The tightest of all: ArduinoJson's.
constexpr std::size_t kDepthOfAll = 10;
constexpr std::size_t kValues = 5'000;
constexpr std::size_t kTextBytes = 16'384;
// What survives a double and comes back in the same digits.
constexpr std::ptrdiff_t kDigits = 15;
constexpr long long kExponent = 290;

// A lone surrogate is held in its three-byte form, which UTF-8 does not allow.
bool has_surrogate(const std::string& text) { return find_invalid_utf8(text).has_value(); }

bool is_great(long long exponent) { return exponent > kExponent || exponent < -kExponent; }

// Of 1e5 it is 5; nothing: it has more digits than anybody reads.
std::optional<long long> exponent_in(const std::string& number) {
  const auto e = number.find_first_of("eE");
  if (e == std::string::npos) return 0;
  long long exponent = 0;
  const char* begin = number.data() + e + (number[e + 1] == '+' ? 2 : 1);
  const auto read = std::from_chars(begin, number.data() + number.size(), exponent);
  return read.ec == std::errc() ? std::optional(exponent) : std::nullopt;
}

bool is_of_digits(const std::string& token) {
  return std::ranges::all_of(token, [](char c) { return is_digit(c) || c == '-'; });
}

bool is_small(const std::string& token) {
  return std::ssize(token) <= kDigits && is_of_digits(token);
}

// Beyond the range of a double, or of 64 bits where it is written as an integer.
bool is_out_of_range(const std::string& token) {
  if (is_small(token)) return false;
  if (token.size() > 300) return true;
  if (is_of_digits(token)) {
    long long value = 0;
    return std::from_chars(token.data(), token.data() + token.size(), value).ec != std::errc();
  }
  const auto as_written = exponent_in(token);
  const auto exponent = exponent_in(canonical_number(token));
  return !as_written || !exponent || is_great(*as_written) ||
         (!is_integer(token) && is_great(*exponent));
}

// A double has other digits.
bool is_inexact(const std::string& token) {
  if (is_small(token)) return false;
  if (is_integer(token)) return !is_interoperable_integer(token);
  const std::string canonical = canonical_number(token);
  return std::count_if(canonical.begin(), std::ranges::find(canonical, 'e'), is_digit) > kDigits;
}

bool has_repeated_name(const json::Value& object) {
  constexpr std::size_t kFew = 8;  // where it is quicker to compare each with each
  const auto& all = object.names();
  if (all.size() <= kFew) {
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i]) !=
          all.begin() + static_cast<std::ptrdiff_t>(i)) {
        return true;
      }
    }
    return false;
  }
  std::vector<std::string_view> names(all.begin(), all.end());
  std::ranges::sort(names);
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool is_refusable_here(const json::Value& value) {
  switch (value.kind()) {
    case Kind::number:
      return is_out_of_range(value.text());
    case Kind::string:
      return has_surrogate(value.text());
    case Kind::object:
      return has_repeated_name(value) || std::ranges::any_of(value.names(), has_surrogate);
    default:
      return false;
  }
}

bool is_altered_here(const json::Value& value) {
  return (value.is(Kind::number) && is_inexact(value.text())) ||
         (value.is(Kind::string) && value.text().size() > kTextBytes);
}

// Goes so deep, and all that is below counts as such.
template <typename Predicate>
bool has_any(const json::Value& value, const Predicate& is_such, std::size_t depth) {
  if (depth == 0 || is_such(value)) return true;
  return std::ranges::any_of(value.children(), [&](const json::Value& child) {
    return has_any(child, is_such, depth - 1);
  });
}

// Reads brackets and double-quoted strings, and nothing else that could hide a bracket.
class Brackets {
 public:
  enum class Verdict { open, closed, wrong, unknown };

  // Closed: the first value is whole, whatever follows it.
  Verdict read(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"') {
        at = end_of_string(text, at);
        if (at == std::string_view::npos) return Verdict::open;
      } else if (c == '{' || c == '[') {
        open_.push_back(c);
      } else if (c == '}' || c == ']') {
        if (open_.empty() || open_.back() != (c == '}' ? '{' : '[')) return Verdict::wrong;
        open_.pop_back();
        if (open_.empty()) return Verdict::closed;
      } else if (!may_stand(c)) {
        return Verdict::unknown;
      }
    }
    return Verdict::open;
  }

 private:
  static std::size_t end_of_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size(); ++at) {
      if (text[at] == '\\') {
        ++at;
      } else if (text[at] == '"') {
        return at;
      }
    }
    return std::string_view::npos;
  }

  static bool may_stand(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' && byte < 0x7F && c != '\'' && c != '/' && c != '#' && c != '`' && c != '\\';
  }

  std::string open_;
};

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte == 0x7F;
  });
}

}  // namespace

bool is_refusable(const json::Value& value) {
  return has_any(value, is_refusable_here, kInspectedDepth);
}

bool is_contested(const json::Value& value) {
  std::size_t seen = 0;
  const auto is_contested_here = [&](const json::Value& each) {
    return ++seen > kValues || is_altered_here(each) || is_refusable_here(each);
  };
  return has_any(value, is_contested_here, kDepthOfAll);
}

bool is_surely_broken(std::string_view text) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  if (find_invalid_utf8(text) || has_control_character(text)) return false;
  const auto verdict = Brackets().read(text);
  return verdict == Brackets::Verdict::open || verdict == Brackets::Verdict::wrong;
}

}  // namespace jrpcheck::json
