#include "base/letter_case.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace jrpcheck {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
  return lower;
}

bool same_ignoring_case(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return to_lower(a) == to_lower(b); });
}

bool begins_ignoring_case(std::string_view text, std::string_view beginning) {
  return same_ignoring_case(text.substr(0, beginning.size()), beginning);
}

}  // namespace jrpcheck
