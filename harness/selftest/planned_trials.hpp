// Which trials there are, and in which order they run.
#pragma once

#include <cstddef>
#include <vector>

#include "selftest/trial.hpp"

namespace jrpcheck::selftest {

/// Whether it is a protocol on top of JSON-RPC.
inline bool is_protocol(const corpus::Profile& profile) { return !profile.schemas.empty(); }

/// The server as it is over each transport, and with each mutant over those it shows on.
std::vector<Trial> planned_trials(const Corpora& corpora, const std::vector<Mutant>& mutants,
                                  const TrialPlan& plan);

/// The order in which they are run, so that no processor is idle: what mostly waits side by side
/// with what works, the long before the short, and what is alike, which are neighbours, apart.
std::vector<std::size_t> run_order(const std::vector<Trial>& trials,
                                   const std::vector<Mutant>& mutants);

}  // namespace jrpcheck::selftest
