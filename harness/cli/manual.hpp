// The manual page, in the macros of man(7).
#pragma once

#include <string>
#include <vector>

#include "cli/command_form.hpp"

namespace jrpcheck::cli {

std::string render_manual(const std::vector<CommandForm>& commands, const std::string& version);

}  // namespace jrpcheck::cli
