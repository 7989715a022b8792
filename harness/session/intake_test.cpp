// Answers to earlier calls, and those that may be one.
#include "session/intake.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "session/stream_for_testing.hpp"

namespace jrpcheck::session {
namespace intake_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::id_in;
using testing::is_control;
using testing::kNotification;
using testing::Pieces;
using testing::silence;
using testing::step;
using testing::texts_of;
using Texts = std::vector<std::string>;

// What has come of these texts to a call with id 7 on a new connection, where this is known.
struct Taken {
  Texts replies;
  std::size_t noise = 0;
};

Taken taken_first(const Texts& texts, Greeting& greeting, const std::string& sent = call("7")) {
  Intake intake(true);
  intake.begin_stream(&greeting);
  dialogue::Exchange exchange;
  dialogue::Transcript transcript;
  exchange.sent = {dialogue::Message(sent)};
  intake.begin_step(outgoing(exchange.sent, corpus::Dialect::json_rpc_2_0));
  for (const auto& each : texts) {
    wire::Frame frame;
    frame.payload = each;
    intake.take_in(frame, std::nullopt, exchange, transcript);
  }
  if (exchange.replies.empty()) intake.take_doubtful(exchange, transcript);
  return {texts_of(exchange.replies), exchange.noise.size()};
}

std::string line(const std::string& text) { return text + "\n"; }

const std::string kWelcome = "Welcome";
const std::string kAnswer = R"({"jsonrpc":"2.0","result":0,"id":7})";

TEST(Greetings, ATextBeforeTheAnswerIsSaidToTheConnection) {
  Greeting greeting;
  const auto taken = taken_first({kWelcome, kAnswer}, greeting);
  EXPECT_EQ(taken.replies, Texts{line(kAnswer)});
  EXPECT_EQ(taken.noise, 1U);
}

TEST(Greetings, AreKnownOnceTheyHaveComeTwiceAndPassedOverFromThenOn) {
  Greeting greeting;
  for (const std::size_t noise : {1U, 1U, 0U}) {
    const auto taken = taken_first({kWelcome, kAnswer}, greeting);
    EXPECT_EQ(taken.replies, Texts{line(kAnswer)});
    EXPECT_EQ(taken.noise, noise);
  }
  EXPECT_EQ(taken_first({kWelcome, kWelcome, kAnswer}, greeting).replies, Texts{line(kAnswer)});
  EXPECT_EQ(taken_first({"Good-bye"}, greeting).replies, Texts{line("Good-bye")});
}

TEST(Greetings, MayBeSeveral) {
  Greeting greeting;
  for (const std::size_t noise : {2U, 2U, 0U}) {
    const auto taken = taken_first({kWelcome, "[INFO] ready", kAnswer}, greeting);
    EXPECT_EQ(taken.replies, Texts{line(kAnswer)});
    EXPECT_EQ(taken.noise, noise);
  }
}

TEST(Greetings, AreNotWhatAnswers) {
  Greeting greeting;
  EXPECT_EQ(taken_first({kWelcome}, greeting).replies, Texts{line(kWelcome)});
  EXPECT_EQ(taken_first({kAnswer, kWelcome}, greeting).replies,
            (Texts{line(kAnswer), line(kWelcome)}));
  EXPECT_EQ(greeting.count(), 0U);
}

// Who refuses broken JSON in words has answered it.
TEST(Greetings, AreNotWhatAnswersBrokenJson) {
  Greeting greeting;
  const auto taken = taken_first({"Parse error"}, greeting, "{");
  EXPECT_EQ(taken.replies, Texts{line("Parse error")});
  EXPECT_EQ(greeting.count(), 0U);
}

TEST(Greetings, AreNoBrokenMessages) {
  for (const char* text : {R"({"jsonrpc":"2.0","result":0,"id":7)", "\xEF\xBB\xBF{}", " [", ""}) {
    EXPECT_FALSE(Greeting::may_be(text)) << text;
  }
  EXPECT_TRUE(Greeting::may_be(kWelcome));
}

class LateAnswers : public testing::StreamTest {};

TEST_F(LateAnswers, LateAnswerIsSetAsideAndHandedOut) {
  converse([](const std::string& line) {
    if (is_control(line)) return answer_calls(line);
    return id_in(line) == "8" ? Pieces{answer("7"), answer("8")} : Pieces{};
  });
  exchange(step({call("7")}, silence()));
  EXPECT_TRUE(conversation_->take_late_answers().empty());
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_EQ(texts_of(got.replies), Texts{answer("8")});
  const auto late = conversation_->take_late_answers();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].text() + "\n", answer("7"));
  EXPECT_TRUE(conversation_->take_late_answers().empty());
}

