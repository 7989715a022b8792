#include "fuzz/message_size.hpp"

#include <algorithm>
#include <limits>

namespace jrpcheck::fuzz {

std::size_t nesting_of(std::string_view text) {
  std::size_t open = 0;
  std::size_t most = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    if (in_string && each == '\\') {
      ++i;  // what is escaped ends no String
    } else if (each == '"') {
      in_string = !in_string;
    } else if (!in_string && (each == '[' || each == '{')) {
      most = std::max(most, ++open);
    } else if (!in_string && (each == ']' || each == '}') && open > 0) {
      --open;
    }
  }
  return most;
}

bool is_beyond_limits(std::string_view text, const Traits& traits) {
  if (text.size() > traits.longest_message) return true;
  return traits.deepest_message != std::numeric_limits<std::size_t>::max() &&
         nesting_of(text) > traits.deepest_message;
}

}  // namespace jrpcheck::fuzz
