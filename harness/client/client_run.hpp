// The run of a client: all scenarios for its door, and the verdicts that come of them.
#pragma once

#include "client/manner.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

/// The scenario with which a run begins.
inline constexpr std::string_view kControl = "client/good";

struct ClientRunOptions {
  ClientOptions client;
  corpus::Selection selection;
  std::size_t jobs = 2;
  bool starts_anew = false;  ///< no process takes several scenarios
};

/// The control comes first:
/// a client that cannot take a good answer is not judged, and `unreached` of the run says why.
result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       transport::Guardian& guardian);

/// The same where a real server answers: once with nothing bent, twice over, which is the control.
result::Run run_client(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       const BendOptions& bend, transport::Guardian& guardian);

/// A run that jrpcheck itself could not begin, and why.
result::Run failed_run(const corpus::Corpus& corpus, const ClientRunOptions& options,
                       const std::string& failure);

}  // namespace jrpcheck::client
