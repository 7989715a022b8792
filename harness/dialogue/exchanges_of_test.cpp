#include "dialogue/exchanges_of.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jrpcheck::dialogue {
namespace exchanges_of_test {

Event http_response(std::size_t status, std::string head, const std::string& body) {
  Event event{Direction::received, {}, head + body};
  event.http = HttpHead{status, "HTTP/1.1", "application/json", head.size()};
  return event;
}

std::vector<Exchange> steps_of(const Transcript& transcript) {
  return exchanges_of(transcript.events())->steps;
}

TEST(ExchangesOf, RepliesBelongToTheStepInWhichTheyCame) {
  Transcript transcript;
  transcript.add(Direction::aside, "during the opening");
  for (const char* text : {"[1]", "[2]"}) {
    transcript.begin_step(text[1] == '1' ? 0 : 1);
    transcript.add(Direction::sent, "call");
    transcript.add(received(text));
    transcript.add(end_of({}));
  }
  const auto steps = steps_of(transcript);
  ASSERT_EQ(steps.size(), 2U);
  ASSERT_EQ(steps[0].replies.size(), 1U);
  EXPECT_EQ(steps[0].replies.front().text(), "[1]");
  EXPECT_EQ(steps[1].replies.front().text(), "[2]");
}

TEST(ExchangesOf, WhatIsNoAnswerIsNoReply) {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(Direction::aside, R"({"method":"log"})");
  transcript.add(Direction::violation, "x", "a header is broken");
  transcript.add(Direction::noise, "ready", "no message");
  transcript.add_control("control");
  Event control = received(R"({"id":5})");
  control.is_control = true;
  transcript.add(control);
  Exchange exchange;
  exchange.control_answered = true;
  transcript.add(end_of(exchange));
  const auto steps = steps_of(transcript);
  EXPECT_TRUE(steps[0].replies.empty());
  ASSERT_EQ(steps[0].noise.size(), 2U);
  EXPECT_EQ(steps[0].noise[0].violation, "a header is broken");
  EXPECT_EQ(steps[0].noise[1].violation, "");
  EXPECT_TRUE(steps[0].control_answered);
  EXPECT_EQ(steps[0].control_answer, R"({"id":5})");
}

TEST(ExchangesOf, WhatIsNoMessageBehindTheLastStepIsOfIt) {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(received("[]"));
  transcript.add(end_of({}));
  transcript.end_steps();
  transcript.add(Direction::violation, "x", "a header is broken");
  const auto steps = steps_of(transcript);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].replies.size(), 1U);
  ASSERT_EQ(steps[0].noise.size(), 1U);
  EXPECT_EQ(steps[0].noise[0].bytes, "x");
}

TEST(ExchangesOf, ABlockWithoutDataIsNoResponse) {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(http_response(400, "HTTP/1.1 400 X\r\n\r\n", "[]"));
  Event comment{Direction::received, {}, ": still here\n\n"};
  comment.http = HttpHead{200, "HTTP/1.1", "text/event-stream"};
  comment.http->stream = 0;
  transcript.add(comment);
  transcript.add(end_of({}));
  const auto step = steps_of(transcript)[0];
  EXPECT_EQ(step.http_status, 400);
  EXPECT_EQ(step.http_content_type, "application/json");
  EXPECT_EQ(step.replies.size(), 1U);
}

TEST(ExchangesOf, AChallengeWithoutAResponseAsksForALogin) {
  const auto asks = [](std::size_t status, const std::string& field, const std::string& body) {
    Transcript transcript;
    transcript.begin_step(0);
    transcript.add(http_response(status, "HTTP/1.1 401 X\r\n" + field + "\r\n\r\n", body));
    transcript.add(end_of({}));
    return steps_of(transcript)[0].asks_for_login;
  };
  EXPECT_TRUE(asks(401, "www-authenticate: Bearer", ""));
  EXPECT_TRUE(asks(401, "WWW-Authenticate: Bearer", R"({"error":"invalid_token"})"));
  EXPECT_FALSE(asks(401, "WWW-Authenticate: Bearer", R"({"error":{"code":1},"id":1})"));
  EXPECT_FALSE(asks(401, "Date: today", ""));
  EXPECT_FALSE(asks(403, "WWW-Authenticate: Bearer", ""));
}

TEST(ExchangesOf, AReplyHasTheCodingOfItsResponse) {
  const auto coding_of = [](const std::string& fields) {
    Transcript transcript;
    transcript.begin_step(0);
    transcript.add(http_response(200, "HTTP/1.1 200 OK\r\n" + fields + "\r\n", "\x1f\x8b"));
    transcript.add(end_of({}));
    return steps_of(transcript)[0].replies.at(0).coding;
  };
  EXPECT_EQ(coding_of("Date: today\r\nContent-Encoding:  GZip\r\nA: b\r\n"), "gzip");
  EXPECT_EQ(coding_of("content-encoding: identity\r\n"), "");
  EXPECT_EQ(coding_of("Date: today\r\n"), "");
}

