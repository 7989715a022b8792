// Conversations with small real programs that stop serving.
#include <gtest/gtest.h>

#include <string>

#include "session/stream_survival_for_testing.hpp"

namespace jrpcheck::session {
namespace program_survival_test {

using testing::call;
using testing::HopelessServerTest;
using testing::kNotification;
using testing::silence;
using testing::step;
using testing::StreamSurvivalTest;

// Answers each line whose last member is the id; `habit` may do something else first.
std::string shell_server(const std::string& habit) {
  return "while read -r line; do " + habit +
         R"( id=${line##*\"id\":}; echo "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":${id%\}}}"; done)";
}

// It is asked with params as well while it comes up. What it answers to that says nothing of later.
TEST_F(StreamSurvivalTest, ServerThatCameUpSlowlyAndFallsSilentLaterIsDeaf) {
  converse_with_shell(
      "sleep 0.3; " +
      shell_server(
          "case $line in *ignored*) continue;; *hang*) while read -r line; do :; done;; esac;"));
  const auto left_out = exchange(step({R"({"jsonrpc":"2.0","method":"ignored","id":1})"}));
  EXPECT_TRUE(left_out.control_answered);
  const auto got = exchange(step({R"({"jsonrpc":"2.0","method":"hang","id":2})"}));
  EXPECT_TRUE(got.replies.empty());
  EXPECT_FALSE(got.control_answered);
  EXPECT_EQ(check().survival, dialogue::Survival::deaf);
}

class SlowServerTest : public StreamSurvivalTest {
 protected:
  SlowServerTest() : StreamSurvivalTest(milliseconds(1000)) {}
};

// What is asked while an answer is waited for is answered one after another.
TEST_F(SlowServerTest, EachOfTheCallsThatWaitHasATimeOfItsOwn) {
  converse_with_shell(shell_server("sleep 0.6;"));
  const auto got = exchange(step({call("7")}));
  EXPECT_EQ(got.replies.size(), 1U);
  EXPECT_FALSE(got.held_back);
  EXPECT_TRUE(got.control_answered);
  EXPECT_EQ(patience_.for_control(), patience_.timeout()) << "nothing was missed";
}

// Another message has hung before, so that the bounds are short: the answer comes long after them,
// and long before the whole timeout.
class SlowOnceTest : public StreamSurvivalTest {
 protected:
  SlowOnceTest() : StreamSurvivalTest(milliseconds(4000)) {}

  void expect_slow_and_not_deaf(const std::string& habit) {
    converse_with_shell(shell_server(habit));
    ASSERT_TRUE(serves());
    patience_.note_missing_control();
    const auto got = exchange(step({R"({"jsonrpc":"2.0","method":"slow","id":2})"}));
    EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
    const auto survival = check();
    EXPECT_EQ(survival.survival, dialogue::Survival::alive);
    EXPECT_TRUE(survival.answered_meanwhile);
    EXPECT_TRUE(survival.was_slow);
    EXPECT_EQ(conversation_->server_generation(), 1U);
  }
};

TEST_F(SlowOnceTest, ProgramIsNotDeafThoughAnotherMessageHasHung) {
  expect_slow_and_not_deaf("case $line in *slow*) sleep 1;; esac;");
}

// What may be left unanswered shows by the control call behind it alone that it was slow.
TEST_F(SlowOnceTest, ProgramThatLeavesTheMessageUnansweredIsNotDeafEither) {
  expect_slow_and_not_deaf("case $line in *slow*) sleep 1; continue;; esac;");
}

// Nothing is said to it before the step.
class BareSessionTest : public StreamSurvivalTest {
 protected:
  BareSessionTest() : StreamSurvivalTest(milliseconds(100), milliseconds(500)) {}

  void converse_without_opening(const std::string& script) {
    auto guardian = transport::Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
    StreamSettings settings;
    settings.control = {"control", ""};
    settings.opening.is_withheld = true;
    conversation_ = make_stream_conversation(
        transport::make_program_peer({"/bin/sh", "-c", script}, *guardian_), std::move(settings),
        patience_);
    ASSERT_TRUE(conversation_->open(transcript_));
    conversation_->begin_case(testing::kFirstControlId);
  }
};

// On a busy machine a start takes longer than it is given.
TEST_F(BareSessionTest, ProgramThatIsStillAtWorkComingUpIsWaitedForUntilItLeaves) {
  converse_without_opening("timeout --foreground 0.8 sh -c 'while :; do :; done'; exit 1");
  const auto got =
      exchange(step({kNotification}, testing::outcome(corpus::Outcome::Shape::exited, 0)));
  EXPECT_EQ(got.ending, dialogue::Ending::exited);
  EXPECT_EQ(got.exit_code, 1);
}

TEST_F(BareSessionTest, ProgramThatIdlesIsGivenNoMoreThanAStart) {
  converse_without_opening("exec sleep 1000");
  const auto begin = Clock::now();
  exchange(step({kNotification}, testing::outcome(corpus::Outcome::Shape::exited, 0)));
  EXPECT_LT(Clock::now() - begin, milliseconds(1400));
}

TEST_F(StreamSurvivalTest, ProgramThatDiesIsDeadWithItsExitCodeAndStandardErrorAndStartedAgain) {
  converse_with_shell(shell_server("case $line in *die*) echo 'cannot parse' >&2; exit 3;; esac;"));
  EXPECT_EQ(exchange(step({"{die"})).ending, dialogue::Ending::exited);
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::dead);
  EXPECT_EQ(survival.detail, "the program exited with code 3");
  EXPECT_EQ(survival.standard_error, "cannot parse\n");
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_TRUE(conversation_->usable());
  EXPECT_TRUE(serves());
}