// A server that loses the sign of an id answers -7 with 7, an id that an earlier call had.
TEST_F(LateAnswers, AnAnswerWithTheIdOfAnAnsweredCallIsAnAnswerWhereNothingElseComes) {
  converse([](const std::string& line) {
    return id_in(line) == "-7" ? Pieces{answer("7")} : answer_calls(line);
  });
  exchange(step({call("7")}));
  const dialogue::Exchange got = exchange(step({call("-7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
  EXPECT_TRUE(conversation_->take_late_answers().empty());
}

// A server that takes 1.0 for no id refuses it with id null, and cuts ids that are too long to 1.
TEST_F(LateAnswers, AnAnswerWithTheIdOfACallThatWasRefusedWithIdNullIsAnAnswer) {
  converse([](const std::string& line) {
    const std::string id = id_in(line);
    if (id == "1.0") {
      return Pieces{R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null})"
                    "\n"};
    }
    return id == "9007199254740993" ? Pieces{answer("1")} : answer_calls(line);
  });
  exchange(step({call("1.0")}));
  const dialogue::Exchange got = exchange(step({call("9007199254740993")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("1")});
  EXPECT_TRUE(conversation_->take_late_answers().empty());
}

// A server that gives what it cannot read the id -1, which an earlier call had.
TEST_F(LateAnswers, AnErrorWithAnOldIdIsTheAnswerToWhatIsNoCallEvenWhereSilenceWillDo) {
  const std::string refused =
      R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no JSON"},"id":-1})"
      "\n";
  converse([&](const std::string& line) {
    return line.find("broken") != std::string::npos ? Pieces{refused} : answer_calls(line);
  });
  exchange(step({call("-1")}));
  for (int time = 0; time < 3; ++time) {
    EXPECT_EQ(texts_of(exchange(step({"{broken"}, silence())).replies), Texts{refused}) << time;
  }
  EXPECT_TRUE(conversation_->take_late_answers().empty());
}

// Its second answer comes late, while a Notification is looked at, which nobody may answer.
TEST_F(LateAnswers, AnErrorWithAnOldIdIsNoAnswerToANotification) {
  const std::string error =
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown"},"id":7})"
      "\n";
  converse([&](const std::string& line) {
    if (is_control(line)) return answer_calls(line);
    return Pieces{error};
  });
  EXPECT_EQ(exchange(step({call("7")})).replies.size(), 1U);
  EXPECT_TRUE(exchange(step({kNotification}, silence())).replies.empty());
}

TEST_F(LateAnswers, ASecondAnswerToAnEarlierCallIsLateBesideTheOneThatIsDue) {
  converse([](const std::string& line) {
    return id_in(line) == "8" ? Pieces{answer("7"), answer("8")} : answer_calls(line);
  });
  exchange(step({call("7")}));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), Texts{answer("8")});
  EXPECT_EQ(conversation_->take_late_answers().size(), 1U);
}

// Its second answer to one call comes before the first to the next, which may have the same id.
TEST_F(LateAnswers, ASecondAnswerIsNotTakenForTheOneToALaterCallOfTheSameId) {
  converse([again = std::string(), calls = 0](const std::string& line) mutable {
    const std::string fresh = R"({"jsonrpc":"2.0","result":)" + std::to_string(++calls) +
                              R"(,"id":)" + id_in(line) + "}\n";
    const std::string before = std::exchange(again, fresh);
    return before.empty() ? Pieces{fresh} : Pieces{before, fresh};
  });
  for (const char* id : {"9", "8", "7"}) exchange(step({call(id)}));
  const auto replies = exchange(step({call("7")})).replies;
  ASSERT_EQ(replies.size(), 1U);
  EXPECT_EQ(replies[0].text(), R"({"jsonrpc":"2.0","result":5,"id":7})");
}

TEST_F(LateAnswers, LateBatchIsHandedOutAsOneOfItsResponses) {
  converse([](const std::string& line) {
    if (is_control(line)) return answer_calls(line);
    if (id_in(line) != "8") return Pieces{};
    return Pieces{R"([{"jsonrpc":"2.0","result":1,"id":6},{"jsonrpc":"2.0","result":2,"id":7}])"
                  "\n",
                  answer("8")};
  });
  exchange(step({"[" + call("6") + "," + call("7") + "]"}, silence()));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), Texts{answer("8")});
  const auto late = conversation_->take_late_answers();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].text(), R"({"jsonrpc":"2.0","result":1,"id":6})");
}

