#include "result/shard.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jrpcheck::result {
namespace shard_test {

std::string id_of(int number) { return "class/case-" + std::to_string(number); }

TEST(Shards, EachCaseIsInExactlyOne) {
  for (const std::size_t count : {1U, 2U, 3U, 7U, 64U}) {
    for (int number = 0; number < 200; ++number) {
      int shards = 0;
      for (std::size_t i = 0; i < count; ++i) shards += is_in_shard(id_of(number), {i, count});
      EXPECT_EQ(shards, 1) << id_of(number) << " of " << count;
    }
  }
}

TEST(Shards, AreOfSimilarSize) {
  constexpr int kCases = 1000;
  constexpr std::size_t kCount = 4;
  for (std::size_t i = 0; i < kCount; ++i) {
    int size = 0;
    for (int number = 0; number < kCases; ++number) size += is_in_shard(id_of(number), {i, kCount});
    EXPECT_NEAR(size, 250, 50) << i;
  }
}

// Written down, because runs of different machines and versions are put together.
TEST(Shards, ACaseStaysWhereItIs) {
  EXPECT_TRUE(is_in_shard("batch/empty", {2, 4}));
  EXPECT_TRUE(is_in_shard("id/number", {2, 4}));
}

}  // namespace shard_test
}  // namespace jrpcheck::result
