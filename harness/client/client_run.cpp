#include "client/client_run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "base/bytes.hpp"
#include "traffic/account.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using corpus::Scenario;
using dialogue::Direction;
using result::CaseResult;
using result::Verdict;

bool holds(const std::vector<CallOutcome>& outcomes, CallOutcome one) {
  return std::find(outcomes.begin(), outcomes.end(), one) != outcomes.end();
}

// A call that succeeds whatever its value, as far as an exit code tells.
bool is_accepted(const std::vector<CallOutcome>& outcomes, CallOutcome outcome, bool has_driver) {
  const bool is_success = outcome == CallOutcome::value;
  if (has_driver || !is_success) return holds(outcomes, outcome);
  return holds(outcomes, CallOutcome::value) || holds(outcomes, CallOutcome::nothing) ||
         holds(outcomes, CallOutcome::wrong);
}

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
  const auto* known = ledger.find(requirement);
  const bool fails = known != nullptr && known->level == corpus::Level::must && !only_warns;
  judge::Finding finding;
  finding.requirement = requirement;
  finding.severity = fails ? corpus::Verdict::fail : corpus::Verdict::warn;
  finding.symptom = judge::Symptom::outcome_of_case;
  finding.particulars = sentence_of(outcome, number);
  finding.expected = number == kSubject ? expected_text(scenario.accept) : "the result of the call";
  finding.actual = to_visible(trial.shown, 300);
  result.findings.push_back(std::move(finding));
}

// What a scenario asks of a client beside its calls: that it answers a call of the server.
void judge_answer_to_call(const Scenario& scenario, const Trial& trial,
                          const corpus::Ledger& ledger, CaseResult& result) {
  constexpr std::string_view kRequirement = "cl-server-call";
  const auto& named = scenario.requirements;
  if (std::find(named.begin(), named.end(), kRequirement) == named.end()) return;
  result.exercised.emplace_back(kRequirement);
  if (trial.is_own_call_answered) return;
  const auto* known = ledger.find(kRequirement);
  judge::Finding finding;
  finding.requirement = kRequirement;
  finding.severity = known != nullptr && known->level == corpus::Level::must
                         ? corpus::Verdict::fail
                         : corpus::Verdict::warn;
  finding.symptom = judge::Symptom::unanswered;
  finding.particulars = "The call of the server is not answered.";
  finding.expected = "a Response with id \"" + std::string(kOwnCallId) + "\"";
  finding.actual = "nothing";
  result.findings.push_back(std::move(finding));
}

std::vector<dialogue::Event> transcript_of(const Trial& trial) {
  std::vector<dialogue::Event> events;
  const auto add = [&](Direction direction, const std::string& bytes, const std::string& note) {
    if (bytes.empty() && note.empty()) return;
    auto excerpt = dialogue::excerpt(bytes);
    dialogue::Event event{direction, {}, std::move(excerpt.bytes), note};
    event.left_out = excerpt.left_out;
    event.step = 0;
    events.push_back(std::move(event));
  };
  for (const auto& each : trial.told) add(Direction::sent, each, {});
  add(Direction::received, trial.shown, {});
  add(Direction::standard_error, trial.standard_error, {});
  if (!trial.ending.empty()) add(Direction::exited, {}, trial.ending);
  return events;
}

CaseResult blank(const Scenario& scenario) {
  CaseResult result;
  result.id = scenario.id;
  result.title = scenario.title;
  result.requirements = scenario.requirements;
  return result;
}

constexpr int kSecondLook = 3;

bool seems_to_wait(const Trial& trial) {
  return std::find(trial.outcomes.begin() + 1, trial.outcomes.end(), CallOutcome::waits) !=
         trial.outcomes.end();
}

std::string last_words_of(const Trial& trial) {
  constexpr std::size_t kMostShown = 300;
  const std::string& said = trial.standard_error;
  if (said.empty()) return {};
  const std::size_t left_out = said.size() > kMostShown ? said.size() - kMostShown : 0;
  return "; standard error ends with: " + to_visible(said.substr(left_out), 2 * kMostShown);
}

class Trials {
 public:
  Trials(const corpus::Corpus& corpus, const ClientRunOptions& options,
         transport::Guardian& guardian)
      : corpus_(corpus), options_(options), guardian_(guardian) {}

  result::Run run() {
    result::Run run;
    std::string command;
    for (const auto& word : options_.client.command) {
      command += (command.empty() ? "" : " ") + shell_quote(word);
    }
    const auto& door = *options_.client.door;
    run.target = {command, std::string(door.name), std::string(door.binding)};
    run.profile = corpus_.profile.name;
    run.corpus_cases = corpus_.scenarios.size();
    run.corpus_hash = corpus_.hash;
    const auto begin = Clock::now();
    const auto scenarios = wanted();
    auto premises = Premises::for_door(door);
    run.unreached = premises ? "" : premises.error().message;
    if (premises) {
      premises_ = *std::move(premises);
      run.unreached = try_control();
    }
    if (!run.unreached.empty()) {
      run.verdict = result::RunVerdict::unreachable;
      run.notes.push_back(run.unreached);
      run.target.framing.clear();
      for (const auto* each : scenarios) {
        run.cases.push_back(blank(*each));
        run.cases.back().reason = "the control failed: a good answer did not reach its call";
      }
    } else {
      try_all(scenarios);
      for (const auto* each : scenarios) run.cases.push_back(std::move(results_.at(each->id)));
      add_wire_form(run);
    }
    run.duration = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
    note_cut_off(run, scenarios.size());
    result::summarise(run, corpus_.ledger,
                      {{"client"},
                       {},
                       options_.selection.select.empty() && options_.selection.skip.empty() &&
                           run.interrupted.empty()});
    return run;
  }

