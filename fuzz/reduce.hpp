// The reducer: the smallest message that still shows a fault.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace jrpcheck::fuzz {

/// Whether a message still shows what the first one showed.
using StillShows = std::function<bool(const std::string&)>;

/// Takes parts away as long as the fault stays: members and elements first, then simpler values,
/// then bytes. Gives up after `budget` tries. What it gives is the message itself, or one that
/// `still_shows` has said yes to.
std::string reduce(std::string message, const StillShows& still_shows, std::size_t budget = 1000);

}  // namespace jrpcheck::fuzz
