// Conversations with programs that stop serving: scripted ones, and small real ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "session/stream_conversation.hpp"
#include "session/stream_for_testing.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::session {
namespace stream_survival_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::kNotification;
using testing::Pieces;
using testing::Script;
using testing::silence;
using testing::step;
using testing::texts_of;
using Texts = std::vector<std::string>;

Pieces say_nothing(const std::string&) { return {}; }

// Answers each line whose last member is the id; `habit` may do something else first.
std::string shell_server(const std::string& habit) {
  return "while read -r line; do " + habit +
         R"( id=${line##*\"id\":}; echo "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":${id%\}}}"; done)";
}

class StreamSurvivalTest : public ::testing::Test {
 protected:
  // What a test waits for in vain costs these; what is awaited from a real program may need them.
  explicit StreamSurvivalTest(microseconds timeout = milliseconds(400),
                              microseconds start_up = Patience::kStartUp)
      : patience_(timeout, start_up) {}

  void SetUp() override {
    transport::ignore_broken_pipes();
    patience_.note_first_answer();
  }

  void converse(std::shared_ptr<transport::Peer> peer) {
    StreamSettings settings;
    settings.control = {"control", ""};
    conversation_ = make_stream_conversation(std::move(peer), std::move(settings), patience_);
    ASSERT_TRUE(conversation_->open(transcript_));
    conversation_->begin_case(testing::kFirstControlId);
  }
  testing::ScriptedPeer& converse_with(std::vector<Script> scripts) {
    auto peer = std::make_shared<testing::ScriptedPeer>(std::move(scripts));
    auto& scripted = *peer;
    converse(std::move(peer));
    return scripted;
  }
  void converse_with_shell(const std::string& script) {
    auto guardian = transport::Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
    converse(transport::make_program_peer({"/bin/sh", "-c", script}, *guardian_));
  }

  dialogue::Exchange exchange(const corpus::Step& one) {
    return conversation_->exchange(one, transcript_);
  }
  dialogue::SurvivalCheck check() { return conversation_->check_survival(transcript_); }
  bool serves() { return exchange(step({call("9")})).replies.size() == 1; }

  Patience patience_;
  std::unique_ptr<transport::Guardian> guardian_;
  std::unique_ptr<Conversation> conversation_;
  dialogue::Transcript transcript_;
};

class HopelessServerTest : public StreamSurvivalTest {
 protected:
  HopelessServerTest() : StreamSurvivalTest(milliseconds(100), microseconds(1)) {}
};

TEST_F(StreamSurvivalTest, ServerThatAnswersTheControlCallIsAlive) {
  converse_with({answer_calls});
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_TRUE(conversation_->usable());
  EXPECT_EQ(conversation_->server_generation(), 1U);
}

// Answers the first control call with these before its own answer, or in place of it.
Script first_answering(const Pieces& pieces, bool with_its_own) {
  return [=, is_first = true](const std::string& line) mutable {
    const bool is_it = testing::is_control(line) && std::exchange(is_first, false);
    Pieces all = is_it ? pieces : Pieces{};
    if (is_it && !with_its_own) return all;
    for (const auto& each : answer_calls(line)) all.push_back(each);
    return all;
  };
}

std::size_t answers_with_other_ids(const dialogue::Transcript& transcript) {
  const auto& events = transcript.events();
  return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [](const auto& each) {
    return each.direction == dialogue::Direction::unasked && each.note == dialogue::kOtherIdNote;
  }));
}

TEST_F(StreamSurvivalTest, AnswerToTheControlCallWithAnotherIdShowsThatTheServerServes) {
  for (const char* id : {"777", "7"}) {
    converse_with({first_answering({answer(id)}, false)});
    exchange(step({call("7")}));
    exchange(step({call("8")}));
    const std::size_t known = answers_with_other_ids(transcript_);
    EXPECT_EQ(check().survival, dialogue::Survival::alive) << id;
    EXPECT_EQ(answers_with_other_ids(transcript_), known + 1) << id;
    EXPECT_TRUE(conversation_->take_late_answers().empty()) << id;
  }
}

TEST_F(StreamSurvivalTest, AnswerToTheControlCallWithAnotherIdAnswersNoNotification) {
  converse_with({first_answering({answer("777")}, false)});
  exchange(step({call("7")}));
  const dialogue::Exchange got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_EQ(answers_with_other_ids(transcript_), 1U);
}

