// Links: a connection to the server, as messages. Everything waits until a deadline and no longer.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "reference-impl/client/client_hooks.hpp"

namespace jrpcheck::reference {

class Link {
 public:
  virtual ~Link() = default;
  /// False where the connection has ended.
  virtual bool send(const std::string& message) = 0;
  /// The next message, or nothing: the deadline has passed, or the connection has ended.
  virtual std::optional<std::string> receive(Deadline deadline) = 0;
  virtual bool has_ended() const = 0;
  /// Whether each message that is sent has one answer, and nothing else comes.
  virtual bool pairs_replies() const { return false; }
};

/// Where the server is.
struct ServerPlace {
  std::string url;                   ///< http, ws or tcp; with an s behind it over TLS
  std::string authorities;           ///< over TLS: a file of certificates that are believed
  std::vector<std::string> command;  ///< not empty: the server is this program, over its stdio
};

struct Url {
  std::string scheme;  ///< without the s of TLS
  bool is_secure = false;
  std::string host;
  std::string port;
  std::string path = "/";  ///< with its query

  std::string authority() const { return host + ":" + port; }
};

/// An Error where it is none, or names no port.
Result<Url> parse_url(const std::string& text);

/// Connects. An Error where nobody is there.
Result<std::unique_ptr<Link>> connect(const ServerPlace& place, const ClientHooks& hooks);

}  // namespace jrpcheck::reference
