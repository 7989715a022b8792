// Whether a server answers a call that asks for nothing otherwise since a case.
#pragma once

#include <atomic>
#include <string>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "run/liveness.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// What has become of the answer to the control call. Safe to use from several threads.
class Damage {
 public:
  /// From here on answers are held against the first; before, nothing is found.
  void watch(Liveness& liveness) { liveness_ = &liveness; }
  bool is_watched() const { return liveness_ != nullptr; }

  /// Whether it was answered otherwise than at first.
  bool has_changed(const dialogue::SurvivalCheck& check) const;

  /// Makes a control call, and a second one where the answer is not as at first: gives the second
  /// answer where that is not either, else nothing.
  std::string find(session::Conversation& conversation, dialogue::Transcript& transcript) const;
  /// The same behind a first call that has been made.
  std::string find_behind(const dialogue::SurvivalCheck& first, session::Conversation& conversation,
                          dialogue::Transcript& transcript) const;

  /// The same a while after that has found some: who had too much to do, or limits how often it is
  /// called, answers as at first then. A server that says how long it takes is given that time:
  /// `asked_for`. To be asked while nobody else asks anything.
  std::string find_lasting(session::Conversation& conversation, dialogue::Transcript& transcript,
                           microseconds asked_for) const;

 private:
  Liveness* liveness_ = nullptr;
  mutable std::atomic<int> lasting_{0};  // that a wait has not mended, in a row
};

}  // namespace jrpcheck::run
