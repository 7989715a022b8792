// What answers: Responses paired with what was asked, and what is wrong with that.
#include "dialogue/id_key.hpp"
#include "judge/code.hpp"
#include "judge/envelope.hpp"
#include "judge/left_out_id.hpp"
#include "judge/traffic/rules.hpp"

namespace jrpcheck::judge {
namespace {

constexpr const char* kAnswerToAnswer = "cl-no-answer-to-answer";

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;

// Whether an error may refuse a message that was not read. One that speaks of the method or of its
// params knows them.
bool may_refuse_unread(const Value& response) {
  const Value* error = response.find("error");
  if (error == nullptr) return false;
  const auto code = code_of(*error);
  return code != -32601 && code != -32602;
}

// Who refuses a request by its head alone, for want of a session or of patience, has read no id
// (RFC 9110 §15.5). What it says of the text it has read.
bool may_refuse_by_head(const TrafficEvent& event, const Value& response) {
  constexpr std::size_t kFirstOfClient = 400;
  constexpr std::size_t kFirstOfServer = 500;
  const bool is_of_client =
      event.http_status >= kFirstOfClient && event.http_status < kFirstOfServer;
  return is_of_client && may_refuse_unread(response) && code_of(*response.find("error")) != -32700;
}

// The only call in flight of which nothing that came so far may be the answer; null: there are
// several, or none, or it need not be answered.
const CallInFlight* only_waiting_call(const Asked& asked) {
  const CallInFlight* waiting = nullptr;
  for (const auto& call : asked.calls.open()) {
    const bool has_answer = std::ranges::any_of(asked.strays, [&](const StrayAnswer& each) {
      return each.call && each.call->serial == call.serial;
    });
    if (has_answer) continue;
    if (waiting != nullptr) return nullptr;
    waiting = &call;
  }
  if (waiting == nullptr || waiting->is_given_up || waiting->is_over) return nullptr;
  // What has id null, or cannot be read, may be its answer.
  const bool may_have_answer = asked.calls.has_nameless_answer(*waiting) ||
                               std::ranges::any_of(asked.strays, [&](const StrayAnswer& each) {
                                 return each.open.count(waiting->serial) != 0;
                               });
  return may_have_answer ? nullptr : waiting;
}

// Which rule an answer to a Notification breaks.
std::string silence_requirement(const Value& response, bool in_batch) {
  if (in_batch) return "ntf-silent-in-batch";
  const Value* error = response.find("error");
  // null stands beside a result (JSON-RPC 1.0 §1.2): nothing has failed.
  if (error == nullptr || error->is(Kind::null)) return "ntf-silent";
  const auto code = code_of(*error);
  if (code == -32601) return "ntf-silent-unknown-method";
  if (code == -32602) return "ntf-silent-invalid-params";
  return code == -32600 ? "ntf-silent" : "ntf-silent-application-error";
}

}  // namespace

void TrafficJudge::TrafficRules::judge_envelope(const Value& response,
                                                const std::optional<CallInFlight>& call,
                                                bool may_lack_id) {
  const bool is_of_1_0 = call ? call->is_1_0 : context_.old_calls != OldCalls::wrong;
  const bool is_in_2_0 = response.find("jsonrpc") != nullptr;
  if (is_of_1_0 && !is_in_2_0 && !speaks_1_0()) return;
  judge(event_->side, call ? call->text : "", [&](Charger& charger) {
    const bool is_by_1_0 = speaks_1_0() && (!is_in_2_0 || (call && call->is_1_0));
    if (is_by_1_0) charger.use(corpus::Dialect::json_rpc_1_0);
    judge_response(response, false, charger, may_lack_id);
  });
}

bool TrafficJudge::TrafficRules::may_lack_id(const Asked& asked, const Value& response) const {
  const auto* how = context_.errors_without_id;
  return how != nullptr && event_->http_status >= static_cast<std::size_t>(how->from_status) &&
         is_error_without_id(response) && (asked.excuses > 0 || asked.calls.open().empty());
}

void TrafficJudge::TrafficRules::note_answered(const CallInFlight& call, const Value& response) {
  const Value* error = response.find("error");
  AnsweredCall answered{dialogue::other(event_->side), call.method, event_->at - call.at,
                        error != nullptr && !error->is(Kind::null)};
  const bool is_certain = !call.is_repeated && !call.is_excused;
  if (is_certain && call.whole) {
    answered.call = call.whole;
    const bool is_alone = event_->message.value() == &response;
    answered.answer = is_alone ? event_->message : dialogue::Message(json::write(response));
  }
  shown_.answered.push_back(std::move(answered));
}

std::size_t TrafficJudge::TrafficRules::take_response(WatchedConnection& connection,
                                                      const Value& response, bool in_array) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, dialogue::other(side));
  const Value* id = response.find("id");
  if (id != nullptr || side == Side::client) exercise(side, "id-echo");
  if (side == Side::server) exercise(Side::client, kAnswerToAnswer);
  const auto key = dialogue::id_key(id);
  auto call = key ? asked.calls.settle(*key) : std::nullopt;
  if (call) take_back_excuses(connection, *call);
  if (key && !call && event_->exchange) {
    call = settle_elsewhere(*key);
    // Another client may have called with the same id.
    if (call) call->whole.reset();
  }
  if (!call) asked.calls.doubt();
  const bool is_let = !in_array && may_lack_id(asked, response);
  // What is no Response, and came where nothing was due, is charged as that alone.
  const bool is_of_nothing =
      !call && !dialogue::has_outcome(response) && asked.calls.open().empty();
  const std::size_t charged = shown_.findings.size();
  // What answers a Notification is charged, and not what it looks like.
  if (!key && !in_array && take_null_id(connection, response)) return 0;
  if (key && is_of_nothing) take_unknown_id(connection, *id, *key, response);
  if (!is_of_nothing || shown_.findings.size() == charged) judge_envelope(response, call, is_let);
  if (!key || is_of_nothing) return 0;
  if (call) {
    answers_repeated_ = answers_repeated_ || call->is_repeated;
    ++asked.answered;
    exercise(side, "res-always");
    exercise(side, "res-once");
    note_answered(*call, response);
    settle_strays(connection, call->serial);
    // A client's Response may be a POST by itself (MCP 2025-03-26, Streamable HTTP).
    const bool is_apart = is_on_stream() || (side == Side::client && event_->exchange);
    if (!in_array && call->batch != 0 && !is_apart && !call->is_repeated)
      charge_messages_for_batch(connection, *call, response);
    return call->batch;
  }
  return take_unknown_id(connection, *id, *key, response);
}

