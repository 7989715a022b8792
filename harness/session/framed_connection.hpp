// A connection to a peer on which messages can be sent: with its framing, and made into one of
// WebSocket where that is spoken.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

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

/// Who serves so many connections at a time may not have noticed yet that one of ours has been
/// closed. Behind each of these pauses what it turns away is tried again.
inline constexpr std::array kUntilNoticed = {milliseconds(10), milliseconds(40), milliseconds(150),
                                             milliseconds(400)};

/// What came of one try.
struct ConnectionTry {
  std::optional<FramedConnection> connection = {};
  std::optional<Upgrade> refused = {};  ///< the handshake, where it was
  std::string why = {};                 ///< there is none, for people
  /// The handshake was refused by a status that says no more than that there are too many: 429 (RFC
  /// 6585 §4) or 503 (RFC 9110 §15.6.4), as RFC 6455 §4.2.2 lets a server do. Or a peer that is
  /// known to turn others away has closed it at once.
  bool may_be_one_too_many = false;
};

ConnectionTry try_to_connect(transport::Peer& peer, const StreamSettings& settings,
                             std::uint64_t number, Deadline deadline);

/// `number` is that of its handshake's key. What may be one too many is tried again before it is
/// given up. What was refused is told in the transcript where a step is about that.
Result<FramedConnection> connect(transport::Peer& peer, const StreamSettings& settings,
                                 std::uint64_t number, Deadline deadline,
                                 dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
