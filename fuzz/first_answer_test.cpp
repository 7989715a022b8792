#include "fuzz/first_answer.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "fuzz/executor.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace first_answer_test {

/// Answers so many calls that it starts, and then by that code.
run::FakeServer starting(int calls, int code = -32601) {
  return run::answering([left = calls, code](const json::Value&) mutable {
    return left-- > 0 ? std::string(R"("error":{"code":-32000,"message":"still loading"})")
                      : run::error_member(code);
  });
}

class FirstAnswer : public ::testing::Test {
 protected:
  Result<bool> await(run::FakeServer server) {
    conversation_ = std::make_unique<run::FakeConversation>(std::move(server));
    dialogue::Transcript aside;
    const auto first = conversation_->exchange(
        corpus::step_sending(R"({"jsonrpc":"2.0","method":"jrpcheckFuzz","id":1})"), aside);
    return await_start(first, *conversation_, endpoint_, options_, patience_);
  }
  bool is_waited_for() const {
    return !endpoint_.control.not_yet.empty() && !conversation_->control_call().not_yet.empty();
  }

  run::FakeEndpoint endpoint_;
  run::Options options_;
  session::Patience patience_{milliseconds(5000)};
  std::unique_ptr<run::FakeConversation> conversation_;
};

TEST_F(FirstAnswer, AProgramThatSaysThatItStartsIsWaitedForAndSoIsEachThatIsStartedAnew) {
  options_.command = {"program"};
  const auto was_starting = await(starting(3));
  ASSERT_TRUE(was_starting);
  EXPECT_TRUE(*was_starting);
  EXPECT_EQ(conversation_->sent.size(), 4U);
  EXPECT_TRUE(is_waited_for());
  EXPECT_TRUE(endpoint_.control.says_not_yet(
      R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"loading"},"id":1})"));
  EXPECT_FALSE(endpoint_.control.says_not_yet(
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":1})"));
}

TEST_F(FirstAnswer, AServerThatOthersStartIsWaitedForOnce) {
  const auto was_starting = await(starting(2));
  ASSERT_TRUE(was_starting);
  EXPECT_TRUE(*was_starting);
  EXPECT_FALSE(is_waited_for());
}

TEST_F(FirstAnswer, WhoServesIsAskedNothingMore) {
  const auto was_starting = await(starting(0));
  ASSERT_TRUE(was_starting);
  EXPECT_FALSE(*was_starting);
  EXPECT_EQ(conversation_->sent.size(), 1U);
}

TEST_F(FirstAnswer, WhoStartsForLongerThanAnybodyWaitsIsToldWithWhatItSays) {
  options_.command = {"program"};
  options_.start_timeout = milliseconds(1);
  const auto was_starting = await(starting(1'000'000));
  ASSERT_FALSE(was_starting);
  EXPECT_NE(was_starting.error().message.find("still loading"), std::string::npos);
  EXPECT_NE(was_starting.error().message.find("--start-timeout"), std::string::npos);
}

// Of the next program nobody would know whether it has come up.
TEST_F(FirstAnswer, AProgramThatRefusesByTheSameCodeWhatItDoesNotKnowIsNotTried) {
  options_.command = {"program"};
  EXPECT_FALSE(await(starting(1, -32000)));
  options_.command.clear();
  EXPECT_TRUE(await(starting(1, -32000)));
}

dialogue::Exchange answered_with(const std::string& error) {
  dialogue::Exchange exchange;
  exchange.replies.push_back({R"({"jsonrpc":"2.0","error":)" + error + R"(,"id":1})", 0});
  return exchange;
}

TEST_F(FirstAnswer, WhoSaysThatItWantsAHandshakeIsNotTestedWithoutOne) {
  for (const int code : {-32002, -32600, -32000}) {
    const auto refused =
        refusal_without_handshake(answered_with(R"({"code":)" + std::to_string(code) +
                                                R"(,"message":"Server not initialized"})"),
                                  options_);
    ASSERT_TRUE(refused) << code;
    EXPECT_NE(refused->message.find("wants a handshake"), std::string::npos) << refused->message;
    EXPECT_NE(refused->message.find("--opening mcp"), std::string::npos) << refused->message;
    EXPECT_NE(refused->message.find("--opening FILE"), std::string::npos) << refused->message;
  }
}

// A code alone may mean something else, and who has been given a handshake answers wrongly.
TEST_F(FirstAnswer, WhoDoesNotSaySoIsTested) {
  EXPECT_FALSE(refusal_without_handshake(
      answered_with(R"({"code":-32002,"message":"No such method"})"), options_));
  EXPECT_FALSE(refusal_without_handshake(
      answered_with(R"({"code":-32601,"message":"No such method: session id"})"), options_));
  options_.opening.messages = {"{}"};
  EXPECT_FALSE(refusal_without_handshake(
      answered_with(R"({"code":-32002,"message":"Server not initialized"})"), options_));
}

class Ending : public run::FakeConversation {
 public:
  explicit Ending(dialogue::SurvivalCheck check)
      : FakeConversation(nullptr), check_(std::move(check)) {}
  dialogue::SurvivalCheck check_survival(dialogue::Transcript&) override { return check_; }

 private:
  dialogue::SurvivalCheck check_;
};

TEST_F(FirstAnswer, AnEndBeforeAnyIsToldWithWhatTheProgramHasSaid) {
  dialogue::Exchange none;
  none.ending = dialogue::Ending::exited;
  Ending ended({dialogue::Survival::dead, "the program exited with code 3", "no such file"});
  EXPECT_FALSE(early_end(none, ended, options_));
  options_.command = {"program"};
  const auto end = early_end(none, ended, options_);
  ASSERT_TRUE(end);
  EXPECT_NE(end->message.find("'program' ended before it answered a call"), std::string::npos);
  EXPECT_NE(end->message.find("exited with code 3"), std::string::npos);
  EXPECT_NE(end->message.find("no such file"), std::string::npos);
}

TEST_F(FirstAnswer, WhoLivesOnOrHasAnsweredHasNotEndedEarly) {
  options_.command = {"program"};
  dialogue::Exchange none;
  none.ending = dialogue::Ending::closed;
  Ending alive({dialogue::Survival::alive, "", ""});
  EXPECT_FALSE(early_end(none, alive, options_));
  Ending ended({dialogue::Survival::dead, "the program exited with code 3", ""});
  none.replies.push_back({dialogue::Message("{}"), 0});
  EXPECT_FALSE(early_end(none, ended, options_));
}

}  // namespace first_answer_test
}  // namespace jrpcheck::fuzz