void TrafficJudge::TrafficRules::take_back_excuses(WatchedConnection& connection,
                                                   const CallInFlight& call) {
  auto& asked = asked_by(connection, dialogue::other(event_->side));
  if (call.is_excused && asked.excuses > 0) --asked.excuses;
  if (call.has_odd_id && asked.unread > 0) --asked.unread;
  asked.refusals.erase(call.refusal);
  const bool is_of_server = event_->side == Side::server;
  if (is_of_server && connection.provoked_at && call.serial > *connection.provoked_at) {
    connection.provoked_at.reset();
  }
}

void TrafficJudge::TrafficRules::charge_messages_for_batch(WatchedConnection& connection,
                                                           const CallInFlight& call,
                                                           const Value& response) {
  auto& asked = asked_by(connection, dialogue::other(event_->side));
  if (!asked.is_charged_first(call.batch)) return;
  asked.calls.end_batch(call.batch);
  charge(event_->side, "bat-array", {Symptom::messages_for_batch, "one Array", shown(response)},
         call.text);
}

std::size_t TrafficJudge::TrafficRules::take_unknown_id(WatchedConnection& connection,
                                                        const Value& id, const std::string& key,
                                                        const Value& response) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, dialogue::other(side));
  if (event_->exchange && take_unknown_elsewhere(id, key, response)) return 0;
  // What could not be read may have had the id of an earlier call.
  const bool may_be_of_unread = asked.unread > 0 || answers_unread_;
  if (!may_be_of_unread && asked.calls.was_settled(key)) {
    charge(side, "res-once", {Symptom::second_response, "one Response", shown(response)});
    return 0;
  }
  if (const auto alike = asked.calls.settle_alike(id)) {
    note_answered(*alike, response);
    settle_strays(connection, alike->serial);
    charge(side, "id-echo", {Symptom::wrong_id, alike->id, json::write(id), "/id"}, alike->text);
    return alike->batch;
  }
  if (connection.is_lossy || asked.calls.has_forgotten()) {
    let_go();
    return 0;
  }
  // Who has read a batch there answers all of it at once.
  if (may_be_of_unread) {
    if (!std::exchange(answers_unread_, true)) --asked.unread;
    let_go();
    if (event_->exchange) asked.calls.take_all();
    return 0;
  }
  // Where a response answers its request there is no doubt whose it is.
  if (event_->exchange && asked.calls.open().size() == 1) {
    const auto call = asked.calls.take_all().front();
    charge(side, "id-echo", {Symptom::wrong_id, call.id, json::write(id), "/id"}, call.text);
    return call.batch;
  }
  // What answers the POST of a Notification answers that.
  const bool is_of_notification = event_->http_status != 0 && asked.notifications > 0 &&
                                  asked.last_batch == 0 && asked.calls.open().empty();
  if (is_of_notification) {
    charge_answered_notification(silence_broken_by(response, false), shown(response));
    return 0;
  }
  const bool is_held = hold_wrong_id(connection, id, response);
  note_nameless_answer(connection);
  if (!is_held) charge_answer_to_nothing(connection, shown(response));
  return 0;
}

