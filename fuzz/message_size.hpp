// How large a message is, and whether a server refuses it for that (fuzz/largest_message.hpp).
#pragma once

#include <cstddef>
#include <string_view>

#include "fuzz/expectation.hpp"

namespace jrpcheck::fuzz {

/// So many Arrays and Objects stand in each other, also of what is no JSON: brackets outside of
/// Strings.
std::size_t nesting_of(std::string_view text);

/// Whether the server refuses it for its size, whatever it says.
bool is_beyond_limits(std::string_view text, const Traits& traits);

}  // namespace jrpcheck::fuzz
