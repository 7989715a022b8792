#include "transport/process_group.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "base/ascii.hpp"

namespace jrpcheck::transport {
namespace {

namespace fs = std::filesystem;

struct StatLine {
  char state = 0;
  pid_t group = 0;
  ProcessState process;
};

// proc_pid_stat(5): behind the name, which is in parentheses and may hold anything, come the state,
// the parent and the group; the times are the fields 14 to 17, the pages in memory field 24.
std::optional<StatLine> read_stat(const fs::path& path) {
  std::ifstream in(path);
  std::string text;
  std::getline(in, text, '\0');
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  StatLine line;
  fields >> line.state >> skipped >> line.group;
  for (int field = 6; field < 14; ++field) fields >> skipped;
  for (int field = 14; field < 18; ++field) {
    long long ticks = 0;
    fields >> ticks;
    line.process.cpu_ticks += ticks;
  }
  for (int field = 18; field < 24; ++field) fields >> skipped;
  fields >> line.process.pages;
  return fields ? std::optional(line) : std::nullopt;
}

// Documentation/scheduler/sched-stats.rst: the first of a thread's figures is the time that it has
// spent on a processor.
std::optional<std::chrono::nanoseconds> time_on_processor(const fs::path& thread) {
  std::ifstream in(thread / "schedstat");
  long long spent = 0;
  in >> spent;
  return in ? std::optional(std::chrono::nanoseconds(spent)) : std::nullopt;
}

}  // namespace

std::vector<ProcessState> processes_of(const std::vector<pid_t>& process_groups) {
  std::vector<ProcessState> processes;
  std::error_code failed;
  fs::directory_iterator each("/proc", failed);
  for (; !failed && each != fs::directory_iterator(); each.increment(failed)) {
    const std::string name = each->path().filename().string();
    if (!are_digits(name)) continue;
    auto line = read_stat(each->path() / "stat");
    const auto is_wanted = [&line](pid_t group) { return line->group == group; };
    if (!line || std::ranges::none_of(process_groups, is_wanted)) continue;
    line->process.id = static_cast<pid_t>(std::stol(name));
    processes.push_back(line->process);
  }
  return processes;
}

std::optional<ProcessorUse> processor_use_of(pid_t process_group) {
  std::vector<pid_t> processes;
  for (const auto& each : processes_of({process_group})) processes.push_back(each.id);
  return processor_use_of_processes(processes);
}

std::optional<ProcessorUse> processor_use_of_processes(const std::vector<pid_t>& processes) {
  std::optional<ProcessorUse> use;
  for (const pid_t process : processes) {
    std::error_code failed;
    fs::directory_iterator each("/proc/" + std::to_string(process) + "/task", failed);
    for (; !failed && each != fs::directory_iterator(); each.increment(failed)) {
      const auto spent = time_on_processor(each->path());
      const auto thread = read_stat(each->path() / "stat");
      if (!spent || !thread) continue;
      if (!use) use.emplace();
      use->used += *spent;
      use->wants_more = use->wants_more || thread->state == 'R';
    }
  }
  return use;
}

bool is_running(pid_t process) {
  std::error_code failed;
  fs::directory_iterator each("/proc/" + std::to_string(process) + "/task", failed);
  for (; !failed && each != fs::directory_iterator(); each.increment(failed)) {
    const auto thread = read_stat(each->path() / "stat");
    if (thread && (thread->state == 'R' || thread->state == 'D')) return true;
  }
  return false;
}

std::optional<std::size_t> unread_bytes(int pipe) {
  int count = 0;
  if (pipe < 0 || ::ioctl(pipe, FIONREAD, &count) != 0 || count < 0) return std::nullopt;
  return static_cast<std::size_t>(count);
}

}  // namespace jrpcheck::transport
