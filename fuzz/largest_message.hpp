// How large a message a server takes: what it says of one that is longer, or nested deeper, is said
// of its size, and of nothing that stands in it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "dialogue/exchange.hpp"

namespace jrpcheck::fuzz {

/// Sends one call of that size, each time with another id, and gives what comes of it.
using AskOfSize = std::function<dialogue::Exchange(std::size_t)>;

/// In bytes, up to what is sent to servers here. A longer one is refused by a code that the same
/// call does not get when it is shorter. The largest number: none is refused.
std::size_t longest_message(std::size_t shortest, const AskOfSize& ask);

/// In Arrays and Objects that stand in each other, up to what is sent to servers here. The params
/// of the call are nested in so many levels.
std::size_t deepest_message(const AskOfSize& ask);

/// Such a call, of a method that no server has. Named, as some protocols have params alone.
std::string call_nesting(std::size_t levels, long long id);

}  // namespace jrpcheck::fuzz
