// TCP connections.
#pragma once

#include <memory>
#include <string>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::transport {

/// A host and a port, as a name or an address.
struct TcpAddress {
  std::string host;
  std::string port;

  std::string text() const {
    return host.find(':') == std::string::npos ? host + ":" + port : "[" + host + "]:" + port;
  }
};

/// Connects to the first of the host's addresses that accepts. The error says what was tried.
Result<std::unique_ptr<ByteStream>> connect_tcp(const TcpAddress& address, Deadline deadline);

}  // namespace jrpcheck::transport
