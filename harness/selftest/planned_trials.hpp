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

/// In which order so many trials are run. Neighbours are alike, and wait or work alike: what is far
/// apart runs side by side, so that no processor is idle.
std::vector<std::size_t> order_of(std::size_t trials);

}  // namespace jrpcheck::selftest
