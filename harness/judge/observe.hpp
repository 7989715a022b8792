// What every exchange shows of things that the specification leaves open, whatever its case asks.
#pragma once

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::judge {

/// Under "HTTP status of ..." are statuses by the kind of answer, which no RFC ties together.
inline constexpr std::string_view kHttpStatusOf = "HTTP status of ";
/// Responses of a batch may stand in any order (JSON-RPC 2.0 §6).
inline constexpr std::string_view kBatchOrder = "order of Responses in a batch";
/// A graded probe records N where N was answered as asked, and this before N where it was not.
inline constexpr std::string_view kMissed = "not ";

/// Adds what the exchange shows to the observations: HTTP statuses, the order in batches.
void observe_exchange(const corpus::Step& step, const dialogue::Exchange& exchange,
                      Judgement& judgement);

}  // namespace jrpcheck::judge
