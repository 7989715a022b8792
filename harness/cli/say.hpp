// What is said beside a command's output: errors and notes, on standard error.
#pragma once

#include <cstddef>
#include <string>

#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// Columns of the terminal that standard error is; the usual number where it is none.
std::size_t terminal_width();

/// Prints "jrpcheck: " and the message without secrets that are kept. On a terminal it is wrapped
/// at words; lines that are indented are to be copied, and stay whole.
void say(const std::string& message);

/// The same, of what has gone wrong.
ExitCode complain(ExitCode code, const std::string& message);

}  // namespace jrpcheck::cli
