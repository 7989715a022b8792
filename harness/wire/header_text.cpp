#include "wire/header_text.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";

bool is_token_character(char c) {
  return is_alphanumeric(c) || kTokenMarks.find(c) != std::string_view::npos;
}

std::optional<std::uint64_t> number(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped_at, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stopped_at != end) return std::nullopt;
  return value;
}

}  // namespace

std::string evidence_of(std::string_view bytes, std::size_t limit) {
  return std::string(bytes.substr(0, std::min(kEvidenceBytes, limit)));
}

LineProgress take_line(std::string_view& bytes, std::string& buffer, std::size_t limit) {
  const std::size_t line_feed = bytes.find('\n');
  const std::size_t wanted = line_feed == std::string_view::npos ? bytes.size() : line_feed + 1;
  const std::size_t room = limit > buffer.size() ? limit - buffer.size() : 0;
  const std::size_t taken = std::min(wanted, room);
  buffer.append(bytes.substr(0, taken));
  bytes.remove_prefix(taken);
  if (taken < wanted) return LineProgress::too_long;
  return line_feed == std::string_view::npos ? LineProgress::partial : LineProgress::complete;
}

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view cut_off(std::string_view& rest, char separator) {
  bool is_quoted = false;
  std::size_t at = 0;
  for (; at < rest.size(); ++at) {
    if (rest[at] == '\\' && is_quoted) {
      ++at;
    } else if (rest[at] == '"') {
      is_quoted = !is_quoted;
    } else if (rest[at] == separator && !is_quoted) {
      break;
    }
  }
  const std::string_view piece = rest.substr(0, std::min(at, rest.size()));
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return trimmed(piece);
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_character);
}

std::optional<std::uint64_t> decimal(std::string_view digits) { return number(digits, 10); }

std::optional<std::uint64_t> hexadecimal(std::string_view digits) { return number(digits, 16); }

}  // namespace jrpcheck::wire
