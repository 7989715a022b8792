// Triage over WebSocket: is it spoken there at all, and JSON-RPC on it?
#pragma once

#include "run/http_triage.hpp"
#include "session/upgrade.hpp"

namespace jrpcheck::run {

/// Asks for WebSocket, and makes calls that do nothing until one is answered by a Response, however
/// bad, or until the deadline.
Triage triage_websocket(transport::Peer& peer, const Options& options,
                        const session::UpgradeSettings& settings, const session::ControlCall& call,
                        Deadline deadline);

/// Whether WebSocket is spoken at the same place.
bool speaks_websocket(const transport::Dial& dial, const session::UpgradeSettings& settings,
                      Deadline deadline);

}  // namespace jrpcheck::run
