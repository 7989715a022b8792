// One HTTP connection, from its first byte to its close.
#pragma once

#include "reference-impl/conduct.hpp"
#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

/// Answers the requests that come on `socket`, in their order, until the peer closes or the
/// connection cannot go on. The socket is shut down then, but not closed.
void serve_http_connection(const Handler& handler, int socket,
                           const Conduct& conduct = proper_conduct());

}  // namespace jrpcheck::reference
