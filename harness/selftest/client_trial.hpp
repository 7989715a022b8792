// Trials of the reference client: every scenario, through one door.
#pragma once

#include <string>

#include "selftest/trial.hpp"

namespace jrpcheck::selftest {

/// Judges the client with that mutant, or as it is, and notes what is charged.
void run_client_trial(const corpus::Corpus& corpus, const Mutant* mutant, const TrialPlan& plan,
                      transport::Guardian& guardian, Trial& trial);

/// The corpus with its scenarios as cases, so that faults of the client can be claimed by them.
corpus::Corpus with_scenarios_as_cases(corpus::Corpus corpus);

}  // namespace jrpcheck::selftest
