// Shapes of replies: what tells the engine that an input has brought something new.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dialogue/exchange.hpp"

namespace jrpcheck::fuzz {

/// What came back without its texts: members, types, codes, sizes by order of magnitude. An echoed
/// text is not new, or the corpus would fill with echoes.
std::string shape_of_exchange(const dialogue::Exchange& exchange);

/// FNV-1a, the same on every machine: of a text behind what `hash` is of.
inline constexpr std::uint32_t kHashOfNothing = 2166136261U;
std::uint32_t hash_of(std::string_view text, std::uint32_t hash = kHashOfNothing);

}  // namespace jrpcheck::fuzz
