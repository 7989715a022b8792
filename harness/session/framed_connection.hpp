// A connection to a peer on which messages can be sent: with its framing, and made into one of
// WebSocket where that is spoken.
#pragma once

#include <cstdint>

#include "session/framed_stream.hpp"
#include "session/stream_conversation.hpp"
#include "session/upgrade.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::session {

struct FramedConnection {
  transport::Connection connection;
  FramedStream stream;  ///< on it
  std::optional<Upgrade> upgrade = {};
};

/// `number` is that of its handshake's key. What was refused is told in the transcript where a step
/// is about that.
Result<FramedConnection> connect(transport::Peer& peer, const StreamSettings& settings,
                                 std::uint64_t number, Deadline deadline,
                                 dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
