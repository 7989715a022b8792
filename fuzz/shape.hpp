// Shapes of replies: what tells the engine that an input has brought something new.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dialogue/exchange.hpp"

namespace jrpcheck::fuzz {

/// What came back without its texts: members, types, codes, sizes by order of magnitude. An echoed
/// text is not new, or the corpus would fill with echoes.
std::string shape_of_exchange(const dialogue::Exchange& exchange);

/// FNV-1a, the same on every machine.
std::uint32_t hash_of(const std::string& text);

}  // namespace jrpcheck::fuzz