TEST(ExchangesOf, HowAStepEndedIsThereAgain) {
  Exchange exchange;
  exchange.ending = Ending::timed_out;
  exchange.detail = "no answer in 5 s";
  exchange.endless = true;
  exchange.unfinished = R"({"id")";
  exchange.on_new_connection = true;
  exchange.lost_connection = "closed";
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(end_of(exchange));
  const auto again = steps_of(transcript).front();
  EXPECT_EQ(again.ending, Ending::timed_out);
  EXPECT_EQ(again.detail, "no answer in 5 s");
  EXPECT_TRUE(again.endless);
  EXPECT_EQ(again.unfinished, R"({"id")");
  EXPECT_TRUE(again.on_new_connection);
  EXPECT_EQ(again.lost_connection, "closed");
}

TEST(ExchangesOf, AnAnswerThatIsHeldBackAnswersTheNextMessage) {
  Exchange exchange;
  exchange.held_back = true;
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(received("{}"));
  transcript.add(end_of(exchange));
  EXPECT_TRUE(steps_of(transcript).front().replies.empty());
}

TEST(ExchangesOf, OverHttpTheBodyIsTheReply) {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(http_response(400, "HTTP/1.1 400 Bad Request\r\n\r\n", R"({"id":1})"));
  transcript.add(end_of({}));
  transcript.begin_step(1);
  transcript.add(http_response(204, "HTTP/1.1 204 No Content\r\n\r\n", ""));
  transcript.add(end_of({}));
  transcript.begin_step(2);
  Event broken = http_response(200, "HTTP/1.1 200 OK\r\n\r\n", "{}");
  broken.http->is_broken = true;
  transcript.add(broken);
  transcript.add(end_of({}));
  const auto steps = steps_of(transcript);
  ASSERT_EQ(steps[0].replies.size(), 1U);
  EXPECT_EQ(steps[0].replies.front().text(), R"({"id":1})");
  EXPECT_EQ(steps[0].replies.front().http_status, 400);
  EXPECT_EQ(steps[0].http_version, "HTTP/1.1");
  EXPECT_EQ(steps[0].http_content_type, "application/json");
  EXPECT_TRUE(steps[1].replies.empty());
  EXPECT_EQ(steps[1].http_status, 204);
  EXPECT_TRUE(steps[2].replies.empty());
  EXPECT_EQ(steps[2].http_status, 0);
}

TEST(ExchangesOf, WhatBecameOfTheServerIsThereAgain) {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(end_of({}));
  transcript.end_steps();
  transcript.add(event_of({Survival::dead, "exited with code 1", "Traceback"}));
  const auto survival = exchanges_of(transcript.events())->survival;
  EXPECT_EQ(survival.survival, Survival::dead);
  EXPECT_EQ(survival.detail, "exited with code 1");
  EXPECT_EQ(survival.standard_error, "Traceback");
  EXPECT_FALSE(survival.answers_next);
  SurvivalCheck left_out{Survival::deaf, "", ""};
  left_out.answers_next = true;
  transcript.add(event_of(left_out));
  EXPECT_TRUE(exchanges_of(transcript.events())->survival.answers_next);
  EXPECT_FALSE(exchanges_of(transcript.events())->survival.answered_meanwhile);
  SurvivalCheck late{Survival::alive, "", ""};
  late.answered_meanwhile = late.was_slow = true;
  transcript.add(event_of(late));
  EXPECT_TRUE(exchanges_of(transcript.events())->survival.answered_meanwhile);
  EXPECT_TRUE(exchanges_of(transcript.events())->survival.was_slow);
}

TEST(ExchangesOf, EventsThatDoNotSayHowAStepEndedAreNoDialogue) {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(Direction::sent, "call");
  transcript.add(received("{}"));
  EXPECT_FALSE(exchanges_of(transcript.events()));
  EXPECT_FALSE(exchanges_of({}));
}

TEST(ExchangesOf, AMessageThatIsNotKeptWholeIsJudgedWhole) {
  const std::string text = "\"" + std::string(100'000, 'x') + "\"";
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(received(text));
  transcript.add(end_of({}));
  EXPECT_TRUE(transcript.is_folded());
  EXPECT_EQ(exchanges_of(transcript.whole())->steps.front().replies.front().text(), text);
  EXPECT_GT(transcript.events().front().left_out, 0U);
}

TEST(ExchangesOf, WhatWeSendMayBeFoldedWithoutALoss) {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(Direction::sent, std::string(100'000, 'x'));
  transcript.add(end_of({}));
  EXPECT_FALSE(transcript.is_folded());
}

}  // namespace exchanges_of_test
}  // namespace jrpcheck::dialogue
