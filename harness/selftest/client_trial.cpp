#include "selftest/client_trial.hpp"

#include <algorithm>

#include "client/client_run.hpp"
#include "client/door.hpp"

namespace jrpcheck::selftest {
namespace {

// The reference client waits for longer, so that what it leaves waiting is seen to wait.
constexpr microseconds kPatience = milliseconds(1000);

bool claims(const corpus::Scenario& one, const std::string& fault) {
  return std::find(one.kills.begin(), one.kills.end(), fault) != one.kills.end();
}

// Waiting takes the time of a trial: most mutants are spared the scenarios in which a client may
// wait, and that do not claim them.
std::set<std::string> left_out_for(const Mutant* mutant, const corpus::Corpus& corpus) {
  std::set<std::string> spared;
  for (const auto& one : corpus.scenarios) {
    const bool may_wait = std::find(one.accept.begin(), one.accept.end(),
                                    corpus::CallOutcome::waits) != one.accept.end();
    if (may_wait && mutant != nullptr && !claims(one, mutant->name)) spared.insert(one.id);
  }
  return spared;
}

}  // namespace

void run_client_trial(const corpus::Corpus& corpus, const Mutant* mutant, const TrialPlan& plan,
                      transport::Guardian& guardian, Trial& trial) {
  const auto door = std::string_view(trial.transport).substr(kClientTransport.size());
  client::ClientRunOptions options;
  options.client.command = {plan.reference_program, "--client"};
  options.client.door = client::door_named(door);
  options.client.relay = plan.relay;
  options.client.has_driver = true;
  options.client.patience = kPatience;
  options.jobs = 1;
  if (mutant != nullptr) {
    const bool is_fault = mutant->kind == Mutant::Kind::fault;
    options.client.command.emplace_back(is_fault ? "--fault" : "--variant");
    options.client.command.push_back(mutant->name);
  }
  if (options.client.door->is_stdio()) {
    options.client.command.insert(options.client.command.end(), {"--", "{server}"});
  }
  if (trial.is_short) trial.left_out = left_out_for(mutant, corpus);
  options.selection.skip.assign(trial.left_out.begin(), trial.left_out.end());
  const auto run = client::run_client(corpus, options, guardian);
  if (run.unreached.empty()) {
    take_in(run, trial);
  } else {
    trial.error = run.unreached;
  }
}

corpus::Corpus with_scenarios_as_cases(corpus::Corpus corpus) {
  for (const auto& each : corpus.scenarios) {
    // Whoever fails the control is not judged at all: no fault can show there.
    if (each.id != client::kControl) corpus.cases.push_back(as_case(each));
  }
  return corpus;
}

}  // namespace jrpcheck::selftest
