// What asks: Requests, Notifications and batches of them, and what excuses an answer to them.
#include "base/bytes.hpp"
#include "dialogue/id_key.hpp"
#include "json/contested.hpp"
#include "json/pointer.hpp"
#include "judge/envelope.hpp"
#include "judge/request.hpp"
#include "judge/traffic/rules.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Side;
using json::Kind;
using json::Value;

// More than calls take but to carry data, and than an opening says of its client.
constexpr std::size_t kLongestKept = 8U << 10;
constexpr std::size_t kLongestOpening = 128U << 10;

// What a caller no longer wants answered: as MCP and LSP say it.
std::optional<std::string> given_up_id(const Value& notification) {
  const auto method = json::text_of(notification.find("method"));
  const Value* params = notification.find("params");
  const bool is_of_mcp = method == "notifications/cancelled";
  if (params == nullptr || (!is_of_mcp && method != "$/cancelRequest")) return std::nullopt;
  const Value* id = params->find(is_of_mcp ? "requestId" : "id");
  return id != nullptr ? dialogue::id_key(*id) : std::nullopt;
}

// The exit of LSP has no params. What has some, and the same name, says something else.
bool is_order_to_end(const Value& notification) {
  const Value* params = notification.find("params");
  return json::text_of(notification.find("method")) == "exit" &&
         (params == nullptr || params->children().empty());
}

bool says_2_0(const Value& request) { return json::text_of(request.find("jsonrpc")) == "2.0"; }

// Who reads it may take it for another one, and answer that: a Number through a double, the last of
// two members, a lone surrogate as U+FFFD.
bool may_be_read_otherwise(const Value& request, const Value& id) {
  return request.count("id") > 1 || json::is_contested(id);
}

}  // namespace

void TrafficJudge::TrafficRules::take_array(WatchedConnection& connection, const Value& array) {
  const Side side = event_->side;
  const auto& elements = array.children();
  const bool asks = std::ranges::any_of(
      elements, [](const Value& each) { return each.find("method") != nullptr; });
  const bool answers = std::ranges::any_of(elements, is_response_shaped);
  // What a client mixes is a batch of Requests with something else in it (JSON-RPC 2.0 §6).
  const bool is_mixed_by_client = asks && side == Side::client;
  if ((answers && !is_mixed_by_client) || (!asks && side == Side::server)) {
    return take_batch_of_responses(connection, array);
  }
  ++counts_[place_of(side)].batches;
  auto& asked = asked_by(connection, side);
  if (side == Side::client) {
    exercise(side, "cl-bat-not-empty");
    exercise(side, "cl-bat-flat");
  }
  if (elements.empty()) {
    ++asked.excuses;
    ++asked.empty_batches;
    return charge(side, "cl-bat-not-empty", {Symptom::batch_empty, "at least one Request", "[]"});
  }
  const std::size_t batch = ++asked.last_batch;
  ++asked.excuses;  // batches may be refused as a whole
  const std::size_t calls = asked.calls.open().size();
  for (const auto& each : elements) take_element(connection, each, batch);
  if (asked.calls.open().size() == calls && asked.excuses_in_batch[batch] == 0) {
    asked.has_batch_of_notifications = true;
    // The only excuse is that it may be refused for being a batch, by an error.
    const bool waits_for_it = calls == 0 && asked.excuses == 1 && asked.refusals.empty();
    if (side == Side::client && waits_for_it) connection.silence = "bat-all-notifications";
  }
}

void TrafficJudge::TrafficRules::take_element(WatchedConnection& connection, const Value& element,
                                              std::size_t batch) {
  const Side side = event_->side;
  if (is_response_shaped(element)) return take_response_among_requests(connection, element, batch);
  if (element.is(Kind::object)) return take_request(connection, element, batch);
  ++asked_by(connection, side).excuses_in_batch[batch];
  if (side == Side::server) return;
  charge(side, "cl-bat-flat", {Symptom::element_not_object, "an Object", shown(element)});
}

