#include "selftest/client_trial.hpp"

#include "base/contains.hpp"
#include "client/client_run.hpp"
#include "client/dialogue_run.hpp"
#include "client/door.hpp"

namespace jrpcheck::selftest {
namespace {

// The reference client waits for longer, so that what it leaves waiting is seen to wait.
constexpr microseconds kPatience = milliseconds(1000);

template <typename One>
bool claims(const One& one, const std::string& fault) {
  return contains(one.kills, fault);
}

// Of the scenarios that do not claim a fault, a fifth meets it, as with cases. Those in which a
// client may wait take the time of a trial: no fault meets them but those that they claim.
std::set<std::string> left_out_for(std::size_t place, const Mutant& fault,
                                   const corpus::Corpus& corpus) {
  constexpr std::size_t kOneIn = 5;
  std::set<std::string> spared;
  std::size_t turn = place;
  for (const auto& one : corpus.scenarios) {
    ++turn;
    if (one.id == client::kControl || claims(one, fault.name)) continue;
    const bool may_wait = contains(one.accept, corpus::CallOutcome::waits);
    if (may_wait || turn % kOneIn != 0) spared.insert(one.id);
  }
  return spared;
}

// The control is a dialogue among them, and is always held.
std::set<std::string> left_out_for(std::size_t place, const Mutant& fault,
                                   const corpus::Dialogues& dialogues) {
  constexpr std::size_t kOneIn = 6;
  std::set<std::string> spared;
  std::size_t turn = place;
  for (const auto& one : dialogues.dialogues) {
    const bool is_control = &one == &dialogues.dialogues.front();
    if (!is_control && !claims(one, fault.name) && ++turn % kOneIn != 0) spared.insert(one.id);
  }
  return spared;
}

}  // namespace

Result<std::map<std::string, corpus::Dialogues>> dialogues_by_profile(
    const Corpora& corpora, const std::vector<Mutant>& mutants,
    const std::vector<corpus::CorpusFile>& files, const corpus::Ledger& whole) {
  std::map<std::string, corpus::Dialogues> all;
  for (const auto& mutant : mutants) {
    const auto& corpus = corpora.at(mutant.profile);
    if (!mutant.is_of_client() || !has_client(corpus.profile) || all.contains(mutant.profile)) {
      continue;
    }
    auto dialogues = corpus::dialogues_for(corpus, files, whole);
    if (!dialogues) return dialogues.error();
    all.emplace(mutant.profile, *std::move(dialogues));
  }
  return all;
}

void run_client_trial(const corpus::Corpus& corpus, const Mutant* mutant, const TrialPlan& plan,
                      transport::Guardian& guardian, Trial& trial) {
  const auto door = std::string_view(trial.transport).substr(kClientTransport.size());
  client::ClientRunOptions options;
  options.client.command = {plan.reference_program, "--client"};
  const auto dialogues = plan.dialogues.find(trial.profile);
  const bool has_dialogues = dialogues != plan.dialogues.end();
  if (has_dialogues) {
    for (auto& word : words_to_speak(corpus.profile).value_or(std::vector<std::string>())) {
      options.client.command.push_back(std::move(word));
    }
  }
  options.client.door = client::door_named(door);
  options.client.relay = plan.relay;
  options.client.has_driver = !has_dialogues;
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
  if (trial.spared == Spared::most) {
    trial.left_out = has_dialogues ? left_out_for(*trial.mutant, *mutant, dialogues->second)
                                   : left_out_for(*trial.mutant, *mutant, corpus);
  }
  options.selection.skip.assign(trial.left_out.begin(), trial.left_out.end());
  const auto run = has_dialogues
                       ? client::run_dialogues(corpus, dialogues->second, options, guardian)
                       : client::run_client(corpus, options, guardian);
  if (run.unreached.empty()) {
    take_in(run, trial);
  } else {
    trial.error = run.unreached;
  }
}

corpus::Corpus with_scenarios_as_cases(corpus::Corpus corpus,
                                       const std::map<std::string, corpus::Dialogues>& dialogues) {
  for (const auto& each : corpus.scenarios) {
    // Whoever fails the control is not judged at all: no fault can show there.
    if (each.id != client::kControl) corpus.cases.push_back(as_case(each));
  }
  for (const auto& [profile, all] : dialogues) {
    for (const auto& each : all.dialogues) {
      if (can_charge(each)) corpus.cases.push_back(as_case(each));
    }
  }
  return corpus;
}

}  // namespace jrpcheck::selftest
