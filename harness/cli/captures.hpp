// Recorded traffic, judged.
#pragma once

#include <string>

#include "base/result.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::cli {

/// Whether the file is a run that --report json=FILE has written; else it may be a capture. An
/// Error where it cannot be read.
Result<bool> is_stored_run(const std::string& file);

/// Judges the traffic in a capture. The run is named after the file; its notes tell what of the
/// file could not be read.
Result<result::Run> judge_capture(const std::string& file, const corpus::Corpus& corpus);

}  // namespace jrpcheck::cli
