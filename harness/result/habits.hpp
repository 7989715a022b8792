// One fault, one requirement: what a server does wrong wherever it comes to it (judge/habit.hpp) is
// charged by the cases about it, and taken out of those about something else.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

/// Takes out of `cases` the findings that are due to a habit which one of the `typical` cases has
/// charged to another requirement than the case's own subject. A case that tells nothing without
/// them is not exercised any more, and says why.
void drop_habits(std::vector<CaseResult>& cases, const std::set<std::string>& typical);

/// One reply that breaks one requirement is one finding, whatever in it shows that: a wrong code
/// and a wrong id. To be called when habits have been dropped.
void join_findings(std::vector<CaseResult>& cases);

/// Takes out of `cases` what a case says that another shows as well on which it rests (the ids of
/// both): where plain params of a kind are left unanswered, deep ones that are tell nothing about
/// depth. Neither does then what the case has observed.
void drop_unfounded(std::vector<CaseResult>& cases,
                    const std::map<std::string, std::string>& rests_on);

}  // namespace jrpcheck::result
