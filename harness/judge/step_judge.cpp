#include "judge/step_judge.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "json/parse.hpp"
#include "judge/code.hpp"
#include "judge/habit.hpp"
#include "judge/pattern.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::Outcome;
using corpus::Step;
using json::Kind;
using session::Ending;
using session::Exchange;
using Shape = Outcome::Shape;

// What a step brought back, read once.
struct Evidence {
  const Exchange& exchange;
  std::vector<const session::Reply*> replies = {};  // without what the HTTP layer said
  std::vector<json::Value> values = {};             // of those that are JSON
  bool unreadable = false;  // one of them was no JSON, which the envelope rules charge
  bool refused = false;     // nothing but an HTTP error status whose body is not JSON

  bool has_none() const { return replies.empty(); }
  /// In one word, when no Response came.
  std::string_view absence() const { return refused ? "refused" : "nothing"; }
};

bool is_json_type(const std::string& content_type) {
  return content_type.find("json") != std::string::npos;
}

// A JSON Object of the web framework's own, which does not even try to be a Response.
bool is_foreign_object(const std::string& text) {
  const auto parsed = json::parse(text);
  return parsed && parsed.value->is(Kind::object) && parsed.value->find("jsonrpc") == nullptr &&
         parsed.value->find("id") == nullptr;
}

// A 4xx or 5xx with a page or a line of text for people is the HTTP layer speaking.
bool is_http_refusal(const session::Reply& reply, const Exchange& exchange) {
  if (reply.http_status < 400) return false;
  if (is_foreign_object(reply.text)) return true;
  const auto first = reply.text.find_first_not_of(" \t\r\n");
  const bool like_json =
      first != std::string::npos && (reply.text[first] == '{' || reply.text[first] == '[');
  const bool is_last = &reply == &exchange.replies.back();
  return !like_json && !(is_last && is_json_type(exchange.http_content_type));
}

Evidence read(const Exchange& exchange) {
  Evidence evidence{exchange};
  for (const auto& reply : exchange.replies) {
    if (is_http_refusal(reply, exchange)) continue;
    evidence.replies.push_back(&reply);
    auto parsed = json::parse(reply.text);
    if (parsed) {
      evidence.values.push_back(*std::move(parsed.value));
    } else {
      evidence.unreadable = true;
    }
  }
  evidence.refused =
      evidence.has_none() && (exchange.http_status >= 400 || !exchange.replies.empty());
  return evidence;
}

// Whether a Response may come back. Where none may, whatever comes is one fault: a reply.
bool foresees_response(const Step& step) {
  return std::any_of(step.accept.begin(), step.accept.end(),
                     [](const Outcome& outcome) { return !outcome.responses.empty(); });
}

std::string came_back(const Evidence& evidence) {
  const Exchange& exchange = evidence.exchange;
  std::string text;
  if (exchange.http_status != 0) text = "HTTP " + std::to_string(exchange.http_status) + ": ";
  if (exchange.replies.empty()) {
    return text + (exchange.detail.empty() ? "nothing" : exchange.detail);
  }
  for (const auto& reply : exchange.replies) {
    text += to_visible(reply.text) + (&reply == &exchange.replies.back() ? "" : "  and  ");
  }
  return text;
}

// How far a reply is from an outcome; no mismatch: the outcome came true.
Comparison compare(const Outcome& outcome, const Evidence& evidence);

Mismatch nothing_came(const Outcome& outcome, const Evidence& evidence) {
  return {Part::silence, "No Response came back.", describe(outcome), came_back(evidence)};
}

Comparison compare_single(const Outcome& outcome, const Evidence& evidence) {
  const auto& value = evidence.values.front();
  if (!value.is(Kind::array) && !value.is(Kind::object)) return {{}, "the reply is not an Object"};
  if (outcome.shape == Shape::batch && value.is(Kind::array)) {
    std::vector<const json::Value*> elements;
    for (const auto& each : value.children()) elements.push_back(&each);
    return compare_responses(outcome.responses, elements);
  }
  if (outcome.envelope_1_0 && value.is(Kind::object) && value.find("jsonrpc") != nullptr) {
    return {{{Part::kind, "The reply is a 2.0 Response.", "a Response in the shape of 1.0",
              came_back(evidence)}},
            {}};
  }
  if (outcome.shape == Shape::response && value.is(Kind::object)) {
    return compare_response(outcome.responses.front(), value);
  }
  const std::string message = outcome.shape == Shape::batch
                                  ? "One message came back where an Array is due."
                                  : "The reply is not one Object.";
  std::vector<std::string> habits;
  if (outcome.shape == Shape::batch) habits.push_back(batch_habit("one message"));
  return {{{Part::shape, message, describe(outcome), came_back(evidence), "", false, habits}}, {}};
}

