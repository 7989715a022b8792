// What a server says to the first call of all, before anything is judged by it.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "dialogue/exchange.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/conversation.hpp"
#include "session/patience.hpp"

namespace jrpcheck::fuzz {

/// Where that says that the server still starts (run/await_start.hpp), calls are made until they
/// are answered otherwise, and each program that is started anew is waited for in the same way by
/// the conversations that begin from then on. Whether that was so. The error, for people, says that
/// it starts for longer than anybody waits.
Result<bool> await_start(const dialogue::Exchange& first, session::Conversation& conversation,
                         run::Endpoint& endpoint, const run::Options& options,
                         session::Patience& patience);

/// That the program has ended and has not answered the call, with what it said last; nothing where
/// it has not.
std::optional<Error> early_end(const dialogue::Exchange& first, session::Conversation& conversation,
                               const run::Options& options);

/// Nothing, or what a server has said of a handshake that it wants first where the options have
/// none, and how it is given one: it serves nobody before, and does not answer wrongly.
std::optional<Error> refusal_without_handshake(const dialogue::Exchange& first,
                                               const run::Options& options);

}  // namespace jrpcheck::fuzz
