// What the properties have shown, in the run model: each property is a case.
#pragma once

#include <string>

#include "fuzz/properties/trials.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::properties {

result::CaseResult as_case(const PropertyResult& result, const run::Endpoint& endpoint);

/// A case in which nothing was shown, and why.
result::CaseResult untried_case(const Property& property, std::string reason);

/// Sentences about tests that showed nothing; empty where there are none.
std::string note_of(const PropertyResult& result);

}  // namespace jrpcheck::properties
