// Answers as the engine knows them: JSON in which the id of the call that is answered is the String
// "${id}".
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"

namespace jrpcheck::fuzz {

/// A scenario that gives the answer, and ends the connection then: so the call ends, whatever the
/// answer was.
corpus::Scenario scenario_giving(const std::string& text);

/// What the scenarios of the corpus say, and a good answer.
std::vector<std::string> answers_to_begin_with(const corpus::Corpus& corpus);

}  // namespace jrpcheck::fuzz
