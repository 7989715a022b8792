// jrpcheck fuzz.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

ExitCode fuzz_command(const std::vector<std::string>& arguments);
CommandForm fuzz_form();

}  // namespace jrpcheck::cli
