// Numbers too large for a double. They are JSON all the same (RFC 8259 §6), but nlohmann/json stops
// at the first one; here the text is made digestible, and what it said is kept.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace jrpcheck::reference {

/// Number tokens too large for a double, by their place among all numbers of a text: the first
/// number has place 0.
using OversizedNumbers = std::map<std::size_t, std::string>;

/// A text in which every number fits into a double, and the tokens that did not.
struct ShortenedText {
  std::string text;
  OversizedNumbers oversized;
};

/// Shortens the oversized numbers of `text`. The result is JSON exactly when `text` is.
ShortenedText shorten_oversized_numbers(std::string_view text);

}  // namespace jrpcheck::reference
