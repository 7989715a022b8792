// What an HTTP response brings into an exchange.
#pragma once

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

/// Takes a response in: its body is the reply, and what breaks HTTP/1.1 ends the exchange.
void take_in(wire::HttpMessage response, dialogue::Exchange& exchange,
             dialogue::Transcript& transcript);

bool has_json_object(const wire::HttpMessage& response);

}  // namespace jrpcheck::session
