// Conversations with servers that stop serving, and are scripted.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "json/parse.hpp"
#include "session/stream_survival_for_testing.hpp"

namespace jrpcheck::session {
namespace stream_survival_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::HopelessServerTest;
using testing::kNotification;
using testing::Pieces;
using testing::Script;
using testing::silence;
using testing::step;
using testing::StreamSurvivalTest;
using testing::texts_of;
using Texts = std::vector<std::string>;

Pieces say_nothing(const std::string&) { return {}; }

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

// Answers control calls under no id, under null or under another one each time, others rightly.
Script answering_control_calls_with(const std::string& member) {
  return [=](const std::string& line) {
    if (!testing::is_control(line)) return answer_calls(line);
    const std::string id = member == "next" ? "\"id\":" + testing::id_in(line) + "1," : member;
    return Pieces{"{" + id + R"("jsonrpc":"2.0","result":{}})" + "\n"};
  };
}

TEST_F(StreamSurvivalTest, ServerWhoseAnswersToControlCallsAllHaveOtherIdsServes) {
  for (const char* member : {"", R"("id":null,)", "next"}) {
    for (const bool has_returned_an_id : {true, false}) {
      converse_with({answering_control_calls_with(member)});
      if (has_returned_an_id) exchange(step({call("7")}));
      const std::size_t known = answers_with_other_ids(transcript_);
      const auto found = check();
      EXPECT_EQ(found.survival, dialogue::Survival::alive) << member << has_returned_an_id;
      EXPECT_FALSE(found.answered_meanwhile) << member << has_returned_an_id;
      EXPECT_EQ(answers_with_other_ids(transcript_), known + 2) << member << has_returned_an_id;
    }
  }
}

// Returns of each number as an id what 16 bits hold of it.
Pieces answer_in_16_bits(const std::string& line) {
  const auto call = json::parse(line);
  const json::Value* id = call ? call.value->find("id") : nullptr;
  if (id == nullptr) return {};
  const auto cut = std::to_string(std::stoll(id->text()) % 65536);
  return {R"({"jsonrpc":"2.0","result":{},"id":)" + cut + "}\n"};
}

TEST_F(StreamSurvivalTest, ServerWhoseIdsHave16BitsAnswersEachControlCallAtOnce) {
  converse_with({answer_in_16_bits});
  exchange(step({call("7")}));
  const dialogue::Exchange got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_EQ(answers_with_other_ids(transcript_), 2U);
  EXPECT_EQ(exchange(step({call("65543")})).replies.size(), 1U);
}

TEST_F(StreamSurvivalTest, NotificationIsNotAnsweredByWhatControlCallsAreAnsweredUnderOtherIds) {
  converse_with({answering_control_calls_with("next")});
  exchange(step({call("7")}));
  const dialogue::Exchange got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_EQ(answers_with_other_ids(transcript_), 2U);
}

// Answers so many control calls rightly and the others by an error with this code and without an
// id.
Script failing_control_calls_with(const std::string& code, int behind) {
  return [=, left = behind](const std::string& line) mutable {
    if (!testing::is_control(line) || left-- > 0) return answer_calls(line);
    return Pieces{R"({"jsonrpc":"2.0","id":null,"error":{"message":"x","code":)" + code + "}}\n"};
  };
}

// It may say of what was sent before that nobody can read it.
TEST_F(StreamSurvivalTest, ErrorsWithoutAnIdAreNoSignThatTheServerServesWhereNoCallWasRead) {
  for (const char* code : {"-32700", "-32600"}) {
    converse_with({failing_control_calls_with(code, 1), answer_calls});
    EXPECT_EQ(check().survival, dialogue::Survival::alive);
    EXPECT_NE(check().survival, dialogue::Survival::alive) << code;
  }
}

TEST_F(StreamSurvivalTest, NorAreErrorsOfCallsOfWhoHasNeverReturnedTheIdOfAControlCall) {
  converse_with({failing_control_calls_with("-32601", 0), answer_calls});
  EXPECT_NE(check().survival, dialogue::Survival::alive);
}

TEST_F(StreamSurvivalTest, ErrorsOfCallsWithoutAnIdShowThatTheServerServes) {
  converse_with({failing_control_calls_with("-32601", 1)});
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_EQ(answers_with_other_ids(transcript_), 2U);
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

TEST_F(StreamSurvivalTest, AMessageThatIsTooLongForUsIsToldAsThatAndNotAsSilence) {
  converse_with({[](const std::string& line) {
    return testing::is_control(line) ? answer_calls(line)
                                     : Pieces{std::string(5U << 20, ' ') + "\n"};
  }});
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.beyond_limit, "a line is longer than 4194304 bytes");
  EXPECT_EQ(got.detail, "more came than jrpcheck reads: " + got.beyond_limit);
  EXPECT_TRUE(got.replies.empty());
}

TEST_F(StreamSurvivalTest, ServerThatListensNoMoreIsDeafAndStartedAgain) {
  converse_with({say_nothing, answer_calls});
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_EQ(survival.detail, "the program runs, and answers nothing on this stream any more");
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_TRUE(serves());
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
  std::vector<std::string> notes;
  for (const auto& event : transcript_.whole()) notes.push_back(event.note);
  EXPECT_EQ(notes, (std::vector<std::string>{"control call", "the control call was not answered",
                                             "control call", "the control call was not answered",
                                             "control call", "on another connection"}));
  EXPECT_TRUE(serves());
}

TEST_F(HopelessServerTest, SharedServerThatAnswersNoConnectionIsWedged) {
  converse_with({say_nothing}).share();
  ASSERT_TRUE(conversation_->open(transcript_));
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::wedged);
  EXPECT_EQ(survival.detail,
            "connections are accepted and no call is answered on them; "
            "it came back and answers no call");
  EXPECT_FALSE(conversation_->usable());
}

