// What answers batches: Arrays of Responses, and what takes their place.
#include "judge/envelope.hpp"
#include "judge/traffic/rules.hpp"

namespace jrpcheck::judge {

using dialogue::Side;
using json::Kind;
using json::Value;

void TrafficJudge::TrafficRules::take_batch_of_responses(WatchedConnection& connection,
                                                         const Value& array) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, dialogue::other(side));
  exercise(side, "bat-array");
  if (is_neither_request_nor_response(array) && take_array_of_nothing(connection, array)) return;
  if (array.children().empty()) return take_empty_answer(connection);
  if (is_on_stream()) return take_some_responses(connection, array);
  const std::size_t open = asked.calls.open().size();
  const auto calls_alone = [&] {
    return std::ranges::count(asked.calls.open(), std::size_t{0}, &CallInFlight::batch);
  };
  const auto alone = calls_alone();
  std::size_t batch = 0;
  std::size_t matched = 0;
  std::set<std::size_t> batches;
  std::vector<const Value*> without_id;
  for (const auto& each : array.children()) {
    if (!each.is(Kind::object)) {
      charge(side, "bat-array", {Symptom::response_not_object, "Responses", shown(each)});
      continue;
    }
    const std::size_t now = open - asked.calls.open().size();
    const std::size_t found = take_response(connection, each, true);
    const bool is_matched = open - asked.calls.open().size() > now;
    if (is_matched) ++matched;
    if (found != 0) batches.insert(batch = found);
    if (has_no_id(each)) without_id.push_back(&each);
  }
  const auto is_object = [](const Value& each) { return each.is(Kind::object); };
  if (std::ranges::none_of(array.children(), is_object)) return note_nameless_answer(connection);
  if (answers_repeated_) {
    asked.excuses -= std::min<std::size_t>(asked.excuses, 1);
    return;
  }
  if (batch == 0 && matched == 0) batch = batch_answered_without_ids(connection, without_id);
  if (batch == 0) {
    if (matched > 0) {
      charge(side, "res-object", {Symptom::batch_for_messages, "one Object", shown(array)});
    } else {
      take_answer_to_unknown_batch(connection, without_id);
    }
    return;
  }
  if (calls_alone() < alone && !connection.is_lossy) {
    charge(side, "res-object",
           {Symptom::batch_for_messages, "an Object for the call beside the batch", shown(array)});
  }
  exercise(side, "bat-each");
  judge_surplus(connection, batch, without_id);
  if (batches.size() > 1) {
    charge_shared_array(connection, batches, array);
  } else {
    charge_missing(connection, batch, array);
  }
  asked.excuses -= std::min<std::size_t>(asked.excuses, 1);  // it was not refused
}

// Whoever mixes batches may bring the rest of them in its next Array, which is charged here as
// well.
void TrafficJudge::TrafficRules::charge_shared_array(WatchedConnection& connection,
                                                     const std::set<std::size_t>& batches,
                                                     const Value& array) {
  auto& asked = asked_by(connection, dialogue::other(event_->side));
  bool is_first = false;
  for (const auto batch : batches) is_first |= asked.is_charged_first(batch);
  if (!is_first) return;
  charge(event_->side, "bat-array",
         {Symptom::array_for_batches, "an Array for each batch", shown(array)});
}

void TrafficJudge::TrafficRules::charge_missing(WatchedConnection& connection, std::size_t batch,
                                                const Value& array) {
  const Side caller = dialogue::other(event_->side);
  auto& asked = asked_by(connection, caller);
  for (const auto& missing : asked.calls.settle_batch(batch)) {
    asked.is_charged_first(batch);
    if (connection.is_lossy || missing.is_given_up) continue;
    if (asked.calls.take_nameless_answer(missing)) continue;  // charged as it is
    ++counts_[place_of(caller)].unanswered;
    charge(event_->side, "bat-each",
           {Symptom::response_missing, "a Response with id " + missing.id, shown(array)},
           missing.text);
  }
}

