#include "judge/step_judge.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "json/parse.hpp"
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
  std::vector<json::Value> values;  // of the replies that are JSON
  bool unreadable = false;          // a reply was no JSON, which the envelope rules have charged
  bool refused = false;             // an HTTP error status whose body is not JSON-RPC
};

bool is_json_type(const std::string& content_type) {
  return content_type.find("json") != std::string::npos;
}

// A 4xx or 5xx with a page or a line of text for people is the HTTP layer speaking.
bool is_http_refusal(const Exchange& exchange) {
  if (exchange.http_status < 400) return false;
  if (exchange.replies.empty()) return true;
  const auto& text = exchange.replies.back().text;
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool like_json = first != std::string::npos && (text[first] == '{' || text[first] == '[');
  return !like_json && !is_json_type(exchange.http_content_type);
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
  return {{{Part::shape, message, describe(outcome), came_back(evidence)}}, {}};
}

Comparison compare_replies(const Outcome& outcome, const Evidence& evidence) {
  const bool several = outcome.shape == Shape::responses;
  if (evidence.exchange.replies.empty() || evidence.refused) {
    return {{nothing_came(outcome, evidence)}, {}};
  }
  if (evidence.unreadable) return {{}, "a reply is not JSON"};
  if (several) {
    std::vector<const json::Value*> messages;
    for (const auto& each : evidence.values) messages.push_back(&each);
    return compare_responses(outcome.responses, messages);
  }
  if (evidence.values.size() > 1) {
    return {
        {{Part::count, "More than one message came back.", describe(outcome), came_back(evidence)}},
        {}};
  }
  return compare_single(outcome, evidence);
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
    case Shape::closed:
      if (exchange.ending == Ending::closed && exchange.replies.empty()) return {};
      break;
    default:
      return compare_replies(outcome, evidence);
  }
  return {{exchange.replies.empty() ? nothing_came(outcome, evidence) : reply_came}, {}};
}

// An outcome is close when the reply has its shape, and closer the fewer parts differ.
std::pair<int, std::size_t> distance(const Comparison& comparison) {
  int wrong_shape = 0;
  for (const auto& each : comparison.mismatches) {
    const bool shape =
        each.part == Part::shape || each.part == Part::silence || each.part == Part::reply;
    if (shape) wrong_shape = 2;
    if (each.part == Part::kind) wrong_shape = std::max(wrong_shape, 1);
  }
  return {wrong_shape, comparison.mismatches.size()};
}

std::string default_charge(Part part, const corpus::Case& bound, const Outcome& closest) {
  switch (part) {
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

// Where null and the request's own id are both accepted in separate outcomes, a third value is the
// fault of an invalid Request's id, not of an undetectable one.
bool accepts_null_and_other(const Step& step) {
  bool null = false;
  bool other = false;
  for (const auto& outcome : step.accept) {
    for (const auto& response : outcome.responses) {
      for (const auto& id : response.id.any_of) (id.is(Kind::null) ? null : other) = true;
    }
  }
  return null && other && step.accept.front().shape == Shape::response;
}

std::string charge_for(const Mismatch& mismatch, const corpus::Case& bound, const Step& step,
                       const Outcome& closest) {
  const Part part = mismatch.part;
  const auto named = step.charge.find(std::string(name_of(part)));
  if (named != step.charge.end()) return named->second;
  if (part == Part::id && accepts_null_and_other(step)) return "id-invalid-request";
  return mismatch.requirement.empty() ? default_charge(part, bound, closest) : mismatch.requirement;
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

void charge_mismatches(const corpus::Case& bound, const Step& step, const Outcome& closest,
                       const Comparison& comparison, bool survived, Charger& charger) {
  for (const auto& each : comparison.mismatches) {
    // That a dead server answers nothing more is one fault, and charged as its death.
    if (each.part == Part::silence && !survived) {
      charger.judgement().unjudged = "the server did not survive";
      continue;
    }
    // Nothing was due, and the server dropped the connection all the same.
    const bool dropped = each.part == Part::silence && closest.shape == Shape::silence;
    const std::string requirement =
        dropped ? "rob-survives" : charge_for(each, bound, step, closest);
    const bool single = comparison.mismatches.size() == 1 && closest.shape != Shape::batch;
    charger.charge(requirement, each.message, single ? all_outcomes(step) : each.expected,
                   each.actual);
  }
}

// The outcome that came true, or else the closest one and how it was missed.
struct Choice {
  const Outcome* outcome;
  Comparison comparison;
};

Choice choose_outcome(const Step& step, const Evidence& evidence) {
  std::optional<Choice> closest;
  for (const auto& outcome : step.accept) {
    Comparison comparison = compare(outcome, evidence);
    if (!closest || distance(comparison) < distance(closest->comparison)) {
      closest = Choice{&outcome, std::move(comparison)};
    }
    if (closest->comparison.matches()) break;
  }
  return *std::move(closest);
}

void judge_choice(const corpus::Case& bound, const Step& step, const Choice& choice,
                  const Evidence& evidence, bool survived, Charger& charger) {
  const Outcome& outcome = *choice.outcome;
  if (!choice.comparison.unjudged.empty()) {
    charger.judgement().unjudged = choice.comparison.unjudged;
  }
  if (!choice.comparison.matches()) {
    charge_mismatches(bound, step, outcome, choice.comparison, survived, charger);
    return;
  }
  if (outcome.verdict != corpus::Verdict::pass) {
    charger.charge_as(outcome.verdict, outcome.charge, outcome.because, all_outcomes(step),
                      came_back(evidence));
  }
  if (!outcome.observe.empty() && !bound.observes.empty()) {
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
  const auto judge_one = [&](const json::Value& value) {
    charger.exercise("res-object");
    if (value.is(Kind::object)) {
      judge_response(value, result_expected, charger);
    } else if (!step.accepts(Shape::silence) || step.demands_reply()) {
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
  Evidence evidence{exchange, {}, false, is_http_refusal(exchange)};
  const std::size_t judged =
      exchange.replies.size() - (evidence.refused && !exchange.replies.empty());
  for (std::size_t i = 0; i < judged; ++i) {
    auto parsed = json::parse(exchange.replies[i].text);
    if (parsed) {
      evidence.values.push_back(*std::move(parsed.value));
    } else {
      evidence.unreadable = true;
    }
  }
  const Choice choice = choose_outcome(step, evidence);
  // A 1.0 Response has rules of its own, and where only the HTTP status counts there are none.
  const bool other_rules = choice.comparison.matches() &&
                           (choice.outcome->envelope_1_0 || choice.outcome->shape == Shape::status);
  if (!other_rules) {
    for (std::size_t i = 0; i < judged; ++i) judge_text(exchange.replies[i].text, charger);
    judge_envelopes(step, evidence, charger);
  }
  judge_choice(bound, step, choice, evidence, survived, charger);
}

}  // namespace jrpcheck::judge
