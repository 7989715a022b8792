// Serving HTTP/1.1 on the loopback interface, one thread for each connection.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "reference-impl/handler.hpp"
#include "reference-impl/socket_server.hpp"
#include "reference-impl/transport_hooks.hpp"

namespace jrpcheck::reference {

class HttpServer {
 public:
  /// Listens on 127.0.0.1; port 0 lets the system choose one.
  static Result<HttpServer> listen(std::uint16_t port);

  std::uint16_t port() const { return sockets_.port(); }
  std::string url() const;

  /// Accepts and serves connections until `stop`, then ends them all and returns.
  void serve(const Handler& handler, const TransportHooks& hooks = {});

  /// Makes `serve` return. May be called from any thread, also before `serve`.
  void stop() { sockets_.stop(); }

 private:
  explicit HttpServer(SocketServer sockets) : sockets_(std::move(sockets)) {}

  SocketServer sockets_;
};

}  // namespace jrpcheck::reference
