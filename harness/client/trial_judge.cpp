#include "client/trial_judge.hpp"

#include <algorithm>

#include "base/bytes.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using corpus::Scenario;
using dialogue::Direction;
using result::CaseResult;

// A call that succeeds whatever its value, as far as an exit code tells.
bool is_accepted(const std::vector<CallOutcome>& outcomes, CallOutcome outcome, bool has_driver) {
  const bool is_success = outcome == CallOutcome::value;
  if (has_driver || !is_success) return holds(outcomes, outcome);
  return holds(outcomes, CallOutcome::value) || holds(outcomes, CallOutcome::nothing) ||
         holds(outcomes, CallOutcome::wrong);
}

std::string expected_text(const std::vector<CallOutcome>& accept) {
  std::string text;
  for (const auto each : accept) {
    text += text.empty() ? "" : " or ";
    text += each == CallOutcome::value     ? "the result of the call"
            : each == CallOutcome::wrong   ? "a result"
            : each == CallOutcome::nothing ? "null"
            : each == CallOutcome::waits   ? "a call that goes on waiting"
                                           : std::string(name_of(each));
  }
  return text;
}

void add_finding(const Scenario& scenario, const std::string& requirement, bool only_warns,
                 CallOutcome outcome, std::size_t number, const Trial& trial,
                 const corpus::Ledger& ledger, CaseResult& result) {
  judge::Finding finding;
  finding.requirement = requirement;
  finding.severity = severity_of(requirement, only_warns, ledger);
  finding.symptom = judge::Symptom::outcome_of_case;
  finding.particulars = sentence_of(outcome, number);
  finding.expected = number == kSubject ? expected_text(scenario.accept) : "the result of the call";
  finding.actual = to_visible(trial.shown, 300);
  result.findings.push_back(std::move(finding));
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

bool holds(const std::vector<CallOutcome>& outcomes, CallOutcome one) {
  return std::find(outcomes.begin(), outcomes.end(), one) != outcomes.end();
}

corpus::Verdict severity_of(const std::string& requirement, bool only_warns,
                            const corpus::Ledger& ledger) {
  const auto* known = ledger.find(requirement);
  const bool fails = known != nullptr && known->level == corpus::Level::must && !only_warns;
  return fails ? corpus::Verdict::fail : corpus::Verdict::warn;
}

void judge_answer_to_call(const Scenario& scenario, bool is_answered, const corpus::Ledger& ledger,
                          CaseResult& result) {
  constexpr std::string_view kRequirement = "cl-server-call";
  const auto& named = scenario.requirements;
  if (std::find(named.begin(), named.end(), kRequirement) == named.end()) return;
  result.exercised.emplace_back(kRequirement);
  if (is_answered) return;
  judge::Finding finding;
  finding.requirement = kRequirement;
  finding.severity = severity_of(finding.requirement, false, ledger);
  finding.symptom = judge::Symptom::unanswered;
  finding.particulars = "The call of the server is not answered.";
  finding.expected = "a Response with id \"" + std::string(kOwnCallId) + "\"";
  finding.actual = "nothing";
  result.findings.push_back(std::move(finding));
}

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

CaseResult judge_trial(const Scenario& scenario, const Trial& trial, bool has_driver,
                       const corpus::Ledger& ledger) {
  CaseResult result = blank(scenario);
  if (!trial.was_played) {
    result.reason = scenario.order == corpus::CallOrder::batch
                        ? "the client did not send its calls as a batch"
                    : scenario.order == corpus::CallOrder::together
                        ? "the client did not make its calls together"
                        : "the client did not come to its second call";
    return result;
  }
  if (trial.is_own_id_answered) {
    result.reason = "the client's own call has the id that was to be of no call";
    return result;
  }
  result.transcript = transcript_of(trial.told, trial.shown, trial.standard_error, trial.ending);
  result.reproduce = "jrpcheck explain " + scenario.requirements.front();
  const std::string& subject = scenario.requirements.front();
  const auto outcome = trial.outcomes[kSubject];
  const bool has_died = outcome == CallOutcome::died;
  result.exercised = {subject};
  if (!is_accepted(scenario.accept, outcome, has_driver)) {
    const bool warns = is_accepted(scenario.warn, outcome, has_driver);
    add_finding(scenario, has_died ? "cl-survives" : subject, warns, outcome, kSubject, trial,
                ledger, result);
  } else if (has_driver && !scenario.others_may_fail) {
    for (std::size_t n = 1; n <= kCalls && result.findings.empty(); ++n) {
      const auto other = trial.outcomes.at(n);
      if (n == kSubject || other == CallOutcome::value) continue;
      add_finding(scenario, other == CallOutcome::died ? "cl-survives" : subject, false, other, n,
                  trial, ledger, result);
    }
  }
  if (trial.was_killed && result.findings.empty()) {
    // All its calls have been told of, and then it has died all the same.
    add_finding(scenario, "cl-survives", false, CallOutcome::died, kSubject, trial, ledger, result);
  } else if (!has_died) {
    result.exercised.emplace_back("cl-survives");
    judge_answer_to_call(scenario, trial.is_own_call_answered, ledger, result);
  }
  result.verdict = result::worst_of(result.findings);
  return result;
}

}  // namespace jrpcheck::client
