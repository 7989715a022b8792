#include "judge/step_charge.hpp"

#include <algorithm>

#include "judge/code.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::Outcome;
using corpus::Step;
using json::Kind;
using Shape = Outcome::Shape;

const json::Value* params_of(const json::Value& message) {
  if (!message.is(Kind::array)) return message.find("params");
  for (const auto& each : message.children()) {
    if (const json::Value* params = each.find("params")) return params;
  }
  return nullptr;
}

// A wrong result where nothing else is asked says that the params were misread.
std::string charge_of_result(const corpus::Case& bound, const Step& step) {
  for (const auto& message : step.messages) {
    const json::Value* sent = message.value();
    const json::Value* params = sent != nullptr ? params_of(*sent) : nullptr;
    const bool is_of_1_0 = sent != nullptr && sent->find("jsonrpc") == nullptr;
    if (params == nullptr || (is_of_1_0 && !sent->is(Kind::array))) continue;
    return params->is(Kind::object) ? "par-named" : "par-positional";
  }
  return bound.requirements.front();
}

std::string default_charge(Part part, const corpus::Case& bound, const Step& step,
                           const Outcome& closest) {
  switch (part) {
    case Part::result:
      return charge_of_result(bound, step);
    case Part::silence:
      return "res-always";
    case Part::shape:
      return closest.shape == Shape::batch ? "bat-array" : "res-object";
    case Part::count:
      return closest.shape == Shape::batch ? "bat-each" : "res-once";
    default:
      return bound.requirements.front();
  }
}

std::ptrdiff_t ids_that_are_null(const Outcome& outcome) {
  return std::ranges::count_if(outcome.responses, [](const auto& each) {
    return each.id.any_of.size() == 1 && each.id.any_of.front().is(Kind::null);
  });
}

std::ptrdiff_t faults_but_ids(const Comparison& comparison) {
  return std::ranges::count_if(comparison.mismatches,
                               [](const Mismatch& each) { return each.part != Part::id; });
}

// Whether the step has the same outcome once with null and once with the Request's own id: then a
// third value is the fault of an invalid Request's id, not of an undetectable one.
bool accepts_null_and_own_id(const Step& step, const Choice& choice, const Evidence& evidence) {
  const Outcome& closest = *choice.outcome;
  return std::ranges::any_of(step.accept, [&](const Outcome& other) {
    return other.shape == closest.shape && ids_that_are_null(other) != ids_that_are_null(closest) &&
           faults_but_ids(compare(other, evidence)) == faults_but_ids(choice.comparison);
  });
}

// A reply that carries another id than the call is owed, or none.
bool is_to_another(const json::Value& reply, const Outcome& outcome) {
  const json::Value* id = reply.find("id");
  return id == nullptr || !accepts_id(outcome.responses.front(), *id);
}

bool has_notification_beside_a_call(const Step& step, const Outcome& outcome) {
  return outcome.responses.size() == 1 && std::ranges::any_of(step.messages, is_notification);
}

bool is_about_ids(const corpus::Case& bound) {
  return !bound.requirements.empty() && bound.requirements.front().starts_with("id-");
}

// Who takes the call of a case about ids for none, or for no JSON, refuses its id; so does who has
// any other error for it and null in place of the id.
bool refuses_id(const Mismatch& mismatch, const corpus::Case& bound) {
  return mismatch.part == Part::code && (mismatch.tells_another_stage || mismatch.has_null_id) &&
         is_about_ids(bound);
}

auto is_error_with(long long code) {
  return [code](const json::Value* reply) { return error_code_of(*reply) == code; };
}

bool are_all_alike(const std::vector<const json::Value*>& replies) {
  return std::ranges::all_of(replies, [&](const json::Value* each) {
    return json::write(*each) == json::write(*replies.front());
  });
}

// One message, and each part of it is answered as what is no JSON, or no Request: a digit alone is
// a value. Who answers one that is no JSON twice says the same twice.
bool is_read_in_parts(const Mismatch& mismatch, const Step& step, const Evidence& evidence) {
  if (mismatch.symptom != Symptom::several_messages || step.messages.size() != 1) return false;
  const auto parse_errors = std::ranges::count_if(evidence.values, is_error_with(-32700));
  const auto refusals =
      parse_errors + std::ranges::count_if(evidence.values, is_error_with(-32600));
  if (parse_errors == 0 || refusals != std::ssize(evidence.values)) return false;
  return step.messages.front().value() != nullptr || !are_all_alike(evidence.values);
}

