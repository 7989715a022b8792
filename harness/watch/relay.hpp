// Relay: carries what two ends say to each other, byte for byte, and notes it before it passes it
// on.
#pragma once

#include <cstdint>

#include "transport/byte_stream.hpp"
#include "transport/peer.hpp"
#include "watch/journal.hpp"

namespace jrpcheck::watch {

struct RelayEnds {
  transport::ByteStream& client;
  transport::ByteStream& server;
  /// The server's program, where it is one of ours: once it has ended nothing more is carried to
  /// it.
  transport::Program* program = nullptr;
};

/// Until both ends have closed, or the program is interrupted. Half-closes and resets are passed on
/// as well.
void relay(const RelayEnds& ends, std::uint32_t connection, JournalWriter& journal);

}  // namespace jrpcheck::watch
