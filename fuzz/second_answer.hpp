// Second answers, and those that come when nothing is waited for any more.
#pragma once

#include "fuzz/executor.hpp"
#include "fuzz/expectation.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

/// One answer at least, and a second one: else nobody waits for what comes behind all that is due.
void wait_for_another(corpus::Step& step);

/// What comes within a moment for the message that was executed last is added to what came late.
/// To be told from a first answer that was late, it is to be the first message on its connection.
void await_second_answer(Executor& executor, Observed& observed);

/// Charges the second of two Responses to a call (JSON-RPC 2.0 §5).
void judge_second_answer(const Expectation& expectation, const Observed& observed,
                         judge::Judgement& judgement);

}  // namespace jrpcheck::fuzz
