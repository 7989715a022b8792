// Texts in a row.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace jrpcheck {

/// What `text_of` makes of each of them, with `between` between each two.
template <typename Range, typename TextOf = std::identity>
std::string joined(const Range& all, std::string_view between = ", ", TextOf text_of = {}) {
  std::string text;
  bool is_first = true;
  for (const auto& each : all) {
    if (!std::exchange(is_first, false)) text += between;
    text += std::invoke(text_of, each);
  }
  return text;
}

}  // namespace jrpcheck