// An Array within a batch has no id: what is known by one is a call beside it.
bool is_lost_beside_an_array(const Mismatch& mismatch, const std::string& requirement) {
  const bool is_lost = mismatch.symptom == Symptom::response_missing ||
                       mismatch.symptom == Symptom::response_not_object;
  return is_lost && !mismatch.call.empty() && requirement == "bat-nested";
}

}  // namespace

bool is_notification(const dialogue::Message& message) {
  return message.find("method") != nullptr && message.find("id") == nullptr;
}

bool answers_notification(const Mismatch& mismatch, const Step& step, const Choice& choice,
                          const Evidence& evidence) {
  const Outcome& outcome = *choice.outcome;
  const bool is_named = step.charge.contains(std::string(name_of(Part::reply)));
  if (!is_named || !has_notification_beside_a_call(step, outcome)) return false;
  if (mismatch.symptom == Symptom::several_messages) {
    return std::ranges::any_of(evidence.values,
                               [&](const auto* each) { return is_to_another(*each, outcome); });
  }
  // Who answers calls with id null does so elsewhere too, which is a habit.
  // But a result that fits is the call's own.
  if (mismatch.symptom != Symptom::wrong_id || evidence.values.size() != 1) return false;
  const json::Value& only = *evidence.values.front();
  const json::Value* id = only.find("id");
  return id != nullptr && id->is(Kind::null) && only.find("result") == nullptr;
}

std::set<const json::Value*> surplus_of(const Step& step, const Choice& choice,
                                        const Evidence& evidence) {
  const auto& left_over = choice.comparison.surplus;
  std::set<const json::Value*> surplus(left_over.begin(), left_over.end());
  const Outcome& outcome = *choice.outcome;
  const bool is_one_due = outcome.shape == Shape::response && evidence.values.size() > 1;
  if (!is_one_due || !has_notification_beside_a_call(step, outcome)) return surplus;
  for (const json::Value* each : evidence.values) {
    if (is_to_another(*each, outcome)) surplus.insert(each);
  }
  // Where none is the Response that is due, nobody knows which of them was to be it.
  if (surplus.size() == evidence.values.size()) surplus.clear();
  return surplus;
}

std::string charge_for(const Mismatch& mismatch, const corpus::Case& bound, const Step& step,
                       const Choice& choice, const Evidence& evidence) {
  auto named = mismatch.missing ? step.charge.find("missing")
               : answers_notification(mismatch, step, choice, evidence)
                   ? step.charge.find(std::string(name_of(Part::reply)))
               : refuses_id(mismatch, bound) ? step.charge.find(std::string(name_of(Part::id)))
                                             : step.charge.end();
  if (named == step.charge.end()) named = step.charge.find(std::string(name_of(mismatch.part)));
  if (named == step.charge.end() && mismatch.part == Part::envelope) {
    named = step.charge.find(std::string(name_of(Part::kind)));
  }
  if (named != step.charge.end()) {
    return is_lost_beside_an_array(mismatch, named->second) ? "bat-each" : named->second;
  }
  if (is_read_in_parts(mismatch, step, evidence)) return "rob-split";
  const bool valid_call_of_batch =
      choice.outcome->shape != Shape::response && mismatch.requirement == "id-echo";
  if (mismatch.part == Part::id && !valid_call_of_batch &&
      accepts_null_and_own_id(step, choice, evidence)) {
    return "id-invalid-request";
  }
  return mismatch.requirement.empty() ? default_charge(mismatch.part, bound, step, *choice.outcome)
                                      : mismatch.requirement;
}

bool rest_counts(const Mismatch& mismatch, const std::string& requirement,
                 const corpus::Case& bound) {
  if (mismatch.part == Part::id) {
    if (bound.requirements.empty()) return true;
    return requirement != bound.requirements.front() && !is_about_ids(bound);
  }
  return mismatch.part == Part::envelope ||
         (mismatch.part == Part::code && !mismatch.tells_another_stage);
}

}  // namespace jrpcheck::judge
