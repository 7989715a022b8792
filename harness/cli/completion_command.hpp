// jrpcheck completion: completions for shells.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Prints the completions of jrpcheck for bash, zsh or fish.
ExitCode completion_command(const std::vector<std::string>& arguments);
CommandForm completion_form();

}  // namespace jrpcheck::cli