TEST_F(StreamSurvivalTest, ProgramThatIsKilledIsDeadWithItsSignal) {
  converse_with_shell(shell_server("case $line in *die*) kill -SEGV $$;; esac;"));
  EXPECT_EQ(exchange(step({"{die"}, silence())).ending, dialogue::Ending::exited);
  EXPECT_EQ(check().detail, "the program was killed by signal 11 (Segmentation fault)");
  EXPECT_TRUE(serves());
}

TEST_F(StreamSurvivalTest, ProgramThatClosesItsOutputIsDeaf) {
  converse_with_shell(shell_server("case $line in *die*) exec >&-; sleep 1000;; esac;"));
  EXPECT_EQ(exchange(step({"{die"}, silence())).ending, dialogue::Ending::closed);
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_EQ(survival.detail, "the program runs, and has closed its output");
  EXPECT_TRUE(serves());
}

TEST_F(StreamSurvivalTest, EndOfInputIsNoDeath) {
  converse_with_shell(shell_server(""));
  corpus::Step last = step({call("7")});
  last.end_of_input = true;
  EXPECT_EQ(exchange(last).replies.size(), 1U);
  EXPECT_EQ(check().survival, dialogue::Survival::unasked);
  EXPECT_TRUE(serves());
}

TEST_F(StreamSurvivalTest, EndOfInputThatIsIgnoredCostsNoVerdict) {
  converse_with_shell(shell_server("") + "; exec sleep 1000");
  corpus::Step last = step({kNotification}, silence(), testing::response());
  last.end_of_input = true;
  EXPECT_EQ(exchange(last).ending, dialogue::Ending::settled);
  EXPECT_EQ(check().survival, dialogue::Survival::unasked);
  EXPECT_TRUE(serves());
}

TEST_F(StreamSurvivalTest, EndlessFloodOfLinesEndsTheStepAndIsReported) {
  converse_with_shell(shell_server("case $line in *flood*) exec yes;; esac;"));
  const dialogue::Exchange got = exchange(step({"{flood"}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_TRUE(got.endless) << got.detail;
  EXPECT_LT(got.noise.size(), 20'000U);
  EXPECT_EQ(check().survival, dialogue::Survival::deaf);
  transcript_ = {};  // that of a case is bounded, and it may be full
  EXPECT_TRUE(serves());
}

TEST_F(StreamSurvivalTest, EndlessLineEndsTheStep) {
  converse_with_shell(shell_server("case $line in *flood*) exec cat /dev/zero;; esac;"));
  const dialogue::Exchange got = exchange(step({"{flood"}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(check().survival, dialogue::Survival::deaf);
  EXPECT_TRUE(serves());
}

TEST_F(HopelessServerTest, ProgramThatNeverReadsDoesNotHoldUpALargeMessage) {
  converse_with_shell("exec sleep 1000");
  const dialogue::Exchange got = exchange(step({std::string(1U << 20, 'x')}));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(check().survival, dialogue::Survival::deaf);
}

TEST_F(HopelessServerTest, ProgramThatFloodsAndNeverReadsDoesNotHoldUpALargeMessage) {
  converse_with_shell("exec yes");
  const dialogue::Exchange got = exchange(step({std::string(1U << 20, 'x')}));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_LT(got.noise.size(), 20'000U);
}

TEST_F(StreamSurvivalTest, LargeMessageThroughARealPipeComesBackWhole) {
  converse_with_shell("exec cat");
  const std::string large = R"({"result":")" + std::string(3U << 20, 'x') + R"(","id":7})";
  const dialogue::Exchange got = exchange(step({large}));
  ASSERT_EQ(got.replies.size(), 1U);
  EXPECT_TRUE(got.replies[0].text() == large);
}

}  // namespace program_survival_test
}  // namespace jrpcheck::session
