#include "transport/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "transport/descriptor.hpp"

namespace jrpcheck::transport {
namespace {

// A server with a full queue of connections refuses another one at once, and nothing tells when
// there is room again.
constexpr milliseconds kQueueIsFull{5};

Error no_connection(const std::string& path, int error) {
  return Error{"no connection to " + path + ": " + std::strerror(error)};
}

}  // namespace

Result<std::unique_ptr<ByteStream>> connect_unix(const std::string& path, Deadline deadline) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Error{"the path of a socket has at most " + std::to_string(sizeof address.sun_path - 1) +
                 " bytes, and '" + path + "' has " + std::to_string(path.size())};
  }
  std::copy(path.begin(), path.end(), address.sun_path);
  for (;;) {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.is_open()) return no_connection(path, errno);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    if (::connect(socket.get(), generic, sizeof address) == 0) {
      return make_socket_stream(std::move(socket));
    }
    if (errno != EAGAIN || deadline.passed()) return no_connection(path, errno);
    wait_until(Deadline::earlier(deadline, Deadline::in(kQueueIsFull)));
  }
}

bool lets_everybody_connect(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto permits = [&error](const fs::path& place, fs::perms needed) {
    const auto status = fs::status(place, error);
    return !error && (status.permissions() & needed) == needed;
  };
  const fs::path socket = fs::canonical(path, error);
  if (error || !permits(socket, fs::perms::others_write)) return false;
  for (fs::path folder = socket.parent_path();; folder = folder.parent_path()) {
    if (!permits(folder, fs::perms::others_exec)) return false;
    if (folder == folder.root_path()) return true;
  }
}

void remove_unix(const std::string& path) {
  struct ::stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) ::unlink(path.c_str());
}

}  // namespace jrpcheck::transport
