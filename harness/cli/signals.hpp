// What SIGINT and SIGTERM do to a command that talks to a server.
#pragma once

#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// From here on the first SIGINT, SIGTERM or SIGHUP ends the work as soon as can be, with findings
/// and reports written and servers ended; the second ends the process at once. A signal that is
/// ignored, as under nohup, stays so.
void heed_interruptions();

/// A report that grows beyond what a file may hold is an error, and does not end the process.
void take_file_limits_for_errors();

/// 128 and the number of the signal that came, as shells have it.
ExitCode interrupted_code();

}  // namespace jrpcheck::cli
