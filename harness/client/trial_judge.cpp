#include "client/trial_judge.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/join.hpp"
#include "dialogue/message.hpp"
#include "json/number.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using corpus::Scenario;
using dialogue::Direction;
using result::CaseResult;

// A call that succeeds whatever its value, as far as an exit code tells.
bool is_accepted(const std::vector<CallOutcome>& outcomes, CallOutcome outcome, bool has_driver) {
  const bool is_success = outcome == CallOutcome::value;
  if (has_driver || !is_success) return contains(outcomes, outcome);
  return contains(outcomes, CallOutcome::value) || contains(outcomes, CallOutcome::nothing) ||
         contains(outcomes, CallOutcome::wrong);
}

std::string expected_text(const std::vector<CallOutcome>& accept) {
  return joined(accept, " or ", [](CallOutcome each) {
    return each == CallOutcome::value     ? "the result of the call"
           : each == CallOutcome::wrong   ? "a result"
           : each == CallOutcome::nothing ? "null"
           : each == CallOutcome::waits   ? "a call that goes on waiting"
                                          : name_of(each);
  });
}

ClientFault fault_of(const SeenCall& call, std::string expected, bool only_warns = false) {
  return {sentence_of(call.outcome, call.number), std::move(expected), to_visible(call.shown, 300),
          judge::Symptom::outcome_of_case, only_warns};
}

// What is wrong with an answer to a call of an unknown method (JSON-RPC 2.0 §5.1); empty: nothing,
// or it is no Response, which is charged as that.
std::string fault_of_own_answer(const std::string& answer) {
  const dialogue::Message message(answer);
  const json::Value* error = message.find("error");
  if (message.find("result") != nullptr) {
    return error == nullptr ? "The client answers a call of a method that it does not know with a "
                              "result."
                            : "";
  }
  const json::Value* code = error == nullptr ? nullptr : error->find("code");
  const bool is_code = code != nullptr && code->is(json::Kind::number);
  if (!is_code || json::numbers_equal(code->text(), "-32601")) return {};
  return "The client refuses a call of a method that it does not know with another code.";
}

}  // namespace

std::string sentence_of(CallOutcome outcome, std::size_t number) {
  const std::string call = "Call " + std::to_string(number);
  switch (outcome) {
    case CallOutcome::value:
      return call + " succeeds.";
    case CallOutcome::error:
      return call + " ends in an error.";
    case CallOutcome::wrong:
      return call + " gets a result that is not its own.";
    case CallOutcome::nothing:
      return call + " succeeds without a result.";
    case CallOutcome::waits:
      return call + " is left waiting.";
    case CallOutcome::died:
      return "The program ends before call " + std::to_string(number) + " has.";
  }
  return {};
}

corpus::Verdict severity_of(std::string_view requirement, bool only_warns,
                            const corpus::Ledger& ledger) {
  const auto* known = ledger.find(requirement);
  const bool fails = known != nullptr && known->level == corpus::Level::must && !only_warns;
  return fails ? corpus::Verdict::fail : corpus::Verdict::warn;
}

void charge(std::string_view requirement, ClientFault fault, const corpus::Ledger& ledger,
            CaseResult& result) {
  judge::Finding finding;
  finding.requirement = requirement;
  finding.severity = severity_of(requirement, fault.only_warns, ledger);
  finding.symptom = fault.symptom;
  finding.particulars = std::move(fault.sentence);
  finding.expected = std::move(fault.expected);
  finding.actual = std::move(fault.actual);
  result.findings.push_back(std::move(finding));
}

void judge_answer_to_call(const Scenario& scenario, const std::optional<std::string>& answer,
                          const corpus::Ledger& ledger, CaseResult& result) {
  constexpr std::string_view kRequirement = "cl-server-call";
  if (!contains(scenario.requirements, kRequirement)) return;
  result.exercised.emplace_back(kRequirement);
  if (!answer) {
    return charge(kRequirement,
                  {"The call of the server is not answered.",
                   "a Response with id \"" + std::string(kOwnCallId) + "\"", "nothing",
                   judge::Symptom::unanswered},
                  ledger, result);
  }
  const std::string fault = fault_of_own_answer(*answer);
  if (fault.empty()) return;
  charge(kRequirement, {fault, "an error with code -32601", to_visible(*answer, 300)}, ledger,
         result);
}

