// What is known of connections, within a memory that is bounded: how it begins, is lost and is
// forgotten.
#include "judge/traffic/rules.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;

constexpr std::size_t kMostConnections = 10'000;
constexpr std::size_t kMostHeld = 32U << 20;
constexpr std::size_t kCountedEach = 1U << 20;

std::size_t memory_of(const WatchedConnection& connection) {
  constexpr std::size_t kNode = 64;
  std::size_t memory = sizeof connection + connection.told.size();
  for (const auto& cut : connection.cut) {
    if (cut) memory += cut->begin.message.memory() + 2 * cut->spaced.size();
  }
  for (const auto& asked : connection.asked) {
    std::size_t nodes = asked.refusals.size() + asked.excuses_in_batch.size() +
                        asked.batches_with_notifications.size() + asked.charged_batches.size();
    for (const auto& each : asked.strays) {
      nodes += each.open.size();
      memory += sizeof each + 2 * each.text.size() + each.id.size();
      if (each.call) memory += each.call->key.size() + each.call->id.size();
    }
    memory += asked.calls.memory() + nodes * kNode;
  }
  return memory;
}

}  // namespace

TrafficShown TrafficJudge::TrafficRules::forget(std::size_t connection) {
  shown_ = {};
  auto each = connections_.lower_bound({connection, 0});
  while (each != connections_.end() && each->first.first == connection) each = forget(each);
  return std::move(shown_);
}

TrafficShown TrafficJudge::TrafficRules::end() {
  shown_ = {};
  for (auto each = connections_.begin(); each != connections_.end();) each = forget(each);
  count_unanswered(elsewhere_);
  elsewhere_ = {};
  return std::move(shown_);
}

TrafficJudge::TrafficRules::Key TrafficJudge::TrafficRules::key_of(const TrafficEvent& event) {
  return {event.connection, event.exchange ? *event.exchange + 1 : 0};
}

WatchedConnection& TrafficJudge::TrafficRules::connection_of(const TrafficEvent& event) {
  if (connections_.size() > kMostConnections) forget_oldest();
  const Key key = key_of(event);
  auto& connection = connections_[key];
  if (!context_.is_from_the_beginning || key <= evicted_) connection.is_lossy = true;
  return connection;
}

TrafficJudge::TrafficRules::Connections::iterator TrafficJudge::TrafficRules::forget(
    Connections::iterator connection) {
  for (const Side side : {Side::client, Side::server}) {
    charge_cut(connection->second, side);
    charge_strays(connection->second, side);
  }
  count_unanswered(connection->second);
  return connections_.erase(connection);
}

void TrafficJudge::TrafficRules::forget_oldest() {
  evicted_ = std::max(evicted_, connections_.begin()->first);
  forget(connections_.begin());
}

void TrafficJudge::TrafficRules::keep_within_memory() {
  constexpr std::size_t kOfAnEvent = 200;
  uncounted_ += kOfAnEvent + event_->message.text().size();
  if (uncounted_ < kCountedEach) return;
  uncounted_ = 0;
  if (memory_of(elsewhere_) > kMostHeld) {
    count_unanswered(elsewhere_);
    elsewhere_ = {};
    elsewhere_.is_lossy = true;
  }
  std::size_t held = 0;
  for (const auto& [key, connection] : connections_) held += memory_of(connection);
  while (held > kMostHeld) {
    held -= memory_of(connections_.begin()->second);
    forget_oldest();
  }
}

void TrafficJudge::TrafficRules::count_unanswered(const WatchedConnection& connection) {
  for (const Side side : {Side::client, Side::server}) {
    const auto& asked = connection.asked[place_of(side)];
    counts_[place_of(side)].unanswered += asked.calls.open().size();
  }
}

void TrafficJudge::TrafficRules::lose(WatchedConnection& connection) {
  connection.is_lossy = true;
  connection.cut = {};  // its rest may be what is missing
  for (auto& asked : connection.asked) asked.calls.lose();
}

// Connections that begin later may have begun in what was not seen.
void TrafficJudge::TrafficRules::lose_all() {
  for (auto& [key, connection] : connections_) lose(connection);
  context_.is_from_the_beginning = false;
}

}  // namespace jrpcheck::judge
