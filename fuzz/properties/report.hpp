// What the properties have shown, in the run model: each property is a case.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "fuzz/properties/trials.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::properties {

/// "properties/white-space".
std::string case_id_of(const Property& property);

result::CaseResult as_case(const PropertyResult& result, const run::Endpoint& endpoint);

/// A case in which nothing was shown, and why.
result::CaseResult untried_case(const Property& property, std::string reason);

/// Puts the cases into a run and draws its verdicts. It is answerable for the requirements that its
/// cases name and for no other, and so it never conforms.
void conclude(result::Run& run, std::vector<result::CaseResult> cases,
              const corpus::Corpus& corpus);

/// Sentences about tests that showed nothing; empty where there are none.
std::string note_of(const PropertyResult& result);

}  // namespace jrpcheck::properties
