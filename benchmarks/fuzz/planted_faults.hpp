// Faults that tell how a campaign of bytes fares. Any engine finds the first from its seeds and the
// second with its dictionary: where these are missed the campaign is broken, and that it finds
// nothing says nothing. The last needs no more than one bit of a seed.
#pragma once

#include <span>

#include "reference-impl/mutants/mutant.hpp"

namespace jrpcheck::benchmark {

std::span<const reference::Mutant> planted_faults();

}  // namespace jrpcheck::benchmark
