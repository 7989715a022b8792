// Servers that serve so many connections at a time, and close or refuse further ones at once.
#pragma once

#include <cstddef>
#include <functional>

#include "session/patience.hpp"
#include "session/stream_conversation.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::session {

/// Whether of so many connections beside one that is held open one is closed or refused without an
/// answer, twice, and the one that is held is served before and afterwards, as `held_is_served`
/// tells. No clause wants a server to serve several (RFC 9293 §3.6, RFC 6455 §4.2.2).
bool turns_others_away(transport::Peer& peer, const StreamSettings& settings,
                       const Patience& patience, std::size_t beside,
                       const std::function<bool()>& held_is_served);

/// The same of one connection beside another, at a time when the caller has none open that has been
/// served: asked once by trying, and known to the peer from then on. One that serves none then
/// tells nothing.
bool is_known_to_turn_others_away(transport::Peer& peer, const StreamSettings& settings,
                                  const Patience& patience);

}  // namespace jrpcheck::session
