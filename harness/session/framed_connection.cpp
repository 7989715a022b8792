#include "session/framed_connection.hpp"

#include <utility>

namespace jrpcheck::session {
namespace {

void tell(const Upgrade& upgrade, dialogue::Transcript& transcript) {
  using dialogue::Direction;
  transcript.add(Direction::sent, upgrade.request, std::string(dialogue::kHandshakeNote));
  if (!upgrade.response) {
    transcript.add(Direction::closed, upgrade.heard, upgrade.refusal());
    return;
  }
  const auto& response = *upgrade.response;
  dialogue::Event event{Direction::received, {}, response.head + response.body};
  event.http = dialogue::HttpHead{.status = static_cast<std::size_t>(response.status),
                                  .size = response.head.size(),
                                  .is_handshake = true};
  transcript.add(std::move(event));
}

}  // namespace

Result<FramedConnection> connect(transport::Peer& peer, const StreamSettings& settings,
                                 std::uint64_t number, Deadline deadline,
                                 dialogue::Transcript& transcript) {
  auto connected = peer.connect(deadline);
  if (!connected) return connected.error();
  FramedStream stream(*connected->stream, *settings.binding);
  if (!settings.upgrade) return FramedConnection{*std::move(connected), std::move(stream)};
  auto upgraded = upgrade(*connected->stream, *settings.upgrade, number, deadline);
  if (settings.upgrade->is_told) tell(upgraded, transcript);
  if (!upgraded.is_done()) return Error{upgraded.refusal()};
  stream.use_extensions(upgraded.response->list("Sec-WebSocket-Extensions"));
  stream.take_in(std::exchange(upgraded.heard, {}));
  return FramedConnection{*std::move(connected), std::move(stream), std::move(upgraded)};
}

}  // namespace jrpcheck::session
