// TARGET: what a user names on the command line.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "transport/peer.hpp"
#include "transport/tcp.hpp"

namespace jrpcheck::transport {

struct Scheme;

/// A URL taken apart.
struct Target {
  const Scheme* scheme = nullptr;
  TcpAddress address;
  std::string authority;      ///< as it goes into the Host field
  std::string path = "/";     ///< with the query, as it goes into the request line
  std::string authorization;  ///< the Authorization value made of user:password@, else empty
  std::string redacted;       ///< the URL without password or token, fit for reports

  /// Where the server is reached.
  Place place() const;
};

/// A way in that TARGET can name: one row of the table in target.cpp.
struct Scheme {
  std::string_view name;    ///< "http"
  std::string_view marker;  ///< what stands behind the name: "://"
  /// The binding that is spoken there; empty: one of those of streams, which is found out.
  std::string_view binding = {};
  std::string_view port = {};  ///< where none is said
  /// Null: known, and not served by this version.
  Dial (*dial)(const Target& target) = nullptr;
};

/// Reads TARGET. The error names the schemes that are understood.
Result<Target> parse_target(std::string_view text);

}  // namespace jrpcheck::transport
