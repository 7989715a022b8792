// TLS over another Dial (RFC 8446), by OpenSSL through memory BIOs.
#pragma once

#include <string>

#include "base/result.hpp"
#include "transport/peer.hpp"
#include "wire/tls_details.hpp"

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

/// What is seen of a connection that departs from the usual way, beside what it carries.
struct TlsNotes {
  std::string complaint;       ///< what the server does that it must not; empty: nothing
  bool has_ended = false;      ///< the server has ended it
  bool was_announced = false;  ///< by close_notify (RFC 8446 §6.1)
  /// Why it shows nothing of what it was made for, which the server does without; empty: it may.
  std::string not_asked;
};

/// Makes streams that are encrypted on the way to `host`. An Error when a file cannot be used. The
/// errors of the Dial say why a handshake failed, and which option would help.
Result<Dial> tls_over(Dial below, const std::string& host, const TlsOptions& options);
/// The same with departures, for a server that has shown already who it is.
Result<Dial> tls_over(Dial below, const std::string& host, TlsOptions options,
                      const wire::TlsDetails& details, std::shared_ptr<TlsNotes> notes);

}  // namespace jrpcheck::transport
