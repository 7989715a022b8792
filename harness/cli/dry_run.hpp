// --dry-run: what a run would send, told without sending anything.
#pragma once

#include <string>

#include "cli/run_options.hpp"
#include "corpus/corpus.hpp"

namespace jrpcheck::cli {

/// One message a line, by what it is sent for. `corpus` is that of the profile. Placeholders stand
/// where a run puts its own ids, and what it learns from the server.
std::string dry_run(const corpus::Corpus& corpus, const RunOptions& options);

}  // namespace jrpcheck::cli
