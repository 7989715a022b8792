#include "session/turned_away.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "session/framed_connection.hpp"
#include "transport/starvation.hpp"

namespace jrpcheck::session {
namespace {

// Who turns one away does so at once; who keeps it waiting is not waited for.
constexpr milliseconds kForReception{1000};

// Far from those of cases, of the calls that look for a server and of the other connections.
constexpr long long kFirstReceptionId = 4'500'001;
constexpr std::uint64_t kFirstReception = 3'000'000;

// Once may be chance.
constexpr int kRounds = 2;

enum class Reception { served, turned_away, otherwise };

// Calls on connections of their own, all of them open.
class Visitors {
 public:
  Visitors(transport::Peer& peer, const StreamSettings& settings, const Patience& patience)
      : peer_(peer), settings_(settings), patience_(patience) {}

  // One more of them.
  Reception come() {
    auto one = try_to_connect(peer_, settings_, kFirstReception + ++number_, deadline());
    if (one.may_be_one_too_many) return Reception::turned_away;
    if (!one.connection) return Reception::otherwise;
    visitors_.push_back(*std::move(one.connection));
    return ask(visitors_.back());
  }
  // One that may meet what has been closed a moment ago.
  bool is_let_in() {
    for (const auto pause : kUntilNoticed) {
      const Reception reception = come();
      if (reception != Reception::turned_away) return reception == Reception::served;
      visitors_.clear();
      transport::wait_until(Deadline::in(pause));
    }
    return come() == Reception::served;
  }
  bool is_first_served() {
    return !visitors_.empty() && ask(visitors_.front()) == Reception::served;
  }

 private:
  Deadline deadline() const {
    return transport::due_in(std::min<microseconds>(kForReception, patience_.timeout()),
                             peer_.worker());
  }
  // Whatever is said shows that somebody has taken the connection.
  Reception ask(FramedConnection& one) {
    const Deadline due = deadline();
    const auto before = one.stream.received().bytes;
    one.stream.send(one.stream.encode(settings_.control.text(kFirstReceptionId + ++calls_)), due);
    while (one.stream.received().bytes == before && !one.stream.ended() && !due.passed()) {
      one.stream.receive_some(due);
    }
    if (one.stream.received().bytes > before) return Reception::served;
    return one.stream.ended() && before == 0 ? Reception::turned_away : Reception::otherwise;
  }

  transport::Peer& peer_;
  const StreamSettings& settings_;
  const Patience& patience_;
  std::vector<FramedConnection> visitors_;
  std::uint64_t number_ = 0;
  long long calls_ = 0;
};

bool one_is_turned_away(Visitors visitors, std::size_t most) {
  for (std::size_t i = 0; i < most; ++i) {
    const Reception reception = visitors.come();
    if (reception != Reception::served) return reception == Reception::turned_away;
  }
  return false;
}

}  // namespace

bool turns_others_away(transport::Peer& peer, const StreamSettings& settings,
                       const Patience& patience, std::size_t beside,
                       const std::function<bool()>& held_is_served) {
  if (!held_is_served()) return false;
  for (int round = 0; round < kRounds; ++round) {
    if (!one_is_turned_away(Visitors(peer, settings, patience), beside)) return false;
    if (!held_is_served()) return false;
  }
  return true;
}

bool is_known_to_turn_others_away(transport::Peer& peer, const StreamSettings& settings,
                                  const Patience& patience) {
  using OneMore = transport::Peer::OneMore;
  if (!peer.is_shared() || peer.one_more() != OneMore::unknown) return peer.turns_others_away();
  if (!peer.may_look_once_more()) return false;
  Visitors held(peer, settings, patience);
  if (!held.is_let_in()) return false;
  const bool is_so =
      turns_others_away(peer, settings, patience, 1, [&held] { return held.is_first_served(); });
  peer.note_one_more(is_so ? OneMore::turned_away : OneMore::not_turned_away);
  return is_so;
}

}  // namespace jrpcheck::session
