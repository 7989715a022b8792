#include "judge/step_judge.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "corpus/profile.hpp"
#include "dialogue/id_key.hpp"
#include "judge/choice.hpp"
#include "judge/code.hpp"
#include "judge/envelope.hpp"
#include "judge/evidence.hpp"
#include "judge/habit.hpp"
#include "judge/left_out_id.hpp"
#include "judge/observe.hpp"
#include "judge/pattern.hpp"
#include "judge/step_charge.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::Outcome;
using corpus::Step;
using dialogue::Exchange;
using json::Kind;
using Shape = Outcome::Shape;

// The batch that a step sends: which element has which id. Read only when something is wrong.
class SentBatch {
 public:
  explicit SentBatch(const Step& step) : step_(step) {}

  /// Nothing where no element has that id, or several have.
  std::optional<std::size_t> element_with(const std::string& id) {
    if (id.empty() || step_.messages.size() != 1) return std::nullopt;
    if (!is_read_) read();
    const auto found = elements_.find(id);
    return found == elements_.end() ? std::nullopt : found->second;
  }

 private:
  void read() {
    is_read_ = true;
    const auto& sent = step_.messages.front();
    if (sent.value() == nullptr || !sent.value()->is(Kind::array)) return;
    const auto& elements = sent.value()->children();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const json::Value* id = elements[i].find("id");
      if (id == nullptr) continue;
      const auto [known, fresh] = elements_.emplace(json::write(*id), i);
      if (!fresh) known->second.reset();
    }
  }

  const Step& step_;
  bool is_read_ = false;
  std::map<std::string, std::optional<std::size_t>> elements_;
};

void place_since(std::size_t first, std::optional<std::size_t> element, Charger& charger) {
  auto& findings = charger.judgement().findings;
  for (std::size_t i = first; i < findings.size(); ++i) findings[i].place.element = element;
}

// Whether a Response may come back. Where none may, whatever comes is one fault: a reply.
bool foresees_response(const Step& step) {
  return std::ranges::any_of(step.accept, [&](const Outcome& outcome) {
    return outcome.verdict != corpus::Verdict::fail && !outcome.responses.empty() &&
           !is_let_be(step, outcome);
  });
}

// Then what came is charged or let be, and not what it looks like: none of it is owed.
bool is_answered_for_nothing(const Step& step, const Choice& choice) {
  return !foresees_response(step) &&
         (is_let_be(step, *choice.outcome) ||
          std::ranges::any_of(choice.comparison.mismatches,
                              [](const Mismatch& each) { return each.part == Part::reply; }));
}

// A refusal by its status is for who answers over HTTP.
std::string all_outcomes(const Step& step, const Evidence& evidence) {
  std::string text;
  for (const auto& outcome : step.accept) {
    if (outcome.verdict != corpus::Verdict::pass || !outcome.tells_nothing.empty()) continue;
    if (outcome.shape == Shape::refused && !evidence.is_owed_http) continue;
    if (!text.empty()) text += ", or ";
    text += describe(outcome);
  }
  return text.empty() ? describe(step.accept.front()) : text;
}

// Where several outcomes pass, a code may be the habitual one in place of any of theirs.
std::vector<std::string> code_habits(std::vector<std::string> names, const Step& step,
                                     const Evidence& evidence) {
  for (const auto& outcome : step.accept) {
    if (outcome.verdict != corpus::Verdict::pass || outcome.shape != Shape::response) continue;
    for (const auto& each : compare(outcome, evidence).mismatches) {
      if (each.part != Part::code) continue;
      for (const auto& name : each.habits) add_habit(names, name);
    }
  }
  return names;
}

// What came, or did not, in place of what is due first.
std::vector<std::string> habits_of_step(const Step& step, const Evidence& evidence) {
  if (evidence.has_none()) return reply_habits(step, evidence.absence());
  const Outcome& due = step.accept.front();
  if (due.shape == Shape::silence && evidence.values.size() == 1) {
    return silence_habits(*evidence.values.front());
  }
  if (due.shape != Shape::batch && due.shape != Shape::response) return {};
  const Part telling = due.shape == Shape::batch ? Part::shape : Part::code;
  for (const auto& each : compare(due, evidence).mismatches) {
    if (each.part == telling) return each.habits;
  }
  return {};
}

// Each message that came has come once more, as it stands.
bool come_again(const std::vector<const dialogue::Reply*>& replies) {
  std::map<std::string_view, std::size_t> times;
  for (const auto* each : replies) ++times[each->text()];
  return !replies.empty() &&
         std::ranges::all_of(times, [](const auto& each) { return each.second > 1; });
}

