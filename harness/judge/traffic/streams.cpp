// What is asked and answered by event streams: over HTTP a server asks on one and is answered by a
// POST, and what a client asks by a POST may be answered on a stream that a GET has opened.
#include <limits>

#include "judge/envelope.hpp"
#include "judge/traffic/rules.hpp"

namespace jrpcheck::judge {

using dialogue::EventStream;
using dialogue::Side;
using json::Value;

namespace {

// No call comes after it: the session has ended.
constexpr std::size_t kForGood = std::numeric_limits<std::size_t>::max();

}  // namespace

void TrafficJudge::TrafficRules::note_stream(WatchedConnection& connection) {
  has_streams_ = true;
  // What comes on such a stream may answer what was asked anywhere, also past us.
  if (is_on_open_stream()) connection.is_lossy = true;
}

std::optional<CallInFlight> TrafficJudge::TrafficRules::settle_elsewhere(const std::string& key) {
  const Side caller = dialogue::other(event_->side);
  if (caller == Side::client && !is_on_open_stream()) return std::nullopt;
  if (auto call = asked_elsewhere(caller).calls.settle(key)) return call;
  if (caller == Side::server) return std::nullopt;
  // The stream is faster than the response to the POST. Several clients may have that id in flight:
  // nothing is said any more of the answer to the one that is taken.
  for (auto& [place, connection] : connections_) {
    if (place.second == 0) continue;
    auto call = connection.asked[place_of(caller)].calls.take_one(key);
    if (!call) continue;
    connection.is_lossy = true;
    return call;
  }
  return std::nullopt;
}

bool TrafficJudge::TrafficRules::take_unknown_elsewhere(const Value& id, const std::string& key,
                                                        const Value& response) {
  const Side side = event_->side;
  if (side == Side::server) return is_on_open_stream();
  // Without a stream no server has asked anything.
  if (!has_streams_) return false;
  auto& asked = asked_elsewhere(Side::server);
  if (elsewhere_.is_lossy || asked.calls.has_forgotten()) return true;
  if (asked.calls.was_settled(key)) {
    charge(side, "res-once", {Symptom::second_response, "one Response", shown(response)});
  } else if (const auto alike = asked.calls.settle_alike(id)) {
    note_answered(*alike, response);
    charge(side, "id-echo", {Symptom::wrong_id, alike->id, json::write(id), "/id"}, alike->text);
  }
  return true;
}

// On a stream the answers to a batch come one by one or together, as the server likes (MCP
// 2025-03-26, "Sending Messages to the Server").
void TrafficJudge::TrafficRules::take_some_responses(WatchedConnection& connection,
                                                     const Value& array) {
  for (const auto& each : array.children()) {
    if (each.is(json::Kind::object)) {
      take_response(connection, each, true);
    } else {
      charge(event_->side, "bat-array", {Symptom::response_not_object, "Responses", shown(each)});
    }
  }
}

void TrafficJudge::TrafficRules::set_aside(WatchedConnection& connection) {
  auto& calls = asked_elsewhere(Side::client).calls;
  for (auto& call : asked_by(connection, Side::client).calls.take_all()) {
    calls.add(std::move(call));
  }
}

void TrafficJudge::TrafficRules::give_up(const std::string& key) {
  const Side side = event_->side;
  asked_elsewhere(side).calls.give_up(key);
  for (auto& [place, connection] : connections_)
    connection.asked[place_of(side)].calls.give_up(key);
}

void TrafficJudge::TrafficRules::give_up_all() {
  for (auto& [place, connection] : connections_) connection.provoked_at = kForGood;
}

}  // namespace jrpcheck::judge
