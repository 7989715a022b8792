#include "judge/choice.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "judge/habit.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::Outcome;
using corpus::Step;
using dialogue::Ending;
using dialogue::Exchange;
using json::Kind;
using Shape = Outcome::Shape;

Mismatch nothing_came(const Outcome& outcome, const Evidence& evidence) {
  const auto symptom =
      has_refused_handshake(evidence.exchange) ? Symptom::handshake_refused : Symptom::unanswered;
  return {Part::silence, symptom, describe(outcome), came_back(evidence)};
}

// Where nothing was due, not even an HTTP status came, or the connection to be silent on is gone.
Mismatch not_silent_but_gone(const Outcome& outcome, const Evidence& evidence) {
  if (evidence.is_owed_http && evidence.exchange.http_status == 0) {
    return {Part::silence, Symptom::no_http_response, "an HTTP response, if only its head",
            came_back(evidence)};
  }
  std::string expected = describe(outcome);
  if (!evidence.is_owed_http) expected += ", and an answer to the control call that follows";
  return {Part::silence, Symptom::connection_dropped, std::move(expected), came_back(evidence)};
}

Mismatch reply_came(const Outcome& outcome, const Evidence& evidence) {
  return {Part::reply, Symptom::answered, describe(outcome), came_back(evidence)};
}

Comparison compare_single(const Outcome& outcome, const Evidence& evidence) {
  const json::Value& value = *evidence.values.front();
  if (!value.is(Kind::array) && !value.is(Kind::object)) return {{}, "the reply is not an Object"};
  if (outcome.shape == Shape::batch && value.is(Kind::array)) {
    return compare_elements(outcome.responses, value);
  }
  if (outcome.shape == Shape::response && value.is(Kind::object)) {
    auto comparison = compare_response(outcome.responses.front(), value);
    const bool is_of_kind = std::ranges::none_of(
        comparison.mismatches, [](const Mismatch& each) { return each.part == Part::kind; });
    // Who took the call for another had reason to answer it in another shape.
    if (outcome.envelope_1_0 && is_of_kind && value.find("jsonrpc") != nullptr) {
      comparison.mismatches.push_back({Part::envelope, Symptom::answered_in_2_0,
                                       "a Response in the shape of 1.0", came_back(evidence)});
    }
    return comparison;
  }
  const Symptom symptom =
      outcome.shape == Shape::batch ? Symptom::message_for_batch : Symptom::not_one_object;
  std::vector<std::string> habits;
  if (outcome.shape == Shape::batch) habits.push_back(batch_habit("one message"));
  return {{{Part::shape, symptom, describe(outcome), came_back(evidence), "", "", false, habits}},
          {}};
}

Comparison compare_several(const Outcome& outcome, const Evidence& evidence) {
  std::vector<const json::Value*> messages;
  const json::Value* array = nullptr;
  for (const json::Value* each : evidence.values) {
    if (!each->is(Kind::array)) {
      messages.push_back(each);
    } else if (outcome.array && array == nullptr) {
      array = each;
    } else {
      return {{{Part::shape, Symptom::batch_for_messages, describe(outcome), came_back(evidence)}},
              {}};
    }
  }
  Comparison comparison = compare_responses(outcome.responses, messages);
  if (array != nullptr) {
    Comparison within = compare_elements(*outcome.array, *array);
    std::ranges::move(within.mismatches, std::back_inserter(comparison.mismatches));
    std::ranges::copy(within.surplus, std::back_inserter(comparison.surplus));
    if (within.unjudged) comparison.unjudged = std::move(within.unjudged);
  } else if (outcome.array) {
    comparison.mismatches.push_back({Part::count, Symptom::response_missing,
                                     describe_array(*outcome.array), "nothing for it", "", "",
                                     true});
  }
  return comparison;
}

Comparison compare_replies(const Outcome& outcome, const Evidence& evidence) {
  if (evidence.has_none()) return {{nothing_came(outcome, evidence)}, {}};
  if (evidence.unreadable) return {{}, "a reply is not JSON"};
  if (outcome.shape == Shape::responses) return compare_several(outcome, evidence);
  const bool no_array = std::ranges::none_of(
      evidence.values, [](const auto* value) { return value->is(Kind::array); });
  // On an event stream each may be an event of its own.
  const bool are_events =
      std::ranges::all_of(evidence.replies, [](const auto* reply) { return reply->is_event; });
  if (outcome.shape == Shape::batch && no_array && are_events) {
    return compare_several(outcome, evidence);
  }
  if (evidence.values.size() == 1) return compare_single(outcome, evidence);
  if (outcome.shape == Shape::batch && no_array) {
    return {{{Part::shape,
              Symptom::messages_for_batch,
              describe(outcome),
              came_back(evidence),
              "",
              "",
              false,
              {batch_habit("separate messages")}}},
            {}};
  }
  return {{{Part::count, Symptom::several_messages, describe(outcome), came_back(evidence)}}, {}};
}