std::vector<std::string> habits_of(const Mismatch& mismatch, const Step& step, const Choice& choice,
                                   const Evidence& evidence) {
  const bool is_absent = mismatch.part == Part::silence || mismatch.part == Part::reply;
  const bool is_code_alone =
      mismatch.part == Part::code && choice.outcome->shape == Shape::response;
  auto habits = is_absent       ? habits_of_step(step, evidence)
                : is_code_alone ? code_habits(mismatch.habits, step, evidence)
                                : mismatch.habits;
  if (mismatch.part == Part::count && come_again(evidence.replies)) {
    add_habit(habits, repetition_habit());
  }
  if (evidence.values.size() != 1) return habits;
  for (auto& each : text_habits(step, *evidence.values.front())) add_habit(habits, std::move(each));
  return habits;
}

// JSON-RPC owes a Notification nothing, and HTTP a response to each request (RFC 9110 §3.4). But a
// server may close a connection at any time (RFC 9112 §9.5), and then nobody waits for it.
void charge_no_http_response(const Mismatch& mismatch, const Exchange& exchange, Charger& charger) {
  const auto severity =
      exchange.ending == dialogue::Ending::closed ? corpus::Verdict::warn : corpus::Verdict::fail;
  charger.charge_as(severity, "http-response-always",
                    {mismatch.symptom, mismatch.expected, mismatch.actual});
}

// Who refuses an id may refuse it under another: both are charged to what asks for the id, whose
// own words say it.
bool is_told_by_the_id(const Mismatch& mismatch, const std::string& requirement,
                       const corpus::Case& bound, const Step& step, const Choice& choice,
                       const Evidence& evidence) {
  // Of what is no Request the code says more: that it was taken for one.
  const bool is_refusal_due = std::ranges::any_of(choice.outcome->responses, [](const auto& due) {
    return due.error && contains(due.error->codes, -32600);
  });
  return mismatch.part == Part::code && mismatch.tells_another_stage && !is_refusal_due &&
         std::ranges::any_of(choice.comparison.mismatches, [&](const Mismatch& other) {
           return other.part == Part::id && other.call == mismatch.call &&
                  charge_for(other, bound, step, choice, evidence) == requirement;
         });
}

void charge_mismatches(const corpus::Case& bound, const Step& step, const Choice& choice,
                       const Evidence& evidence, bool survived, Charger& charger) {
  SentBatch batch(step);
  const Outcome& closest = *choice.outcome;
  const auto& mismatches = choice.comparison.mismatches;
  for (const auto& each : mismatches) {
    // That a dead server answers nothing more is one fault, and charged as its death.
    const bool absent = each.part == Part::silence || each.part == Part::close ||
                        (each.missing && closest.shape == Shape::responses);
    if (absent && !survived) {
      charger.judgement().unjudged = "the server did not survive";
      continue;
    }
    if (each.part == Part::silence && step.slow) {
      // Where others are answered the case tells of those.
      if (bound.steps.size() == 1) {
        charger.judgement().unjudged = "the answer takes longer than is waited for";
      }
      continue;
    }
    if (each.symptom == Symptom::no_http_response) {
      charge_no_http_response(each, evidence.exchange, charger);
      continue;
    }
    // Nothing was due, and the server dropped the connection all the same.
    const bool dropped = each.part == Part::silence && closest.shape == Shape::silence;
    const std::string requirement =
        dropped ? "rob-survives" : charge_for(each, bound, step, choice, evidence);
    if (is_told_by_the_id(each, requirement, bound, step, choice, evidence)) continue;
    const bool single = mismatches.size() == 1 && closest.shape != Shape::batch &&
                        each.symptom != Symptom::connection_dropped;
    const std::size_t known = charger.judgement().findings.size();
    const bool is_beside =
        answers_notification(each, step, choice, evidence) && each.symptom == Symptom::wrong_id;
    const Symptom symptom = is_beside ? Symptom::answered : each.symptom;
    Fault fault{symptom, single ? all_outcomes(step, evidence) : each.expected, each.actual,
                std::string(pointer_of(each.part))};
    fault.habits = habits_of(each, step, choice, evidence);
    fault.rest_counts = rest_counts(each, requirement, bound);
    charger.charge(requirement, std::move(fault));
    place_since(known, batch.element_with(each.call), charger);
  }
}

// Who has left before the step was sent was not asked what it is due there.
std::string due_in_place_of(const Outcome& outcome, const Step& step, const Evidence& evidence) {
  const bool has_left = outcome.shape == Shape::exited && outcome.verdict == corpus::Verdict::fail;
  return has_left ? "a program that runs on, and answers what comes next"
                  : all_outcomes(step, evidence);
}

