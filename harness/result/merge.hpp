// Shards of one run, put together.
#pragma once

#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

/// The runs that they are parts of: those of the same target, corpus and profile whose cases do not
/// overlap become one, in the order in which they came. Whatever is no shard stays as it is.
std::vector<Run> merge_shards(std::vector<Run> runs);

}  // namespace jrpcheck::result
