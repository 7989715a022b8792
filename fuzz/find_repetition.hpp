// What a server serves so many times only, and then nothing more on that connection or on any: what
// it takes for one is not given back.
#pragma once

#include <optional>

#include "fuzz/repeater.hpp"

namespace jrpcheck::fuzz {

/// Sends each of these many times, on a connection of its own: the first after which nothing is
/// answered any more, reduced, behind as many of itself as that takes, which are as many each time.
/// Nothing where all are served, or time runs out.
std::optional<Suspicion> find_repetition(const Messages& messages, Repeater& repeater);

}  // namespace jrpcheck::fuzz
