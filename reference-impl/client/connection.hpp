// A connection of a client as bytes: TCP, TLS, or the standard input and output of a program.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "reference-impl/descriptor.hpp"

namespace jrpcheck::reference {

class Connection {
 public:
  virtual ~Connection() = default;
  /// False when nobody will read them.
  virtual bool write(std::string_view bytes) = 0;
  /// Appends what has come by the deadline; where that is nothing, it has passed or the connection
  /// has ended.
  virtual void read(std::string& bytes, Deadline deadline) = 0;
  bool has_ended() const { return has_ended_; }

 protected:
  bool has_ended_ = false;
};

/// To a port of this machine or another.
Result<std::unique_ptr<Connection>> connect_to(const std::string& host, const std::string& port);
/// The same over TLS (RFC 8446): the server's certificate must be by one of `authorities`, a file,
/// or of those that the system believes, and be that of the host.
Result<std::unique_ptr<Connection>> connect_over_tls(const std::string& host,
                                                     const std::string& port,
                                                     const std::string& authorities);
/// In what a client can be odd that starts a program.
struct ProgramHabits {
  bool reads_errors = false;  ///< its standard error comes with its standard output
  bool terminates = false;    ///< it is sent SIGTERM, and its standard input stays open
};

/// Starts a program, which ends when its standard input does.
Result<std::unique_ptr<Connection>> start_program(std::vector<std::string> command,
                                                  ProgramHabits habits = {});

}  // namespace jrpcheck::reference
