// Premises: what all trials of a run share beside the client, for as long as the run takes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "client/door.hpp"
#include "transport/empty_folder.hpp"
#include "transport/tls_acceptor.hpp"

namespace jrpcheck::client {

/// A folder for sockets, and the certificate of an authority made for the occasion, where a door
/// needs them.
class Premises {
 public:
  static Result<std::unique_ptr<Premises>> for_door(const Door& door,
                                                    transport::Guardian& guardian);
  Premises(const Premises&) = delete;
  Premises& operator=(const Premises&) = delete;

  /// Null where nothing is encrypted.
  const transport::TlsAcceptor* acceptor() const { return acceptor_ ? &*acceptor_ : nullptr; }
  /// The file with the certificate of whom clients are to believe; empty: there is none.
  std::string authority_file() const { return acceptor_ ? folder_->path() + "/authority.pem" : ""; }
  /// A path for a socket that nobody has used.
  std::string next_socket() { return folder_->path() + "/" + std::to_string(++sockets_) + ".sock"; }

 private:
  Premises() = default;

  std::shared_ptr<const transport::EmptyFolder> folder_;
  std::optional<transport::TlsAcceptor> acceptor_;
  std::atomic<std::size_t> sockets_{0};
};

}  // namespace jrpcheck::client