Comparison compare_several(const Outcome& outcome, const Evidence& evidence) {
  std::vector<const json::Value*> messages;
  for (const auto& each : evidence.values) {
    if (each.is(Kind::array)) {
      return {{{Part::shape, "An Array came back where separate messages are due.",
                describe(outcome), came_back(evidence)}},
              {}};
    }
    messages.push_back(&each);
  }
  return compare_responses(outcome.responses, messages);
}

Comparison compare_replies(const Outcome& outcome, const Evidence& evidence) {
  if (evidence.has_none()) return {{nothing_came(outcome, evidence)}, {}};
  if (evidence.unreadable) return {{}, "a reply is not JSON"};
  if (outcome.shape == Shape::responses) return compare_several(outcome, evidence);
  if (evidence.values.size() == 1) return compare_single(outcome, evidence);
  const bool no_array = std::none_of(evidence.values.begin(), evidence.values.end(),
                                     [](const auto& value) { return value.is(Kind::array); });
  if (outcome.shape == Shape::batch && no_array) {
    return {{{Part::shape,
              "Separate messages came back where an Array is due.",
              describe(outcome),
              came_back(evidence),
              "",
              false,
              {batch_habit("separate messages")}}},
            {}};
  }
  return {
      {{Part::count, "More than one message came back.", describe(outcome), came_back(evidence)}},
      {}};
}

Comparison compare(const Outcome& outcome, const Evidence& evidence) {
  const Exchange& exchange = evidence.exchange;
  const Mismatch reply_came{Part::reply, "Something came back where nothing may.",
                            describe(outcome), came_back(evidence)};
  switch (outcome.shape) {
    case Shape::silence:
      if (!exchange.replies.empty()) return {{reply_came}, {}};
      if (exchange.ending == Ending::settled) return {};
      return {{{Part::silence, "The server stopped serving the connection.", describe(outcome),
                came_back(evidence)}},
              {}};
    case Shape::refused:
      if (evidence.refused) return {};
      break;
    case Shape::status:
      if (exchange.http_status >= outcome.status_from &&
          exchange.http_status <= outcome.status_to) {
        return {};
      }
      break;
    case Shape::exited:
      if (exchange.ending == Ending::exited) return {};
      return {{{Part::silence, "The program did not end by itself.", describe(outcome),
                exchange.detail.empty() ? came_back(evidence) : exchange.detail}},
              {}};
    case Shape::closed:
      if (exchange.ending == Ending::closed && exchange.replies.empty()) return {};
      break;
    default:
      return compare_replies(outcome, evidence);
  }
  return {{exchange.replies.empty() ? nothing_came(outcome, evidence) : reply_came}, {}};
}

// An outcome is close when the reply has its shape, and closer the fewer parts differ. One that
// could be compared in all parts is closer than one that could not.
std::tuple<int, std::size_t, bool> distance(const Outcome& outcome, const Comparison& comparison,
                                            const Evidence& evidence) {
  int wrong_shape = 0;
  for (const auto& each : comparison.mismatches) {
    const bool shape =
        each.part == Part::shape || each.part == Part::silence || each.part == Part::reply;
    if (shape) wrong_shape = 2;
    if (each.part == Part::kind) wrong_shape = std::max(wrong_shape, 1);
  }
  const bool one_is_due = outcome.shape == Shape::response || outcome.shape == Shape::batch;
  if (one_is_due && evidence.values.size() > 1) wrong_shape = 1;
  if (outcome.envelope_1_0 && !comparison.matches()) wrong_shape = 2;
  return {wrong_shape, comparison.mismatches.size(), !comparison.unjudged.empty()};
}

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
    const auto parsed = json::parse(message);
    const json::Value* params = parsed ? params_of(*parsed.value) : nullptr;
    const bool is_of_1_0 = parsed && parsed.value->find("jsonrpc") == nullptr;
    if (params == nullptr || (is_of_1_0 && !parsed.value->is(Kind::array))) continue;
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

