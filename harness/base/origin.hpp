// The origin of a URI: who is meant by it (RFC 6454).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck {

/// Scheme and host in lower case, and the port, be it said or the scheme's own (RFC 6454 §4).
struct Origin {
  std::string scheme;
  std::string host;
  std::string port;

  bool operator==(const Origin&) const = default;
};

/// Whether the reference names a scheme or an authority of its own, and so no place on the server
/// that gave it (RFC 3986 §4.2).
bool names_a_server(std::string_view reference);

/// Nothing where it is no absolute URI with an authority.
std::optional<Origin> origin_of(std::string_view uri);

/// Where a reference leads that was found on this server.
std::optional<Origin> origin_of(std::string_view reference, const Origin& found_on);

}  // namespace jrpcheck
