// What a server would answer that matches names loosely: whatever their case, or the space about
// them (JSON-RPC 2.0 §2, §4.2: names are matched exactly).
#pragma once

#include <vector>

#include "corpus/case.hpp"
#include "fuzz/expectation.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

/// Whether one of jsonrpc, method, params and id stands in it in other case.
bool has_folded_member(const json::Value& object);

/// Whether it is a Request but for `method`, which it has in other case alone, and so none at all.
bool has_folded_method(const json::Value& object);

/// Whether each member in other case stands beside the exact one, which counts.
bool has_folded_twins(const json::Value& object);

/// The answers that show that a name was matched loosely, each with what it is charged to. None
/// where the same might come from a server that matches names exactly.
std::vector<corpus::Outcome> loose_answers(const json::Value& object, const Traits& traits);

}  // namespace jrpcheck::fuzz
