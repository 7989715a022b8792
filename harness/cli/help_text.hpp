// --help, made from what is declared.
#pragma once

#include <string>

#include "cli/command_form.hpp"

namespace jrpcheck::cli {

std::string render_help(const CommandForm& form);

}  // namespace jrpcheck::cli
