// What is sent once more on another connection, because the one before was closed.
#pragma once

#include <cstddef>
#include <string>

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::session {

/// The connection was closed, and nothing came on it.
bool nothing_came(const dialogue::Exchange& exchange);

/// Of several messages some were answered before the connection was closed.
bool was_cut_short(const corpus::Step& step, const dialogue::Exchange& exchange);

/// Pings, pongs and the Close that came since there were so many events came on the connection that
/// was closed, and answer nothing on the next (RFC 6455 §5.5).
void leave_behind(std::size_t since, dialogue::Transcript& transcript);

/// What was sent since then is sent again.
void note_sent_again(std::size_t since, dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
