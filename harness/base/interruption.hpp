// Whether the program is to end before its work is done.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

namespace jrpcheck {

/// The signal that asked this process to end, or 0. A signal is the process's own, and what its
/// handler may touch is an atomic: this and the two below are all that belongs to no object.
inline std::atomic<int> interrupting_signal{0};

/// The moment by which the work is to be over, on the steady clock.
inline std::atomic<std::chrono::steady_clock::time_point> end_of_time{
    std::chrono::steady_clock::time_point::max()};

/// So many microseconds of that time are for ending what was started. They only become more.
inline std::atomic<long long> kept_for_ending{0};

/// Whether a signal asked this process to end.
inline bool is_signalled() { return interrupting_signal.load(std::memory_order_relaxed) != 0; }

/// Whether the work is to end now, for a signal or because its time is up. Once this is true every
/// wait ends at once, as if its time had run out; what came of it then says nothing about a server.
inline bool is_interrupted() {
  const std::chrono::microseconds kept(kept_for_ending.load(std::memory_order_relaxed));
  return is_signalled() || std::chrono::steady_clock::now() + kept >= end_of_time.load();
}

/// "interrupted by SIGINT", "stopped by --max-time".
std::string interruption_text();

}  // namespace jrpcheck
