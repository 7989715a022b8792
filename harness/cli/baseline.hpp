// --baseline: the file of known failures, read, held against a run and written anew.
#pragma once

#include <string>

#include "base/result.hpp"
#include "corpus/corpus.hpp"
#include "result/baseline.hpp"
#include "result/redact.hpp"

namespace jrpcheck::cli {

/// Reads the file and looks for its ids in the whole corpus; where one is unknown the error names
/// those that may be meant. `may_be_missing`: a file that is not there is an empty baseline.
Result<result::Baseline> load_baseline(const std::string& file, bool may_be_missing,
                                       const corpus::Corpus& corpus);

/// Writes by what the run shows; tells in a sentence what has changed.
Result<std::string> update_baseline(const std::string& file, const result::RedactedRun& run,
                                    bool strict, result::Baseline& baseline);

}  // namespace jrpcheck::cli
