// TARGET: what a user names on the command line.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "transport/tcp.hpp"

namespace jrpcheck::transport {

/// An http:// URL taken apart.
struct HttpTarget {
  TcpAddress address;
  std::string authority;      ///< as it goes into the Host field
  std::string path = "/";     ///< with the query, as it goes into the request line
  std::string authorization;  ///< the Authorization value made of user:password@, else empty
  std::string redacted;       ///< the URL without password or token, fit for reports
};

/// Reads TARGET. The error names the schemes that are understood.
Result<HttpTarget> parse_target(std::string_view text);

}  // namespace jrpcheck::transport
