// How one connection departs from the usual way of speaking TLS.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jrpcheck::wire {

struct TlsDetails {
  /// The highest version that is offered; nothing: what there is.
  enum class Version { newest, tls_1_1, tls_1_2 };

  Version highest = Version::newest;
  std::vector<std::string> protocols = {};      ///< offered by ALPN (RFC 7301)
  std::optional<std::string> server_name = {};  ///< in SNI (RFC 6066 §3); empty: none
  std::size_t record_bytes = 0;                 ///< at most so many in a record; 0: no matter
  bool key_update = false;                      ///< before the first message (RFC 8446 §4.6.3)
  bool renegotiates = false;                    ///< before the first message, in TLS 1.2
  bool without_certificate = false;             ///< though one is to be shown
  bool half_closes = false;                     ///< answers are awaited behind close_notify
  bool awaits_end = false;                      ///< how the server ends the connection counts
  bool is_plain = false;                        ///< no TLS at all

  bool operator==(const TlsDetails&) const = default;
};

}  // namespace jrpcheck::wire
