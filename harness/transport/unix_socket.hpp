// Stream sockets that stand in the file system (unix(7)).
#pragma once

#include <memory>
#include <string>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::transport {

/// Connects to the socket at that path. The error says why not.
Result<std::unique_ptr<ByteStream>> connect_unix(const std::string& path, Deadline deadline);

/// Whether the permissions of the socket and of the folders above it let every user of this machine
/// connect (unix(7) "Pathname socket ownership and permissions").
bool lets_everybody_connect(const std::string& path);

/// Removes what stands at that path, where it is a socket.
void remove_unix(const std::string& path);

}  // namespace jrpcheck::transport
