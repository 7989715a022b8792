// The server's side of TLS (RFC 8446), with a certificate made for the occasion.
#pragma once

#include <memory>
#include <string>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::transport {

class TlsAcceptor {
 public:
  /// With a certificate for localhost, 127.0.0.1 and ::1 by an authority that nobody knows yet.
  static Result<TlsAcceptor> for_this_machine();

  /// The certificate of that authority, in PEM: who believes it believes the server.
  const std::string& authority() const { return authority_; }

  /// Shakes hands as the server. An Error says why there is no TLS.
  Result<std::unique_ptr<ByteStream>> accept(std::unique_ptr<ByteStream> below,
                                             Deadline deadline) const;

 private:
  class Settings;
  TlsAcceptor(std::shared_ptr<const Settings> settings, std::string authority)
      : settings_(std::move(settings)), authority_(std::move(authority)) {}

  std::shared_ptr<const Settings> settings_;
  std::string authority_;
};

}  // namespace jrpcheck::transport
