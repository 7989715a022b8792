// TLS before any of the servers (RFC 8446), by OpenSSL: what a client sends encrypted arrives in
// the clear on a socket of the server's own, and back.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace jrpcheck::reference {

/// What the server does with TLS, so that a mutant can have other habits.
struct TlsHabits {
  bool speaks_old_versions = false;    ///< also TLS 1.0 and 1.1
  bool speaks_no_1_3 = false;          ///< legal
  bool sends_no_tickets = false;       ///< legal
  bool asks_for_certificate = false;   ///< and serves without one; legal
  bool demands_certificate = false;    ///< of any client
  bool renegotiates = false;           ///< where a client of TLS 1.2 asks for that
  bool ends_without_notice = false;    ///< closes without close_notify
  bool serves_in_the_clear = false;    ///< who does not speak TLS is served all the same
  bool drops_at_close_notify = false;  ///< with the answers that are due
  bool chooses_any_protocol = false;   ///< ALPN: h2, whatever was offered
  bool dies_of_a_failed_handshake = false;
  bool hangs_on_unknown_name = false;    ///< of the server, in SNI
  bool ends_at_key_update = false;       ///< RFC 8446 §4.6.3
  bool is_mute_behind_a_record = false;  ///< that a reply fills
  /// What the server makes of what a client has sent in one record (RFC 8446 §5.1).
  std::function<std::string(std::string_view content)> reading = {};
};

class TlsServer {
 public:
  /// With that certificate chain and key, in PEM.
  static Result<TlsServer> with_files(const std::string& certificate, const std::string& key,
                                      const TlsHabits& habits);
  /// With a certificate made for the occasion, which nobody believes.
  static Result<TlsServer> self_signed(const TlsHabits& habits);

  /// Serves one connection until it has come to its end: `serve` has a socket in the clear.
  void serve(int socket, const std::function<void(int socket)>& serve) const;

 private:
  class Settings;

  explicit TlsServer(std::shared_ptr<const Settings> settings) : settings_(std::move(settings)) {}

  std::shared_ptr<const Settings> settings_;
};

}  // namespace jrpcheck::reference