// The words are the case's own; which case it is tells them apart. But a connection that is closed
// is silent as well, and leaves nobody waiting.
void charge_outcome(const Outcome& outcome, const Step& step, const Evidence& evidence,
                    Charger& charger, std::vector<std::string> habits = {}) {
  const bool is_closed =
      outcome.shape == Shape::silence && evidence.exchange.ending == dialogue::Ending::closed;
  if (outcome.shape != step.accept.front().shape) charger.judgement().came_otherwise = true;
  charger.charge_as(
      outcome.verdict, outcome.charge,
      {Symptom::outcome_of_case, due_in_place_of(outcome, step, evidence),
       came_back(evidence, outcome), "",
       is_closed ? "The server closed the connection, and no Response says why." : outcome.because,
       std::move(habits)});
}

// A wrong code alone may be a habit of the server's, and no finding of this case. What the reply
// says besides is charged all the same.
bool is_only_the_code(const Choice& choice) {
  const auto& mismatches = choice.comparison.mismatches;
  return mismatches.size() == 1 && mismatches.front().part == Part::code &&
         !mismatches.front().tells_another_stage && choice.outcome->shape == Shape::response;
}

// One error for a whole batch declares batches unsupported, under whatever id it comes; that it is
// not null is a fault of its own (JSON-RPC 2.0 §5).
bool refuses_batch_under_another_id(const Step& step, const Choice& choice) {
  const auto& mismatches = choice.comparison.mismatches;
  return step.accept.front().shape == Shape::batch && choice.outcome->shape == Shape::response &&
         mismatches.size() == 1 && mismatches.front().part == Part::id;
}

// "Any other error" is not what came true when the error has no code that could be compared: that
// has been charged by the envelope rules.
bool lacks_code(const Choice& choice, const Evidence& evidence) {
  const Outcome& outcome = *choice.outcome;
  if (outcome.shape != Shape::response || outcome.envelope_1_0 || evidence.values.size() != 1 ||
      !outcome.responses.front().error) {
    return false;
  }
  const json::Value* error = evidence.values.front()->find("error");
  return error != nullptr && !code_of(*error);
}

// Nor is it told from the error that is due to all such calls: what only an error of another code
// would show was not seen.
bool may_be_the_error_due(const Step& step, const Choice& choice, const Evidence& evidence) {
  return lacks_code(choice, evidence) && std::ranges::any_of(step.accept, [](const Outcome& other) {
           return other.shape == Shape::response && other.responses.front().error &&
                  !other.responses.front().error->codes.empty();
         });
}

// A graded probe that fails has met a limit, too: nothing came back, or another id than a probe of
// ids has sent.
void observe_missed_limit(const corpus::Case& bound, const Step& step, const Choice& choice,
                          bool survived, Charger& charger) {
  if (bound.observes.empty() || (step.slow && survived)) return;
  const bool asks_for_id = bound.requirements.front().starts_with("id-");
  const bool is_missed =
      std::ranges::any_of(choice.comparison.mismatches, [&](const Mismatch& each) {
        return each.part == Part::silence || (each.part == Part::id && asks_for_id);
      });
  if (!is_missed) return;
  const auto reached = std::ranges::find_if(
      step.accept, [](const Outcome& outcome) { return are_digits(outcome.observe); });
  if (reached == step.accept.end()) return;
  charger.judgement().observe(bound.observes, std::string(kMissed) + reached->observe);
}

void judge_choice(const corpus::Case& bound, const Step& step, const Choice& choice,
                  const Evidence& evidence, bool survived, Charger& charger) {
  const Outcome& outcome = *choice.outcome;
  if (choice.comparison.unjudged) {
    charger.judgement().unjudged = choice.comparison.unjudged;
  }
  if (!choice.comparison.matches()) {
    const bool is_refusal = refuses_batch_under_another_id(step, choice);
    const bool has_come = is_only_the_code(choice) || is_refusal;
    if (has_come && outcome.verdict != corpus::Verdict::pass) {
      charge_outcome(outcome, step, evidence, charger);
    }
    if (is_refusal && !outcome.observe.empty()) {
      charger.judgement().observe(bound.observes, outcome.observe);
    }
    charge_mismatches(bound, step, choice, evidence, survived, charger);
    observe_missed_limit(bound, step, choice, survived, charger);
    return;
  }
  if (evidence.unreadable && !choice.came_true()) return;
  if (outcome.verdict != corpus::Verdict::pass) {
    if (!choice.came_true()) return;  // what could not be compared is not what the outcome says
    if (lacks_code(choice, evidence)) {
      charger.judgement().unjudged = "the error has no integer code to compare";
      return;
    }
    if (!survived && outcome.shape == Shape::closed) return;  // it is the end of the server
    // What it has died of is the step, and not what the outcome says of a program that leaves.
    if (!survived && outcome.shape == Shape::exited) {
      charger.judgement().unjudged = "the server did not survive";
      return;
    }
    charge_outcome(outcome, step, evidence, charger, habits_of_step(step, evidence));
  }
  if (choice.came_true() && !outcome.tells_nothing.empty()) {
    charger.judgement().unjudged = outcome.tells_nothing;
  }
  if (choice.came_true() && !outcome.observe.empty() &&
      !may_be_the_error_due(step, choice, evidence)) {
    charger.judgement().observe(bound.observes, outcome.observe);
  }
}

