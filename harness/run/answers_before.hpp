// What a step takes from the answers to the steps before it.
#pragma once

#include <vector>

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"

namespace jrpcheck::run {

/// Puts what the server has answered to the steps before into the place of ${answer:STEP:POINTER};
/// STEP counts from 1. False where that is not there, or no result where the step comes after one:
/// it asks about nothing then.
bool fill_in_answers(const std::vector<dialogue::Exchange>& before, corpus::Step& step);

}  // namespace jrpcheck::run
