// What the server said unasked, in all cases of a run, judged for its form.
#pragma once

#include <optional>
#include <vector>

#include "corpus/ledger.hpp"
#include "dialogue/transcript.hpp"
#include "judge/judge.hpp"
#include "result/run.hpp"
#include "run/side_dialogue.hpp"

namespace jrpcheck::run {

/// Judges each unasked message of the opening, of the cases' transcripts, and of the calls that
/// went out before the cases. It stands beside the cases, as "dialogue/unasked": no case has caused
/// it. One finding for each requirement and symptom, however many messages show it. `reproduce`
/// gives the line of the call beside which the first came, where it was in no case. Nothing where
/// nothing is wrong.
std::optional<result::CaseResult> judge_unasked(
    const std::vector<dialogue::Event>& opening,
    const std::vector<result::StoredDialogue>& dialogues,
    const std::vector<result::CaseResult>& cases, const corpus::Ledger& ledger,
    const judge::Context& context, const Reproduce& reproduce = {});

}  // namespace jrpcheck::run
