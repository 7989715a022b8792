// jrpcheck replay and jrpcheck promote: what becomes of a stored finding.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

ExitCode replay_command(const std::vector<std::string>& arguments);
ExitCode promote_command(const std::vector<std::string>& arguments);

}  // namespace jrpcheck::cli
