// A user who may call some methods alone, and is refused all others without a word of JSON-RPC.
#pragma once

#include <span>
#include <string>

#include "corpus/profile.hpp"
#include "dialogue/exchange.hpp"

namespace jrpcheck::judge {

/// Whether nothing but the status 403 came back.
bool is_forbidden(const dialogue::Exchange& exchange);

/// Not empty: what was sent is kept from the user, and by what; the server is not at fault. Of one
/// who is known to be limited, a batch with an element that is no call is refused as a whole.
std::string why_kept_from_user(std::span<const dialogue::Message> sent,
                               const dialogue::Exchange& exchange, const corpus::Profile& profile,
                               bool is_known_to_be);

}  // namespace jrpcheck::judge