bool has_status(const Outcome& outcome, const Exchange& exchange) {
  return exchange.http_status >= outcome.status_from && exchange.http_status <= outcome.status_to;
}

bool has_failed(const Exchange& exchange) { return exchange.http_status >= 500; }

bool has_exit_code(const Outcome& outcome, const Exchange& exchange) {
  const auto& codes = outcome.close_codes;
  return codes.empty() || contains(codes, exchange.exit_code.value_or(-1));
}

// RFC 6455 §7.1.5: without a Close frame the code is 1006.
bool has_close_code(const Outcome& outcome, const Exchange& exchange) {
  const int code = exchange.close ? static_cast<int>(exchange.close->code) : wire::kNoCloseFrame;
  const auto& codes = outcome.close_codes;
  return codes.empty() || contains(codes, code);
}

Comparison compare_closed(const Outcome& outcome, const Evidence& evidence) {
  const Exchange& exchange = evidence.exchange;
  const bool is_closed = exchange.ending == Ending::closed && exchange.replies.empty();
  if (is_closed && has_close_code(outcome, exchange)) return {};
  if (!exchange.replies.empty()) {
    return {{reply_came(outcome, evidence)}, {}};
  }
  if (outcome.close_codes.empty()) return {{nothing_came(outcome, evidence)}, {}};
  const Symptom symptom = is_closed ? Symptom::close_code_wrong : Symptom::not_closed;
  return {{{Part::close, symptom, describe(outcome), came_back(evidence)}}, {}};
}

// An outcome is close when the reply has its shape, and closer the fewer parts differ. One that
// could be compared in all parts is closer than one that could not.
std::tuple<int, std::size_t, bool> distance(const Outcome& outcome, const Comparison& comparison,
                                            const Evidence& evidence) {
  int wrong_shape = 0;
  for (const auto& each : comparison.mismatches) {
    const bool shape = each.part == Part::shape || each.part == Part::silence ||
                       each.part == Part::reply || each.part == Part::close;
    if (shape) wrong_shape = 2;
    if (each.part == Part::kind || each.part == Part::envelope)
      wrong_shape = std::max(wrong_shape, 1);
  }
  const bool one_is_due = outcome.shape == Shape::response || outcome.shape == Shape::batch;
  if (one_is_due && evidence.values.size() > 1) wrong_shape = 1;
  // A batch may hold what is of 1.0 beside the rest: an Array is of its shape all the same. What
  // has no id is no Response of 1.0 either (JSON-RPC 1.0 §1.2).
  if (outcome.envelope_1_0 && (!comparison.matches() || comparison.unjudged)) {
    wrong_shape = std::max(wrong_shape, outcome.shape == Shape::batch ? 1 : 2);
  }
  return {wrong_shape, comparison.mismatches.size(), comparison.unjudged.has_value()};
}

}  // namespace

Comparison compare(const Outcome& outcome, const Evidence& evidence) {
  const Exchange& exchange = evidence.exchange;
  switch (outcome.shape) {
    case Shape::silence:
      if (evidence.refused && has_failed(exchange)) return {};  // the HTTP layer's, charged there
      if (evidence.refused && evidence.may_be_refused) return {};
      if (!exchange.replies.empty()) return {{reply_came(outcome, evidence)}, {}};
      // A connection that is closed on a server that serves others is silent as well.
      if (exchange.ending == Ending::settled) return {};
      if (exchange.ending == Ending::closed && exchange.control_answered) return {};
      // What is not allowed to stay unanswered is waited for in vain.
      if (exchange.ending == Ending::timed_out && outcome.verdict == corpus::Verdict::fail)
        return {};
      return {{not_silent_but_gone(outcome, evidence)}, {}};
    case Shape::refused:
      if (evidence.refused && (outcome.status_to == 0 || has_status(outcome, exchange))) return {};
      break;
    case Shape::status:
      if (has_status(outcome, exchange)) return {};
      break;
    case Shape::exited:
      if (exchange.ending == Ending::exited && has_exit_code(outcome, exchange)) return {};
      return {{{Part::silence, Symptom::not_ended, describe(outcome),
                exchange.detail.empty() ? came_back(evidence) : exchange.detail}},
              {}};
    case Shape::closed:
      return compare_closed(outcome, evidence);
    case Shape::anything:
      // A silence in which the server serves what follows is heard; one that ends in nothing at all
      // is a client's that hangs.
      if (exchange.ending != Ending::timed_out || exchange.control_answered) return {};
      if (!exchange.replies.empty()) return {};
      break;
    default:
      return compare_replies(outcome, evidence);
  }
  return {
      {exchange.replies.empty() ? nothing_came(outcome, evidence) : reply_came(outcome, evidence)},
      {}};
}

