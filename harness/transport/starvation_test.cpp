#include "transport/starvation.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "transport/guardian.hpp"
#include "transport/process_group.hpp"

namespace jrpcheck::transport {
namespace starvation_test {

constexpr milliseconds kLong{60'000};

class WhatIsDueFromAProgram : public ::testing::Test {
 protected:
  void start(std::vector<std::string> command) {
    peer_ = make_program_peer(std::move(command), **guardian_);
    auto connected = peer_->connect(Deadline::in(kLong));
    ASSERT_TRUE(connected);
    connection_ = *std::move(connected);
  }
  // It has said a word, and is known to be at what comes behind it.
  void await_a_word() {
    std::string word;
    connection_.stream->transfer({}, word, Deadline::in(kLong));
    ASSERT_FALSE(word.empty());
  }
  bool wants_processor() {
    const auto use = processor_use_of(*connection_.program->group());
    return use && use->wants_more;
  }

  Result<std::unique_ptr<Guardian>> guardian_ = Guardian::start();
  std::unique_ptr<Peer> peer_;
  Connection connection_;
};

TEST_F(WhatIsDueFromAProgram, IsWaitedForWhileItWantsAProcessorUntilItHasHadOne) {
  start({"sh", "-c", "echo; while :; do :; done"});
  await_a_word();
  const Deadline due = due_in(microseconds(0), connection_.program);
  EXPECT_FALSE(due.passed()) << "it is ready to run, and may not have had a turn";
  const auto used = processor_use_of(*connection_.program->group())->used;
  const Deadline most = Deadline::in(kLong);
  while (!due.passed() && !most.passed()) wait_until(Deadline::in(milliseconds(5)));
  EXPECT_FALSE(most.passed());
  EXPECT_GT(processor_use_of(*connection_.program->group())->used, used);
}

TEST_F(WhatIsDueFromAProgram, IsNotWaitedForWhileItRests) {
  start({"sh", "-c", "echo; read -r line; echo \"$line\""});
  await_a_word();
  const Deadline most = Deadline::in(kLong);
  while (wants_processor() && !most.passed()) wait_until(Deadline::in(milliseconds(5)));
  EXPECT_TRUE(due_in(microseconds(0), connection_.program).passed());
}

TEST(WhatIsDueFromNobodyKnown, IsWaitedForUntilThen) {
  EXPECT_TRUE(due_in(microseconds(0), nullptr).passed());
}

}  // namespace starvation_test
}  // namespace jrpcheck::transport
