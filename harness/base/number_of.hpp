// Numbers of things, in words.
#pragma once

#include <string>
#include <string_view>

namespace jrpcheck {

/// "1 case", "2 cases".
inline std::string number_of(unsigned long long count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

}  // namespace jrpcheck
