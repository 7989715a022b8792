// TLS over another Dial (RFC 8446), by OpenSSL through memory BIOs.
#pragma once

#include <string>

#include "base/result.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::transport {

/// Whom to trust, and as whom to appear. Without any the system's authorities are trusted, and the
/// certificate must be that of the host.
struct TlsOptions {
  std::string authorities;   ///< --cacert: a file in place of the system's
  std::string certificate;   ///< --cert: our own chain
  std::string key;           ///< --key: of that certificate
  std::string server_name;   ///< --servername: in place of the host of TARGET
  bool is_insecure = false;  ///< --insecure: whoever answers is believed
};

/// Makes streams that are encrypted on the way to `host`. An Error when a file cannot be used. The
/// errors of the Dial say why a handshake failed, and which option would help.
Result<Dial> tls_over(Dial below, const std::string& host, const TlsOptions& options);

}  // namespace jrpcheck::transport
