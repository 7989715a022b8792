// Points in time that waiting must not pass.
#pragma once

#include <algorithm>
#include <chrono>

namespace jrpcheck {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// A moment on the steady clock. `Deadline::in(d)` lies d from now.
class Deadline {
 public:
  static Deadline in(microseconds duration) { return Deadline(Clock::now() + duration); }
  static Deadline at(Clock::time_point moment) { return Deadline(moment); }

  Clock::time_point moment() const { return moment_; }
  bool passed() const { return Clock::now() >= moment_; }

  /// What is left, never negative.
  microseconds remaining() const {
    return std::max(microseconds(0),
                    std::chrono::duration_cast<microseconds>(moment_ - Clock::now()));
  }

  /// What is left in whole milliseconds, rounded up: the unit of poll(2), where rounding down
  /// would turn the last millisecond into a busy loop.
  int remaining_ms() const {
    const auto left = remaining().count();
    return static_cast<int>(std::min<long long>((left + 999) / 1000, 1'000'000));
  }

  /// The earlier of the two.
  static Deadline earlier(Deadline a, Deadline b) { return a.moment_ < b.moment_ ? a : b; }

 private:
  explicit Deadline(Clock::time_point moment) : moment_(moment) {}
  Clock::time_point moment_;
};

}  // namespace jrpcheck
