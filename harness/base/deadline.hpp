// Points in time that waiting must not pass.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/interruption.hpp"

namespace jrpcheck {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

inline microseconds time_since(Clock::time_point moment) {
  return std::chrono::duration_cast<microseconds>(Clock::now() - moment);
}

/// Tells whether what is awaited could not have come yet, through no fault of who is awaited.
class Deferral {
 public:
  virtual ~Deferral() = default;
  /// Asked at the deadline, and every few milliseconds for as long as it says so.
  virtual bool defers() = 0;
};

/// A moment on the steady clock. `Deadline::in(d)` lies d from now; it has passed as soon as the
/// program is interrupted.
class Deadline {
 public:
  /// What is beyond the end of the clock is at its end.
  static Deadline in(microseconds duration) {
    const auto now = Clock::now();
    const bool is_there = duration < Clock::time_point::max() - now;
    return Deadline(is_there ? now + duration : Clock::time_point::max());
  }
  static Deadline at(Clock::time_point moment) { return Deadline(moment); }

  /// One that an interruption does not bring nearer: for the grace in which others are to end.
  static Deadline firmly_in(microseconds duration) {
    Deadline deadline = in(duration);
    deadline.firm_ = true;
    return deadline;
  }

  /// One that does not pass for as long as this holds it back.
  Deadline held_back_by(std::shared_ptr<Deferral> deferral) const {
    Deadline deadline = *this;
    deadline.deferral_ = std::move(deferral);
    return deadline;
  }
  /// So much from now, and held back as this one is.
  Deadline anew_in(microseconds duration) const {
    Deadline deadline = *this;
    deadline.moment_ = in(duration).moment_;
    return deadline;
  }

  Clock::time_point moment() const { return moment_; }
  bool passed() const {
    if (!firm_ && is_interrupted()) return true;
    return Clock::now() >= moment_ && !is_held_back();
  }

  /// What is left, never negative.
  microseconds remaining() const {
    if (!firm_ && is_interrupted()) return microseconds(0);
    return std::max(microseconds(0),
                    std::chrono::duration_cast<microseconds>(moment_ - Clock::now()));
  }

  /// What is left in whole milliseconds, rounded up: the unit of poll(2), where rounding down
  /// would turn the last millisecond into a busy loop.
  int remaining_ms() const {
    const auto left = remaining().count();
    return static_cast<int>(std::min<long long>((left + 999) / 1000, 1'000'000));
  }

  /// The same, but no more than a tenth of a second: for those who then ask whether it has `passed`
  /// and wait on. A signal wakes one thread, and all are to notice it.
  int next_look_ms() const {
    constexpr int kMostAtOnce = 100;
    return std::min(remaining_ms(), kMostAtOnce);
  }

  /// The earlier of the two.
  static Deadline earlier(Deadline a, Deadline b) { return a.moment_ < b.moment_ ? a : b; }

 private:
  explicit Deadline(Clock::time_point moment) : moment_(moment) {}

  // What has let it pass once is asked no more.
  bool is_held_back() const {
    constexpr milliseconds kBetweenLooks{20};
    if (!deferral_) return false;
    if (!deferral_->defers()) {
      deferral_.reset();
      return false;
    }
    moment_ = Clock::now() + kBetweenLooks;
    return true;
  }

  mutable Clock::time_point moment_;
  mutable std::shared_ptr<Deferral> deferral_ = nullptr;
  bool firm_ = false;
};

}  // namespace jrpcheck
