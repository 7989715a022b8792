// Calibration: what a few first cases tell about a server, so that one fault is one finding.
#pragma once

#include "run/case_runner.hpp"
#include "run/endings.hpp"
#include "run/lessons.hpp"
#include "run/liveness.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {

/// What a run wants to learn beyond its traits.
struct Watching {
  Liveness* liveness = nullptr;       ///< taught how the control call is answered
  Endings* endings = nullptr;         ///< told of those that nothing is known to bring about
  bool recognises_handshake = false;  ///< stop where the server asks for one
};

/// Runs the calibration cases on an open conversation, finds a control call that is answered, and
/// teaches `patience` the round trip.
Traits calibrate(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                 CaseRunner& runner, session::Conversation& conversation,
                 session::Patience& patience, const Watching& watching = {});

}  // namespace jrpcheck::run
