// `jrpcheck selftest`: the kill matrix.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Holds the corpus against the reference server with each of its faults and variants.
ExitCode selftest_command(const std::vector<std::string>& arguments);
CommandForm selftest_form();

}  // namespace jrpcheck::cli
