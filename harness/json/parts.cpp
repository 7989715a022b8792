#include "json/parts.hpp"

#include <algorithm>
#include <string>

#include "json/scan.hpp"

namespace jrpcheck::json {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";
constexpr std::string_view kBetweenParts = ", \t\r\n";
constexpr std::string_view kBetweenNameAndValue = ": \t\r\n";
constexpr std::string_view kBehindAWord = ",]} \t\r\n";

// Behind the string whose quotation mark stands there: its end is the next mark behind an even
// number of backslashes.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (;;) {
    at = text.find('"', at + 1);
    if (at == std::string_view::npos) return text.size();
    const std::size_t before = text.find_last_not_of('\\', at - 1);
    if ((at - before) % 2 == 1) return at + 1;
  }
}

// Behind the Array or Object whose bracket stands there.
std::size_t end_of_container(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char byte = text[at];
    if (byte == '"') {
      at = end_of_string(text, at);
      continue;
    }
    ++at;
    if (byte == '[' || byte == '{') ++depth;
    if ((byte == ']' || byte == '}') && --depth == 0) break;
  }
  return at;
}

}  // namespace

std::string_view value_at(std::string_view text, std::size_t begin) {
  if (begin >= text.size()) return {};
  std::size_t end = 0;
  switch (text[begin]) {
    case '"':
      end = end_of_string(text, begin);
      break;
    case '[':
    case '{':
      end = end_of_container(text, begin);
      break;
    default:
      end = std::min(text.find_first_of(kBehindAWord, begin), text.size());
  }
  return text.substr(begin, end - begin);
}

Parts::Parts(std::string_view text) : text_(text) {
  skip(kWhiteSpace);
  const char first = at_ < text_.size() ? text_[at_] : '\0';
  has_names_ = first == '{';
  if (has_names_ || first == '[') {
    ++at_;
  } else {
    at_ = text_.size();
  }
}

bool Parts::next() {
  skip(kBetweenParts);
  if (at_ >= text_.size() || text_[at_] == ']' || text_[at_] == '}') return false;
  if (has_names_) {
    name_ = take_value();
    skip(kBetweenNameAndValue);
  }
  part_ = take_value();
  return !part_.empty();
}

bool Parts::is_named(std::string_view name) const {
  if (name_.size() < 2) return false;
  const auto content = name_.substr(1, name_.size() - 2);
  if (content.find('\\') == std::string_view::npos) return content == name;
  constexpr std::size_t kLongestOfAByte = 6;  // "\u0061"
  if (content.size() > kLongestOfAByte * name.size()) return false;
  std::size_t at = 0;
  std::string read;
  return scan_string(name_, at, read) == nullptr && read == name;
}

void Parts::skip(std::string_view bytes) {
  at_ = std::min(text_.find_first_not_of(bytes, at_), text_.size());
}

std::string_view Parts::take_value() {
  const auto value = value_at(text_, at_);
  at_ += value.size();
  return value;
}

std::string_view member_text(std::string_view object, std::string_view name) {
  std::string_view found;
  for (Parts parts(object); parts.next();) {
    if (parts.is_named(name)) found = parts.text();
  }
  return found;
}

}  // namespace jrpcheck::json