TEST_F(StreamSurvivalTest, AnswerBesideThatToTheControlCallAnswersTheNotification) {
  converse_with({first_answering({answer("777")}, true)});
  exchange(step({call("7")}));
  EXPECT_EQ(texts_of(exchange(step({kNotification}, silence())).replies), Texts{answer("777")});
  EXPECT_EQ(answers_with_other_ids(transcript_), 0U);
}

TEST_F(StreamSurvivalTest, MissingAnswerIsTimedOutAndShortensLaterWaits) {
  converse_with({[](const std::string& line) {
    return testing::is_control(line) ? answer_calls(line) : Pieces{};
  }});
  const dialogue::Exchange got = exchange(step({"{"}));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(got.detail.rfind("no answer in ", 0), 0U) << got.detail;
  EXPECT_NE(got.detail.find(", while a later call was answered"), std::string::npos);
  EXPECT_TRUE(got.control_answered);
  EXPECT_LT(patience_.for_answer(false), patience_.timeout());
  EXPECT_EQ(patience_.waits_in_vain(), 1U);
  EXPECT_EQ(patience_.for_answer(true), patience_.timeout());
}

TEST_F(StreamSurvivalTest, ServerThatListensNoMoreIsDeafAndStartedAgain) {
  converse_with({say_nothing, answer_calls});
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_EQ(survival.detail, "the program runs, and answers nothing on this stream any more");
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_TRUE(serves());
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

// The answer comes while the new process is asked whether it serves: the old one was only slower
// than the bound.
TEST_F(StreamSurvivalTest, ServerThatAnswersWhileANewOneComesUpIsNotDeaf) {
  testing::ScriptedPeer* peer = nullptr;
  std::string pending;
  peer = &converse_with({[&](const std::string& line) {
                           pending = testing::id_in(line);
                           return Pieces{};
                         },
                         [&](const std::string& line) {
                           if (!pending.empty()) peer->former()->say({answer(pending)});
                           pending.clear();
                           return answer_calls(line);
                         }});
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_EQ(patience_.for_control(), patience_.timeout());
  EXPECT_EQ(peer->former(), nullptr);
  EXPECT_TRUE(serves());
}

// Node takes a third of a second to come up. Were that taken for its pace, each silence would cost
// four times as much.
TEST_F(StreamSurvivalTest, TimeToComeUpIsNotThePaceOfAServer) {
  constexpr milliseconds kComingUp{40};
  bool is_up = false;
  converse_with({[&](const std::string& line) {
    if (!is_up) transport::wait_until(Deadline::in(kComingUp));
    is_up = true;
    return answer_calls(line);
  }});
  ASSERT_TRUE(serves());
  patience_.note_missing_control();
  EXPECT_LT(patience_.for_control(), 2 * kComingUp);
}

// It dumps core while a new process is asked whether it serves.
TEST_F(StreamSurvivalTest, ServerThatDiesWhileANewOneComesUpIsDead) {
  auto& peer = converse_with({say_nothing, answer_calls});
  peer.how_former_ended = transport::ExitStatus{.by_signal = true, .value = 11};
  peer.standard_error = "stack dump";
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::dead);
  EXPECT_EQ(survival.detail, "the program was killed by signal 11 (Segmentation fault)");
  EXPECT_EQ(survival.standard_error, "stack dump");
  EXPECT_TRUE(serves());
}

// A machine so busy that an answer comes only when the shorter bound has passed.
TEST_F(StreamSurvivalTest, AnswerThatComesWhileItIsAskedWhetherTheServerServesIsSeen) {
  // Of a program that has said nothing yet two are made, with params and without.
  const std::string first_control = std::to_string(testing::kFirstControlId);
  const std::string second_control = std::to_string(testing::kFirstControlId + 1);
  bool is_late = true;
  converse_with({[&](const std::string& line) {
    const std::string id = testing::id_in(line);
    const bool is_held = id == "7" || id == first_control || id == second_control;
    if (is_late && is_held) return Pieces{};
    Pieces said;
    if (is_late) said = {answer("7"), answer(first_control), answer(second_control)};
    is_late = false;
    said.push_back(answer(id));
    return said;
  }});
  patience_.note_missing_answer(true);
  patience_.note_missing_control();
  EXPECT_EQ(exchange(step({call("7")})).ending, dialogue::Ending::timed_out);
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::alive);
  EXPECT_TRUE(survival.answered_meanwhile);
  EXPECT_FALSE(check().answered_meanwhile);
}

