// Serving HTTP/1.1 on the loopback interface, one thread for each connection.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "reference-impl/descriptor.hpp"
#include "reference-impl/handler.hpp"
#include "reference-impl/transport_hooks.hpp"

namespace jrpcheck::reference {

class HttpServer {
 public:
  /// Listens on 127.0.0.1; port 0 lets the system choose one.
  static Result<HttpServer> listen(std::uint16_t port);

  std::uint16_t port() const { return port_; }
  std::string url() const;

  /// Accepts and serves connections until `stop`, then ends them all and returns.
  void serve(const Handler& handler, const TransportHooks& hooks = {});

  /// Makes `serve` return. May be called from any thread, also before `serve`.
  void stop();

 private:
  HttpServer() = default;

  bool wait_for_peer() const;

  Descriptor listener_;
  std::uint16_t port_ = 0;
  Descriptor stop_reader_;  // a pipe whose closed end wakes a serve that waits
  Descriptor stop_writer_;
};

}  // namespace jrpcheck::reference
