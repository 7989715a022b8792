// Serving one peer over WebSocket (RFC 6455).
#pragma once

#include "reference-impl/handler.hpp"
#include "reference-impl/transport_hooks.hpp"

namespace jrpcheck::reference {

/// Answers the handshake and then each message by one, until a Close, a frame that breaks a rule,
/// or the end of the connection.
void serve_websocket(const Handler& handler, int socket, const TransportHooks& hooks = {});

}  // namespace jrpcheck::reference