std::size_t TrafficJudge::TrafficRules::batch_answered_without_ids(
    WatchedConnection& connection, const std::vector<const Value*>& without_id) {
  const auto& asked = asked_by(connection, dialogue::other(event_->side));
  const auto is_result = [](const Value* each) {
    const Value* error = each->find("error");
    return dialogue::has_outcome(*each) && (error == nullptr || error->is(Kind::null));
  };
  const bool may_refuse_batch =
      without_id.size() < 2 && std::ranges::none_of(without_id, is_result);
  const bool may_be_of_unread = asked.unread > 0 || answers_unread_ || !asked.refusals.empty();
  const bool is_partly_known = connection.is_lossy || asked.calls.has_forgotten();
  const bool may_be_of_invalid = std::ranges::any_of(
      asked.excuses_in_batch, [&](const auto& each) { return each.second >= without_id.size(); });
  if (may_refuse_batch || may_be_of_unread || is_partly_known || may_be_of_invalid) return 0;
  std::set<std::size_t> waiting;
  for (const auto& call : asked.calls.open()) {
    if (call.batch != 0 && !call.is_over) waiting.insert(call.batch);
  }
  // Each batch is an excuse by itself; any further one is of something else.
  return waiting.empty() || asked.excuses > waiting.size() ? 0 : *waiting.begin();
}

bool TrafficJudge::TrafficRules::take_array_of_nothing(WatchedConnection& connection,
                                                       const Value& array) {
  const auto& asked = asked_by(connection, dialogue::other(event_->side));
  const bool may_be_due = !asked.calls.open().empty() || asked.is_excused() || asked.unread > 0;
  if (may_be_due || !asked.excuses_in_batch.empty() || connection.is_lossy) return false;
  take_answer_to_unknown_batch(connection, {&array});
  return true;
}

void TrafficJudge::TrafficRules::judge_surplus(WatchedConnection& connection, std::size_t batch,
                                               const std::vector<const Value*>& without_id) {
  auto& asked = asked_by(connection, dialogue::other(event_->side));
  std::size_t& excused = asked.excuses_in_batch[batch];
  const bool has_notifications = asked.batches_with_notifications.erase(batch) != 0;
  const auto& open = asked.calls.open();
  auto waiting = std::ranges::find(open, batch, &CallInFlight::batch);
  for (const Value* each : without_id) {
    if (excused > 0) {
      --excused;
    } else if (connection.is_lossy) {
      continue;
    } else if (waiting != open.end()) {
      charge_wrong_id(*each, *waiting);
      asked.calls.note_nameless_answer();  // it has had that one
      waiting = std::ranges::find(std::next(waiting), open.end(), batch, &CallInFlight::batch);
    } else if (has_notifications) {
      charge_answered_notification(silence_broken_by(*each, true), shown(*each));
    } else {
      charge(event_->side, "bat-each",
             {Symptom::response_surplus, "one Response for each call", shown(*each)});
    }
  }
  asked.excuses_in_batch.erase(batch);
}

void TrafficJudge::TrafficRules::take_answer_to_unknown_batch(
    WatchedConnection& connection, const std::vector<const Value*>& without_id) {
  auto& asked = asked_by(connection, dialogue::other(event_->side));
  if (without_id.empty() || connection.is_lossy) return;
  // The answer to a batch in which nothing was a Request.
  auto& excused = asked.excuses_in_batch;
  const auto invalid = std::ranges::find_if(
      excused, [&](const auto& each) { return each.second >= without_id.size(); });
  if (invalid != excused.end()) {
    excused.erase(invalid);
    return;
  }
  if (asked.has_batch_of_notifications) {
    return charge(event_->side, "bat-all-notifications",
                  {Symptom::answered, "nothing", shown(*event_->message.value())});
  }
  const bool is_excused = asked.is_excused() || asked.unread > 0 || answers_unread_;
  asked.excuses -= std::min<std::size_t>(asked.excuses, 1);
  if (is_excused) return;
  // It answers no batch: each is what it would be alone.
  for (const Value* each : without_id) take_null_id(connection, *each);
}

void TrafficJudge::TrafficRules::take_empty_answer(WatchedConnection& connection) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, dialogue::other(side));
  if (asked.empty_batches > 0) {
    --asked.empty_batches;
    asked.excuses -= std::min<std::size_t>(asked.excuses, 1);
    return charge(side, "bat-empty",
                  {Symptom::not_one_object, "one error -32600 with id null", "[]"});
  }
  const bool of_notifications = asked.has_batch_of_notifications;
  const auto& open = asked.calls.open();
  const bool is_of_batch =
      of_notifications || open.empty() || connection.is_lossy || !asked.excuses_in_batch.empty() ||
      std::ranges::any_of(open, [](const CallInFlight& each) { return each.batch != 0; });
  if (!is_of_batch) {
    charge(side, "res-object", {Symptom::not_one_object, "one Object", "[]"});
    return note_nameless_answer(connection);
  }
  charge(side, of_notifications ? "bat-all-notifications" : "bat-array",
         {of_notifications ? Symptom::answered : Symptom::response_missing,
          of_notifications ? "nothing" : "a Response for each call", "[]"});
  note_nameless_answer(connection);
}

}  // namespace jrpcheck::judge
