// One step of a case: which of its outcomes came true, or what was wrong with the closest.
#pragma once

#include "corpus/case.hpp"
#include "judge/charger.hpp"
#include "judge/evidence.hpp"

namespace jrpcheck::judge {

/// Judges what one step brought back: envelope rules on every reply, then the step's outcomes.
void judge_step(const corpus::Case& bound, const corpus::Step& step, const Evidence& evidence,
                bool survived, Charger& charger);

}  // namespace jrpcheck::judge
