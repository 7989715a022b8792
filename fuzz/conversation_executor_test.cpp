#include "fuzz/conversation_executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

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

// Lives on, and answers one of two control calls, after having said this.
class SayingBehind : public run::FakeConversation {
 public:
  explicit SayingBehind(std::string said)
      : FakeConversation(run::server_without_methods()), said_(std::move(said)) {}

  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    transcript.add_control("first");
    transcript.add_control("second");
    transcript.add(dialogue::Direction::received, said_);
    dialogue::Event answer{dialogue::Direction::received, {}, "answer to the second", {}};
    answer.is_control = true;
    transcript.add(std::move(answer));
    return FakeConversation::check_survival(transcript);
  }

 private:
  std::string said_;
};

TEST(CarefulExecutor, FindsTheAnswerToAControlCallUnderAnotherId) {
  const std::string answer = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":)";
  const auto answers_behind = [&](const std::string& sent, const std::string& id) {
    run::FakeEndpoint endpoint;
    const auto executor = make_careful_executor(
        endpoint, [&] { return std::make_unique<SayingBehind>(answer + id + "}"); });
    const auto observed = executor->execute(corpus::step_sending(dialogue::Message(sent)));
    return std::ranges::count(observed->events, dialogue::kOtherIdNote, &dialogue::Event::note);
  };
  EXPECT_EQ(answers_behind("[1,", "777"), 1);
  EXPECT_EQ(answers_behind("[1,", "null"), 1);
  EXPECT_EQ(answers_behind(R"({"id":777,)", "777"), 0);  // it may have been read
}

// What cannot be read is refused with id null (JSON-RPC 2.0 §5), perhaps twice.
TEST(CarefulExecutor, TakesASecondRefusalOfWhatCannotBeReadForNoAnswerToACall) {
  run::FakeEndpoint endpoint;
  const auto executor = make_careful_executor(endpoint, [] {
    return std::make_unique<SayingBehind>(
        R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"},"id":null})");
  });
  const auto observed = executor->execute(corpus::step_sending(dialogue::Message("[1,")));
  EXPECT_EQ(std::ranges::count(observed->events, dialogue::kOtherIdNote, &dialogue::Event::note),
            0);
}

// Has ended by the time that anything is sent, and cannot be reached before it is started anew.
class Ended : public run::FakeConversation {
 public:
  Ended() : FakeConversation(run::server_without_methods()) { is_usable = false; }

  Result<bool> open(dialogue::Transcript&) override {
    if (is_usable) return true;
    return Error{"no connection"};
  }
  Result<bool> start_anew(dialogue::Transcript&) override { return is_usable = true; }
  std::optional<session::UnseenDeath> take_unseen_death() override {
    return session::UnseenDeath{"the program exited with code 7", {}, true};
  }
};

class SharedEndpoint : public run::FakeEndpoint {
 public:
  SharedEndpoint() : FakeEndpoint("http") {}
  bool is_shared() const override { return true; }
};

TEST(CarefulExecutor, BringsBackAServerThatHasEndedAndTellsThatItEndedAtWork) {
  SharedEndpoint endpoint;
  const auto executor = make_careful_executor(endpoint, [] { return std::make_unique<Ended>(); });
  const auto observed = executor->execute(corpus::step_sending(dialogue::Message(kCall)));
  ASSERT_TRUE(observed);
  EXPECT_EQ(observed->ended_before, "the program exited with code 7");
  EXPECT_TRUE(observed->ended_at_work);
}

TEST(CarefulExecutor, LetsAMomentPassOverHttpAsWell) {
  SharedEndpoint endpoint;
  const auto executor = make_careful_executor(endpoint, [] {
    return std::make_unique<run::FakeConversation>(run::server_without_methods());
  });
  const corpus::Step step = call_after_a_moment();
  const auto begin = Clock::now();
  ASSERT_TRUE(executor->execute(step));
  EXPECT_GE(time_since(begin), milliseconds(step.listen_first_ms));
}

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