// JSON-RPC 2.0 §5: a Response has the id of its call. Where one call waits, and never has another
// answer, this was its answer.
bool TrafficJudge::TrafficRules::hold_wrong_id(WatchedConnection& connection, const Value& id,
                                               const Value& response) {
  auto& asked = asked_by(connection, dialogue::other(event_->side));
  const bool is_array =
      event_->message.value() != nullptr && event_->message.value()->is(Kind::array);
  if (event_->exchange || is_array) return false;
  if (asked.strays.size() >= kMostStrays) {
    return std::ranges::any_of(asked.strays,
                               [](const StrayAnswer& each) { return each.call.has_value(); });
  }
  const CallInFlight* call = only_waiting_call(asked);
  if (call == nullptr) return false;
  StrayAnswer stray{*event_, {}, shown(response), true, {call->serial}};
  stray.event.message = stray.text;
  stray.id = json::write(id);
  stray.call = *call;
  asked.strays.push_back(std::move(stray));
  return true;
}

// Whom the server has told nothing but Responses, has answered one of them.
void TrafficJudge::TrafficRules::charge_answer_to_nothing(const WatchedConnection& connection,
                                                          const std::string& text) {
  const Side side = event_->side;
  const bool is_to_answer =
      side == Side::client && connection.responses > 0 && !connection.server_says_else;
  charge(side, is_to_answer ? kAnswerToAnswer : "res-once",
         {Symptom::answers_no_call, "a Response to what was asked, or nothing", text});
}

bool TrafficJudge::TrafficRules::may_refuse(WatchedConnection& connection, const Value& response) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, dialogue::other(side));
  if (connection.is_lossy || asked.calls.has_forgotten()) return true;
  // Where nothing stands between messages who reads may see others than who wrote.
  const Value* error = response.find("error");
  const bool is_parse_error = error != nullptr && code_of(*error) == -32700;
  if (binding_of(connection).structures_only && is_parse_error) {
    lose(connection);
    return true;
  }
  if (!asked.refusals.empty() && may_refuse_unread(response)) {
    asked.refusals.erase(asked.refusals.begin());
    asked.calls.give_up_refusable();
    if (side == Side::server) connection.provoke(serial_);  // what it refuses it may end as well
    if (event_->exchange) asked.calls.take_all();
    return true;
  }
  if (asked.excuses == 0) return false;
  if (asked.unread >= asked.excuses) --asked.unread;  // it is one of those that is refused
  --asked.excuses;
  asked.empty_batches -= std::min<std::size_t>(asked.empty_batches, 1);
  if (side == Side::server && is_parse_error) connection.provoke(serial_);
  if (event_->exchange) asked.calls.take_all();  // refused as a whole
  asked.calls.end_batch(std::nullopt);           // one of them may be what was refused
  return true;
}

