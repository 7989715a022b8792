#include "json/contested.hpp"

#include <algorithm>
#include <charconv>
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
constexpr std::size_t kValues = 5'000;
constexpr std::size_t kTextBytes = 16'384;
// What survives a double and comes back in the same digits.
constexpr std::size_t kDigits = 15;
constexpr long long kExponent = 290;

// A lone surrogate is held in its three-byte form, which UTF-8 does not allow.
bool has_surrogate(const std::string& text) { return find_invalid_utf8(text).has_value(); }

bool is_contested_number(const std::string& token) {
  if (token.size() > 300) return true;
  const auto is_plain = [](char c) { return is_digit(c) || c == '-'; };
  if (token.size() <= kDigits && std::ranges::all_of(token, is_plain)) return false;
  const std::string canonical = json::canonical_number(token);
  const auto e = canonical.find('e');
  const auto digits = static_cast<std::size_t>(std::count_if(
      canonical.begin(),
      e == std::string::npos ? canonical.end() : canonical.begin() + static_cast<std::ptrdiff_t>(e),
      is_digit));
  long long exponent = 0;
  if (e != std::string::npos) {
    const char* begin = canonical.data() + e + 1;
    const auto read = std::from_chars(begin, canonical.data() + canonical.size(), exponent);
    if (read.ec != std::errc()) return true;
  }
  const auto written = token.find_first_of("eE");
  long long as_written = 0;
  if (written != std::string::npos) {
    const char* begin = token.data() + written + (token[written + 1] == '+' ? 2 : 1);
    const auto read = std::from_chars(begin, token.data() + token.size(), as_written);
    if (read.ec != std::errc()) return true;
  }
  const auto great = [](long long value) { return value > kExponent || value < -kExponent; };
  if (json::is_integer(token)) return !json::is_interoperable_integer(token) || great(as_written);
  return digits > kDigits || great(exponent) || great(as_written);
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

bool is_contested_here(const json::Value& value) {
  switch (value.kind()) {
    case Kind::number:
      return is_contested_number(value.text());
    case Kind::string:
      return value.text().size() > kTextBytes || has_surrogate(value.text());
    case Kind::object:
      return has_repeated_name(value) || std::ranges::any_of(value.names(), has_surrogate);
    default:
      return false;
  }
}

// Goes no deeper than kInspectedDepth.
bool is_contested(const json::Value& value, std::size_t depth, std::size_t& seen) {
  if (depth > kInspectedDepth || ++seen > kValues || is_contested_here(value)) return true;
  const auto& children = value.children();
  return std::ranges::any_of(
      children, [&](const json::Value& child) { return is_contested(child, depth + 1, seen); });
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

bool is_contested(const json::Value& value) {
  std::size_t seen = 0;
  return is_contested(value, 1, seen);
}

bool is_surely_broken(std::string_view text) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  if (find_invalid_utf8(text) || has_control_character(text)) return false;
  const auto verdict = Brackets().read(text);
  return verdict == Brackets::Verdict::open || verdict == Brackets::Verdict::wrong;
}

}  // namespace jrpcheck::json