// Who serves the batch may answer it as an invalid Request, under its id or null, or take it for
// the Response that it is.
void TrafficJudge::TrafficRules::take_response_among_requests(WatchedConnection& connection,
                                                              const Value& response,
                                                              std::size_t batch) {
  auto& asked = asked_by(connection, event_->side);
  take_response(connection, response, true);
  ++asked.excuses_in_batch[batch];
  const Value* id = response.find("id");
  const auto key = dialogue::id_key(id);
  if (!key) return;
  CallInFlight call{
      ++serial_,  *key, json::write(*id), {}, to_visible(event_->message.text(), kExcerpt),
      event_->at, batch};
  asked.calls.add_perhaps_answered(std::move(call));
}

// What 2.0 asks of a Request says nothing of one in an older dialect, but that it has a method.
bool TrafficJudge::TrafficRules::judge_request_of(const Value& request) {
  if (context_.old_calls != OldCalls::wrong && !says_2_0(request)) {
    const Value* method = request.find("method");
    return method != nullptr && method->is(Kind::string);
  }
  const Side side = event_->side;
  return judge(side, {}, [&](Charger& charger) { judge_request(request, side, charger); });
}

void TrafficJudge::TrafficRules::take_request(WatchedConnection& connection, const Value& request,
                                              std::size_t batch) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, side);
  const auto& text = event_->message.text();
  const bool is_right = judge_request_of(request);
  const bool is_old = !says_2_0(request);
  const Value* id = request.find("id");
  const auto key = id == nullptr ? std::nullopt : dialogue::id_key(*id);
  const bool has_odd_id = id != nullptr && may_be_read_otherwise(request, *id);
  // Bitcoin Core answers what has no id, with id null.
  const bool is_answered_anyway = context_.old_calls == OldCalls::of_old_bitcoin ||
                                  (context_.old_calls == OldCalls::of_bitcoin && is_old);
  const bool has_null_id = id != nullptr && id->is(Kind::null);
  const bool is_notification =
      speaks_1_0() && is_old ? has_null_id : id == nullptr && !is_answered_anyway;
  // What has a result or an error as well may be refused for being both.
  const bool is_valid = is_right && !dialogue::has_outcome(request);
  const bool is_excused = !is_valid || has_odd_id || (!key && !is_notification);
  if (is_excused) ++(batch == 0 ? asked.excuses : asked.excuses_in_batch[batch]);
  if (is_notification) return take_notification(connection, request, batch);
  ++counts_[place_of(side)].calls;
  if (!key) return;
  if (has_odd_id) ++asked.unread;
  auto& calls = is_on_stream() ? asked_elsewhere(side).calls : asked.calls;
  CallInFlight call{++serial_, *key, json::write(*id),
                    json::text_of(request.find("method")).substr(0, 200),
                    to_visible(text, kExcerpt), event_->at, batch, is_old || is_answered_anyway,
                    // It may be refused with id null, or answered with another.
                    is_excused, is_excused && batch == 0, has_odd_id, refusal_};
  const bool opens = !call.method.empty() && call.method == context_.opening_method;
  const std::size_t longest = opens ? kLongestOpening : kLongestKept;
  if (context_.keeps_calls && side == Side::client && text.size() <= longest) {
    call.whole = batch == 0 ? event_->message : dialogue::Message(json::write(request));
  }
  const bool is_alone = calls.add(std::move(call));
  if (side == Side::server) return;
  exercise(side, "cl-id-unique");
  if (is_alone) return;
  charge(
      side, "cl-id-unique",
      {Symptom::request_id_in_flight, "an id that no call in flight has", shown(request), "/id"});
}

void TrafficJudge::TrafficRules::take_notification(WatchedConnection& connection,
                                                   const Value& notification, std::size_t batch) {
  auto& asked = asked_by(connection, event_->side);
  ++counts_[place_of(event_->side)].notifications;
  ++asked.notifications;
  if (batch != 0) asked.batches_with_notifications.insert(batch);
  const bool waits_for_more = !asked.calls.open().empty() || asked.is_excused();
  if (event_->side == Side::client && batch == 0 && !waits_for_more) {
    connection.silence = speaks_1_0() ? "v1-notification" : "ntf-silent";
  }
  const bool is_order = is_order_to_end(notification);
  if (is_order && event_->side == Side::client && !event_->exchange) note_order_to_end(connection);
  if (const auto key = given_up_id(notification)) {
    asked.calls.give_up(*key);
    if (event_->exchange) give_up(*key);
  }
}

}  // namespace jrpcheck::judge
