#include "base/letter_case.hpp"

#include <algorithm>

namespace jrpcheck {
namespace {

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), lower_letter);
  return lower;
}

bool same_ignoring_case(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lower_letter(a) == lower_letter(b); });
}

bool begins_ignoring_case(std::string_view text, std::string_view beginning) {
  return same_ignoring_case(text.substr(0, beginning.size()), beginning);
}

}  // namespace jrpcheck
