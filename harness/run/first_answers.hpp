// What the first calls of a run came to, before anything is known of the server.
#pragma once

#include <string>
#include <vector>

#include "dialogue/exchange.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// The exchanges of one case.
using Exchanges = std::vector<dialogue::Exchange>;

/// Whether some reply looks like a Response, good or bad.
bool has_response(const Exchanges& exchanges);
/// Whether a batch was served as one, well or badly.
bool has_array_of_responses(const Exchanges& exchanges);
/// Whether the first answer is an error of -32600, Invalid Request.
bool is_invalid_request(const Exchanges& exchanges);
/// Which limit of jrpcheck's own an answer was beyond, so that nothing can be said about it; or
/// nothing.
std::string limit_met(const Exchanges& exchanges);
/// Whether nothing at all has come.
bool is_silent(const Exchanges& exchanges);
/// Whether nothing has come that is a message, or could be taken for one.
bool has_come_to_nothing(const Exchanges& exchanges);
/// Whether a call of an unknown method is answered as it must be (JSON-RPC 2.0 §5.1).
bool is_answered_rightly(const Exchanges& exchanges);
/// What the server did instead of answering in JSON-RPC, in words.
std::string what_came(const Exchanges& exchanges);
/// Whether an error has the code that LSP gives to what comes before `initialize` (-32002, 3.17 §
/// Response Message), or words to that effect.
bool asks_for_handshake(const json::Value& error);
/// Whether the first of them is an error that says so in words. The code alone may be one that a
/// server has chosen for something else.
bool says_it_wants_handshake(const Exchanges& exchanges);
/// What may help where it does not, as a sentence with a space before it; or nothing.
std::string hint_for(const Exchanges& exchanges);
/// The profiles with an opening that are spoken over this binding; none where no call asks for one.
std::vector<std::string> wanted_handshakes(const Exchanges& exchanges,
                                           const wire::Binding& binding);

}  // namespace jrpcheck::run
