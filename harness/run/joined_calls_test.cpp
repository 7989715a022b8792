// Servers that tell messages apart by how they read them.
#include "run/joined_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace joined_calls_test {

// Answers so many of the messages that leave together.
class JoiningConversation : public FakeConversation {
 public:
  JoiningConversation(std::size_t most, bool is_deaf_then)
      : FakeConversation(server_without_methods()), most_(most), is_deaf_then_(is_deaf_then) {}
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    auto exchange = FakeConversation::exchange(step, transcript);
    if (is_deaf_) exchange.replies.clear();
    if (exchange.replies.size() > most_) {
      exchange.replies.resize(most_);
      is_deaf_ = is_deaf_then_;
    }
    return exchange;
  }

 private:
  std::size_t most_;
  bool is_deaf_then_;
  bool is_deaf_ = false;
};

bool loses(std::size_t most, bool is_deaf_then = false) {
  JoiningConversation conversation(most, is_deaf_then);
  return loses_joined_calls(conversation, unknown_control_call());
}

TEST(JoinedCalls, ServerThatAnswersBothLosesNone) { EXPECT_FALSE(loses(2)); }

TEST(JoinedCalls, ServerThatAnswersOneOfThemTakesReadsForMessages) { EXPECT_TRUE(loses(1)); }

TEST(JoinedCalls, ServerThatAnswersNothingAnyMoreIsAnotherMatter) { EXPECT_FALSE(loses(1, true)); }

// Takes what it reads at once for one message. As long as nothing has been answered since it was
// started, a call is followed by others before it is read.
class StartingConversation : public JoiningConversation {
 public:
  StartingConversation() : JoiningConversation(1, false) {}
  Result<bool> open(dialogue::Transcript&) override {
    starts_ = true;
    return true;
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    starts_ = false;
    return JoiningConversation::check_survival(transcript);
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    auto exchange = JoiningConversation::exchange(step, transcript);
    if (starts_) exchange.replies.clear();
    return exchange;
  }

 private:
  bool starts_ = false;
};

TEST(JoinedCalls, AProgramIsUpBeforeItIsSentCallsOneByOne) {
  StartingConversation conversation;
  EXPECT_TRUE(loses_joined_calls(conversation, unknown_control_call()));
}

// Answers what leaves together from the last to the first.
class LastFirstConversation : public FakeConversation {
 public:
  LastFirstConversation() : FakeConversation(server_without_methods()) {}
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    auto exchange = FakeConversation::exchange(step, transcript);
    std::ranges::reverse(exchange.replies);
    return exchange;
  }
};

TEST(JoinedCalls, OrderIsKeptWhereEachIsAnsweredAsItCame) {
  FakeConversation conversation(server_without_methods());
  EXPECT_TRUE(answers_in_order(conversation, unknown_control_call()));
}

TEST(JoinedCalls, OrderIsNotKeptWhereALaterOneIsAnsweredFirstOrOneIsNotAnswered) {
  LastFirstConversation last_first;
  EXPECT_FALSE(answers_in_order(last_first, unknown_control_call()));
  JoiningConversation losing(3, false);
  EXPECT_FALSE(answers_in_order(losing, unknown_control_call()));
}

}  // namespace joined_calls_test
}  // namespace jrpcheck::run
