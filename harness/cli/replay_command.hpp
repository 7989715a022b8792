// jrpcheck replay and jrpcheck promote: what becomes of a stored finding.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

ExitCode replay_command(const std::vector<std::string>& arguments);
CommandForm replay_form();
ExitCode promote_command(const std::vector<std::string>& arguments);
CommandForm promote_form();

}  // namespace jrpcheck::cli
