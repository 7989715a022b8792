// Answers that a server lets go only when something more is sent, and how they are told from slow
// ones.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::session {

class Channel;
class Patience;
struct Waiting;

/// What a run knows of them, by kinds of answers: each may leave a server by a way of its own.
class HeldAnswers {
 public:
  /// From here on it is looked for them.
  void watch() { is_watched_ = true; }
  bool are_watched() const { return is_watched_; }

  /// Whether answers of this kind are held back; nothing where that has not been looked into.
  std::optional<bool> find(const std::string& kind) const;
  /// One that has come by itself speaks for all.
  void note(const std::string& kind, bool is_held);

 private:
  std::atomic<bool> is_watched_{false};
  mutable std::mutex mutex_;
  std::map<std::string, bool> kinds_;
};

/// Where the answer in the exchange, which came behind a control call, would not have come without
/// it, the exchange says so. Where answers of its kind have not been looked into the message is
/// sent once more, with nothing behind it.
void note_what_is_held(Channel& channel, Patience& patience, const Waiting& waiting,
                       dialogue::Exchange& exchange, dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
