#include "client/bent_trial.hpp"

#include <algorithm>

#include "base/contains.hpp"
#include "client/trial_judge.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using corpus::Scenario;
using result::CaseResult;

constexpr std::string_view kSurvives = "cl-survives";

// The true result reaches its call, whatever stands around it: the client does what it always does.
bool is_harmless(const Scenario& scenario) {
  return scenario.result.empty() && scenario.accept == std::vector{CallOutcome::value};
}

// The call is to end: its connection has, or an error has come. What the program makes of another
// result is its own affair, waiting included.
bool must_end(const Scenario& scenario) {
  const auto& accept = scenario.accept;
  const bool may_be_taken =
      contains(accept, CallOutcome::wrong) || contains(accept, CallOutcome::nothing);
  return scenario.result.empty() && !contains(accept, CallOutcome::waits) &&
         (!may_be_taken || !scenario.then.empty());
}

std::string ending_of(const ClientEnd& end) { return end.status ? end.status->text() : ""; }

class BentJudge {
 public:
  BentJudge(const Scenario& scenario, const BentTrial& trial, const Control& control,
            const corpus::Ledger& ledger)
      : scenario_(scenario),
        trial_(trial),
        control_(control),
        ledger_(ledger),
        result_(blank(scenario)) {}

  CaseResult judge() {
    const auto& notes = trial_.notes;
    if (!notes.was_played) {
      result_.reason = !notes.failure.empty()     ? "the server was not reached: " + notes.failure
                       : !notes.hindrance.empty() ? notes.hindrance
                                                  : "the answer that is bent did not come";
      return std::move(result_);
    }
    result_.transcript =
        transcript_of(scenario_, notes.told, {}, trial_.end.standard_error, ending_of(trial_.end));
    judge_end();
    result_.verdict = result::worst_of(result_.findings);
    return std::move(result_);
  }

 private:
  const std::string& subject() const { return scenario_.requirements.front(); }

  void charge(std::string_view requirement, CallOutcome outcome, const std::string& sentence,
              const std::string& expected, const std::string& actual) {
    result_.exercised.emplace_back(requirement);
    client::charge(requirement,
                   {sentence, expected, actual, judge::Symptom::outcome_of_case,
                    contains(scenario_.warn, outcome)},
                   ledger_, result_);
  }

  void judge_end() {
    const auto& status = trial_.end.status;
    if (status && status->by_signal) {
      return charge(kSurvives, CallOutcome::died, "The program dies of " + bent_answer() + ".",
                    "it goes on, or ends by itself", status->text());
    }
    result_.exercised.emplace_back(kSurvives);
    judge_answer_to_call(scenario_, trial_.notes.own_answer, ledger_, result_);
    const bool is_harmless_here = is_harmless(scenario_);
    if (!status && control_.ends) {
      if (must_end(scenario_) && is_left_waiting(scenario_, trial_, control_)) charge_waiting();
      return;
    }
    if (!is_harmless_here) return;
    if (status && status->value != 0) return charge_ending();
    if (makes_fewer_calls()) return charge_silence();
    // Where its output is the same the result has reached its call, too.
    const bool prints_the_same =
        !control_.printed.empty() && control_.printed == trial_.end.printed;
    if (control_.is_steady && prints_the_same) result_.exercised.push_back(subject());
  }

  bool makes_fewer_calls() const {
    return control_.is_steady && !trial_.end.is_restless && trial_.notes.due == 0 &&
           trial_.notes.methods.size() < control_.methods.size();
  }

  std::string bent_answer() const { return "answer " + std::to_string(control_.answer); }

  void charge_waiting() {
    charge(subject(), CallOutcome::waits, "The client is left waiting after " + bent_answer() + ".",
           is_harmless(scenario_) ? "it goes on as without" : "its call ends", "nothing passes");
  }

  void charge_ending() {
    charge(subject(), CallOutcome::error,
           "The client is disturbed by " + bent_answer() + ", in which its result stands.",
           "it exited with code 0, as without",
           "it " + ending_of(trial_.end) + last_words_of(trial_.end.standard_error));
  }

  void charge_silence() {
    charge(subject(), CallOutcome::error,
           "The client does not go on after " + bent_answer() + ", in which its result stands.",
           std::to_string(control_.methods.size()) + " calls and Notifications, as without",
           std::to_string(trial_.notes.methods.size()) + last_words_of(trial_.end.standard_error));
  }

  const Scenario& scenario_;
  const BentTrial& trial_;
  const Control& control_;
  const corpus::Ledger& ledger_;
  CaseResult result_;
};

}  // namespace

result::CaseResult judge_bent(const Scenario& scenario, const BentTrial& trial,
                              const Control& control, const corpus::Ledger& ledger) {
  return BentJudge(scenario, trial, control, ledger).judge();
}

bool is_left_waiting(const Scenario& scenario, const BentTrial& trial, const Control& control) {
  const auto& [end, notes] = trial;
  const bool may_be_resumed = notes.was_on_stream && !scenario.then.empty();
  return control.ends && !end.status && !end.is_restless && notes.due == 0 && !may_be_resumed;
}

std::size_t usual_answer(std::size_t answers) { return std::max<std::size_t>(answers, 2) - 1; }

}  // namespace jrpcheck::client
