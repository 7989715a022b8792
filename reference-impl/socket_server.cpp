#include "reference-impl/socket_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <thread>
#include <utility>

namespace jrpcheck::reference {

namespace {

/// How long to wait when a connection cannot be accepted, for want of descriptors or memory.
constexpr int kAcceptAgainMs = 20;

class ConnectionThread {
 public:
  ConnectionThread(const SocketServer::Serve& serve, Descriptor socket)
      : socket_(std::move(socket)), thread_([this, &serve] {
          serve(socket_.number());
          ::shutdown(socket_.number(), SHUT_RDWR);
          finished_ = true;
        }) {}

  bool is_finished() const { return finished_; }

  /// Ends it from outside: its thread sees the end of its input.
  void interrupt() { ::shutdown(socket_.number(), SHUT_RDWR); }

 private:
  Descriptor socket_;
  std::atomic<bool> finished_ = false;
  std::jthread thread_;  // last, so that it is joined before the socket is closed
};

void enable(int socket, int level, int option) {
  const int on = 1;
  ::setsockopt(socket, level, option, &on, sizeof on);
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

Error system_error(const std::string& attempt) {
  return Error{attempt + ": " + std::strerror(errno)};
}

/// Removes a socket at that address that nobody listens at, and nothing else.
void remove_socket_left_behind(const sockaddr_un& address) {
  struct ::stat status {};
  if (::lstat(address.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode)) return;
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket.number(), generic, sizeof address) == 0 || errno != ECONNREFUSED) return;
  ::unlink(address.sun_path);
}

}  // namespace

Result<SocketServer> SocketServer::on_port(std::uint16_t port) {
  SocketServer server;
  server.listener_ = Descriptor(::socket(AF_INET, SOCK_STREAM, 0));
  if (!server.listener_) return system_error("cannot open a socket");

  const int listener = server.listener_.number();
  enable(listener, SOL_SOCKET, SO_REUSEADDR);  // or a restart waits for old connections to expire
  sockaddr_in address = loopback(port);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, generic, size) != 0 || ::listen(listener, SOMAXCONN) != 0 ||
      ::getsockname(listener, generic, &size) != 0) {
    return system_error("cannot listen on 127.0.0.1:" + std::to_string(port));
  }
  server.port_ = ntohs(address.sin_port);
  if (auto ok = server.make_stoppable(); !ok) return ok.error();
  return server;
}

Result<SocketServer> SocketServer::on_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return Error{"the path of a socket has one byte or more, and at most " +
                 std::to_string(sizeof address.sun_path - 1)};
  }
  path.copy(address.sun_path, path.size());
  SocketServer server;
  server.listener_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM, 0));
  if (!server.listener_) return system_error("cannot open a socket");
  remove_socket_left_behind(address);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(server.listener_.number(), generic, sizeof address) != 0 ||
      ::listen(server.listener_.number(), SOMAXCONN) != 0) {
    return system_error("cannot listen at " + path);
  }
  server.path_ = path;
  if (auto ok = server.make_stoppable(); !ok) return ok.error();
  return server;
}

SocketServer::~SocketServer() {
  if (listener_ && !path_.empty()) ::unlink(path_.c_str());
}

Result<bool> SocketServer::make_stoppable() {
  std::array<int, 2> pipe_ends{};
  if (::pipe(pipe_ends.data()) != 0) return system_error("cannot open a pipe");
  stop_reader_ = Descriptor(pipe_ends[0]);
  stop_writer_ = Descriptor(pipe_ends[1]);
  return true;
}

void SocketServer::serve(const Serve& serve) {
  std::list<ConnectionThread> connections;
  while (wait_for_peer()) {
    connections.remove_if([](const ConnectionThread& each) { return each.is_finished(); });
    Descriptor socket(::accept(listener_.number(), nullptr, nullptr));
    if (!socket) {
      ::poll(nullptr, 0, kAcceptAgainMs);
      continue;
    }
    // Replies are whole messages, so there is nothing to wait for before they leave.
    enable(socket.number(), IPPROTO_TCP, TCP_NODELAY);
    connections.emplace_back(serve, std::move(socket));
  }
  for (ConnectionThread& each : connections) each.interrupt();
}

void SocketServer::stop() { stop_writer_ = Descriptor(); }

/// False when the server is to stop.
bool SocketServer::wait_for_peer() const {
  std::array<pollfd, 2> waiting = {pollfd{listener_.number(), POLLIN, 0},
                                   pollfd{stop_reader_.number(), POLLIN, 0}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
  return waiting[1].revents == 0;
}

}  // namespace jrpcheck::reference
