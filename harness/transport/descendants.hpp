// Processes below a process, and their end.
#pragma once

#include <sys/types.h>

#include <set>
#include <vector>

#include "base/deadline.hpp"

namespace jrpcheck::transport {

/// What the system takes to end a process that was killed, where there are thousands of them.
inline constexpr microseconds kToEndOne{400};

/// The processes that a process has now, as proc(5) lists them: those that it started, and those
/// that it was given as a subreaper. None where the kernel does not tell.
std::vector<pid_t> children_of(pid_t process);

/// Kills these and all below them, whatever session or group they are in. They are stopped first,
/// so that nothing is started while they are looked for. Gives all of them back.
std::set<pid_t> kill_trees(const std::vector<pid_t>& roots, Deadline deadline);

}  // namespace jrpcheck::transport
