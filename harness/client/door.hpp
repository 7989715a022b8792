// Doors: how a client that is tried reaches its server, a row each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "client/script.hpp"
#include "dialogue/traffic.hpp"
#include "traffic/tap.hpp"
#include "transport/byte_stream.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::client {

/// One connection of a client.
class DoorConnection {
 public:
  virtual ~DoorConnection() = default;
  /// Messages of the client that these bytes complete.
  virtual std::vector<std::string> feed(std::string_view bytes) = 0;
  /// Bytes that are owed beside answers, such as to a handshake.
  virtual std::string owed() { return {}; }
  /// Pongs and Closes that have come beside messages, since this was asked last.
  virtual std::vector<ControlHeard> controls() { return {}; }
  /// The server has taken its leave, and the client is to answer that (RFC 6455 §5.5.1).
  virtual bool is_leaving() const { return false; }
  /// An answer as it is written: in as many writes.
  virtual std::vector<std::string> encode(const Answer& answer) = 0;
  /// The client has taken its leave, and the server is to close (RFC 6455 §7.1.1).
  virtual bool is_over() const { return false; }
};

struct Door {
  std::string_view name;    ///< "https"
  std::string_view kind;    ///< "http": what scenarios know it as; lines of any kind are "tcp"
  std::string_view scheme;  ///< of the URL; empty: there is none, for the client starts a program
  std::string_view binding;
  std::unique_ptr<DoorConnection> (*open)() = nullptr;
  bool is_secure = false;  ///< over TLS

  bool is_stdio() const { return scheme.empty(); }
  /// What goes out on its connection answers what has come in.
  bool pairs_replies() const;
  /// Messages come one behind the other, in whatever framing.
  bool takes_framings() const;
  /// Connections begin with a request for another protocol over HTTP.
  bool is_upgrade() const;
};

/// The body of an answer as it is written over HTTP, with the field that says where it ends.
std::string http_body(const Answer& answer, bool takes_chunks, wire::HttpFields& fields);

std::span<const Door> doors();
/// "http, ws, tcp".
std::string names_of_doors();
const Door* door_named(std::string_view name);
/// Where none is named: a client starts the server, as those of protocols do, or is told a URL.
const Door& usual_door(bool is_started_by_client);

}  // namespace jrpcheck::client
