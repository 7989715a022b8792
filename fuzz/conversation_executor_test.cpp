#include "fuzz/conversation_executor.hpp"

#include <gtest/gtest.h>

#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace conversation_executor_test {

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"unknown","id":7})";

// Leaves every call unanswered, but those behind them.
class LeavingOut : public run::FakeConversation {
 public:
  LeavingOut() : FakeConversation(run::server_without_methods()) {}

  dialogue::Exchange exchange(const corpus::Step&, dialogue::Transcript&) override {
    dialogue::Exchange exchange;
    exchange.ending = dialogue::Ending::timed_out;
    exchange.control_answered = true;
    return exchange;
  }
};

TEST(HastyExecutor, HasAnotherConversationWhereAnAnswerMayStillCome) {
  run::FakeEndpoint endpoint;
  int conversations = 0;
  const auto executor = make_hasty_executor(endpoint, [&conversations] {
    ++conversations;
    return std::make_unique<LeavingOut>();
  });
  EXPECT_EQ(conversations, 1);
  const auto observed = executor->execute(corpus::step_sending(dialogue::Message(kCall)));
  ASSERT_TRUE(observed);
  EXPECT_EQ(observed->exchange.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(observed->survival.survival, dialogue::Survival::alive);
  EXPECT_EQ(conversations, 2);
}

TEST(HastyExecutor, KeepsTheConversationInWhichAllIsAnswered) {
  run::FakeEndpoint endpoint;
  int conversations = 0;
  const auto executor = make_hasty_executor(endpoint, [&conversations] {
    ++conversations;
    return std::make_unique<run::FakeConversation>(run::server_without_methods());
  });
  const auto observed = executor->execute(corpus::step_sending(dialogue::Message(kCall)));
  ASSERT_TRUE(observed);
  EXPECT_EQ(observed->exchange.replies.size(), 1U);
  EXPECT_EQ(conversations, 1);
}

}  // namespace conversation_executor_test
}  // namespace jrpcheck::fuzz
