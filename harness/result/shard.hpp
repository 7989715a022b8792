// Which cases a shard of a run has.
#pragma once

#include <string_view>

#include "result/run.hpp"

namespace jrpcheck::result {

/// Whether the case is one of that shard. Only its id counts: on every machine, and whatever cases
/// come and go beside it, it stays where it is.
bool is_in_shard(std::string_view case_id, const Shard& shard);

}  // namespace jrpcheck::result
