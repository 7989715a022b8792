#include "transport/descendants.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>

namespace jrpcheck::transport {

std::vector<pid_t> children_of(pid_t process) {
  namespace fs = std::filesystem;
  std::vector<pid_t> children;
  std::error_code failed;
  fs::directory_iterator thread("/proc/" + std::to_string(process) + "/task", failed);
  for (; !failed && thread != fs::directory_iterator(); thread.increment(failed)) {
    std::ifstream list(thread->path() / "children");
    children.insert(children.end(), std::istream_iterator<pid_t>(list), {});
  }
  return children;
}

void kill_trees(const std::vector<pid_t>& roots, Deadline deadline) {
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
}

}  // namespace jrpcheck::transport
