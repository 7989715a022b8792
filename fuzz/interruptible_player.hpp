// A player that tells nothing of what an interruption has cut short.
#pragma once

#include <memory>

#include "fuzz/player.hpp"

namespace jrpcheck::fuzz {

/// An interruption ends every wait as if a server had not answered. So nothing that is under way
/// then, or comes later, is told: there is an Error instead, which says what came.
std::unique_ptr<Player> make_interruptible(std::unique_ptr<Player> player);

}  // namespace jrpcheck::fuzz
