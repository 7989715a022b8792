// The verdicts of a run, drawn from its cases and requirements.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

/// The worse of two verdicts has the higher number; what does not apply says least, and what was
/// not exercised little more.
int badness(Verdict verdict);

/// By their verdicts, the first by its id of the cases about this requirement (that name it first)
/// of which something was sent.
std::map<Verdict, std::string> first_tried_about(const std::string& requirement,
                                                 const std::vector<CaseResult>& cases);

/// Of a requirement that no case about it has shown: a right twin shows beside its subject that
/// what is right is served. Where one about it failed, and so by another fault, nobody has seen it
/// kept; nor where all that were tried came to nothing, unless cases that do not name it show it.
void take_back_what_twins_show(RequirementResult& one, const std::vector<CaseResult>& cases,
                               bool is_shown_by_others);
/// The reverse, where the cases of others are still to come.
void give_back_what_twins_show(RequirementResult& one);

/// Where the requirement was not exercised: why, by the cases that name it. Where none of them
/// applies, for the server has declined what they are about, neither does the requirement.
void explain_what_was_not_exercised(RequirementResult& one, const std::vector<CaseResult>& cases);

/// Counts cases and requirements, and draws the verdicts of the classes and of the run from them.
/// `all_selected`: no case was left out; a run that leaves some out never conforms.
void conclude(Run& run, bool all_selected);

/// Counts what the cases say about the baseline that the run was held against.
void count_expectations(Run& run);

}  // namespace jrpcheck::result
