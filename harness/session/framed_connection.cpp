#include "session/framed_connection.hpp"

#include <utility>

#include "session/http_limits.hpp"

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

// A close that comes later is met by whoever sends the first message.
constexpr milliseconds kForCloseAtOnce{5};

bool may_be_one_too_many(const Upgrade& upgrade, const transport::Peer& peer) {
  if (upgrade.response) return is_limit(upgrade.response->status, false);
  return upgrade.ended && upgrade.heard.empty() && peer.turns_others_away();
}

}  // namespace

ConnectionTry try_to_connect(transport::Peer& peer, const StreamSettings& settings,
                             std::uint64_t number, Deadline deadline) {
  ConnectionTry one;
  auto connected = peer.connect(deadline);
  if (!connected) {
    one.why = connected.error().message;
    return one;
  }
  FramedStream stream(*connected->stream, *settings.binding);
  if (!settings.upgrade) {
    if (peer.turns_others_away()) stream.await_end(Deadline::in(kForCloseAtOnce));
    one.may_be_one_too_many =
        peer.turns_others_away() && stream.ended() && stream.received().bytes == 0;
    one.connection.emplace(FramedConnection{*std::move(connected), std::move(stream)});
    return one;
  }
  auto upgraded = upgrade(*connected->stream, *settings.upgrade, number, deadline);
  if (!upgraded.is_done()) {
    one.why = upgraded.refusal();
    one.may_be_one_too_many = may_be_one_too_many(upgraded, peer);
    one.refused = std::move(upgraded);
    return one;
  }
  stream.use_extensions(upgraded.response->list("Sec-WebSocket-Extensions"));
  stream.take_in(std::exchange(upgraded.heard, {}));
  one.connection.emplace(
      FramedConnection{*std::move(connected), std::move(stream), std::move(upgraded)});
  return one;
}

Result<FramedConnection> connect(transport::Peer& peer, const StreamSettings& settings,
                                 std::uint64_t number, Deadline deadline,
                                 dialogue::Transcript& transcript) {
  auto one = try_to_connect(peer, settings, number, deadline);
  for (const auto pause : kUntilNoticed) {
    if (!one.may_be_one_too_many || deadline.passed()) break;
    one = {};  // closed before the next one is opened
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(pause)));
    one = try_to_connect(peer, settings, number, deadline);
  }
  if (one.may_be_one_too_many) peer.note_refusal();
  const auto& upgrade = one.connection ? one.connection->upgrade : one.refused;
  if (upgrade && settings.upgrade->is_told) tell(*upgrade, transcript);
  if (!one.connection) return Error{one.why};
  return *std::move(one.connection);
}

}  // namespace jrpcheck::session
