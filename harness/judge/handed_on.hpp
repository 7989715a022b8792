// Refusals of ours that a server hands on as its own.
#pragma once

#include <vector>

#include "dialogue/transcript.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::judge {

/// Takes back what was charged for the code of an error that is ours: in the same step the server
/// had asked something of its own, and was refused with that code. What it makes of the call itself
/// nobody has seen then.
void withdraw_what_was_handed_on(const std::vector<dialogue::Event>& events, Judgement& judgement);

}  // namespace jrpcheck::judge
