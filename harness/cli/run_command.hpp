// `jrpcheck run`.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Judges what the arguments (those behind `run`) name, prints and writes the reports.
ExitCode run_command(const std::vector<std::string>& arguments);

}  // namespace jrpcheck::cli
