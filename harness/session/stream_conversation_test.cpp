#include "session/stream_conversation.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "session/stream_for_testing.hpp"

namespace jrpcheck::session {
namespace stream_conversation_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::events_of;
using testing::id_in;
using testing::is_control;
using testing::kNotification;
using testing::outcome;
using testing::Pieces;
using testing::response;
using testing::silence;
using testing::step;
using testing::texts_of;
using Texts = std::vector<std::string>;

class StreamConversationTest : public testing::StreamTest {};

TEST_F(StreamConversationTest, CallIsSettledByItsAnswer) {
  converse(answer_calls);
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
  EXPECT_FALSE(got.control_answered);
  EXPECT_EQ(lines(), Texts{call("7")});
}

TEST_F(StreamConversationTest, SilenceIsToldByTheControlCallAndNotByWaiting) {
  converse(answer_calls);
  const dialogue::Exchange got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_TRUE(got.control_answered);
  EXPECT_EQ(lines(),
            (Texts{kNotification, R"({"jsonrpc":"2.0","method":"control","id":5000000})"}));
}

const std::string kQuestion = R"({"jsonrpc":"2.0","method":"roots/list","id":"r"})";
const std::string kUnknown =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"r"})";

TEST_F(StreamConversationTest, ServerThatAsksItsClientAndWaitsGetsAnAnswer) {
  converse([](const std::string& line) {
    if (line == kUnknown) return Pieces{answer("7")};
    return line == call("7") ? Pieces{kQuestion + "\n"} : answer_calls(line);
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
}

TEST_F(StreamConversationTest, ServerThatAsksBeforeItIsSilentGetsAnAnswer) {
  std::string held;
  converse([&held](const std::string& line) {
    if (line == kUnknown) return Pieces{answer(held)};
    if (!is_control(line)) return Pieces{kQuestion + "\n"};
    held = id_in(line);
    return Pieces{};
  });
  const dialogue::Exchange got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.control_answered);
}

TEST_F(StreamConversationTest, ServerThatAsksAndDoesNotWaitIsNotAnswered) {
  converse([](const std::string& line) { return Pieces{kQuestion + "\n", answer(id_in(line))}; });
  exchange(step({call("7")}));
  exchange(step({call("8")}));
  EXPECT_EQ(lines(), (Texts{call("7"), call("8")}));
}

TEST_F(StreamConversationTest, TheAnswerToTheControlCallIsHandedOut) {
  converse(answer_calls);
  EXPECT_EQ(exchange(step({kNotification}, silence())).control_answer + "\n", answer("5000000"));
  EXPECT_EQ(conversation_->check_survival(transcript_).answer + "\n", answer("5000001"));
}

TEST_F(StreamConversationTest, AnswerThatMayComeIsTakenBeforeTheControlCallIsAnswered) {
  converse([](const std::string& line) {
    return line == kNotification ? Pieces{answer("null")} : answer_calls(line);
  });
  const dialogue::Exchange got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("null")});
}

TEST_F(StreamConversationTest, AnswerThatComesAfterTheControlCallButWithinTheTailIsTaken) {
  converse([](const std::string& line) {
    return is_control(line) ? Pieces{answer(id_in(line)), answer("null")} : Pieces{};
  });
  const dialogue::Exchange got = exchange(step({"{"}, silence(), response()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.control_answered);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("null")});
}

TEST_F(StreamConversationTest, AnswerThatOvertakesAnotherCallIsAwaited) {
  std::string held;
  converse([&held](const std::string& line) {
    if (is_control(line)) return Pieces{answer(id_in(line)), answer(held)};
    held = id_in(line);
    return Pieces{};
  });
  const dialogue::Exchange got =
      exchange(step({call("7")}));  // the control call goes out after 100 ms
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
}

TEST_F(StreamConversationTest, WhatHasComeBeforeAStepSendsAnythingDoesNotAnswerIt) {
  converse(answer_calls);
  exchange(step({call("7")}));
  peer_->stream().say({answer("null")});
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_EQ(texts_of(got.replies), Texts{answer("8")});
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::aside).size(), 1U);
  EXPECT_EQ(conversation_->take_late_answers().size(), 1U);
}

