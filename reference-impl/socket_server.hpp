// Accepting connections, one thread for each.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "reference-impl/descriptor.hpp"

namespace jrpcheck::reference {

class SocketServer {
 public:
  /// Serves one connection until it has come to its end. The socket is not to be closed.
  using Serve = std::function<void(int socket)>;

  /// Listens on 127.0.0.1; port 0 lets the system choose one.
  static Result<SocketServer> on_port(std::uint16_t port);
  /// Listens at that path, also where a server that died has left its socket; what else stands
  /// there is left alone.
  static Result<SocketServer> on_path(const std::string& path);

  SocketServer(SocketServer&&) noexcept = default;
  SocketServer& operator=(SocketServer&&) noexcept = default;
  ~SocketServer();

  std::uint16_t port() const { return port_; }

  /// Accepts and serves connections until `stop`, then ends them all and returns.
  void serve(const Serve& serve);

  /// Makes `serve` return. May be called from any thread, also before `serve`.
  void stop();

 private:
  SocketServer() = default;

  Result<bool> make_stoppable();
  bool wait_for_peer() const;

  Descriptor listener_;
  std::uint16_t port_ = 0;
  std::string path_;        // of the socket, which goes with its server
  Descriptor stop_reader_;  // a pipe whose closed end wakes a serve that waits
  Descriptor stop_writer_;
};

}  // namespace jrpcheck::reference
