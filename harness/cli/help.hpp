// --help and the manual page, made from what the commands declare.
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"

namespace jrpcheck::cli {

std::string render_help(const CommandForm& form);

/// In the macros of man(7).
std::string render_manual(const std::vector<CommandForm>& commands);

}  // namespace jrpcheck::cli
