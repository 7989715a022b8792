#include "client/client_run.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "client/shared_trial.hpp"
#include "client/trial_judge.hpp"
#include "client/wire_form.hpp"
#include "transport/work_together.hpp"

namespace jrpcheck::client {
namespace {

using corpus::Scenario;
using result::CaseResult;
using result::Verdict;

// Scenarios that wait to be tried.
class Pending {
 public:
  void push(const Scenario& scenario) {
    {
      const std::lock_guard lock(mutex_);
      scenarios_.push_back(&scenario);
    }
    changed_.notify_one();
  }
  // No more will come.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    changed_.notify_all();
  }
  // Waits for one; null: there will be none.
  const Scenario* pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || !scenarios_.empty(); });
    if (scenarios_.empty()) return nullptr;
    const auto* first = scenarios_.front();
    scenarios_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<const Scenario*> scenarios_;
  bool is_closed_ = false;
};

// Closes them whatever comes: the others would wait for ever.
struct Closing {
  Pending& pending;
  ~Closing() { pending.close(); }
};

// What is known of it before anything has been tried.
result::Run begun_run(const corpus::Corpus& corpus, const ClientRunOptions& options) {
  result::Run run;
  const auto& door = *options.client.door;
  run.target = {shell_line(options.client.command), std::string(door.name),
                std::string(door.binding)};
  run.profile = corpus.profile.name;
  run.corpus_cases = corpus.scenarios.size();
  run.corpus_hash = corpus.hash;
  return run;
}

class Trials {
 public:
  Trials(const corpus::Corpus& corpus, const ClientRunOptions& options, Manner& manner,
         transport::Guardian& guardian)
      : corpus_(corpus),
        options_(options),
        manner_(manner),
        guardian_(guardian),
        wire_form_(corpus, *options.client.door) {}

  result::Run run() {
    const auto& door = *options_.client.door;
    auto run = begun_run(corpus_, options_);
    const auto begin = Clock::now();
    const auto scenarios = wanted();
    auto premises = Premises::for_door(door, guardian_);
    ControlTrial control;
    if (premises) {
      premises_ = *std::move(premises);
      control = manner_.try_control(*premises_);
    } else {
      control.hindrance = premises.error().message;
    }
    if (!control.hindrance.empty()) {
      leave_untried(scenarios, control, run);
    } else {
      run.failure = try_all(scenarios);
      for (const auto* each : scenarios) run.cases.push_back(std::move(results_.at(each->id)));
      // What clients send is judged in every trial, whatever it is about.
      run.cases.push_back(wire_form_.judged());
      for (auto& each : notes_) run.notes.push_back(std::move(each));
      for (auto& each : manner_.notes()) run.notes.push_back(std::move(each));
    }
    run.duration = time_since(begin);
    note_cut_off(run, scenarios.size());
    result::summarise(run, corpus_.ledger,
                      {{"client"},
                       {},
                       options_.selection.select.empty() && options_.selection.skip.empty() &&
                           run.interrupted.empty()});
    return run;
  }

 private:
  // Without a good call there is nothing to answer. What was sent in its place is judged all the
  // same.
  void leave_untried(const Scenarios& scenarios, const ControlTrial& control, result::Run& run) {
    run.notes.push_back(control.hindrance);
    for (const auto* each : scenarios) {
      run.cases.push_back(blank(*each));
      run.cases.back().reason = "the control failed: a good answer did not reach its call";
    }
    wire_form_.add(control.traffic);
    auto form = wire_form_.judged();
    if (form.verdict == Verdict::fail && !is_interrupted()) {
      run.cases.push_back(std::move(form));
      return;
    }
    run.unreached = control.hindrance;
    run.verdict = result::RunVerdict::unreachable;
    run.target.framing.clear();
  }

  // What the end of its time, or a signal, kept it from.
  void note_cut_off(result::Run& run, std::size_t scenarios) const {
    if (!run.unreached.empty() && is_interrupted()) {
      run.interrupted = interruption_text() + " before the control was through";
      run.unreached = run.interrupted;
      run.notes = {run.interrupted};
      run.verdict = result::RunVerdict::partial;  // nobody knows
      for (auto& each : run.cases) each.reason = run.interrupted;
    } else if (cut_off_ > 0) {
      const std::string why = run.failure.empty() ? interruption_text() : run.failure;
      run.interrupted = why + " after " + std::to_string(scenarios - cut_off_) + " of " +
                        std::to_string(scenarios) + " scenarios";
    }
  }