// The outcome that came true, or else the closest one and how it was missed.
struct Choice {
  const Outcome* outcome;
  Comparison comparison;

  bool came_true() const { return comparison.matches() && comparison.unjudged.empty(); }
};

std::ptrdiff_t ids_that_are_null(const Outcome& outcome) {
  return std::count_if(outcome.responses.begin(), outcome.responses.end(), [](const auto& each) {
    return each.id.any_of.size() == 1 && each.id.any_of.front().is(Kind::null);
  });
}

std::ptrdiff_t faults_but_ids(const Comparison& comparison) {
  return std::count_if(comparison.mismatches.begin(), comparison.mismatches.end(),
                       [](const Mismatch& each) { return each.part != Part::id; });
}

// Whether the step has the same outcome once with null and once with the Request's own id: then a
// third value is the fault of an invalid Request's id, not of an undetectable one.
bool accepts_null_and_own_id(const Step& step, const Choice& choice, const Evidence& evidence) {
  const Outcome& closest = *choice.outcome;
  return std::any_of(step.accept.begin(), step.accept.end(), [&](const Outcome& other) {
    return other.shape == closest.shape && ids_that_are_null(other) != ids_that_are_null(closest) &&
           faults_but_ids(compare(other, evidence)) == faults_but_ids(choice.comparison);
  });
}

std::string charge_for(const Mismatch& mismatch, const corpus::Case& bound, const Step& step,
                       const Choice& choice, const Evidence& evidence) {
  const auto named = step.charge.find(std::string(name_of(mismatch.part)));
  if (named != step.charge.end()) return named->second;
  const bool valid_call_of_batch =
      choice.outcome->shape != Shape::response && mismatch.requirement == "id-echo";
  if (mismatch.part == Part::id && !valid_call_of_batch &&
      accepts_null_and_own_id(step, choice, evidence)) {
    return "id-invalid-request";
  }
  return mismatch.requirement.empty() ? default_charge(mismatch.part, bound, step, *choice.outcome)
                                      : mismatch.requirement;
}

std::string all_outcomes(const Step& step) {
  std::string text;
  for (const auto& outcome : step.accept) {
    if (outcome.verdict != corpus::Verdict::pass) continue;
    if (!text.empty()) text += ", or ";
    text += describe(outcome);
  }
  return text.empty() ? describe(step.accept.front()) : text;
}

// A wrong id leaves the rest of the reply to be judged, unless ids are what the case is about; so
// does a wrong code that says no more than that it is wrong.
bool rest_counts(const Mismatch& mismatch, const std::string& requirement,
                 const corpus::Case& bound) {
  const std::string& subject = bound.requirements.front();
  if (mismatch.part == Part::id) return requirement != subject && subject.rfind("id-", 0) != 0;
  return mismatch.part == Part::code && !mismatch.tells_another_stage;
}

void charge_mismatches(const corpus::Case& bound, const Step& step, const Choice& choice,
                       const Evidence& evidence, bool survived, Charger& charger) {
  const Outcome& closest = *choice.outcome;
  const auto& mismatches = choice.comparison.mismatches;
  for (const auto& each : mismatches) {
    // That a dead server answers nothing more is one fault, and charged as its death.
    const bool absent =
        each.part == Part::silence || (each.missing && closest.shape == Shape::responses);
    if (absent && !survived) {
      charger.judgement().unjudged = "the server did not survive";
      continue;
    }
    // Nothing was due, and the server dropped the connection all the same.
    const bool dropped = each.part == Part::silence && closest.shape == Shape::silence;
    const std::string requirement =
        dropped ? "rob-survives" : charge_for(each, bound, step, choice, evidence);
    const bool single = mismatches.size() == 1 && closest.shape != Shape::batch;
    charger.charge(requirement, each.message, single ? all_outcomes(step) : each.expected,
                   each.actual);
    charger.add_habits(
        each.part == Part::silence ? reply_habits(step, evidence.absence()) : each.habits,
        rest_counts(each, requirement, bound));
  }
}