namespace {

// What is asked of a Notification beside the calls around it.
void judge_notification(const Scenario& scenario, const Trial& trial, const corpus::Ledger& ledger,
                        CaseResult& result) {
  if (!scenario.is_of_notification) return;
  result.exercised.emplace_back("cl-ntf-no-id");
  if (trial.has_notification_an_id) {
    charge("cl-ntf-no-id",
           {"The Notification has an id.", "no member \"id\"", "a call of \"note\"",
            judge::Symptom::outcome_of_case},
           ledger, result);
    return;
  }
  const bool is_to_succeed = contains(scenario.requirements, "cl-http-notification");
  if (is_to_succeed && trial.has_notification_failed) {
    charge("cl-http-notification",
           {"The Notification fails.", "no error", "an error, as the client says",
            judge::Symptom::outcome_of_case},
           ledger, result);
  }
}

// What WebSocket asks of a client beside its calls (RFC 6455 §5.5.1, §5.5.2).
void judge_controls(const Scenario& scenario, const Trial& trial, const corpus::Ledger& ledger,
                    CaseResult& result) {
  const auto& named = scenario.requirements;
  const auto judge = [&](const std::string& requirement, bool is_answered, std::string sentence,
                         std::string expected) {
    if (!contains(named, requirement)) return;
    if (requirement != named.front()) result.exercised.push_back(requirement);
    if (is_answered) return;
    charge(
        requirement,
        {std::move(sentence), std::move(expected), "nothing like it", judge::Symptom::unanswered},
        ledger, result);
  };
  judge("cl-ws-ping", trial.are_pings_answered, "A ping of the server has no pong.",
        "a pong with the same payload");
  judge("cl-ws-close", trial.is_close_answered, "The Close of the server has no answer.",
        "a Close in the time that it had");
}

constexpr std::string_view kGood = "cl-good";

// Whether it is asked of a result how it comes through, and before that, that it does. Behind a
// server with results of another kind it may be refused: there nothing is asked but the former.
bool is_good_besides(const Scenario& scenario) {
  return scenario.requirements.front() != kGood && contains(scenario.requirements, kGood);
}

bool has_no_result(CallOutcome outcome) {
  return outcome == CallOutcome::error || outcome == CallOutcome::waits;
}

void sum_up(CaseResult& result) {
  result.verdict = result::worst_of(result.findings);
  if (result.findings.empty()) return;
  result.reproduce = "jrpcheck explain " + result.id;
}

}  // namespace

std::vector<dialogue::Event> transcript_of(const std::vector<std::string>& told,
                                           const std::string& shown,
                                           const std::string& standard_error,
                                           const std::string& ending) {
  std::vector<dialogue::Event> events;
  const auto add = [&](Direction direction, const std::string& bytes, const std::string& note) {
    if (bytes.empty() && note.empty()) return;
    auto excerpt = dialogue::excerpt(bytes);
    dialogue::Event event{direction, {}, std::move(excerpt.bytes), note};
    event.left_out = excerpt.left_out;
    event.step = 0;
    events.push_back(std::move(event));
  };
  for (const auto& each : told) add(Direction::sent, each, {});
  add(Direction::received, shown, {});
  add(Direction::standard_error, standard_error, {});
  if (!ending.empty()) add(Direction::exited, {}, ending);
  return events;
}

std::vector<dialogue::Event> transcript_of(const Scenario& scenario, std::vector<std::string> told,
                                           const std::string& shown,
                                           const std::string& standard_error,
                                           const std::string& ending) {
  if (!told.empty()) {
    auto& last = told.back();
    last.resize(last.size() - std::min(scenario.cut, last.size()));
  }
  auto events = transcript_of(told, {}, {}, {});
  // Frames say it themselves, by a Close.
  if (!scenario.then.empty() && scenario.frames.empty()) {
    const std::string how = scenario.then == "reset" ? "by a reset of the server" : "by the server";
    events.push_back({Direction::closed, {}, {}, how});
    events.back().step = 0;
  }
  const auto then = transcript_of({}, shown, standard_error, ending);
  events.insert(events.end(), then.begin(), then.end());
  return events;
}

CaseResult blank(const Scenario& scenario) {
  CaseResult result;
  result.id = scenario.id;
  result.title = scenario.title;
  result.requirements = scenario.requirements;
  return result;
}

std::string last_words_of(const std::string& said) {
  constexpr std::size_t kMostShown = 300;
  if (said.empty()) return {};
  const std::size_t left_out = said.size() > kMostShown ? said.size() - kMostShown : 0;
  return "; standard error ends with: " + to_visible(said.substr(left_out), 2 * kMostShown);
}

