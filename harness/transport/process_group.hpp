// What the processes of a group do at this moment, as proc(5) tells it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace jrpcheck::transport {

struct ProcessState {
  pid_t id = 0;
  std::size_t pages = 0;    ///< in memory
  long long cpu_ticks = 0;  ///< that it has used so far, and its children that have ended
};

/// The processes of these groups; none where the system does not tell.
std::vector<ProcessState> processes_of(const std::vector<pid_t>& process_groups);

/// What processes have had of the processors, and whether they want more.
struct ProcessorUse {
  bool wants_more = false;           ///< one of their threads runs, or waits for its turn to
  std::chrono::nanoseconds used{0};  ///< by the threads that they have now
};

/// Nothing where the system does not tell.
std::optional<ProcessorUse> processor_use_of(pid_t process_group);
std::optional<ProcessorUse> processor_use_of_processes(const std::vector<pid_t>& processes);

/// Whether one of its threads runs, waits for its turn to, or for a disk.
bool is_running(pid_t process);

/// The bytes in a pipe that nobody has read yet; nothing where the system does not tell.
std::optional<std::size_t> unread_bytes(int pipe);

}  // namespace jrpcheck::transport