Choice choose_outcome(const Step& step, const Evidence& evidence) {
  std::optional<Choice> closest;
  for (const auto& outcome : step.accept) {
    Comparison comparison = compare(outcome, evidence);
    if (!closest || distance(outcome, comparison, evidence) <
                        distance(*closest->outcome, closest->comparison, evidence)) {
      closest = Choice{&outcome, std::move(comparison)};
    }
    if (closest->came_true()) break;
  }
  return *std::move(closest);
}

// "Any other error" is not what came true when the error has no code that could be compared: that
// has been charged by the envelope rules.
bool lacks_code(const Choice& choice, const Evidence& evidence) {
  const Outcome& outcome = *choice.outcome;
  if (outcome.shape != Shape::response || outcome.envelope_1_0 || evidence.values.size() != 1 ||
      !outcome.responses.front().error) {
    return false;
  }
  const json::Value* error = evidence.values.front().find("error");
  return error != nullptr && !code_of(*error);
}

void judge_choice(const corpus::Case& bound, const Step& step, const Choice& choice,
                  const Evidence& evidence, bool survived, Charger& charger) {
  const Outcome& outcome = *choice.outcome;
  if (!choice.comparison.unjudged.empty()) {
    charger.judgement().unjudged = choice.comparison.unjudged;
  }
  if (!choice.comparison.matches()) {
    charge_mismatches(bound, step, choice, evidence, survived, charger);
    return;
  }
  if (evidence.unreadable && !choice.came_true()) return;
  if (outcome.verdict != corpus::Verdict::pass) {
    if (lacks_code(choice, evidence)) {
      charger.judgement().unjudged = "the error has no integer code to compare";
      return;
    }
    charger.charge_as(outcome.verdict, outcome.charge, outcome.because, all_outcomes(step),
                      came_back(evidence));
    if (evidence.has_none()) charger.add_habits(reply_habits(step, evidence.absence()), false);
  }
  if (choice.came_true() && !outcome.observe.empty()) {
    charger.judgement().observations.push_back({bound.observes, outcome.observe});
  }
}

void judge_envelopes(const Step& step, const Evidence& evidence, Charger& charger) {
  const bool result_expected =
      std::all_of(step.accept.begin(), step.accept.end(), [](const Outcome& outcome) {
        return !outcome.responses.empty() &&
               std::all_of(outcome.responses.begin(), outcome.responses.end(),
                           [](const auto& response) { return response.result.has_value(); });
      });
  const bool foreseen = foresees_response(step);
  const auto judge_one = [&](const json::Value& value) {
    const bool response_like = value.find("result") != nullptr || value.find("error") != nullptr;
    if (!foreseen && !response_like) return;
    charger.exercise("res-object");
    if (value.is(Kind::object)) {
      judge_response(value, result_expected, charger);
    } else {
      charger.charge("res-object", "A Response is not an Object.", "an Object",
                     to_visible(json::write(value)));
    }
  };
  for (const auto& value : evidence.values) {
    if (!value.is(Kind::array)) {
      judge_one(value);
      continue;
    }
    for (const auto& each : value.children()) judge_one(each);
  }
}

}  // namespace

void judge_step(const corpus::Case& bound, const Step& step, const Exchange& exchange,
                bool survived, Charger& charger) {
  const Evidence evidence = read(exchange);
  const Choice choice = choose_outcome(step, evidence);
  // A 1.0 Response has rules of its own, and where only the HTTP status counts there are none.
  const bool other_rules = choice.came_true() &&
                           (choice.outcome->envelope_1_0 || choice.outcome->shape == Shape::status);
  if (!other_rules) {
    if (foresees_response(step)) {
      for (const auto* reply : evidence.replies) judge_text(reply->text, charger);
    }
    judge_envelopes(step, evidence, charger);
  }
  judge_choice(bound, step, choice, evidence, survived, charger);
}

}  // namespace jrpcheck::judge