std::string first_words_of(const std::vector<dialogue::TrafficEvent>& traffic) {
  const auto first = std::ranges::find_if(traffic, [](const auto& each) {
    return each.side == dialogue::Side::client && !each.message.text().empty();
  });
  if (first == traffic.end()) return {};
  const json::Value* value = first->message.value();
  const bool is_notification =
      value != nullptr && value->find("method") != nullptr && value->find("id") == nullptr;
  return "; what it has sent begins with: " + to_visible(first->message.text(), 200) +
         (is_notification ? ", which has no id and so is a Notification that has no answer" : "");
}

std::string why_control_fails(const Trial& trial) {
  std::size_t failed = 1;
  while (failed <= kCalls && trial.outcomes.at(failed) == CallOutcome::value) ++failed;
  if (failed > kCalls) return {};
  return "a good answer does not reach its call, so that nothing can be judged: " +
         sentence_of(trial.outcomes.at(failed), failed) + " " +
         to_visible(trial.shown.at(failed), 200) + last_words_of(trial.standard_error);
}

void judge_calls(const Scenario& scenario, const SeenCall& subject,
                 const std::vector<SeenCall>& others, bool has_driver, const corpus::Ledger& ledger,
                 CaseResult& result) {
  const auto charged = [&](const SeenCall& call) -> std::string_view {
    if (call.outcome == CallOutcome::died) return "cl-survives";
    return call.requirement.empty() ? scenario.requirements.front() : call.requirement;
  };
  result.exercised.push_back(scenario.requirements.front());
  if (!is_accepted(scenario.accept, subject.outcome, has_driver)) {
    const bool warns = is_accepted(scenario.warn, subject.outcome, has_driver);
    return charge(charged(subject), fault_of(subject, expected_text(scenario.accept), warns),
                  ledger, result);
  }
  if (!has_driver) return;
  // Of calls that are made at once none may have the result of another, whatever fails.
  const bool are_at_once = scenario.order != corpus::CallOrder::in_turn;
  for (const auto& other : others) {
    if (other.outcome == CallOutcome::value) continue;
    const bool is_mixed_up = are_at_once && other.outcome == CallOutcome::wrong;
    if (scenario.others_may_fail && !is_mixed_up) continue;
    const char* expected =
        scenario.others_may_fail ? "the result of the call, or an error" : "the result of the call";
    return charge(charged(other), fault_of(other, expected), ledger, result);
  }
}

CaseResult judge_trial(const Scenario& scenario, const Trial& trial, bool has_driver,
                       const corpus::Ledger& ledger) {
  CaseResult result = blank(scenario);
  if (!trial.was_played) {
    result.reason = scenario.order == corpus::CallOrder::batch
                        ? "the client did not send its calls as a batch"
                    : scenario.order == corpus::CallOrder::together
                        ? "the client did not make its calls together"
                    : scenario.is_of_notification
                        ? "the client did not send the Notification that JRPCHECK_NOTIFY asks for"
                        : "the client did not come to its second call";
    return result;
  }
  if (scenario.is_unanswered && !trial.has_limit) {
    result.reason = "the client says of no time limit, as JRPCHECK_TIMEOUT asks for";
    return result;
  }
  if (!trial.hindrance.empty()) {
    result.reason = trial.hindrance;
    return result;
  }
  result.transcript = transcript_of(scenario, trial.told, trial.shown[kSubject],
                                    trial.standard_error, trial.ending);
  if (trial.has_notification_an_id) {
    // It is a call: the server has answered it, and the calls beside it tell of that answer.
    judge_notification(scenario, trial, ledger, result);
    sum_up(result);
    return result;
  }
  SeenCall subject{kSubject, trial.outcomes[kSubject], trial.shown[kSubject]};
  if (is_good_besides(scenario)) {
    result.exercised.emplace_back(kGood);
    if (has_no_result(subject.outcome)) subject.requirement = kGood;
  }
  const bool has_died = subject.outcome == CallOutcome::died;
  std::vector<SeenCall> others;
  for (std::size_t n = 1; n <= kCalls; ++n) {
    if (n != kSubject) others.push_back({n, trial.outcomes.at(n), trial.shown.at(n)});
  }
  judge_calls(scenario, subject, others, has_driver, ledger, result);
  if (trial.was_killed && result.findings.empty()) {
    // All its calls have been told of, and then it has died all the same.
    charge("cl-survives",
           fault_of({kSubject, CallOutcome::died, subject.shown}, expected_text(scenario.accept)),
           ledger, result);
  } else if (!has_died) {
    result.exercised.emplace_back("cl-survives");
    judge_answer_to_call(scenario, trial.own_answer, ledger, result);
    judge_controls(scenario, trial, ledger, result);
    judge_notification(scenario, trial, ledger, result);
  }
  sum_up(result);
  return result;
}

}  // namespace jrpcheck::client
