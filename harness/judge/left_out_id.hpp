// Errors that come without an id: MCP lets them from 2025-11-25 on (schema JSONRPCErrorResponse)
// where that of what was sent could not be read, and before that under an HTTP error (Transports §
// Sending Messages). JSON-RPC 2.0 §5 has null there.
#pragma once

#include "corpus/case.hpp"
#include "corpus/profile.hpp"
#include "dialogue/exchange.hpp"
#include "json/value.hpp"

namespace jrpcheck::judge {

bool is_error_without_id(const json::Value& response);

/// How the protocol lets an error come without an id under the status of this exchange; null: it
/// does not.
const corpus::ErrorsWithoutId* how_id_is_left_out(const corpus::Profile& profile,
                                                  const dialogue::Exchange& exchange);

/// Whether one of its outcomes has an error without an id.
bool takes_error_without_id(const corpus::Step& step);

}  // namespace jrpcheck::judge
