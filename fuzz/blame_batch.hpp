// Which element of a batch is at fault for what the judge has found in the answer to it.
#pragma once

#include <string>
#include <vector>

#include "dialogue/exchange.hpp"
#include "fuzz/expectation.hpp"
#include "json/value.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

/// As lay_blame, of the Array `sent`.
void blame_batch(const Expectation& expectation, const json::Value& sent, const Traits& traits,
                 const dialogue::Exchange& exchange, judge::Judgement& judgement);

/// What the silence of each element of a batch is about, as in `judge::Finding::about`.
std::vector<std::string> silences_in(const json::Value& batch, const Traits& traits);

}  // namespace jrpcheck::fuzz