 private:
  // What the end of its time, or a signal, kept it from.
  void note_cut_off(result::Run& run, std::size_t scenarios) const {
    if (!run.unreached.empty() && is_interrupted()) {
      run.interrupted = interruption_text() + " before the control was through";
      run.unreached = run.interrupted;
      run.notes = {run.interrupted};
      run.verdict = result::RunVerdict::partial;  // nobody knows
      for (auto& each : run.cases) each.reason = run.interrupted;
    } else if (cut_off_ > 0) {
      run.interrupted = interruption_text() + " after " + std::to_string(scenarios - cut_off_) +
                        " of " + std::to_string(scenarios) + " scenarios";
    }
  }

  std::vector<const Scenario*> wanted() const {
    std::vector<const Scenario*> scenarios;
    for (const auto& each : corpus_.scenarios) {
      if (options_.selection.includes(as_case(each))) scenarios.push_back(&each);
    }
    return scenarios;
  }

  bool applies(const Scenario& scenario) const {
    const auto& doors = scenario.doors;
    return doors.empty() ||
           std::find(doors.begin(), doors.end(), options_.client.door->kind) != doors.end();
  }

  // Empty: the client takes good answers.
  std::string try_control() {
    for (const auto& each : corpus_.scenarios) {
      if (each.id != kControl) continue;
      const auto trial = try_client(each, options_.client, *premises_, guardian_);
      if (!trial) return trial.error().message;
      const bool is_good = std::all_of(trial->outcomes.begin() + 1, trial->outcomes.end(),
                                       [](auto one) { return one == CallOutcome::value; });
      if (is_good && trial->was_played) return {};
      if (!trial->was_played) {
        const auto& door = *options_.client.door;
        const std::string given =
            door.is_stdio() ? "the command of its server as {server} and in JRPCHECK_SERVER"
                            : "the URL as {url} and in JRPCHECK_URL";
        return "the client did not call echo [2] over " + std::string(door.name) + ": it " +
               (trial->ending.empty() ? "waited" : trial->ending) + ". It is given " + given +
               (door.is_secure ? ", whom to believe as {cacert} and in JRPCHECK_CACERT," : ",") +
               " and calls echo [n] for each n of JRPCHECK_CALLS" + last_words_of(*trial);
      }
      return "a good answer does not reach its call, so that nothing can be judged: " +
             sentence_of(trial->outcomes[kSubject], kSubject) + " " + to_visible(trial->shown, 200);
    }
    return "the corpus has no control";
  }

  void try_all(const std::vector<const Scenario*>& scenarios) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    const auto work = [&] {
      for (std::size_t i = next++; i < scenarios.size(); i = next++) {
        auto result = try_one(*scenarios[i], mutex);
        const std::lock_guard lock(mutex);
        results_.emplace(scenarios[i]->id, std::move(result));
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < options_.jobs; ++i) threads.emplace_back(work);
    work();
    for (auto& each : threads) each.join();
  }

  CaseResult try_one(const Scenario& scenario, std::mutex& mutex) {
    CaseResult result = blank(scenario);
    if (!applies(scenario)) {
      result.verdict = Verdict::not_applicable;
      result.reason = "is not for " + std::string(options_.client.door->name);
      return result;
    }
    if (is_interrupted()) return cut_off(std::move(result));
    const auto begin = Clock::now();
    auto trial = try_client(scenario, options_.client, *premises_, guardian_);
    if (is_interrupted() && (!trial || trial->was_cut_off)) return cut_off(std::move(result));
    if (!trial) {
      result.reason = trial.error().message;
      return result;
    }
    result = judge_trial(scenario, *trial, options_.client.has_driver, corpus_.ledger);
    if (!result.findings.empty() && seems_to_wait(*trial)) {
      // Who is slow, on a busy machine, seems to wait: only who waits longer as well is charged.
      ClientOptions patient = options_.client;
      patient.patience *= kSecondLook;
      if (auto again = try_client(scenario, patient, *premises_, guardian_);
          again && !again->was_cut_off) {
        trial = std::move(again);
        result = judge_trial(scenario, *trial, options_.client.has_driver, corpus_.ledger);
      }
    }
    result.duration = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
    const std::lock_guard lock(mutex);
    traffic_.push_back(std::move(trial->traffic));
    return result;
  }

  CaseResult cut_off(CaseResult result) {
    ++cut_off_;
    result.reason = "the run ended before it";
    return result;
  }

  // What clients send is judged in every trial, whatever it is about.
  void add_wire_form(result::Run& run) {
    traffic::Account account(corpus_, {run.target.text, run.target.transport,
                                       &wire::known_binding(options_.client.door->binding)});
    std::size_t connection = 0;
    for (auto& trial : traffic_) {
      std::size_t most = 0;
      for (auto& event : trial) {
        most = std::max(most, event.connection);
        event.connection += connection;
        account.take(event);
      }
      connection += most;
    }
    for (auto& one : account.run().cases) {
      if (one.id == "traffic/client") run.cases.push_back(std::move(one));
    }
  }

  const corpus::Corpus& corpus_;
  const ClientRunOptions& options_;
  transport::Guardian& guardian_;
  std::unique_ptr<Premises> premises_;
  std::map<std::string, CaseResult> results_;
  std::atomic<std::size_t> cut_off_{0};  // scenarios that were not tried to their end
  std::vector<std::vector<dialogue::TrafficEvent>> traffic_;
};

}  // namespace

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
  result.transcript = transcript_of(trial);
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
    judge_answer_to_call(scenario, trial, ledger, result);
  }
  result.verdict = result::worst_of(result.findings);
  return result;
}

result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       transport::Guardian& guardian) {
  return Trials(corpus, options, guardian).run();
}

}  // namespace jrpcheck::client
