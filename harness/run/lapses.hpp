// What goes wrong now and then, whatever is sent: calls of unknown methods that are answered
// otherwise, answers that are lost, or come without their ids.
#pragma once

#include <vector>

#include "dialogue/transcript.hpp"
#include "result/run.hpp"
#include "run/case_runner.hpp"
#include "run/culprits.hpp"
#include "run/endings.hpp"
#include "run/liveness.hpp"

namespace jrpcheck::run {

/// Runs cases again that found nothing wrong but the outcome of a call of an unknown method:
/// another code, or a result. Where one passes then, its message was not what brought that about:
/// that run stands, and the outcome is charged to `err-code-method`, once for all of them
/// (JSON-RPC 2.0 §5.1). To be called while nobody else asks anything.
void settle_lapses(const CaseRunner& runner, session::Conversation& conversation,
                   Liveness& liveness, Results& results);

/// The same of cases that found nothing wrong but that an answer was missing, or had no id. Where
/// one passes in a session that has just begun, what it is about is not broken: that run stands,
/// and the loss is charged to `res-always` or `id-echo` (JSON-RPC 2.0 §5), once for all of them;
/// but not where it was waited for in haste.
/// `tells_ids`: a finding for `id-echo` is not left out of the run.
void settle_losses(const corpus::Corpus& corpus, const CaseRunner& runner,
                   session::Conversation& conversation, session::Patience& patience,
                   Endings& endings, Liveness& liveness, bool tells_ids, Results& results);

/// What passed in a step that was waited for as long as for any, in vain, though a later call was
/// answered: where the case misses nothing when it runs alone, its answer was lost beside others.
/// Empty where there is no such step.
std::vector<dialogue::Event> lost_in_full(const result::CaseResult& result, microseconds timeout);

}  // namespace jrpcheck::run
