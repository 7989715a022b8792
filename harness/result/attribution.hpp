// Attribution: one fault, one requirement. A recurring symptom (judge/habit.hpp) is reported by the
// cases about it, and not again by cases about something else.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::result {

/// Whether a result stands for what passed outside of the corpus's cases, as "dialogue/opening"
/// does.
inline bool is_side_dialogue(std::string_view id) { return id.starts_with("dialogue/"); }

/// The cases that tell how the results of others are to be read: they have to run with any other.
std::set<std::string> telling_cases(const corpus::Corpus& corpus);

/// Settles what each case is charged with, when all that tell about it are there:
/// - What the case shows as well on which it rests is no finding of its own, and then it has
///   observed nothing: where plain params are left unanswered, deep ones that are tell nothing
///   about depth.
/// - What a typical case has charged to another requirement than the case's own subject, and no
/// less
///   severely, is the same fault. A case that tells nothing without it, or that asks for what it
///   denies, is not exercised, and says why.
/// - One reply that breaks one requirement is one finding, whatever in it shows that.
/// Everything that judges cases of the corpus ends with this.
void attribute(std::vector<CaseResult>& cases, const corpus::Corpus& corpus);

}  // namespace jrpcheck::result
