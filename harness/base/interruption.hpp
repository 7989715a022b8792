// Whether the user wants the program to end.
#pragma once

#include <atomic>

namespace jrpcheck {

/// The signal that asked this process to end, or 0. A signal is the process's own, and what its
/// handler may touch is an atomic: this is the one thing here that belongs to no object.
inline std::atomic<int> interrupting_signal{0};

/// Once this is true every wait ends at once, as if its time had run out; what came of it then says
/// nothing about a server.
inline bool is_interrupted() { return interrupting_signal.load(std::memory_order_relaxed) != 0; }

}  // namespace jrpcheck
