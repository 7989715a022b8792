// The verdicts of a run, drawn from its cases and requirements.
#pragma once

#include "result/run.hpp"

namespace jrpcheck::result {

/// The worse of two verdicts has the higher number; what does not apply says least, and what was
/// not exercised little more.
int badness(Verdict verdict);

/// Where the requirement was not exercised: why, by the cases that name it. Where none of them
/// applies, for the server has declined what they are about, neither does the requirement. Where it
/// passed by cases about another alone, and each that is about it and ran came to something else,
/// it was not exercised either.
void settle_what_was_not_shown(RequirementResult& one, const std::vector<CaseResult>& cases);

/// Counts cases and requirements, and draws the verdicts of the classes and of the run from them.
/// `all_selected`: no case was left out; a run that leaves some out never conforms.
void conclude(Run& run, bool all_selected);

/// Counts what the cases say about the baseline that the run was held against.
void count_expectations(Run& run);

}  // namespace jrpcheck::result
