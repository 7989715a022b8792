// jrpcheck man: the manual page.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Prints the manual page of jrpcheck.
ExitCode manual_command(const std::vector<std::string>& arguments);
CommandForm manual_form();

}  // namespace jrpcheck::cli
