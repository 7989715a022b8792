// Trials of the reference client: every scenario, through one door.
#pragma once

#include <string>

#include "selftest/trial.hpp"

namespace jrpcheck::selftest {

/// Judges the client with that mutant, or as it is, and notes what is charged.
void run_client_trial(const corpus::Corpus& corpus, const Mutant* mutant, const TrialPlan& plan,
                      transport::Guardian& guardian, Trial& trial);

/// What the clients among the mutants meet, by their profiles; `whole`: the ledger of all versions.
Result<std::map<std::string, corpus::Dialogues>> dialogues_by_profile(
    const Corpora& corpora, const std::vector<Mutant>& mutants,
    const std::vector<corpus::CorpusFile>& files, const corpus::Ledger& whole);

/// The corpus with its scenarios and dialogues as cases, so that faults of the client can be
/// claimed by them.
corpus::Corpus with_scenarios_as_cases(corpus::Corpus corpus,
                                       const std::map<std::string, corpus::Dialogues>& dialogues);

}  // namespace jrpcheck::selftest
