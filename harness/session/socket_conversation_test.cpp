// Conversations with servers whose connections come and go.
#include "session/socket_conversation.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "session/stream_for_testing.hpp"

namespace jrpcheck::session {
namespace socket_conversation_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::id_in;
using testing::is_control;
using testing::kEnd;
using testing::kNotification;
using testing::Pieces;
using testing::response;
using testing::Script;
using testing::silence;
using testing::step;
using testing::texts_of;
using Texts = std::vector<std::string>;

Pieces answer_and_close(const std::string& line) { return {answer(id_in(line)), kEnd}; }

class SocketConversationTest : public ::testing::Test {
 protected:
  explicit SocketConversationTest(microseconds timeout = milliseconds(400), bool is_hasty = false)
      : patience_(timeout), is_hasty_(is_hasty) {}

  void converse_with(std::vector<Script> scripts) {
    auto peer = std::make_shared<testing::ScriptedPeer>(std::move(scripts));
    peer->share();
    StreamSettings settings;
    settings.binding = &wire::on_sockets(wire::known_binding("lines"));
    settings.control = {"control", ""};
    settings.is_hasty = is_hasty_;
    patience_.note_first_answer();
    conversation_ = make_socket_conversation(std::move(peer), std::move(settings), patience_);
    ASSERT_TRUE(conversation_->open(transcript_));
    conversation_->begin_case(testing::kFirstControlId);
  }
  dialogue::Exchange exchange(const corpus::Step& one) {
    return conversation_->exchange(one, transcript_);
  }
  Texts sent() const {
    Texts texts;
    for (const auto& event : transcript_.whole()) {
      const bool counts = event.direction == dialogue::Direction::sent && event.note.empty();
      if (counts) texts.push_back(event.bytes);
    }
    return texts;
  }

  Patience patience_;
  bool is_hasty_;
  dialogue::Transcript transcript_;
  std::unique_ptr<Conversation> conversation_;
};

TEST_F(SocketConversationTest, ServerThatClosesAfterEachAnswerIsCalledOnNewConnections) {
  converse_with({answer_and_close});
  const auto first = exchange(step({call("7")}));
  EXPECT_EQ(texts_of(first.replies), Texts{answer("7")});
  EXPECT_FALSE(first.on_new_connection);
  EXPECT_TRUE(conversation_->usable());
  const auto second = exchange(step({call("8")}));
  EXPECT_EQ(second.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(second.replies), Texts{answer("8")});
  EXPECT_TRUE(second.on_new_connection);
  EXPECT_EQ(conversation_->check_survival(transcript_).survival, dialogue::Survival::alive);
}

// The end comes only when the next call has been sent.
TEST_F(SocketConversationTest, WhatIsSentOnAConnectionThatIsClosedMeanwhileIsSentAgain) {
  bool is_first = true;
  const Script closes_late = [&is_first](const std::string& line) {
    return std::exchange(is_first, false) ? answer_calls(line) : Pieces{kEnd};
  };
  converse_with({closes_late, answer_calls});
  exchange(step({call("7")}));
  const auto second = exchange(step({call("8")}));
  EXPECT_EQ(texts_of(second.replies), Texts{answer("8")});
  EXPECT_TRUE(second.on_new_connection);
  EXPECT_EQ(sent(), (Texts{call("7") + "\n", call("8") + "\n"}));
}

TEST_F(SocketConversationTest, CallsTogetherOfWhichAUsedConnectionServesSomeAreSentAgain) {
  int calls = 0;
  const Script two_at_most = [&calls](const std::string& line) {
    Pieces pieces = answer_calls(line);
    if (++calls == 2) pieces.push_back(kEnd);
    return pieces;
  };
  converse_with({two_at_most, answer_calls});
  exchange(step({call("7")}));
  const auto got = exchange(
      step({call("8"), call("9")}, testing::outcome(corpus::Outcome::Shape::responses, 2)));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), (Texts{answer("8"), answer("9")}));
  EXPECT_TRUE(got.on_new_connection);
  EXPECT_EQ(sent(), (Texts{call("7") + "\n", call("8") + "\n" + call("9") + "\n"}));
}

TEST_F(SocketConversationTest, AndNotOnAFreshOne) {
  converse_with({answer_and_close});
  const auto got = exchange(
      step({call("8"), call("9")}, testing::outcome(corpus::Outcome::Shape::responses, 2)));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("8")});
}

TEST_F(SocketConversationTest, CloseAfterANotificationIsSilenceWhereOtherConnectionsAreServed) {
  converse_with({[](const std::string& line) {
    return is_control(line) ? answer_calls(line) : Pieces{kEnd};
  }});
  const auto got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(got.detail, "the server closed the connection");
  EXPECT_TRUE(got.control_answered);
  EXPECT_EQ(got.control_answer + "\n", answer("5000900"));
}

// What would come later still would answer the next case.
TEST_F(SocketConversationTest, ServerWhoseAnswersWereOvertakenIsWaitedForLonger) {
  converse_with({[](const std::string& line) {
    return is_control(line) ? Pieces{answer(id_in(line)), answer("null")} : Pieces{};
  }});
  EXPECT_EQ(patience_.tail(), milliseconds(3));
  EXPECT_EQ(texts_of(exchange(step({kNotification}, silence())).replies), Texts{answer("null")});
  EXPECT_EQ(patience_.tail(), milliseconds(50));
}

TEST_F(SocketConversationTest, CallThatIsAnsweredByACloseIsNotSentTwiceOnAFreshConnection) {
  converse_with({[](const std::string& line) {
    return is_control(line) ? answer_calls(line) : Pieces{kEnd};
  }});
  const auto got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_EQ(sent(), Texts{call("7") + "\n"});
}

