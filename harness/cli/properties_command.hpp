// jrpcheck properties: relations that hold for every server, on generated messages.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

ExitCode properties_command(const std::vector<std::string>& arguments);
CommandForm properties_form();

}  // namespace jrpcheck::cli
