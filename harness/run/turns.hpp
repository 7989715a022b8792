// Turns: whether answers come when it is their turn, where nothing else tells whose they are.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "corpus/dialect.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::run {

/// Whether a Response with id null came that cannot answer what the case had sent by then: it came
/// before anything was sent, beside the answers to all of it, or behind it. It answers an earlier
/// message, which was taken for unanswered. No clause orders answers, or says how soon they come.
bool has_come_late(const corpus::Case& bound, const std::vector<dialogue::Event>& events,
                   corpus::Dialect dialect);

/// The turns of all cases of a run. Safe to use from several threads.
class Turns {
 public:
  void watch() { watched_ = true; }
  bool are_watched() const { return watched_; }

  /// Takes in a case that has run: whether something has come late. Of a server that answers a call
  /// twice nothing is late, and nothing is watched any more.
  bool take(const corpus::Case& bound, const std::vector<dialogue::Event>& events,
            corpus::Dialect dialect);

 private:
  bool is_answered_twice(const corpus::Case& bound, const std::vector<dialogue::Event>& events);

  std::atomic<bool> watched_{false};
  std::mutex mutex_;                // guards what follows
  std::map<std::string, int> due_;  // how many answers to calls with this id may still come
};

}  // namespace jrpcheck::run
