// Shards of one run, put together.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "result/run.hpp"

namespace jrpcheck::result {

/// The runs that they are parts of. Shards of one target, corpus and profile become one run; an
/// error says which shard is missing or there twice, or in what two differ that should be of one
/// run. Runs whose parts were selected by hand become one where their cases do not overlap. Sharded
/// runs come first, the others in their order.
Result<std::vector<Run>> merge_shards(std::vector<Run> runs);

}  // namespace jrpcheck::result
