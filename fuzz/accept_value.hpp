// What may come back, as a case file writes it.
#pragma once

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

/// A Response; where the pattern leaves open which it is: a result, or an error.
json::Value response_value(const corpus::ResponsePattern& pattern, bool as_result);

/// The outcomes of a step: those with a Response that may be either are written once for each. An
/// Error where that makes too many.
Result<json::Value> outcomes_value(const corpus::Step& step);

}  // namespace jrpcheck::fuzz
