// jrpcheck lint: check corpus files.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Prints every problem to standard output, a line each; ExitCode::usage when there is one.
ExitCode lint_command(const std::vector<std::string>& arguments);
CommandForm lint_form();

}  // namespace jrpcheck::cli
