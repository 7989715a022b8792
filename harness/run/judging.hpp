// The part of a run behind an open conversation: calibration, discovery, cases and the summary.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "dialogue/transcript.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "run/progress.hpp"
#include "run/side_dialogue.hpp"
#include "session/conversation.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {

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
  std::vector<std::string> handshakes = {};  ///< as in Traits
  bool for_late_answers = false;
  bool for_one_connection = false;  ///< at a time: further ones are closed or refused
  bool for_a_folder = false;        ///< nothing was judged: the opening was refused, as it has none
  /// Nor was it here: the server knows the handshake, and does not take it as it is.
  bool refuses_handshake = false;

  bool for_the_protocol = false;  ///< Options::answers_after_all was told

  explicit operator bool() const {
    return !handshakes.empty() || for_late_answers || for_one_connection || for_the_protocol;
  }
};

/// Fills in the run.
Restart judge_endpoint(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                       session::Conversation& conversation, session::Patience& patience,
                       Progress& progress, result::Run& run, const Beginning& beginning = {});

}  // namespace jrpcheck::run
