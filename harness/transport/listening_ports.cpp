#include "transport/listening_ports.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <system_error>

#include "base/ascii.hpp"
#include "transport/process_group.hpp"

namespace jrpcheck::transport {
namespace {

namespace fs = std::filesystem;

// proc_pid_net(5): the second field is the address in hexadecimal, the fourth the state, and the
// tenth the inode of the socket.
void read_listeners(const char* table, std::map<std::string, int>& port_of_inode) {
  constexpr std::string_view kListening = "0A";
  std::ifstream in(table);
  std::string line;
  std::getline(in, line);  // names of the fields
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retries, user, timeout, inode;
    fields >> number >> local >> remote >> state >> queues >> timer >> retries >> user >> timeout >>
        inode;
    if (!fields || state != kListening) continue;
    const auto colon = local.rfind(':');
    int port = 0;
    const char* end = local.data() + local.size();
    if (std::from_chars(local.data() + colon + 1, end, port, 16).ec == std::errc()) {
      port_of_inode[inode] = port;
    }
  }
}

// A descriptor of a socket is a link to "socket:[INODE]".
void add_ports(const fs::path& process, const std::map<std::string, int>& port_of_inode,
               std::set<int>& ports) {
  constexpr std::string_view kSocket = "socket:[";
  std::error_code failed;
  fs::directory_iterator each(process / "fd", failed);
  for (; !failed && each != fs::directory_iterator(); each.increment(failed)) {
    std::error_code gone;
    const std::string link = fs::read_symlink(each->path(), gone).string();
    if (gone || !link.starts_with(kSocket)) continue;
    const auto found =
        port_of_inode.find(link.substr(kSocket.size(), link.size() - kSocket.size() - 1));
    if (found != port_of_inode.end()) ports.insert(found->second);
  }
}

std::map<std::string, int> all_listeners() {
  std::map<std::string, int> port_of_inode;
  read_listeners("/proc/net/tcp", port_of_inode);
  read_listeners("/proc/net/tcp6", port_of_inode);
  return port_of_inode;
}

}  // namespace

std::vector<pid_t> listeners_at(int port) {
  auto port_of_inode = all_listeners();
  std::erase_if(port_of_inode, [port](const auto& each) { return each.second != port; });
  std::vector<pid_t> found;
  if (port_of_inode.empty()) return found;
  std::error_code failed;
  fs::directory_iterator each("/proc", failed);
  for (; !failed && each != fs::directory_iterator(); each.increment(failed)) {
    const std::string name = each->path().filename();
    if (!are_digits(name)) continue;
    std::set<int> ports;
    add_ports(each->path(), port_of_inode, ports);
    if (!ports.empty()) found.push_back(std::stoi(name));
  }
  return found;
}

std::vector<int> listening_ports(pid_t process_group) {
  const auto port_of_inode = all_listeners();
  std::set<int> ports;
  for (const auto& process : processes_of({process_group})) {
    add_ports("/proc/" + std::to_string(process.id), port_of_inode, ports);
  }
  return {ports.begin(), ports.end()};
}

}  // namespace jrpcheck::transport
