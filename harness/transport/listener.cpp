#include "transport/listener.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace jrpcheck::transport {
namespace {

constexpr int kQueue = 128;

Error cannot_listen(const std::string& where) {
  return Error{"cannot listen on " + where + ": " + std::strerror(errno)};
}

int port_of(int socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) return 0;
  const auto* generic = reinterpret_cast<const sockaddr_in*>(&own);
  if (own.ss_family == AF_INET) return ntohs(generic->sin_port);
  return ntohs(reinterpret_cast<const sockaddr_in6*>(&own)->sin6_port);
}

}  // namespace

Result<Listener> Listener::on_tcp(const TcpAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int lookup = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
  if (lookup != 0) {
    return Error{"cannot listen on " + address.text() + ": " + ::gai_strerror(lookup)};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
  Descriptor socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return cannot_listen(address.text());
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket.get(), kQueue) != 0) {
    return cannot_listen(address.text());
  }
  Listener listener(std::move(socket));
  listener.port_ = port_of(listener.socket_.get());
  return listener;
}

Result<Listener> Listener::on_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Error{"cannot listen on " + path + ": the path of a socket is shorter than " +
                 std::to_string(sizeof address.sun_path) + " bytes"};
  }
  std::copy(path.begin(), path.end(), address.sun_path);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return cannot_listen(path);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return cannot_listen(path);
  }
  Listener listener(std::move(socket));
  listener.path_ = path;
  if (::listen(listener.socket_.get(), kQueue) != 0) return cannot_listen(path);
  return listener;
}

Listener::~Listener() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

std::unique_ptr<ByteStream> Listener::accept(Deadline deadline) {
  for (;;) {
    Descriptor socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.is_open()) {
      return path_.empty() ? make_tcp_stream(std::move(socket))
                           : make_socket_stream(std::move(socket));
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
      throw std::system_error(errno, std::generic_category(), "cannot take a connection");
    }
    if (deadline.passed()) return nullptr;
    pollfd polled{socket_.get(), POLLIN, 0};
    ::poll(&polled, 1, deadline.next_look_ms());
  }
}

}  // namespace jrpcheck::transport
