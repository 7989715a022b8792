// One fault, one requirement: what a server does wrong wherever it comes to it (judge/habit.hpp) is
// charged by the cases about it, and taken out of those about something else.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

/// Takes out of `cases` the findings that are due to a habit which one of the `typical` cases has
/// charged to another requirement than the case's own subject. A case that tells nothing without
/// them is not exercised any more, and says why.
void drop_habits(std::vector<CaseResult>& cases, const std::set<std::string>& typical);

}  // namespace jrpcheck::result
