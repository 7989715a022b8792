#include "client/script.hpp"

#include <gtest/gtest.h>

#include "wire/websocket.hpp"

namespace jrpcheck::client {
namespace script_test {

using Texts = std::vector<std::string>;

std::string call(int n, const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"echo","params":[)" + std::to_string(n) + R"(],"id":)" + id +
         "}";
}
std::string good(int n, const std::string& id) {
  return R"({"jsonrpc":"2.0","result":)" + std::to_string(n + 100) + R"(,"id":)" + id + "}";
}

TEST(Script, OnlyTheSecondCallIsAnsweredOddly) {
  corpus::Scenario scenario;
  scenario.answer = {R"({"id":${id},"was":${id1},"other":${other-id},"r":${wrong}})"};
  Script script(scenario);
  EXPECT_EQ(script.take(call(1, "7"))->messages, Texts{good(1, "7")});
  EXPECT_FALSE(script.was_played());
  EXPECT_EQ(script.take(call(2, "8"))->messages, Texts{R"({"id":8,"was":7,"other":"8","r":999})"});
  EXPECT_TRUE(script.was_played());
  EXPECT_EQ(script.take(call(3, "9"))->messages, Texts{good(3, "9")});
}

TEST(Script, NumberOfACallMayStandInPlaceOfItsParams) {
  corpus::Scenario scenario;
  Script script(scenario);
  const auto answer = script.take(R"({"jsonrpc":"2.0","method":"echo","params":2,"id":8})");
  EXPECT_EQ(answer->messages, Texts{good(2, "8")});
  EXPECT_TRUE(script.was_played());
}

TEST(Script, CallThatWasToComeAloneAndComesInABatchIsNoted) {
  corpus::Scenario scenario;
  scenario.answer = {"odd"};
  Script script(scenario);
  EXPECT_EQ(script.take("[" + call(1, "1") + "]")->messages, Texts{"[" + good(1, "1") + "]"});
  EXPECT_EQ(script.batch_of_subject(), 0U);
  EXPECT_EQ(script.take("[" + call(2, "2") + "]")->messages, Texts{"[" + good(2, "2") + "]"});
  EXPECT_EQ(script.batch_of_subject(), 1U);
  EXPECT_FALSE(script.was_played());
}

TEST(Script, CallsThatComeTogetherAreAnsweredOnceAllAreThere) {
  corpus::Scenario scenario;
  scenario.order = corpus::CallOrder::together;
  scenario.answer = {"${good3}", "${good1}", "${good2}"};
  Script script(scenario);
  EXPECT_FALSE(script.take(call(1, "1")));
  EXPECT_FALSE(script.take(call(2, "2")));
  EXPECT_EQ(script.take(call(3, "3"))->messages, (Texts{good(3, "3"), good(1, "1"), good(2, "2")}));
}

// A client may have a connection for each call.
TEST(Script, CallsOnSeveralConnectionsAreNotTogether) {
  corpus::Scenario scenario;
  scenario.order = corpus::CallOrder::together;
  Script script(scenario);
  for (int n = 1; n <= 3; ++n) EXPECT_FALSE(script.take(call(n, "1"), static_cast<std::size_t>(n)));
  EXPECT_EQ(script.give_up_waiting(2)->messages, Texts{good(2, "1")});
  EXPECT_FALSE(script.was_played());
}

TEST(Script, CallThatComesAloneIsAnsweredAfterAWhile) {
  corpus::Scenario scenario;
  scenario.order = corpus::CallOrder::together;
  Script script(scenario);
  EXPECT_FALSE(script.take(call(1, "1")));
  EXPECT_EQ(script.give_up_waiting()->messages, Texts{good(1, "1")});
  EXPECT_FALSE(script.give_up_waiting());
  EXPECT_FALSE(script.was_played());
}

TEST(Script, NotificationIsAnsweredInPlaceOfTheCallBehindIt) {
  corpus::Scenario scenario;
  scenario.is_of_notification = true;
  Script script(scenario);
  EXPECT_EQ(script.take(call(1, "1"))->messages, Texts{good(1, "1")});
  EXPECT_FALSE(script.was_played());
  EXPECT_EQ(script.take(R"({"jsonrpc":"2.0","method":"note","params":[2]})")->messages, Texts{});
  EXPECT_TRUE(script.was_played());
  EXPECT_FALSE(script.has_notification_an_id());
  EXPECT_EQ(script.take(call(2, "2"))->messages, Texts{good(2, "2")});
  // With an id it is a call, and whoever made it may wait.
  EXPECT_EQ(script.take(R"({"jsonrpc":"2.0","method":"note","params":[2],"id":5})")->messages,
            Texts{R"({"jsonrpc":"2.0","result":null,"id":5})"});
  EXPECT_TRUE(script.has_notification_an_id());
}

TEST(Script, CallThatIsNeverAnsweredIsTheSecond) {
  corpus::Scenario scenario;
  scenario.is_unanswered = true;
  Script script(scenario);
  EXPECT_FALSE(script.take(call(1, "1"))->is_withheld);
  EXPECT_TRUE(script.take(call(2, "2"))->is_withheld);
  EXPECT_EQ(script.take(call(3, "3"))->messages, Texts{good(3, "3")});
}

TEST(Script, WhatAResetFollowsHasTheTimeToBeRead) {
  corpus::Scenario scenario;
  scenario.then = "reset";
  EXPECT_FALSE(Script(scenario).take(call(2, "1"))->has_pauses) << "it follows nothing";
  scenario.answer = {"cut"};
  EXPECT_TRUE(Script(scenario).take(call(2, "1"))->has_pauses);
  scenario.then = "close";
  EXPECT_FALSE(Script(scenario).take(call(2, "1"))->has_pauses) << "that comes behind it";
}

TEST(Script, WhoCallsAThousandTimesCallsWithoutEnd) {
  corpus::Scenario scenario;
  scenario.answer = {"odd"};
  Script script(scenario);
  for (int i = 0; i < 1000; ++i) script.take(call(2, std::to_string(i)));
  for (int i = 0; i < 1000; ++i) script.take(call(1, std::to_string(i)));
  EXPECT_FALSE(script.is_called_without_end());
  script.take(call(2, "1000"));
  EXPECT_TRUE(script.is_called_without_end());
}

TEST(Script, WhoCallsAgainAfterACloseIsAnswered) {
  corpus::Scenario scenario;
  scenario.then = "close";
  Script script(scenario);
  EXPECT_EQ(script.take(call(2, "1"))->then, "close");
  EXPECT_EQ(script.take(call(2, "2"))->messages, Texts{good(2, "2")});
}

// Why nothing can be told of a client that has so many calls with that id, in turn or in a batch.
std::string hindrance_with(const corpus::Scenario& scenario, const std::string& id) {
  Script script(scenario);
  if (scenario.order == corpus::CallOrder::batch) {
    script.take("[" + call(1, id) + "," + call(2, id) + "," + call(3, id) + "]");
  } else {
    if (scenario.is_of_notification) script.take(R"({"jsonrpc":"2.0","method":"note"})");
    for (int n = 1; n <= 3; ++n) script.take(call(n, id));
  }
  return script.hindrance();
}

// It is legal for calls that come one after another.
TEST(Script, CallsWithOneIdAreNotToldApart) {
  const std::string alike = "two calls of the client have the same id";
  corpus::Scenario scenario;
  EXPECT_EQ(hindrance_with(scenario, "1"), "");
  scenario.answer = {R"({"jsonrpc":"2.0","result":${wrong},"id":"nobody"})", "${good}"};
  EXPECT_EQ(hindrance_with(scenario, "1"), "");
  scenario.answer = {R"({"jsonrpc":"2.0","method":"ask","id":${id}})", "${good}"};
  EXPECT_EQ(hindrance_with(scenario, "1"), "");
  scenario.answer = {R"({"jsonrpc":"2.0","result":${wrong},"id":${id1}})"};
  EXPECT_EQ(hindrance_with(scenario, "1"), alike);
  scenario.answer = {"${good}", R"({"jsonrpc":"2.0","result":${wrong},"id":${id}})"};
  EXPECT_EQ(hindrance_with(scenario, "1"), alike) << "the second could be for call 3";
  scenario.order = corpus::CallOrder::batch;
  scenario.answer = {"[${good1},${good3}]"};
  EXPECT_EQ(hindrance_with(scenario, "null"), alike);
  scenario.answer = {"[]"};
  EXPECT_EQ(hindrance_with(scenario, "null"), "");
}

TEST(Script, CallsWithIdsOfTheirOwnAreToldApart) {
  corpus::Scenario scenario;
  scenario.answer = {R"({"jsonrpc":"2.0","result":${wrong},"id":${id1}})", "${good}"};
  Script script(scenario);
  for (int n = 1; n <= 3; ++n) script.take(call(n, std::to_string(n)));
  EXPECT_EQ(script.hindrance(), "");
}

TEST(Script, StringThatSpellsNoNumberHasNoIdOfAnotherTypeThatIsLikeIt) {
  corpus::Scenario scenario;
  scenario.answer = {R"({"jsonrpc":"2.0","result":${wrong},"id":${other-id}})"};
  const auto hindrance = [&](const std::string& text) {
    Script script(scenario);
    for (int n = 1; n <= 3; ++n) script.take(call(n, '"' + text + std::to_string(n) + '"'));
    return script.hindrance();
  };
  EXPECT_EQ(hindrance("1"), "");
  EXPECT_NE(hindrance("call ").find("spell no plain Number"), std::string::npos);
  scenario.answer = {R"({"jsonrpc":"2.0","result":${wrong},"id":987654321})"};
  EXPECT_EQ(hindrance("call "), "");
}

TEST(Script, IdThatIsToBeOfNoCallMayBeThatOfTheCallBehindANotification) {
  corpus::Scenario scenario;
  scenario.is_of_notification = true;
  scenario.answer = {R"({"jsonrpc":"2.0","result":${wrong},"id":null})"};
  EXPECT_NE(hindrance_with(scenario, "null").find("was to be of no call"), std::string::npos);
  // The call may end by that, and its own answer stays behind.
  EXPECT_NE(hindrance_with(scenario, "1").find("the same id"), std::string::npos);
  scenario.doors = {"http"};
  EXPECT_EQ(hindrance_with(scenario, "1"), "");
}

TEST(Script, NotificationsAndResponsesAreNotAnswered) {
  corpus::Scenario scenario;
  Script script(scenario);
  EXPECT_TRUE(script.take(R"({"jsonrpc":"2.0","method":"echo"})")->messages.empty());
  EXPECT_TRUE(script.take(R"({"jsonrpc":"2.0","result":1,"id":1})")->messages.empty());
  EXPECT_FALSE(script.take("nonsense"));
}

TEST(Script, AnswerToTheCallOfTheServerIsNoted) {
  corpus::Scenario scenario;
  Script script(scenario);
  script.take(R"({"jsonrpc":"2.0","result":1,"id":1})");
  EXPECT_FALSE(script.own_answer());
  const std::string first =
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":"jrpcheck"})";
  script.take(first);
  script.take(R"({"jsonrpc":"2.0","result":1,"id":"jrpcheck"})");
  EXPECT_EQ(script.own_answer(), first);
}

// The odd answer is made of such frames.
corpus::Scenario with_frames(const std::vector<corpus::ScenarioFrame>& frames) {
  corpus::Scenario scenario;
  scenario.frames = frames;
  return scenario;
}

TEST(Script, CloseIsAnsweredOnItsConnectionAndBehindIt) {
  auto scenario = with_frames({{{.opcode = wire::kClose}, ""}});
  scenario.then = "close";
  Script script(scenario);
  script.take(call(1, "1"), 1);
  script.hear_control({wire::kClose}, 1);
  script.take(call(2, "2"), 2);
  EXPECT_FALSE(script.is_close_answered()) << "that came before ours";
  script.take(call(2, "2"), 3);
  script.hear_control({wire::kPong}, 2);
  script.hear_control({wire::kClose}, 3);
  EXPECT_FALSE(script.is_close_answered()) << "it takes its leave where it has connected again";
  script.hear_control({wire::kClose}, 2);
  EXPECT_TRUE(script.is_close_answered());
}

TEST(Script, PingIsAnsweredOnItsConnectionByWhatItHolds) {
  const auto scenario = with_frames({{{.opcode = wire::kPing}, "a"}, {{}, "${good}"}});
  Script script(scenario);
  script.hear_control({wire::kPong, "a"}, 1);
  EXPECT_TRUE(script.are_pings_answered()) << "there is none";
  script.take(call(2, "2"), 1);
  script.hear_control({wire::kPong, "b"}, 1);
  script.hear_control({wire::kPong, "a"}, 2);
  script.hear_control({wire::kClose, "a"}, 1);
  EXPECT_FALSE(script.are_pings_answered());
  // The same answer on another connection: one of both is enough.
  script.take(call(2, "2"), 2);
  EXPECT_FALSE(script.are_pings_answered());
  script.hear_control({wire::kPong, "a"}, 2);
  EXPECT_TRUE(script.are_pings_answered());
}

TEST(Script, BatchIsAnsweredAsTheScenarioSays) {
  corpus::Scenario scenario;
  scenario.order = corpus::CallOrder::batch;
  scenario.answer = {"[${good3},${good1}]"};
  Script script(scenario);
  const auto batch = "[" + call(1, "1") + "," + call(2, "2") + "," + call(3, "3") + "]";
  EXPECT_EQ(script.take(batch)->messages, Texts{"[" + good(3, "3") + "," + good(1, "1") + "]"});
}

}  // namespace script_test
}  // namespace jrpcheck::client