  Scenarios wanted() const {
    Scenarios scenarios;
    for (const auto& each : corpus_.scenarios) {
      if (options_.selection.includes(as_case(each))) scenarios.push_back(&each);
    }
    return scenarios;
  }

  bool applies(const Scenario& scenario) const {
    const auto& doors = scenario.doors;
    return doors.empty() || contains(doors, options_.client.door->kind);
  }

  // Why jrpcheck itself could not go on; empty where it could.
  std::string try_all(const Scenarios& scenarios) {
    Scenarios shared;
    Pending alone;
    for (const auto* each : scenarios) {
      const bool can_be = !options_.starts_anew && applies(*each) && manner_.can_be_shared(*each);
      if (can_be) {
        shared.push_back(each);
      } else {
        alone.push(*each);
      }
    }
    std::atomic<bool> is_first{true};
    std::string failure = transport::work_together(options_.jobs, [&] {
      // The others begin with what is settled meanwhile.
      if (is_first.exchange(false)) {
        const Closing closing{alone};
        settle(shared, alone);
      }
      while (const auto* scenario = alone.pop()) {
        auto result = try_one(*scenario);
        const std::lock_guard lock(mutex_);
        results_.emplace(scenario->id, std::move(result));
      }
    });
    for (const auto* each : scenarios) {
      if (results_.count(each->id) == 0) results_.emplace(each->id, cut_off(blank(*each)));
    }
    return failure;
  }

  void settle(const Scenarios& scenarios, Pending& alone) {
    auto settled =
        manner_.settle(scenarios, *premises_, [&alone](const Scenario& each) { alone.push(each); });
    const std::lock_guard lock(mutex_);
    for (auto& [id, result] : settled.passed) results_.emplace(id, std::move(result));
    for (const auto& each : settled.traffic) wire_form_.add(each);
    if (settled.hindrance.empty() || is_interrupted()) return;
    notes_.push_back("Each scenario had a process of its own: " + settled.hindrance + ".");
  }

  CaseResult try_one(const Scenario& scenario) {
    CaseResult result = blank(scenario);
    if (!applies(scenario)) {
      result.verdict = Verdict::not_applicable;
      result.reason = "is not for " + std::string(options_.client.door->name);
      return result;
    }
    if (result.reason = manner_.hindrance(scenario); !result.reason.empty()) return result;
    if (is_interrupted()) return cut_off(std::move(result));
    const auto begin = Clock::now();
    auto attempt = manner_.attempt(scenario, *premises_);
    if (is_interrupted() && attempt.was_cut_off) return cut_off(std::move(result));
    result = std::move(attempt.result);
    result.duration = time_since(begin);
    const std::lock_guard lock(mutex_);
    wire_form_.add(attempt.traffic);
    return result;
  }

  CaseResult cut_off(CaseResult result) {
    ++cut_off_;
    result.reason = "the run ended before it";
    return result;
  }

  const corpus::Corpus& corpus_;
  const ClientRunOptions& options_;
  Manner& manner_;
  transport::Guardian& guardian_;
  std::unique_ptr<Premises> premises_;
  std::atomic<std::size_t> cut_off_{0};  // scenarios that were not tried to their end
  std::mutex mutex_;                     // guards what follows
  std::map<std::string, CaseResult> results_;
  std::vector<std::string> notes_;
  WireForm wire_form_;
};

}  // namespace

result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       transport::Guardian& guardian) {
  const auto manner = make_scripted_manner(corpus, options.client, guardian);
  return Trials(corpus, options, *manner, guardian).run();
}

result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       const BendOptions& bend, transport::Guardian& guardian) {
  const auto manner = make_bent_manner(corpus, options.client, bend, guardian);
  return Trials(corpus, options, *manner, guardian).run();
}

result::Run failed_run(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       const std::string& failure) {
  auto run = begun_run(corpus, options);
  run.failure = failure;
  run.interrupted = failure;
  run.notes = {failure};
  result::summarise(run, corpus.ledger, {{"client"}, {}, false});
  return run;
}

}  // namespace jrpcheck::client
