// The run: an endpoint and a corpus in, the run model out.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "run/side_dialogue.hpp"
#include "session/conversation.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

/// Told of each case as it ends; calls come from several threads, one at a time.
class Progress {
 public:
  virtual ~Progress() = default;
  /// Something begins that has no cases: "starting node". `at_most`: what it may take; 0: not
  /// known.
  virtual void begin(const std::string& /*what*/, microseconds /*at_most*/) {}
  /// How far that is.
  virtual void step(std::size_t /*done*/, std::size_t /*total*/) {}
  /// What a case has come to for now.
  virtual void judged(const std::string& /*case_id*/, result::Verdict /*verdict*/) {}
  virtual void advance(std::size_t done, std::size_t total, const std::string& case_id) = 0;
};

/// Judges the endpoint that the options name. Where nobody is there, or nobody who speaks JSON-RPC,
/// that is the verdict of the run, which then says why in `unreached`.
result::Run run_corpus(const corpus::Corpus& corpus, const Options& options,
                       transport::Guardian& guardian, Progress& progress);

/// What is known of a run before its conversation is judged.
struct Beginning {
  const SideDialogue* opening = nullptr;     ///< what the handshake showed
  std::vector<dialogue::Event> events = {};  ///< of the handshake
  /// A server that asks for a handshake is not judged without one.
  bool recognises_handshake = false;
  /// One that answers later than is waited for is judged again, with more patience.
  bool recognises_late = false;
};

/// Why nothing was judged, and the run is to begin again.
struct Restart {
  std::string handshake = {};  ///< the one that the server wants first, as in Traits
  bool for_late_answers = false;

  explicit operator bool() const { return !handshake.empty() || for_late_answers; }
};

/// The part of a run behind an open conversation: calibration, discovery, cases and the summary.
Restart judge_endpoint(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                       session::Conversation& conversation, session::Patience& patience,
                       Progress& progress, result::Run& run, const Beginning& beginning = {});

/// What is known of a run when it begins.
result::Run begin_run(const corpus::Corpus& corpus, const Options& options);

/// "interrupted by SIGINT", "stopped by --max-time".
std::string interruption_text();

/// A run in which nothing was exercised, for reports on a target that was never reached.
result::Run unreached_run(const corpus::Corpus& corpus, const Options& options,
                          const std::string& reason,
                          result::RunVerdict ending = result::RunVerdict::unreachable);

}  // namespace jrpcheck::run
