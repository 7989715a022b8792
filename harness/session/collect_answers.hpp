// The answers to one step on a stream: waited for until all has come that is due, or no more will.
#pragma once

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "session/channel.hpp"
#include "session/patience.hpp"
#include "session/waiting.hpp"

namespace jrpcheck::session {

/// Takes into the exchange what answers a step that has just been sent. Where it may stay
/// unanswered, or nothing comes, a control call goes out. Returns how long was waited.
microseconds collect_answers(Channel& channel, Patience& patience, Waiting& waiting,
                             dialogue::Exchange& exchange, dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
