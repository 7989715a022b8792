#include "cli/stdio_relay.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/parse_words.hpp"

namespace jrpcheck::cli {
namespace {

// Until one end has no more, or the other takes none.
void carry(int from, int to) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t size = ::read(from, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    for (ssize_t done = 0; done < size;) {
      const ssize_t written =
          ::write(to, buffer.data() + done, static_cast<std::size_t>(size - done));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return;
      done += written;
    }
  }
}

}  // namespace

std::vector<std::string> stdio_relay() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return {program.string(), std::string(kRelayCommand)};
}

ExitCode relay_stdio(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return complain(ExitCode::usage, "a path too long");
  std::copy(path.begin(), path.end(), address.sun_path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return complain(ExitCode::unreachable, "nobody listens at " + path);
  }
  std::thread([socket] {
    carry(STDIN_FILENO, socket);
    ::shutdown(socket, SHUT_WR);
  }).detach();
  carry(socket, STDOUT_FILENO);
  std::_Exit(0);  // the other direction may wait for ever
}

}  // namespace jrpcheck::cli
