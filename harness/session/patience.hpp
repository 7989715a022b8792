// Patience: how long to wait for what, learned from the server itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <string>

#include "base/deadline.hpp"

namespace jrpcheck::session {

/// Shared by all conversations of a run. Every wait ends early when what is awaited arrives; these
/// are upper bounds, in terms of the round trip that calibration measured.
class Patience {
 public:
  /// Programs on a virtual machine take seconds to come up.
  static constexpr milliseconds kStartUp{10'000};

  explicit Patience(microseconds timeout, microseconds start_up = kStartUp)
      : timeout_(timeout), start_up_(start_up) {}

  /// --timeout: the longest that any one answer is waited for.
  microseconds timeout() const { return timeout_; }

  microseconds round_trip() const { return microseconds(round_trip_us_.load()); }
  void learn_round_trip(microseconds measured) { round_trip_us_ = measured.count(); }

  /// After so long without an answer it is worth asking whether the server still serves.
  microseconds before_control() const { return within(10 * round_trip(), milliseconds(100)); }

  /// How long late answers are waited for once a control call that was sent after the message has
  /// been answered: a few round trips, and some milliseconds for servers faster than a scheduler.
  microseconds tail() const { return within(3 * round_trip(), milliseconds(3)); }

  /// How long an answer is waited for. The first that does not come costs the whole timeout; those
  /// after it a shorter bound, so that a server that never answers a kind of message does not cost
  /// a timeout each. Well-formed calls may do real work and keep a second; what is malformed is
  /// refused by the parser and needs no more than some round trips.
  microseconds for_answer(bool well_formed) const {
    if (!answered_once_) return for_start();
    if (!missed(well_formed)) return timeout_;
    return within(50 * round_trip(), well_formed ? milliseconds(1000) : milliseconds(250));
  }

  /// The first answer of a run also waits for a program to come up.
  void note_first_answer() { answered_once_ = true; }
  /// What a program that is started anew is given until it answers.
  microseconds for_start() const { return std::max(timeout_, start_up_); }

  /// Forgets what was missed, so that what is tried again gets the whole timeout.
  void forgive() {
    missed_well_formed_ = false;
    missed_malformed_ = false;
  }

  void note_missing_answer(bool well_formed) { missed(well_formed) = true; }

 private:
  microseconds within(microseconds wanted, microseconds least) const {
    return std::min(std::max(wanted, least), timeout_);
  }
  const std::atomic<bool>& missed(bool well_formed) const {
    return well_formed ? missed_well_formed_ : missed_malformed_;
  }
  std::atomic<bool>& missed(bool well_formed) {
    return well_formed ? missed_well_formed_ : missed_malformed_;
  }

  microseconds timeout_;
  microseconds start_up_;
  std::atomic<long long> round_trip_us_{0};
  std::atomic<bool> missed_well_formed_{false};
  std::atomic<bool> missed_malformed_{false};
  std::atomic<bool> answered_once_{false};
};

/// "5 s", "0.25 s", "3 ms": for people.
std::string duration_text(microseconds duration);

}  // namespace jrpcheck::session
