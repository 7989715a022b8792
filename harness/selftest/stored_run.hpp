// A stored run, judged again, must say what the run said.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::selftest {

/// What differs between the verdicts of a run and those of a second judgement of its dialogue, a
/// line each: verdicts of the run, of its requirements and of its cases, and all that a finding
/// says.
std::vector<std::string> differences(const result::Run& run, const result::Run& again);

/// Writes the run as --report json does, reads it back, judges it again, and compares.
std::vector<std::string> differences_when_stored(const result::Run& run,
                                                 const corpus::Corpus& corpus);

}  // namespace jrpcheck::selftest
