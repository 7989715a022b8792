// jrpcheck fuzz.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

ExitCode fuzz_command(const std::vector<std::string>& arguments);

}  // namespace jrpcheck::cli