TEST_F(StreamConversationTest, WhatTheServerSaysUnaskedIsSetAside) {
  const std::string request = R"({"jsonrpc":"2.0","method":"ask","id":7})";
  const std::string notice = R"({"jsonrpc":"2.0","method":"log","params":[]})";
  converse([&](const std::string& line) {
    return Pieces{notice + "\n", request + "\n", answer(id_in(line))};
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
  EXPECT_TRUE(got.noise.empty());
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::unasked), (Texts{notice, request}));
}

TEST_F(StreamConversationTest, LogLinesAreNoise) {
  const std::string log = R"({"level":"info","msg":"called"})";
  converse([&](const std::string& line) {
    return Pieces{"ready\n" + log + "\n", answer(id_in(line))};
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
  EXPECT_EQ(texts_of(got.noise), (Texts{"ready", log}));
}

TEST_F(StreamConversationTest, NullIsAReply) {
  converse([](const std::string& line) {
    return is_control(line) ? answer_calls(line) : Pieces{"null\n"};
  });
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), Texts{"null\n"});
}

TEST_F(StreamConversationTest, ValueBesideAResponseIsNoise) {
  converse([](const std::string& line) {
    return id_in(line).empty() ? Pieces{} : Pieces{"17\n", answer(id_in(line))};
  });
  for (const char* id : {"7", "8"}) {
    const dialogue::Exchange got = exchange(step({call(id)}));
    EXPECT_EQ(texts_of(got.replies), Texts{answer(id)});
    EXPECT_EQ(got.noise.size(), 1U) << id;
  }
  // It comes with the answer to the control call.
  const dialogue::Exchange unanswered = exchange(step({kNotification}, silence()));
  EXPECT_TRUE(unanswered.replies.empty());
  EXPECT_EQ(unanswered.noise.size(), 1U);
}

TEST_F(StreamConversationTest, ValueAloneIsAReplyOfWhoReturnsIdsAsWell) {
  converse([](const std::string& line) {
    return id_in(line) == "8" ? Pieces{"17\n"} : answer_calls(line);
  });
  exchange(step({call("7")}));
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_EQ(texts_of(got.replies), Texts{"17\n"});
  EXPECT_TRUE(got.noise.empty());
}

TEST_F(StreamConversationTest, ResponseThatIsDueIsHeardBehindAnErrorWithoutAnId) {
  converse([](const std::string& line) {
    const std::string id = id_in(line);
    if (id == "9") return Pieces{answer("null")};
    return id == "8" ? Pieces{answer("null"), answer(id)} : answer_calls(line);
  });
  exchange(step({kNotification}, silence()));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), (Texts{answer("null"), answer("8")}));
  EXPECT_EQ(texts_of(exchange(step({call("9")})).replies), Texts{answer("null")});
}

// No control call can tell that nothing more comes, and a long wait for it would be an exception.
TEST_F(StreamConversationTest, ErrorWithoutAnIdBehindTheEndOfInputIsTheAnswerWhereNoOtherFollows) {
  converse([](const std::string& line) {
    const std::string id = id_in(line);
    if (id == "8") return Pieces{answer("null"), answer(id)};
    return id == "9" ? Pieces{answer("null")} : answer_calls(line);
  });
  for (const char* id : {"8", "9"}) {
    ASSERT_TRUE(conversation_->open(transcript_));
    exchange(step({kNotification}, silence()));
    auto last = step({call(id)});
    last.end_of_input = true;
    const auto got = exchange(last);
    EXPECT_EQ(got.ending, dialogue::Ending::settled) << id;
    EXPECT_EQ(got.replies.size(), id == std::string("8") ? 2U : 1U);
  }
}

// A wait for an answer with the id of the control call would be an exception.
TEST_F(StreamConversationTest, ErrorsWithoutAnIdToACallAndToTheControlCallBehindItAreOneEach) {
  converse([returns_ids = true](const std::string& line) mutable {
    const std::string id = id_in(line);
    returns_ids = returns_ids && id != "8";
    return returns_ids ? answer_calls(line) : Pieces{answer("null")};
  });
  exchange(step({kNotification}, silence()));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), Texts{answer("null")});
}

