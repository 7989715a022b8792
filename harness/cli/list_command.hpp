// jrpcheck list: what there is.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Prints cases, requirements, profiles, formats or faults, as columns or as JSON.
ExitCode list_command(const std::vector<std::string>& arguments);
CommandForm list_form();

}  // namespace jrpcheck::cli
