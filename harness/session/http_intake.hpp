// What an HTTP response brings into an exchange.
#pragma once

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

/// The event of a response with this body, which it holds as well.
dialogue::Event event_of(const wire::HttpMessage& response, const dialogue::Message& body);

/// Takes a response in: its body is the reply, and what breaks HTTP/1.1 ends the exchange. `call`
/// as in Reply.
void take_in(const wire::HttpMessage& response, dialogue::Exchange& exchange,
             dialogue::Transcript& transcript, std::optional<std::size_t> call = {});

}  // namespace jrpcheck::session
