// Calls of unknown methods that are answered otherwise now and then.
#pragma once

#include "run/case_runner.hpp"
#include "run/culprits.hpp"
#include "run/liveness.hpp"

namespace jrpcheck::run {

/// Runs cases again that found nothing wrong but the outcome of a call of an unknown method:
/// another code, or a result. Where one passes then, its message was not what brought that about:
/// that run stands, and the outcome is charged to `err-code-method`, once for all of them
/// (JSON-RPC 2.0 §5.1). To be called while nobody else asks anything.
void settle_lapses(const CaseRunner& runner, session::Conversation& conversation,
                   Liveness& liveness, Results& results);

}  // namespace jrpcheck::run
