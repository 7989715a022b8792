#include "transport/starvation.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "transport/guardian.hpp"
#include "transport/process_group.hpp"
#include "transport/target.hpp"

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

// It says on which port it listens, and is busy from then on.
TEST_F(WhatIsDueFromAProgram, IsWaitedForWhoeverRunsIt) {
  start({"python3", "-c",
         "import socket\ns = socket.create_server(('127.0.0.1', 0))\n"
         "print(s.getsockname()[1], flush=True)\nwhile True: pass"});
  std::string port;
  const Deadline most = Deadline::in(kLong);
  while (port.find('\n') == port.npos && !most.passed()) {
    connection_.stream->transfer({}, port, Deadline::in(milliseconds(50)));
  }
  auto target = parse_target("tcp://127.0.0.1:" + port.substr(0, port.find('\n')));
  ASSERT_TRUE(target);
  const auto peer = make_server_peer(target->place());
  ASSERT_EQ(peer->program(), nullptr);
  const Deadline due = due_in(microseconds(0), peer->worker());
  EXPECT_FALSE(due.passed()) << "it is ready to run, and may not have had a turn";
  while (!due.passed() && !most.passed()) wait_until(Deadline::in(milliseconds(5)));
  EXPECT_FALSE(most.passed());
}

TEST(WhatIsDueFromNobodyKnown, IsWaitedForUntilThen) {
  EXPECT_TRUE(due_in(microseconds(0), nullptr).passed());
}

}  // namespace starvation_test
}  // namespace jrpcheck::transport
