// jrpcheck explain: a requirement or a case, for people.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Prints what is known about one id; ExitCode::usage where nothing has it.
ExitCode explain_command(const std::vector<std::string>& arguments);
CommandForm explain_form();

}  // namespace jrpcheck::cli
