// Calibration: what a few first cases tell about a server, so that one fault is one finding.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "run/case_runner.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {

/// What is known about a server before the corpus runs.
struct Traits {
  /// Empty when the server answers calls in JSON-RPC; else one clear statement why nothing more can
  /// be judged.
  std::string unjudgeable;
  /// Empty when batches are served; else why the cases that need them do not run.
  std::string no_batches;
  /// Empty when HTTP/1.1 is spoken; else why the cases that need it do not run.
  std::string no_http_1_1;
  /// Requirements violated in every reply: charged once.
  std::set<std::string> systematic;
  /// Results of the calibration cases by their ordinal in the corpus.
  std::map<std::size_t, result::CaseResult> results;
};

/// Runs the calibration cases on an open conversation, finds a control call that is answered, and
/// teaches `patience` the round trip.
Traits calibrate(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                 CaseRunner& runner, session::Conversation& conversation,
                 session::Patience& patience);

}  // namespace jrpcheck::run
