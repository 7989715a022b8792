// What the program that a client on stdio starts as its server, and who judges that client, tell
// each other beside the socket between them.
#pragma once

#include <string_view>

namespace jrpcheck::client {

/// A word behind the path of the socket.
inline constexpr std::string_view kRelayWritesErrors = "writes-errors";
/// Behind the path of the socket: the file with a line for each that was ended by its client.
inline constexpr std::string_view kRelayNote = ".ended";
/// Such lines: its standard input was closed, or SIGTERM came before.
inline constexpr std::string_view kRelayWasClosed = "closed";
inline constexpr std::string_view kRelayWasTerminated = "terminated";

}  // namespace jrpcheck::client