bool is_batch_due(const Step& step) {
  return std::ranges::any_of(step.accept,
                             [](const Outcome& outcome) { return outcome.shape == Shape::batch; });
}

bool is_batch_in_an_object(const Step& step, const Evidence& evidence) {
  return is_batch_due(step) && evidence.values.size() == 1 &&
         !responses_within(*evidence.values.front()).empty();
}

// Whether the one message that has come answers a call of the batch, and not the batch.
bool answers_one_call(const Step& step, const Evidence& evidence) {
  const json::Value* id =
      evidence.values.size() == 1 ? evidence.values.front()->find("id") : nullptr;
  if (id == nullptr || id->is(Kind::null)) return false;
  const auto has_the_id = [&](const auto& due) { return accepts_id(due, *id); };
  return std::ranges::any_of(step.accept, [&](const Outcome& outcome) {
    return outcome.shape == Shape::batch && std::ranges::any_of(outcome.responses, has_the_id);
  });
}

// Whether it is a good one: then it is no refusal of the batch with something wrong in it.
bool answers_one_call_well(const Step& step, const Evidence& evidence) {
  const auto batch = std::ranges::find_if(
      step.accept, [](const Outcome& outcome) { return outcome.shape == Shape::batch; });
  return std::ranges::any_of(batch->responses, [&](const auto& due) {
    const auto comparison = compare_response(due, *evidence.values.front());
    return comparison.matches() && !comparison.unjudged;
  });
}

// Whether a batch is refused by one error, or served by one result, and it is the other that came.
bool is_of_other_kind(const Outcome& outcome, const Comparison& comparison) {
  return outcome.shape == Shape::response &&
         std::ranges::any_of(comparison.mismatches,
                             [](const Mismatch& each) { return each.part == Part::kind; });
}

// Nothing where anything passes but that the connection is closed.
const Outcome* closing_due(const Step& step) {
  const Outcome* due = nullptr;
  for (const auto& outcome : step.accept) {
    if (outcome.verdict != corpus::Verdict::pass) continue;
    if (outcome.shape != Shape::closed) return nullptr;
    if (due == nullptr) due = &outcome;
  }
  return due;
}

Choice choose_outcome(const Step& step, const Evidence& evidence) {
  const bool batch_is_due = is_batch_due(step);
  const bool in_an_object = is_batch_in_an_object(step, evidence);
  const bool is_of_a_call = answers_one_call(step, evidence);
  const bool is_good = is_of_a_call && answers_one_call_well(step, evidence);
  std::optional<Choice> closest;
  for (const auto& outcome : step.accept) {
    if (in_an_object && outcome.shape == Shape::response) continue;  // it is none
    if (is_of_a_call && outcome.shape == Shape::response &&
        !accepts_id(outcome.responses.front(), *evidence.values.front()->find("id"))) {
      continue;
    }
    Comparison comparison = compare(outcome, evidence);
    if (is_good && outcome.shape == Shape::response && !comparison.matches()) continue;
    if (batch_is_due && is_of_other_kind(outcome, comparison)) continue;
    // Nothing is to be like a `fail` outcome, nor like a Response that is not due: what does not
    // match them is held against another.
    const bool is_no_aim = outcome.verdict == corpus::Verdict::fail || is_let_be(step, outcome);
    const bool has_come = comparison.matches() && !comparison.unjudged;
    if (is_no_aim && closest && !has_come) continue;
    if (!closest || distance(outcome, comparison, evidence) <
                        distance(*closest->outcome, closest->comparison, evidence)) {
      closest = Choice{&outcome, std::move(comparison)};
    }
    if (closest->came_true()) break;
  }
  // A Response that a warning lets pass is not due. Who misses that, too, has answered.
  const Outcome* due = closing_due(step);
  if (due != nullptr && closest->outcome->verdict == corpus::Verdict::warn &&
      !closest->comparison.matches()) {
    return {due, compare(*due, evidence)};
  }
  return *std::move(closest);
}

bool is_let_be(const corpus::Step& step, const corpus::Outcome& outcome) {
  return !outcome.tells_nothing.empty() && !outcome.responses.empty() &&
         step.accept.front().shape == Shape::silence;
}

}  // namespace jrpcheck::judge