TEST_F(HopelessServerTest, ServerThatStaysDeafIsNotUsable) {
  converse_with({say_nothing});
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_NE(survival.detail.find("started again it answers no call"), std::string::npos);
  EXPECT_FALSE(conversation_->usable());
}

TEST_F(HopelessServerTest, StepOnAServerThatCannotBeHadIsToldAsExit) {
  converse_with({say_nothing}).how_it_ended = transport::ExitStatus{.value = 1};
  check();
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::exited);
  EXPECT_EQ(got.detail, "the program exited with code 1; started again it answers no call");
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

// A server that reads one message each time: what comes together with it is answered when the next
// comes, or is lost then.
TEST_F(StreamSurvivalTest, ServerThatHoldsAnswersBackServesTheConnection) {
  for (const bool is_lost : {false, true}) {
    converse_with({[is_lost, held = Pieces{}, calls = 0](const std::string& line) mutable {
                     if (!testing::is_control(line)) return answer_calls(line);
                     ++calls;
                     if (is_lost && calls > 2) return answer_calls(line);
                     return std::exchange(held, answer_calls(line));
                   },
                   answer_calls});
    const auto got = exchange(step({call("7")}, testing::response(), silence()));
    EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
    const auto survival = check();
    EXPECT_EQ(survival.survival, dialogue::Survival::alive) << is_lost;
    EXPECT_TRUE(survival.answers_next) << is_lost;
    EXPECT_EQ(conversation_->server_generation(), 2U) << "what it holds back answers nothing else";
    EXPECT_TRUE(serves());
  }
}

// As by a server that takes up its next message when the one behind it has come.
TEST_F(StreamSurvivalTest, AnswerThatIsHeldBackUntilMoreIsSentIsNotOfASlowServer) {
  converse_with({[held = Pieces{}, is_first = true](const std::string& line) mutable {
    if (testing::is_control(line) && std::exchange(is_first, false)) {
      held = answer_calls(line);
      return Pieces{};
    }
    Pieces said = std::exchange(held, {});
    for (auto& each : answer_calls(line)) said.push_back(std::move(each));
    return said;
  }});
  EXPECT_EQ(exchange(step({kNotification}, silence())).ending, dialogue::Ending::timed_out);
  const auto survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::alive);
  EXPECT_TRUE(survival.answered_meanwhile);
  EXPECT_FALSE(survival.was_slow);
}

// Which it does with each, or until the third control call has come: then it was only slow.
TEST_F(StreamSurvivalTest, ServerThatKeepsAnswersBackIsToldFromOneThatIsSlow) {
  constexpr int kForEver = 1000;
  for (const int messages : {3, kForEver}) {
    converse_with({[messages, held = Pieces{}, heard = 0](const std::string& line) mutable {
      Pieces said = std::exchange(held, answer_calls(line));
      if (++heard > messages) {
        for (auto& each : std::exchange(held, {})) said.push_back(std::move(each));
      }
      return said;
    }});
    const auto got = exchange(step({call("7")}));
    const bool is_slow = messages != kForEver;
    EXPECT_EQ(got.held_back, !is_slow);
    EXPECT_EQ(texts_of(got.replies), is_slow ? Texts{answer("7")} : Texts{});
    EXPECT_EQ(patience_.for_answer(true) == patience_.timeout(), is_slow);
    patience_.forgive();
  }
}

// It answers what came before it fell silent.
TEST_F(StreamSurvivalTest, AnswerToACallBeforeIsNoSignThatTheServerServes) {
  converse_with({[held = Pieces{}, calls = 0](const std::string& line) mutable {
                   if (!testing::is_control(line)) return answer_calls(line);
                   return ++calls > 2 ? Pieces{} : std::exchange(held, answer_calls(line));
                 },
                 answer_calls});
  exchange(step({call("7")}, testing::response(), silence()));
  const auto survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_FALSE(survival.answers_next);
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

}  // namespace stream_survival_test
}  // namespace jrpcheck::session
