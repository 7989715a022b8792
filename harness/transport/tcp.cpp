#include "transport/tcp.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "transport/descriptor.hpp"

namespace jrpcheck::transport {
namespace {

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

// 0 when the connection stands, else an errno value.
int await_connection(int socket, Deadline deadline) {
  pollfd polled{socket, POLLOUT, 0};
  for (;;) {
    const int ready = ::poll(&polled, 1, deadline.next_look_ms());
    if (ready > 0) break;
    if (ready == 0 && deadline.passed()) return ETIMEDOUT;
    if (ready < 0 && errno != EINTR) return errno;
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

// A connection from a port to itself, which TCP makes of two ends that call each other (RFC 9293
// §3.5, simultaneous open) when the port that is called is free and happens to be given to the
// caller. Who tries a port again and again until somebody listens meets this sooner or later.
bool is_connected_to_itself(int socket) {
  sockaddr_storage own{};
  sockaddr_storage peer{};
  socklen_t own_size = sizeof own;
  socklen_t peer_size = sizeof peer;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size) != 0) return false;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_size) != 0) return false;
  return own_size == peer_size && std::memcmp(&own, &peer, own_size) == 0;
}

int connect_to(const addrinfo& address, Deadline deadline, Descriptor& connected) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return errno;
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0) {
    const int error = errno == EINPROGRESS ? await_connection(socket.get(), deadline) : errno;
    if (error != 0) return error;
  }
  if (is_connected_to_itself(socket.get())) return ECONNREFUSED;
  connected = std::move(socket);
  return 0;
}

}  // namespace

Result<std::unique_ptr<ByteStream>> connect_tcp(const TcpAddress& address, Deadline deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int lookup = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
  if (lookup != 0) {
    return Error{"the host name '" + address.host +
                 "' cannot be resolved: " + ::gai_strerror(lookup)};
  }
  const AddressList addresses(found, &::freeaddrinfo);
  int error = 0;
  for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
    Descriptor socket;
    error = connect_to(*each, deadline, socket);
    if (error == 0) return make_tcp_stream(std::move(socket));
  }
  return Error{"no connection to " + address.text() + ": " + std::strerror(error)};
}

}  // namespace jrpcheck::transport
