// `jrpcheck report`.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Renders stored runs: one run in any format, several as a comparison. Shards are put together
/// first.
ExitCode report_command(const std::vector<std::string>& arguments);
CommandForm report_form();

}  // namespace jrpcheck::cli