bool TrafficJudge::TrafficRules::take_null_id(WatchedConnection& connection,
                                              const Value& response) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, dialogue::other(side));
  if (may_refuse(connection, response)) {
    let_go();
    return false;
  }
  if (asked.notifications > 0 && asked.calls.open().empty()) {
    --asked.notifications;  // each may have been answered once
    charge_answered_notification(silence_broken_by(response, false), shown(response));
    return true;
  }
  if (asked.notifications > 0) {
    if (asked.strays.size() >= kMostStrays) return false;
    --asked.notifications;
    StrayAnswer stray{*event_,
                      silence_broken_by(response, false),
                      shown(response),
                      response.find("id") != nullptr,
                      {}};
    stray.event.message = stray.text;
    for (const auto& call : asked.calls.open()) stray.open.insert(call.serial);
    asked.strays.push_back(std::move(stray));
    return false;
  }
  const auto& open = asked.calls.open();
  if (open.empty()) {
    charge_answer_to_nothing(connection, shown(response));
    return false;
  }
  charge_wrong_id(response, open.front());
  if (!event_->exchange && open.size() == 1) {
    asked.calls.take_all_for_answered();
  } else {
    note_nameless_answer(connection);
  }
  return false;
}

void TrafficJudge::TrafficRules::charge_wrong_id(const Value& response, const CallInFlight& call) {
  const Value* id = response.find("id");
  // One without an id is charged with that alone (res-id-present).
  if (id == nullptr || may_refuse_by_head(*event_, response)) return;
  charge(event_->side, "id-echo", {Symptom::wrong_id, call.id, json::write(*id), "/id"}, call.text);
}

// It is charged as it is, and the call that it may be meant for, or the batch, has had it.
void TrafficJudge::TrafficRules::note_nameless_answer(WatchedConnection& connection) {
  auto& calls = asked_by(connection, dialogue::other(event_->side)).calls;
  const Value* value = event_->message.value();
  const bool holds_responses = value != nullptr && value->is(Kind::array) &&
                               std::ranges::any_of(value->children(), is_response_shaped);
  calls.note_nameless_answer();
  if (holds_responses || is_on_stream()) return;
  if (event_->exchange) calls.take_all();
  calls.end_batch(std::nullopt);
}

std::string TrafficJudge::TrafficRules::silence_broken_by(const Value& response,
                                                          bool in_batch) const {
  const bool is_1_0 = event_->side == Side::server && speaks_1_0();
  return is_1_0 ? "v1-notification" : silence_requirement(response, in_batch);
}

void TrafficJudge::TrafficRules::charge_answered_notification(const std::string& requirement,
                                                              const std::string& text) {
  charge(event_->side, requirement,
         {Symptom::answered, "nothing: a Notification is not answered", text});
}

void TrafficJudge::TrafficRules::settle_strays(WatchedConnection& connection, std::size_t serial) {
  auto& strays = asked_by(connection, dialogue::other(event_->side)).strays;
  for (auto& stray : strays) stray.open.erase(serial);
  // Who answers a later call, and has had a long time, gives the earlier one no other answer.
  const auto is_overtaken = [&](const StrayAnswer& each) {
    return each.call && each.call->serial < serial && event_->at - each.event.at >= kLongUnanswered;
  };
  const auto settled = std::stable_partition(
      strays.begin(), strays.end(),
      [&](const StrayAnswer& each) { return !each.open.empty() && !is_overtaken(each); });
  std::vector<StrayAnswer> known(std::make_move_iterator(settled),
                                 std::make_move_iterator(strays.end()));
  strays.erase(settled, strays.end());
  for (const auto& each : known) {
    if (!each.open.empty()) {
      charge_stray(connection, each);
      continue;
    }
    charge_as_of(each.event, [&] {
      if (each.call) return charge_answer_to_nothing(connection, each.text);
      charge_answered_notification(each.requirement, each.text);
    });
  }
}

}  // namespace jrpcheck::judge