// That the program ends is owed to a Notification, and a Response before it is not (JSON-RPC 2.0
// §4.1).
void charge_answer_before_the_end(const Step& step, const Choice& choice, const Evidence& evidence,
                                  Charger& charger) {
  if (choice.outcome->shape != Shape::exited ||
      !std::ranges::all_of(step.messages, is_notification) ||
      std::ranges::none_of(evidence.values,
                           [](const auto* value) { return dialogue::has_outcome(*value); })) {
    return;
  }
  const auto named = step.charge.find(std::string(name_of(Part::reply)));
  charger.charge(named == step.charge.end() ? corpus::kSilence : named->second,
                 {Symptom::answered, all_outcomes(step, evidence), came_back(evidence)});
}

void record_left_out_id(const corpus::ErrorsWithoutId& let, Charger& charger) {
  if (let.recorded_as.empty()) return;
  charger.exercise(let.recorded_as);
  charger.judgement().observe(let.recorded_as, "left out");
}

void judge_envelopes(const Step& step, const Choice& choice, const Evidence& evidence,
                     Charger& charger) {
  const bool result_expected = std::ranges::all_of(step.accept, [](const Outcome& outcome) {
    return !outcome.responses.empty() &&
           std::ranges::all_of(outcome.responses,
                               [](const auto& response) { return response.result.has_value(); });
  });
  const bool foreseen = foresees_response(step);
  const auto* without_id = takes_error_without_id(step) ? evidence.without_id : nullptr;
  const auto surplus = surplus_of(step, choice, evidence);
  SentBatch batch(step);
  const auto judge_one = [&](const json::Value& value) {
    if ((!foreseen && !dialogue::has_outcome(value)) || surplus.contains(&value)) return;
    charger.exercise("res-object");
    if (value.is(Kind::object)) {
      const bool is_let = without_id != nullptr && is_error_without_id(value);
      if (is_let) record_left_out_id(*without_id, charger);
      judge_response(value, result_expected, charger, is_let);
    } else {
      charger.charge("res-object",
                     {Symptom::response_not_object, "an Object", to_visible(json::write(value))});
    }
  };
  for (const json::Value* value : evidence.values) {
    if (is_batch_in_an_object(step, evidence)) {
      for (const auto* each : responses_within(*value)) judge_one(*each);
      continue;
    }
    if (!value->is(Kind::array)) {
      judge_one(*value);
      continue;
    }
    for (const auto& each : value->children()) {
      if (!each.is(Kind::object)) continue;  // it is no Response, or one too many
      const std::size_t known = charger.judgement().findings.size();
      judge_one(each);
      const json::Value* id = each.find("id");
      if (id != nullptr && charger.judgement().findings.size() > known) {
        place_since(known, batch.element_with(json::write(*id)), charger);
      }
    }
  }
}

}  // namespace

void judge_step(const corpus::Case& bound, const Step& step, const Evidence& evidence,
                bool survived, Charger& charger) {
  const Choice choice = choose_outcome(step, evidence);
  // A 1.0 Response has rules of its own, and where only the HTTP status counts, or nothing that
  // comes, there are none.
  const Shape shape = choice.outcome->shape;
  const bool other_rules =
      choice.came_true() &&
      (choice.outcome->envelope_1_0 || shape == Shape::status || shape == Shape::anything);
  if (!other_rules) {
    if (foresees_response(step)) {
      for (const auto* reply : evidence.replies) judge_text(*reply, charger, reply->coding);
    }
    if (!is_answered_for_nothing(step, choice)) judge_envelopes(step, choice, evidence, charger);
  }
  judge_choice(bound, step, choice, evidence, survived, charger);
  charge_answer_before_the_end(step, choice, evidence, charger);
}

}  // namespace jrpcheck::judge
