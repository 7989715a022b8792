#include "cli/shard_options.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace jrpcheck::cli {
namespace shard_options_test {

class ShardOptions : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", "TEST_SHARD_STATUS_FILE"}) {
      ::unsetenv(name);
    }
  }

  static std::string complaint(const ShardWords& words) {
    const auto shard = interpret_shard(words);
    EXPECT_FALSE(shard);
    return shard ? "" : shard.error().message;
  }
};

TEST_F(ShardOptions, NothingIsAllCases) {
  const auto none = interpret_shard({});
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  const auto only = interpret_shard({0, 1});
  ASSERT_TRUE(only);
  EXPECT_FALSE(*only);
}

TEST_F(ShardOptions, CountFromZero) {
  const auto last = interpret_shard({3, 4});
  ASSERT_TRUE(last);
  EXPECT_EQ(**last, (result::Shard{3, 4}));
  EXPECT_NE(complaint({4, 4}).find("the first is 0 and the last 3"), std::string::npos);
  EXPECT_NE(complaint({-1, 4}).find("--shard-index"), std::string::npos);
  EXPECT_NE(complaint({0, 0}).find("--shard-count"), std::string::npos);
}

TEST_F(ShardOptions, BelongTogether) {
  EXPECT_NE(complaint({1, std::nullopt}).find("--shard-index needs --shard-count"),
            std::string::npos);
  EXPECT_NE(complaint({std::nullopt, 4}).find("--shard-count needs --shard-index"),
            std::string::npos);
}

TEST_F(ShardOptions, AreTakenFromTheEnvironmentWhereNoneAreGiven) {
  const auto status =
      std::filesystem::temp_directory_path() / ("jrpcheck-shard-" + std::to_string(::getpid()));
  ::setenv("TEST_SHARD_INDEX", "1", 1);
  ::setenv("TEST_TOTAL_SHARDS", "3", 1);
  ::setenv("TEST_SHARD_STATUS_FILE", status.c_str(), 1);
  const auto from_environment = interpret_shard({});
  ASSERT_TRUE(from_environment);
  EXPECT_EQ(**from_environment, (result::Shard{1, 3}));
  EXPECT_TRUE(std::filesystem::remove(status)) << "the test runner is not told";
  const auto from_options = interpret_shard({0, 2});
  ASSERT_TRUE(from_options);
  EXPECT_EQ(**from_options, (result::Shard{0, 2}));
  ::setenv("TEST_TOTAL_SHARDS", "three", 1);
  EXPECT_NE(complaint({}).find("TEST_TOTAL_SHARDS is 'three'"), std::string::npos);
}

}  // namespace shard_options_test
}  // namespace jrpcheck::cli
