// Faults that any fuzzer of bytes finds soon: where these are missed the campaign is broken, and
// that it finds nothing says nothing.
#pragma once

#include <span>

#include "reference-impl/deviations/deviation.hpp"

namespace jrpcheck::benchmark {

std::span<const reference::Deviation> planted_faults();

}  // namespace jrpcheck::benchmark
