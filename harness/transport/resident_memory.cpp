#include "transport/resident_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace jrpcheck::transport {
namespace {

struct Process {
  pid_t group = 0;
  std::size_t pages = 0;
};

// proc(5): behind the name, which is in parentheses and may hold anything, the group is the third
// field and the pages in memory are the twenty-second.
std::optional<Process> read_stat(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string text;
  std::getline(in, text, '\0');
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  Process process;
  fields >> skipped >> skipped >> process.group;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> process.pages;
  return fields ? std::optional(process) : std::nullopt;
}

bool is_number(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<std::size_t> resident_memory(pid_t process_group) {
  std::error_code failed;
  std::filesystem::directory_iterator processes("/proc", failed);
  std::optional<std::size_t> pages;
  for (; !failed && processes != std::filesystem::directory_iterator();
       processes.increment(failed)) {
    if (!is_number(processes->path().filename().string())) continue;
    const auto process = read_stat(processes->path() / "stat");
    if (process && process->group == process_group) pages = pages.value_or(0) + process->pages;
  }
  if (!pages) return std::nullopt;
  return *pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace jrpcheck::transport
