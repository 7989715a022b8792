// Which part of the cases a run is to have, from options or from the environment.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "result/run.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace jrpcheck::cli {

/// --shard-index and --shard-count as they are typed.
struct ShardWords {
  std::optional<long long> index;
  std::optional<long long> count;
};

void declare_shard(CLI::App& app, ShardWords& words);

/// The shard that the options name, or else TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, which Bazel
/// and other test runners set; nothing: all cases. Shards count from 0. Touches the file that
/// TEST_SHARD_STATUS_FILE names, by which Bazel learns that a test knows of shards.
Result<std::optional<result::Shard>> interpret_shard(const ShardWords& words);

}  // namespace jrpcheck::cli
