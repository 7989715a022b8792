// Overwriting: an output that would replace what the same command reads.
#pragma once

#include "base/result.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace jrpcheck::cli {

/// Of the words that have been parsed: an Error where a report, or what --record or --output
/// writes, goes to a file that another option or argument names as well.
Result<bool> check_that_nothing_is_lost(const CLI::App& app);

}  // namespace jrpcheck::cli