TEST_F(StreamConversationTest, BrokenFramingIsNoiseWithItsViolation) {
  converse(
      [](const std::string& line) {
        const std::string text = answer(id_in(line));
        return Pieces{"oops\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text};
      },
      "content-length");
  // The scripted server reads lines: the header's, the empty one, and the message with this end.
  const dialogue::Exchange got = exchange(step({call("7") + "\n"}));
  ASSERT_FALSE(got.noise.empty());
  EXPECT_NE(got.noise[0].violation, "");
}

TEST_F(StreamConversationTest, AllAnswersOfSeveralMessagesAreAwaitedInAnyOrder) {
  converse([](const std::string& line) {
    if (is_control(line)) return answer_calls(line);
    return id_in(line) == "8" ? Pieces{answer("8"), answer("7")} : Pieces{};
  });
  const dialogue::Exchange got =
      exchange(step({call("7"), call("8")}, outcome(corpus::Outcome::Shape::responses, 2)));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), (Texts{answer("8"), answer("7")}));
}

TEST_F(StreamConversationTest, SurplusAnswerBesideTheOneThatIsDueIsSeen) {
  converse([](const std::string& line) {
    return line == kNotification ? Pieces{answer("null")} : answer_calls(line);
  });
  const dialogue::Exchange got = exchange(step({kNotification, call("7")}, response()));
  EXPECT_EQ(texts_of(got.replies), (Texts{answer("null"), answer("7")}));
}

TEST_F(StreamConversationTest, MessagesOfOneStepLeaveTogetherAndRawBytesAsTheyAre) {
  converse(answer_calls);
  corpus::Step raw = step({call("7").substr(0, 9), call("7").substr(9) + "\n"});
  raw.raw = true;
  EXPECT_EQ(texts_of(exchange(raw).replies), Texts{answer("7")});
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::sent).front(), call("7") + "\n");
}

TEST_F(StreamConversationTest, ControlCallsAreNumberedFromTheCaseOn) {
  converse(answer_calls);
  conversation_->begin_case(6000000);
  exchange(step({kNotification}, silence()));
  exchange(step({kNotification}, silence()));
  EXPECT_EQ(id_in(lines()[1]), "6000000");
  EXPECT_EQ(id_in(lines()[3]), "6000001");
}

TEST_F(StreamConversationTest, ControlCallOfCalibrationIsUsed) {
  converse(answer_calls);
  conversation_->use_control_call({"ping", R"(["x"])"});
  exchange(step({kNotification}, silence()));
  EXPECT_EQ(lines()[1], R"({"jsonrpc":"2.0","method":"ping","params":["x"],"id":5000000})");
}

