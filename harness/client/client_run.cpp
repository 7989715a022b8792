#include "client/client_run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "base/bytes.hpp"
#include "client/trial_judge.hpp"
#include "client/wire_form.hpp"

namespace jrpcheck::client {
namespace {

using corpus::Scenario;
using result::CaseResult;
using result::Verdict;

class Trials {
 public:
  Trials(const corpus::Corpus& corpus, const ClientRunOptions& options, Manner& manner)
      : corpus_(corpus), options_(options), manner_(manner) {}

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
      run.unreached = manner_.try_control(*premises_);
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
      // What clients send is judged in every trial, whatever it is about.
      for (auto& one : wire_form(corpus_, door, std::move(traffic_))) {
        run.cases.push_back(std::move(one));
      }
      for (auto& each : manner_.notes()) run.notes.push_back(std::move(each));
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
    if (result.reason = manner_.hindrance(scenario); !result.reason.empty()) return result;
    if (is_interrupted()) return cut_off(std::move(result));
    const auto begin = Clock::now();
    auto attempt = manner_.attempt(scenario, *premises_);
    if (is_interrupted() && attempt.was_cut_off) return cut_off(std::move(result));
    result = std::move(attempt.result);
    result.duration = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
    const std::lock_guard lock(mutex);
    traffic_.push_back(std::move(attempt.traffic));
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
  std::unique_ptr<Premises> premises_;
  std::map<std::string, CaseResult> results_;
  std::atomic<std::size_t> cut_off_{0};  // scenarios that were not tried to their end
  std::vector<std::vector<dialogue::TrafficEvent>> traffic_;
};

}  // namespace

result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       transport::Guardian& guardian) {
  const auto manner = make_scripted_manner(corpus, options.client, guardian);
  return Trials(corpus, options, *manner).run();
}

result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       const BendOptions& bend, transport::Guardian& guardian) {
  const auto manner = make_bent_manner(corpus, options.client, bend, guardian);
  return Trials(corpus, options, *manner).run();
}

}  // namespace jrpcheck::client
