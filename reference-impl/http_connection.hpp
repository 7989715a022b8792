// One HTTP connection, from its first byte to its close.
#pragma once

#include "reference-impl/dispatcher.hpp"

namespace jrpcheck::reference {

/// Answers the requests that come on `socket`, in their order, until the peer closes or the
/// connection cannot go on. The socket is shut down then, but not closed.
void serve_http_connection(const Dispatcher& dispatcher, int socket);

}  // namespace jrpcheck::reference
