#include "transport/resident_memory.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "transport/child_process.hpp"
#include "transport/process_for_testing.hpp"

namespace jrpcheck::transport {
namespace resident_memory_test {

constexpr std::size_t kMebibyte = 1U << 20;
const std::string kHolds32Mebibytes = "x=$(head -c 33554432 /dev/zero | tr '\\0' x)";

class ResidentMemory : public ::testing::Test {
 protected:
  ResidentMemory() : guardian_(*Guardian::start()) {}

  // What a program holds that has run `script`, and waits.
  std::optional<std::size_t> held_after(const std::string& script) {
    auto started = ChildProcess::start(testing::shell(script + "; echo ready; read line"),
                                       ChildProcess::Output::piped, *guardian_);
    EXPECT_TRUE(started);
    EXPECT_EQ(testing::read_line((*started)->stream()), "ready");
    group_ = (*started)->group();
    return resident_memory(group_);
  }

  std::unique_ptr<Guardian> guardian_;
  pid_t group_ = 0;
};

TEST_F(ResidentMemory, IsWhatAProgramHolds) {
  const auto little = held_after(":");
  const auto much = held_after(kHolds32Mebibytes);
  ASSERT_TRUE(little && much);
  EXPECT_GT(*little, 0U);
  EXPECT_GE(*much, *little + 24 * kMebibyte);
}

TEST_F(ResidentMemory, CountsTheChildrenOfAProgram) {
  const auto alone = held_after(":");
  // The child says itself that it is ready: before its exec is over it holds next to nothing.
  const auto together = held_after("( " + kHolds32Mebibytes + "; echo ready; read line )");
  ASSERT_TRUE(alone && together);
  EXPECT_GE(*together, *alone + 24 * kMebibyte);
}

TEST_F(ResidentMemory, OfAProgramThatHasEndedIsNotKnown) {
  held_after(":");
  EXPECT_FALSE(resident_memory(group_));
}

}  // namespace resident_memory_test
}  // namespace jrpcheck::transport
