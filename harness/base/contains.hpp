// What std::string::contains and std::ranges::contains of C++23 tell.
#pragma once

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string_view>

namespace jrpcheck {

/// Whether the text has that part.
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Whether one of them is equal to that.
template <typename Range, typename Value>
requires(!std::convertible_to<const Range&, std::string_view>) bool contains(const Range& all,
                                                                             const Value& one) {
  return std::find(std::begin(all), std::end(all), one) != std::end(all);
}

}  // namespace jrpcheck
