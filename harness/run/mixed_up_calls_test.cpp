// Servers that answer a call on a connection with what another on it was due.
#include "run/mixed_up_calls.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace mixed_up_calls_test {

const session::ControlCall kControl = unknown_control_call();

// A conversation with a server that answers each call with the answer to the one before, as far
// back as `before` is kept.
std::unique_ptr<session::Conversation> late_by_one(std::shared_ptr<std::string> before) {
  return std::make_unique<FakeConversation>(
      [server = server_without_methods(), before](const std::string& message) {
        auto due = server(message);
        std::swap(*due, *before);
        return due->empty() ? std::optional(*before) : due;
      });
}

TEST(MixedUpCalls, ServerThatAnswersEachCallAsItIsKeepsThemApart) {
  const auto converse = [] { return std::make_unique<FakeConversation>(server_without_methods()); };
  EXPECT_FALSE(find_mixed_up_calls(converse, kControl));
}

TEST(MixedUpCalls, AnswerToAnEarlierCallOnTheConnectionIsFound) {
  const auto converse = [] { return late_by_one(std::make_shared<std::string>()); };
  const auto stale = find_mixed_up_calls(converse, kControl);
  ASSERT_TRUE(stale);
  EXPECT_NE(stale->find("4200001"), std::string::npos);
}

TEST(MixedUpCalls, ServerThatIsLateOnEveryConnectionDoesNotMixThemUpOnOne) {
  const auto before = std::make_shared<std::string>();
  EXPECT_FALSE(find_mixed_up_calls([&] { return late_by_one(before); }, kControl));
}

// Each connection but the first call's is new, because something followed the answer before.
class SurplusConversation : public FakeConversation {
 public:
  SurplusConversation() : FakeConversation(server_without_methods()) {}
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    auto exchange = FakeConversation::exchange(step, transcript);
    if (std::exchange(has_served_, true)) exchange.lost_connection = "surplus bytes";
    return exchange;
  }

 private:
  bool has_served_ = false;
};

TEST(MixedUpCalls, BytesThatAnswerNothingMakeAConnectionUnfitWithoutAStaleAnswer) {
  const auto converse = [] { return std::make_unique<SurplusConversation>(); };
  EXPECT_EQ(find_mixed_up_calls(converse, kControl), "");
}

TEST(MixedUpCalls, ServerThatSaysNothingMixesNothingUp) {
  const auto converse = [] {
    return std::make_unique<FakeConversation>([](const std::string&) { return std::nullopt; });
  };
  EXPECT_FALSE(find_mixed_up_calls(converse, kControl));
}

}  // namespace mixed_up_calls_test
}  // namespace jrpcheck::run
