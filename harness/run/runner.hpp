// The run: an endpoint and a corpus in, the run model out.
#pragma once

#include <string>

#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/options.hpp"
#include "run/progress.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

/// Judges the endpoint that the options name. Where nobody is there, or nobody who speaks JSON-RPC,
/// that is the verdict of the run, which then says why in `unreached`.
result::Run run_corpus(const corpus::Corpus& corpus, const Options& options,
                       transport::Guardian& guardian, Progress& progress);

/// What is known of a run when it begins.
result::Run begin_run(const corpus::Corpus& corpus, const Options& options);

/// A run in which nothing was exercised, for reports on a target that was never reached.
result::Run unreached_run(const corpus::Corpus& corpus, const Options& options,
                          const std::string& reason,
                          result::RunVerdict ending = result::RunVerdict::unreachable);

}  // namespace jrpcheck::run
