// TARGET: what a user names on the command line.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "transport/peer.hpp"
#include "transport/tcp.hpp"
#include "transport/tls.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::transport {

struct Scheme;

/// What reports call the transport of a program on its standard streams.
inline constexpr std::string_view kOfPrograms = "stdio";

/// A URL taken apart.
struct Target {
  const Scheme* scheme = nullptr;
  TcpAddress address;     ///< empty where the scheme names a path of this machine
  std::string authority;  ///< as it goes into the Host field
  /// With the query, as it goes into the request line; or where the socket stands.
  std::string path = "/";
  std::string authorization;  ///< the Authorization value made of user:password@, else empty
  std::string redacted;       ///< the URL without password or token, fit for reports

  TlsOptions tls;  ///< where the scheme is one of TLS

  /// Where the server is reached.
  Place place() const;
  /// One connection that departs from the usual way of speaking TLS.
  Dial dial_otherwise(const wire::TlsDetails& details, std::shared_ptr<TlsNotes> notes) const;
  /// Whether the files of its TLS options can be used.
  Result<bool> check_tls() const;
  /// "127.0.0.1:8545", or the path of a socket.
  std::string where() const;
  /// The same place by a binding that has a scheme of its own.
  Target by(const wire::Binding& binding) const;
  /// Without a user's name.
  std::string url() const;
  /// The URL of a relay to it, which listens at that address in the clear.
  std::string url_of_relay(const TcpAddress& relay) const;
};

/// A way in that TARGET can name: one row of the table in target.cpp.
struct Scheme {
  std::string_view name;    ///< "http"
  std::string_view marker;  ///< what stands behind the name: "://"
  /// The binding that is spoken there; empty: one of those of streams, which is found out.
  std::string_view binding = {};
  std::string_view port = {};  ///< where none is said; empty: one has to be
  Dial (*dial)(const Target& target) = nullptr;
  bool over_tls = false;
  std::string_view door_class = {};  ///< its class in the ledger, where it has one
  /// What socat(1) calls it, for the lines that repeat a finding on a stream.
  std::string_view by_hand = {};

  /// Of this machine, in place of a host.
  constexpr bool names_a_path() const { return marker == ":"; }
};

/// The scheme of that name; null where it is none that TARGET can have.
const Scheme* scheme_named(std::string_view name);

/// Reads TARGET. The error names the schemes that are understood.
Result<Target> parse_target(std::string_view text);

}  // namespace jrpcheck::transport