// As over TCP: what has closed a connection serves on, and a new connection tells it.
TEST_F(StreamSurvivalTest, ConnectionThatASharedServerClosesIsNotItsEnd) {
  auto& peer = converse_with({[](const std::string& line) {
                                return line == "{" ? Pieces{testing::kEnd} : answer_calls(line);
                              },
                              answer_calls});
  peer.share();
  ASSERT_TRUE(conversation_->open(transcript_));
  peer.stream().say({testing::kEnd});
  EXPECT_TRUE(serves());
  EXPECT_FALSE(conversation_->take_unseen_death());
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
}

TEST_F(StreamSurvivalTest, ConnectionOfASharedServerThatListensNoMoreIsDeaf) {
  auto& peer = converse_with({answer_calls, say_nothing, answer_calls});
  peer.share();
  ASSERT_TRUE(conversation_->open(transcript_));
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_EQ(survival.detail, "the connection stands and answers calls no more; a new one works");
  EXPECT_TRUE(serves());
}

TEST_F(HopelessServerTest, SharedServerThatAnswersNoConnectionIsWedged) {
  converse_with({say_nothing}).share();
  ASSERT_TRUE(conversation_->open(transcript_));
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::wedged);
  EXPECT_EQ(survival.detail,
            "connections are accepted and no call is answered on them; "
            "it came back and answers nothing");
  EXPECT_FALSE(conversation_->usable());
}

TEST_F(HopelessServerTest, ServerThatStaysDeafIsNotUsable) {
  converse_with({say_nothing});
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_NE(survival.detail.find("started again it answers nothing"), std::string::npos);
  EXPECT_FALSE(conversation_->usable());
}

TEST_F(HopelessServerTest, StepOnAServerThatCannotBeHadIsToldAsExit) {
  converse_with({say_nothing}).how_it_ended = transport::ExitStatus{.value = 1};
  check();
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::exited);
  EXPECT_EQ(got.detail, "the program exited with code 1; started again it answers nothing");
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

// A server that serves may leave out one.
TEST_F(HopelessServerTest, ControlCallThatAloneIsLeftOutIsToldFromOneOfMany) {
  const Script all_left_out = [](const std::string& line) {
    return testing::is_control(line) ? Pieces{} : answer_calls(line);
  };
  for (const bool is_alone : {true, false}) {
    converse_with({is_alone ? first_answering({}, false) : all_left_out, answer_calls});
    exchange(step({call("7")}));
    const auto left_out = check();
    EXPECT_EQ(left_out.survival, dialogue::Survival::deaf);
    EXPECT_EQ(left_out.answers_next, is_alone);
  }
}

class SilentServerTest : public StreamSurvivalTest {
 protected:
  SilentServerTest() : StreamSurvivalTest(milliseconds(100), milliseconds(300)) {}
  void SetUp() override { transport::ignore_broken_pipes(); }
};

TEST_F(SilentServerTest, StartUpIsWaitedForOnceAndThenNoMore) {
  converse_with({say_nothing});
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(got.detail.rfind("no answer in ", 0), 0U) << got.detail;
  EXPECT_EQ(check().survival, dialogue::Survival::deaf);
  // One for the call, one for the control call; a new process is not waited for.
  EXPECT_EQ(patience_.waits_in_vain(), 2U);
  EXPECT_TRUE(conversation_->usable());
  EXPECT_EQ(patience_.for_answer(true), milliseconds(100));
}

TEST_F(SilentServerTest, FirstBytesEndTheStartUpEvenIfTheyAreNoMessage) {
  converse_with({[](const std::string&) { return Pieces{"no line feed"}; }});
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_FALSE(patience_.is_starting());
}

TEST_F(StreamSurvivalTest, LargeMessageThroughARealPipeComesBackWhole) {
  converse_with_shell("exec cat");
  const std::string large = R"({"result":")" + std::string(3U << 20, 'x') + R"(","id":7})";
  const dialogue::Exchange got = exchange(step({large}));
  ASSERT_EQ(got.replies.size(), 1U);
  EXPECT_TRUE(got.replies[0].text() == large);
}

}  // namespace stream_survival_test
}  // namespace jrpcheck::session
