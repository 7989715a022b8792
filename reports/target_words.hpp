// How a target is installed and started, in words of a shell.
#pragma once

#include <string>
#include <string_view>

#include "targets/target.hpp"

namespace jrpcheck::reports {

/// "npm jayson@5.0.0"; empty where nothing is installed.
std::string packages_of(const targets::Target& target);

/// The lines that install it and judge it, with a port of its own in place of {port}.
std::string lines_to_start(const targets::Target& target);

/// The command alone by which a server is started, so that it is reached at `address`; without one,
/// at a port of its own.
std::string start_command(const targets::Target& target, std::string_view address = "");

}  // namespace jrpcheck::reports
