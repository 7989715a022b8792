// What the fast player is made of where there is no stream.
#pragma once

#include <memory>

#include "fuzz/player.hpp"

namespace jrpcheck::fuzz {

/// A response ends each wait; whether the server survived shows in the next.
std::unique_ptr<Player> make_fast_http_player(run::Endpoint& endpoint);

}  // namespace jrpcheck::fuzz
