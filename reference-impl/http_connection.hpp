// One HTTP connection, from its first byte to its close.
#pragma once

#include "reference-impl/handler.hpp"
#include "reference-impl/transport_hooks.hpp"

namespace jrpcheck::reference {

/// Answers the requests that come on `socket`, in their order, until the peer closes or the
/// connection cannot go on. The socket is shut down then, but not closed.
void serve_http_connection(const Handler& handler, int socket, const TransportHooks& hooks = {});

}  // namespace jrpcheck::reference