TEST_F(SocketConversationTest, CloseIsNoSilenceWhereNothingServes) {
  converse_with({[](const std::string&) { return Pieces{kEnd}; }});
  const auto got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_FALSE(got.control_answered);
}

TEST_F(SocketConversationTest, CallsSideBySideHaveAConnectionEach) {
  converse_with({answer_calls});
  auto calls = step({call("7"), call("8")});
  calls.concurrently = true;
  const auto got = exchange(calls);
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  ASSERT_EQ(got.replies.size(), 2U);
  for (const auto& reply : got.replies) {
    ASSERT_TRUE(reply.call);
    EXPECT_EQ(reply.text() + "\n", answer(*reply.call == 0 ? "7" : "8"));
  }
}

// As patient as it takes to read megabytes.
class LongAnswerTest : public SocketConversationTest {
 protected:
  LongAnswerTest() : SocketConversationTest(milliseconds(10'000)) {}
};

TEST_F(LongAnswerTest, SideBySideThatIsLongerThanIsReadIsToldAsThat) {
  converse_with({[](const std::string& line) {
    constexpr std::size_t kTooLong = 5U << 20;
    return line == call("7") ? Pieces{std::string(kTooLong, 'x') + "\n"} : answer_calls(line);
  }});
  auto calls = step({call("7"), call("8")});
  calls.concurrently = true;
  const auto got = exchange(calls);
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(got.beyond_limit, "a line is longer than 4194304 bytes");
  EXPECT_EQ(got.detail, "more came than jrpcheck reads: " + got.beyond_limit);
  // It is no rule of the framing that is broken, and no answer that is missing.
  EXPECT_TRUE(got.noise.empty());
  EXPECT_EQ(patience_.for_answer(true), patience_.timeout());
}

TEST_F(SocketConversationTest, EachCallSideBySideIsReadThoughAnotherIsAnsweredTwice) {
  converse_with({[](const std::string& line) {
    const Pieces once = answer_calls(line);
    return line == call("7") ? Pieces{once.front() + once.front()} : once;
  }});
  auto calls = step({call("7"), call("8")});
  calls.concurrently = true;
  const auto got = exchange(calls);
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  const auto answers_to = [&got](std::size_t call) {
    return std::count_if(got.replies.begin(), got.replies.end(),
                         [call](const auto& reply) { return reply.call == call; });
  };
  EXPECT_EQ(answers_to(0), 2);
  EXPECT_EQ(answers_to(1), 1);
}

TEST_F(SocketConversationTest, StepsBehindOneThatIsHeldGoOnAnotherConnection) {
  int connections = 0;
  converse_with({[&connections](const std::string& line) {
    if (line == call("8")) ++connections;
    return answer_calls(line);
  }});
  auto half = step({R"({"jsonrpc":"2.0","method":)"}, silence());
  half.raw = true;
  half.then = corpus::Step::Then::hold;
  const auto held = exchange(half);
  EXPECT_EQ(held.ending, dialogue::Ending::settled);
  EXPECT_TRUE(held.replies.empty());
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), Texts{answer("8")});
  EXPECT_EQ(connections, 1);
}

// So long a wait that the scripted stream throws where it is waited for.
corpus::Outcome charged_silence() {
  auto one = silence();
  one.verdict = corpus::Verdict::warn;
  return one;
}

TEST_F(SocketConversationTest, WhereSilenceIsChargedTheAnswerToALongMessageIsWaitedFor) {
  converse_with({answer_calls});
  const std::string brackets(20'000, '[');
  EXPECT_TRUE(exchange(step({brackets}, silence(), response())).replies.empty());
  EXPECT_EQ(patience_.waits_in_vain(), 0U);
  EXPECT_TRUE(exchange(step({brackets}, charged_silence(), response())).control_answered);
  EXPECT_EQ(patience_.waits_in_vain(), 1U);
}

TEST_F(SocketConversationTest, SoIsThatToAShortOneOnceAnAnswerWasOvertaken) {
  converse_with({answer_calls});
  exchange(step({"{"}, charged_silence(), response()));
  EXPECT_EQ(patience_.waits_in_vain(), 0U);
  patience_.note_overtaking();
  exchange(step({"{"}, silence(), response()));
  EXPECT_EQ(patience_.waits_in_vain(), 0U);
  EXPECT_TRUE(exchange(step({"{"}, charged_silence(), response())).control_answered);
  EXPECT_EQ(patience_.waits_in_vain(), 1U);
}

class HastyConversationTest : public SocketConversationTest {
 protected:
  HastyConversationTest() : SocketConversationTest(std::chrono::hours(1), true) {}
};

TEST_F(HastyConversationTest, LeavesACallAloneOnceOneBehindItIsAnswered) {
  converse_with(
      {[](const std::string& line) { return line == call("7") ? Pieces{} : answer_calls(line); }});
  const auto got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_TRUE(got.control_answered);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_EQ(got.detail.find("shortened"), std::string::npos) << got.detail;
  // Who is to wait with all patience has missed nothing by that.
  EXPECT_EQ(patience_.for_answer(true), patience_.timeout());
}

TEST_F(HastyConversationTest, TakesAnAnswerThatIsOvertaken) {
  converse_with({[](const std::string& line) {
    return is_control(line) ? Pieces{answer(id_in(line)) + answer("7")} : Pieces{};
  }});
  const auto got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
}

}  // namespace socket_conversation_test
}  // namespace jrpcheck::session
