#include "transport/descendants.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>

#include "transport/descriptor.hpp"

namespace jrpcheck::transport {

namespace {

// Each number is followed by a space.
void read_children(const std::string& list, std::vector<pid_t>& children) {
  const Descriptor file(::open(list.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> bytes{};
  std::string text;
  for (ssize_t count = 0; (count = ::read(file.get(), bytes.data(), bytes.size())) > 0;) {
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  const char* at = text.data();
  const char* const end = at + text.size();
  for (pid_t child = 0; at < end; ++at) {
    const auto read = std::from_chars(at, end, child);
    if (read.ec != std::errc()) return;
    children.push_back(child);
    at = read.ptr;
  }
}

}  // namespace

// Thousands of processes are looked at one by one, most of which have one thread and no child.
std::vector<pid_t> children_of(pid_t process) {
  namespace fs = std::filesystem;
  std::vector<pid_t> children;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  constexpr nlink_t kOfOneThread = 3;
  struct stat of_tasks {};
  if (::stat(tasks.c_str(), &of_tasks) == 0 && of_tasks.st_nlink == kOfOneThread) {
    read_children(tasks + "/" + std::to_string(process) + "/children", children);
    return children;
  }
  std::error_code failed;
  fs::directory_iterator thread(tasks, failed);
  for (; !failed && thread != fs::directory_iterator(); thread.increment(failed)) {
    read_children(thread->path().string() + "/children", children);
  }
  return children;
}

std::set<pid_t> kill_trees(const std::vector<pid_t>& roots, Deadline deadline) {
  // A fork that is under way when the signal comes is begun again, and so does not get through:
  // once nothing new is found everything is stopped.
  std::set<pid_t> stopped;
  std::vector<pid_t> found = roots;
  while (!found.empty() && !deadline.passed()) {
    for (const pid_t each : found) {
      ::kill(each, SIGSTOP);
      stopped.insert(each);
    }
    found.clear();
    for (const pid_t each : stopped) {
      for (const pid_t child : children_of(each)) {
        if (stopped.count(child) == 0) found.push_back(child);
      }
    }
  }
  for (const pid_t each : stopped) ::kill(each, SIGKILL);
  return stopped;
}

}  // namespace jrpcheck::transport
