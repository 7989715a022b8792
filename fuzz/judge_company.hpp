// What a message has brought among others that left in one write. A server may answer them in any
// order, so nothing is said of one message that the answers to the others could explain.
#pragma once

#include <string>

#include "dialogue/exchange.hpp"
#include "fuzz/company.hpp"
#include "fuzz/oracle.hpp"
#include "json/value.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

/// Who is asked for much at once may refuse some of it, and says so by a code of its own.
bool may_be_too_much(const json::Value& reply);

/// Judges the answer to `message`, and charges what is wrong with it to the requirement about
/// messages that arrive so: alone it would be right. `exchange` is what all of them have brought.
/// Nothing is told of what can be another's fault, and where it is not certain that all was read.
judge::Judgement judge_in_company(const Oracle& oracle, const std::string& message,
                                  const Company& company, const dialogue::Exchange& exchange,
                                  const dialogue::SurvivalCheck& survival);

}  // namespace jrpcheck::fuzz
