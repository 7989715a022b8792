// Blame: which Request of a message is at fault for what the judge has found, and what that is
// charged to. The judge compares the answers to a batch as one set; who reads a finding wants to
// know which of its elements was answered wrongly, and one fault of a server is to be one finding
// wherever in a message it shows.
#pragma once

#include "dialogue/exchange.hpp"
#include "fuzz/expectation.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

/// Says in the findings what each is about, and charges it to the requirement of that. Neither
/// makes a fault of what was none, nor the other way round.
void lay_blame(const Expectation& expectation, const Traits& traits,
               const dialogue::Exchange& exchange, judge::Judgement& judgement);

/// What is wrong, the same for a message and for an element of a batch.
judge::Symptom symptom_of(const judge::Finding& finding);

/// Whether the second says all that the first says, of a plainer Request: so that the first is the
/// same fault.
bool explains(const judge::Finding& plainer, const judge::Finding& finding);

}  // namespace jrpcheck::fuzz