class AnswersOfControlCalls : public testing::StreamTest {
 protected:
  // Forgets the id of the call behind what it cannot read, and answers that with this.
  void converse_with_forgetful(Pieces refusal) {
    converse([refusal = std::move(refusal), forgets = false](const std::string& line) mutable {
      if (line == "broken") {
        forgets = true;
        return refusal;
      }
      return std::exchange(forgets, false) ? Pieces{answer("null")} : answer_calls(line);
    });
    exchange(step({kNotification}, silence()));
  }
  // Which may also be two.
  Texts answers_to_broken() {
    auto two = testing::outcome(corpus::Outcome::Shape::responses, 2);
    return texts_of(exchange(step({"broken"}, std::move(two), silence())).replies);
  }
  std::ptrdiff_t with_other_ids() {
    return std::ranges::count_if(transcript_.whole(), [](const auto& event) {
      return event.note == dialogue::kOtherIdNote;
    });
  }
  const std::string refused_ =
      R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no JSON"},"id":null})"
      "\n";
};

TEST_F(AnswersOfControlCalls, WithoutTheirIdsDoNotAnswerWhatIsNoJson) {
  converse_with_forgetful({refused_});
  for (int time = 0; time < 3; ++time) EXPECT_EQ(answers_to_broken(), Texts{refused_}) << time;
  EXPECT_EQ(with_other_ids(), 3);
}

TEST_F(AnswersOfControlCalls, WithoutTheirIdsDoNotStandForTheAnswerThatIsMissing) {
  converse_with_forgetful({});
  for (int time = 0; time < 3; ++time) EXPECT_EQ(answers_to_broken(), Texts{}) << time;
  EXPECT_EQ(with_other_ids(), 3);
}

TEST_F(AnswersOfControlCalls, AreNotWhatAloneAnswersAMessageInTheSameWords) {
  converse([](const std::string& line) {
    return line == "broken" || line == kNotification ? Pieces{answer("null")} : answer_calls(line);
  });
  exchange(step({call("7")}));
  conversation_->check_survival(transcript_);
  for (int time = 0; time < 3; ++time) {
    EXPECT_EQ(answers_to_broken(), Texts{answer("null")}) << time;
    EXPECT_EQ(texts_of(exchange(step({kNotification}, silence())).replies), Texts{answer("null")})
        << time;
  }
  EXPECT_EQ(with_other_ids(), 0);
}

// A Notification that is answered twice, before the call behind it.
TEST_F(AnswersOfControlCalls, AreNotWhatAnswersANotificationBesideACall) {
  converse([](const std::string& line) {
    return line == kNotification ? Pieces{answer("null"), answer("null")} : answer_calls(line);
  });
  conversation_->check_survival(transcript_);
  EXPECT_EQ(exchange(step({kNotification, call("7")})).replies.size(), 3U);
  EXPECT_EQ(with_other_ids(), 0);
}

// A server that answers a success under the id of the last error.
TEST_F(AnswersOfControlCalls, LendTheirIdsToTheOnlyAnswerThatComes) {
  converse([last = std::string()](const std::string& line) mutable {
    if (id_in(line) == "8") return Pieces{R"({"jsonrpc":"2.0","result":1,"id":)" + last + "}\n"};
    last = id_in(line);
    return answer_calls(line);
  });
  exchange(step({kNotification}, silence()));
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.replies.size(), 1U);
  EXPECT_TRUE(conversation_->take_late_answers().empty());
}

TEST(OwedAnswers, AreGivenOnceAndNeverToARequestThatIsLongForItsIdAlone) {
  Intake intake(true);
  dialogue::Exchange exchange;
  dialogue::Transcript transcript;
  const auto ask = [&](const std::string& id) {
    wire::Frame frame;
    frame.payload = R"({"jsonrpc":"2.0","method":"m","id":")" + id + "\"}";
    intake.take_in(frame, std::nullopt, exchange, transcript);
  };
  ask("a");
  EXPECT_EQ(intake.take_owed().size(), 1U);
  ask("a");
  ask(std::string(100'000, 'i'));
  EXPECT_FALSE(intake.owes());
}

}  // namespace intake_test
}  // namespace jrpcheck::session
