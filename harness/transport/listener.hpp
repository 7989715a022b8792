// Connections that others make to us.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"
#include "transport/descriptor.hpp"
#include "transport/tcp.hpp"

namespace jrpcheck::transport {

class Listener {
 public:
  /// On one address; port 0 is any that is free.
  static Result<Listener> on_tcp(const TcpAddress& address);
  /// On a path that does not exist yet, which goes with the listener.
  static Result<Listener> on_unix(const std::string& path);

  Listener(Listener&& other) noexcept
      : socket_(std::move(other.socket_)),
        port_(std::exchange(other.port_, 0)),
        path_(std::exchange(other.path_, {})) {}
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  /// The next connection; null where none comes until the deadline.
  std::unique_ptr<ByteStream> accept(Deadline deadline);

  int port() const { return port_; }

 private:
  explicit Listener(Descriptor socket) : socket_(std::move(socket)) {}

  Descriptor socket_;
  int port_ = 0;
  std::string path_;
};

}  // namespace jrpcheck::transport