TEST_F(StreamConversationTest, ProgramThatEndsAfterSilenceHasExited) {
  converse([](const std::string&) { return Pieces{testing::kEnd}; });
  peer_->how_it_ended = transport::ExitStatus{.value = 1};
  const dialogue::Exchange got = exchange(step({"{"}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::exited);
  EXPECT_EQ(got.detail, "the program exited with code 1");
  EXPECT_EQ(got.exit_code, 1);
}

TEST_F(StreamConversationTest, StreamThatEndsWhileTheProgramRunsIsClosed) {
  converse([](const std::string&) { return Pieces{testing::kEnd}; });
  const dialogue::Exchange got = exchange(step({"{"}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(got.detail, "the server closed its output");
}

TEST_F(StreamConversationTest, LeavingAtTheEndOfInputIsSettledWhereNothingIsDue) {
  converse([](const std::string& line) {
    return line == "<end of input>" ? Pieces{testing::kEnd} : answer_calls(line);
  });
  peer_->how_it_ended = transport::ExitStatus{.value = 0};
  corpus::Step last = step({kNotification}, silence());
  last.end_of_input = true;
  EXPECT_EQ(exchange(last).ending, dialogue::Ending::settled);
  EXPECT_EQ(conversation_->check_survival(transcript_).survival, dialogue::Survival::unasked);
}

TEST_F(StreamConversationTest, LeavingAtTheEndOfInputWithoutTheAnswerThatIsDueIsToldAsExit) {
  converse([](const std::string& line) {
    return line == "<end of input>" ? Pieces{testing::kEnd} : answer_calls(line);
  });
  peer_->how_it_ended = transport::ExitStatus{.value = 0};
  corpus::Step last = step({kNotification});
  last.end_of_input = true;
  EXPECT_EQ(exchange(last).ending, dialogue::Ending::exited);
}

TEST_F(StreamConversationTest, ProgramThatEndedAfterItsLastAnswerIsNotSaidToHaveDiedOfTheNextStep) {
  converse(answer_calls);
  exchange(step({call("7")}));
  peer_->stream().say({testing::kEnd});
  peer_->how_it_ended = transport::ExitStatus{.value = 1};
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("8")});
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::exited),
            Texts{"exited with code 1, before this was sent; started again"});
  const auto death = conversation_->take_unseen_death();
  ASSERT_TRUE(death);
  EXPECT_EQ(death->detail, "the program exited with code 1");
  EXPECT_FALSE(conversation_->take_unseen_death());
}

TEST_F(StreamConversationTest, ProgramThatEndsBetweenTheStepsOfACaseIsNotReplacedByAnother) {
  converse(answer_calls);
  transcript_.begin_step(0);
  exchange(step({call("7")}));
  peer_->stream().say({testing::kEnd});
  peer_->how_it_ended = transport::ExitStatus{.value = 1};
  transcript_.begin_step(1);
  EXPECT_TRUE(exchange(step({call("8")})).comes_too_late);
  EXPECT_EQ(lines(), Texts{call("7")});
  transcript_.end_steps();
  const auto survival = conversation_->check_survival(transcript_);
  EXPECT_EQ(survival.survival, dialogue::Survival::dead);
  EXPECT_EQ(survival.detail, "the program exited with code 1");
  EXPECT_FALSE(conversation_->take_unseen_death());
}

TEST_F(StreamConversationTest, ProgramIsGivenTheTimeOfTheStepToEndBeforeAnythingIsSent) {
  converse(answer_calls);
  corpus::Step next = step({call("7")});
  next.listen_first_ms = 30;
  const auto begin = Clock::now();
  EXPECT_EQ(exchange(next).ending, dialogue::Ending::settled);
  EXPECT_GE(Clock::now() - begin, milliseconds(30));
  next = step({call("8")}, outcome(corpus::Outcome::Shape::exited, 0));
  next.listen_first_ms = 1000;
  peer_->stream().say({testing::kEnd});
  peer_->how_it_ended = transport::ExitStatus{.value = 0};
  EXPECT_EQ(exchange(next).ending, dialogue::Ending::exited);
  EXPECT_EQ(lines(), Texts{call("7")});
}

TEST_F(StreamConversationTest, AnswerToAControlCallOfAnEarlierCaseIsNoEvidenceInThisOne) {
  converse([](const std::string& line) {
    return is_control(line) ? Pieces{answer(id_in(line)), answer(id_in(line))} : answer_calls(line);
  });
  exchange(step({kNotification}, silence()));
  conversation_->begin_case(6000000);
  peer_->stream().say({answer("5000000")});
  dialogue::Transcript next;
  conversation_->exchange(step({call("8")}), next);
  EXPECT_EQ(events_of(next, dialogue::Direction::received),
            Texts{answer("8").substr(0, answer("8").size() - 1)});
}

TEST_F(StreamConversationTest, SilenceCostsATailAndNoWaitInVain) {
  converse(answer_calls);
  exchange(step({kNotification}, silence()));
  exchange(step({call("7")}));
  EXPECT_EQ(patience_.tails(), 1U);
  EXPECT_EQ(patience_.waits_in_vain(), 0U);
}

}  // namespace stream_conversation_test
}  // namespace jrpcheck::session
