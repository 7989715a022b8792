// The run of a client: all scenarios for its door, and the verdicts that come of them.
#pragma once

#include <functional>

#include "client/trial.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

/// The scenario with which a run begins.
inline constexpr std::string_view kControl = "client/good";

struct ClientRunOptions {
  ClientOptions client;
  corpus::Selection selection;
  std::size_t jobs = 2;
};

/// `progress` is told of each scenario as it begins, from several threads. The control comes first:
/// a client that cannot take a good answer is not judged, and `unreached` of the run says why.
result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       transport::Guardian& guardian);

/// Judges one trial.
result::CaseResult judge_trial(const corpus::Scenario& scenario, const Trial& trial,
                               bool has_driver, const corpus::Ledger& ledger);

}  // namespace jrpcheck::client
