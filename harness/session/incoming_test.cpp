#include "session/incoming.hpp"

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>

#include "json/parse.hpp"

namespace jrpcheck::session {

// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, IncomingKind kind) {
  constexpr const char* kNames[] = {"reply",   "value", "control", "unasked",
                                    "foreign", "late",  "noise"};
  return out << kNames[static_cast<int>(kind)];
}

namespace incoming_test {

using dialogue::id_keys_of;

constexpr bool kByHeader = true;
constexpr bool kByLines = false;

// In the middle of a run: id 7 is of this case, id 5 and "five" of an earlier one, and two control
// calls are under way.
IncomingKind sort(const std::string& message, bool framed_by_header = kByLines) {
  IncomingSorter sorter(framed_by_header);
  sorter.begin_step(id_keys_of(R"([{"id":5},{"id":"five"}])"));
  sorter.begin_step(id_keys_of(R"([{"id":7},{"id":"seven"}])"));
  sorter.expect_control(5000000);
  sorter.expect_control(5000001);
  return sorter.sort(message);
}

TEST(IncomingSorter, AnswerToThisCaseIsAReply) {
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":7})"), IncomingKind::reply);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null})"),
            IncomingKind::reply);
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","result":1,"id":7}])"), IncomingKind::reply);
}

TEST(IncomingSorter, AnswerWithAnIdThatNobodySentIsAReply) {
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":99})"), IncomingKind::reply);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1})"), IncomingKind::reply);
  EXPECT_EQ(sort(R"({"result":1,"error":null,"id":7})"), IncomingKind::reply);
}

// 5000000 is 19264 in 16 bits, and 5020000 is 39264, which with a sign is -26272.
TEST(IncomingSorter, WhatSixteenBitsHoldOfAControlIdAnswersThatCallOnce) {
  IncomingSorter sorter(kByLines);
  sorter.begin_step(id_keys_of(R"({"id":7})"));
  sorter.take(R"({"jsonrpc":"2.0","result":1,"id":7})");
  sorter.expect_control(5000000);
  sorter.expect_control(5020000);
  const std::string answer = R"({"jsonrpc":"2.0","result":1,"id":)";
  EXPECT_EQ(sorter.sort(answer + "\"19264\"}"), IncomingKind::foreign);
  EXPECT_EQ(sorter.take(answer + "19264}"), IncomingKind::control_cut);
  EXPECT_EQ(sorter.take(answer + "19264}"), IncomingKind::foreign);
  EXPECT_EQ(sorter.take(answer + "-26272}"), IncomingKind::control_cut);
  EXPECT_EQ(sorter.take(answer + "39264}"), IncomingKind::foreign);
}

TEST(IncomingSorter, AnswerToACallWhoseIdIsLikeThatOfAControlCallInSixteenBitsIsItsOwn) {
  IncomingSorter sorter(kByLines);
  sorter.begin_step(id_keys_of(R"({"id":19264})"));
  sorter.expect_control(5000000);
  const std::string answer = R"({"jsonrpc":"2.0","result":1,"id":19264})";
  EXPECT_EQ(sorter.sort(answer), IncomingKind::reply);
  sorter.begin_step(id_keys_of(R"({"id":7})"));
  EXPECT_EQ(sorter.take(answer), IncomingKind::late);
}

TEST(IncomingSorter, WhatSaysAControlCallsAnswerTwiceInOneFrameAnswersIt) {
  const std::string answer = R"({"jsonrpc":"2.0","result":1,"id":5000000})";
  EXPECT_EQ(sort(answer + "\n" + answer, kByHeader), IncomingKind::control_broken);
  EXPECT_EQ(sort(answer + "C", kByHeader), IncomingKind::reply) << "its length may be wrong";
  EXPECT_EQ(sort(answer + R"({"id":7})", kByHeader), IncomingKind::reply);
  EXPECT_EQ(sort("/**/", kByHeader), IncomingKind::reply);
}

TEST(IncomingSorter, BatchThatBeginsWithACommaIsAReplyGoneWrong) {
  EXPECT_EQ(sort(R"([,{"jsonrpc":"2.0","result":1,"id":7}])"), IncomingKind::reply);
  EXPECT_EQ(sort(R"([ , ,{"jsonrpc":"2.0","result":1,"id":7}])"), IncomingKind::reply);
  EXPECT_EQ(sort("[, ready"), IncomingKind::noise);
}

TEST(IncomingSorter, ValueThatIsNoObjectIsAReplyGoneWrong) {
  EXPECT_EQ(sort("[]"), IncomingKind::reply);
  EXPECT_EQ(sort("null", kByHeader), IncomingKind::reply);
  EXPECT_EQ(sort("\"done\"", kByHeader), IncomingKind::reply);
}

TEST(IncomingSorter, ValueInALineMayBePrintedBesideAMessage) {
  EXPECT_EQ(sort("null"), IncomingKind::value);
  EXPECT_EQ(sort("17"), IncomingKind::value);
  EXPECT_EQ(sort("\"done\""), IncomingKind::value);
}

TEST(WellFormed, DependsOnTheDialect) {
  const auto in_1_0 = [](const std::string& message) {
    return is_well_formed(message, corpus::Dialect::json_rpc_1_0);
  };
  const std::string call_of_1_0 = R"({"method":"m","params":[],"id":[true]})";
  EXPECT_TRUE(in_1_0(call_of_1_0));
  EXPECT_TRUE(in_1_0(R"({"method":"m","params":[],"id":null})"));
  EXPECT_FALSE(is_well_formed(call_of_1_0));
  EXPECT_FALSE(in_1_0(R"({"method":"m","params":{},"id":1})"));
  EXPECT_FALSE(in_1_0(R"({"method":"m","params":[]})"));
  EXPECT_FALSE(in_1_0("[" + call_of_1_0 + "]"));
  EXPECT_FALSE(in_1_0(R"({"jsonrpc":"2.0","method":"m","params":[],"id":1})"));
}

TEST(IncomingSorter, AnswerToAControlCallIsTold) {
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":5000000})"), IncomingKind::control);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","error":{},"id":5000001.0})"), IncomingKind::control);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","error":{},"id":"5000001"})"), IncomingKind::control);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":5000002})"), IncomingKind::reply);
}

TEST(IncomingSorter, AnswerToAControlCallIsToldInAnArrayOfItsOwn) {
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","result":1,"id":5000000}])"), IncomingKind::control);
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","result":1,"id":5000002}])"), IncomingKind::reply);
  EXPECT_EQ(
      sort(R"([{"jsonrpc":"2.0","result":1,"id":5000000},{"jsonrpc":"2.0","result":1,"id":7}])"),
      IncomingKind::reply);
}

TEST(IncomingSorter, AnswerIsMatchedToItsControlCall) {
  const std::string answer = R"({"jsonrpc":"2.0","result":1,"id":5000000})";
  EXPECT_TRUE(IncomingSorter::answers(answer, 5000000));
  EXPECT_FALSE(IncomingSorter::answers(answer, 5000001));
  EXPECT_TRUE(IncomingSorter::answers("[" + answer + "]", 5000000));
  EXPECT_FALSE(IncomingSorter::answers("[" + answer + "," + answer + "]", 5000000));
  EXPECT_FALSE(IncomingSorter::answers(R"({"jsonrpc":"2.0","result":1})", 5000000));
  EXPECT_FALSE(IncomingSorter::answers("[5000000]", 5000000));
  EXPECT_FALSE(IncomingSorter::answers("{", 5000000));
}

TEST(IncomingSorter, AnswerToAnEarlierCaseIsLate) {
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":5})"), IncomingKind::late);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":5.0})"), IncomingKind::late);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":"five"})"), IncomingKind::late);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":"5"})"), IncomingKind::reply);
}

TEST(IncomingSorter, AnswerToAnEarlierCaseIsLateThoughNobodyElseCouldReadThat) {
  const auto sorted_behind = [](const std::string& unread, const std::string& id) {
    IncomingSorter sorter(kByLines);
    sorter.begin_step({}, unread);
    sorter.begin_step(id_keys_of(R"({"id":7})"));
    sorter.expect_control(5000000);
    sorter.take(dialogue::Message(R"({"jsonrpc":"2.0","result":1,"id":5000000})"));
    return sorter.sort(dialogue::Message(
        R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":)" + id + "}"));
  };
  EXPECT_EQ(sorted_behind("{\"method\":\"\xED\xA0\x80\",\"id\":5}", "5"), IncomingKind::late);
  EXPECT_EQ(sorted_behind(R"({"method":"m","id" : 5)", "5"), IncomingKind::late);
  EXPECT_EQ(sorted_behind(R"([{"id":4},{"method":"m","id":"five"},)", R"("five")"),
            IncomingKind::late);
  EXPECT_EQ(sorted_behind(R"({"method":"m","id":57)", "5"), IncomingKind::foreign);
  EXPECT_EQ(sorted_behind(R"({"method":"m","id":"5")", "5"), IncomingKind::foreign);
  EXPECT_EQ(sorted_behind(R"({"method":"5","id)", "5"), IncomingKind::foreign);
  EXPECT_EQ(sorted_behind(R"({"id":)", "5"), IncomingKind::foreign);
  EXPECT_EQ(sorted_behind(R"({"method":"m","id":7)", "7"), IncomingKind::reply);
}

TEST(IncomingSorter, BatchOfAnswersToAnEarlierCaseIsLate) {
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","result":1,"id":5},{"jsonrpc":"2.0","error":{},"id":null}])"),
            IncomingKind::late);
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","result":1,"id":5},{"jsonrpc":"2.0","result":1,"id":7}])"),
            IncomingKind::reply);
}

// Corpus ids come again: one of them, wrong in an answer to this batch, was sent before.
TEST(IncomingSorter, BatchWithAnIdThatNobodySentIsNotLate) {
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","result":1,"id":5},{"jsonrpc":"2.0","result":1,"id":99}])"),
            IncomingKind::reply);
}

TEST(IncomingSorter, IdThatIsSentAgainIsOfThisCase) {
  IncomingSorter sorter(kByLines);
  sorter.begin_step(id_keys_of(R"({"id":5})"));
  sorter.begin_step(id_keys_of(R"({"id":5})"));
  EXPECT_EQ(sorter.sort(R"({"jsonrpc":"2.0","result":1,"id":5})"), IncomingKind::reply);
}

bool had_its_answer(const std::string& sent, const std::string& code) {
  IncomingSorter sorter(kByLines);
  sorter.begin_step(id_keys_of(sent));
  sorter.take(R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"m"},"id":null})");
  sorter.begin_step(id_keys_of(R"({"id":8})"));
  return sorter.had_their_answer(R"({"jsonrpc":"2.0","result":1,"id":7})");
}

TEST(IncomingSorter, ACallThatIsRefusedAsNoRequestHasHadItsAnswer) {
  EXPECT_TRUE(had_its_answer(R"({"id":7})", "-32600"));
  EXPECT_FALSE(had_its_answer(R"({"id":7})", "-32700")) << "it may have come to what was no JSON";
  EXPECT_FALSE(had_its_answer(R"([{"id":6},{"id":7}])", "-32600"));
}

TEST(IncomingSorter, RequestsAndNotificationsOfTheServerAreUnasked) {
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","method":"window/logMessage","params":{}})"),
            IncomingKind::unasked);
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","method":"client/registerCapability","id":7})"),
            IncomingKind::unasked);
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}])"),
            IncomingKind::unasked);
}

// LSP workspace/configuration: the result has a value for each item that was asked for.
TEST(AnswerToRequest, HasANullForEachElementThatTheRequestHas) {
  const std::map<std::string, std::string> answers = {
      {"configuration", R"("result":"${null-for-each:/params/items}")"}};
  const auto result_for = [&](const std::string& params) {
    return answer_to_request(
        dialogue::Message(R"({"jsonrpc":"2.0","id":"c","method":"configuration","params":)" +
                          params + "}"),
        answers);
  };
  EXPECT_EQ(result_for(R"({"items":[{},{"section":"a"},{}]})"),
            R"({"jsonrpc":"2.0","result":[null,null,null],"id":"c"})");
  EXPECT_EQ(result_for(R"({"items":[{}]})"), R"({"jsonrpc":"2.0","result":[null],"id":"c"})");
  EXPECT_EQ(result_for(R"({"items":[]})"), R"({"jsonrpc":"2.0","result":[],"id":"c"})");
  EXPECT_EQ(result_for("{}"), R"({"jsonrpc":"2.0","result":[],"id":"c"})");
}

TEST(IncomingSorter, AnswerThatAlsoNamesAMethodIsAReply) {
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","method":"m","result":1,"id":7})"), IncomingKind::reply);
}

TEST(IncomingSorter, LogLineIsNoise) {
  EXPECT_EQ(sort("listening on stdio"), IncomingKind::noise);
  EXPECT_EQ(sort("[INFO] ready"), IncomingKind::noise);
  EXPECT_EQ(sort("2024-01-01 12:00:00 ready"), IncomingKind::noise);
}

TEST(IncomingSorter, LogLineInJsonIsNoise) {
  EXPECT_EQ(sort(R"({"msg":"ready","time":1})"), IncomingKind::noise);
  EXPECT_EQ(sort(R"({"level":"error","error":"bad input","msg":"failed"})"), IncomingKind::noise);
  EXPECT_EQ(sort(R"({"level":"info","method":"subtract","id":7})"), IncomingKind::noise);
  EXPECT_EQ(sort(R"({"severity":"INFO","result":"ok"})"), IncomingKind::noise);
}

TEST(IncomingSorter, ErrorObjectWithoutItsResponseIsAReply) {
  EXPECT_EQ(sort(R"({"code":-32601})"), IncomingKind::reply);
  EXPECT_EQ(sort(R"({"code":-32601,"message":"m","data":[]})"), IncomingKind::reply);
  EXPECT_EQ(sort(R"({"code":"ENOENT","message":"m"})"), IncomingKind::noise);
  EXPECT_EQ(sort(R"({"code":0,"msg":"ready"})"), IncomingKind::noise);
  EXPECT_EQ(sort(R"({"code":1,"message":"m","level":"info"})"), IncomingKind::noise);
}

TEST(IncomingSorter, BrokenAnswerIsAReplyAndNoLogLine) {
  EXPECT_EQ(sort(R"({"jsonrpc":"2.0","result":1,"id":7)"), IncomingKind::reply);
  EXPECT_EQ(sort(R"( {"jsonrpc":"2.0",})"), IncomingKind::reply);
  EXPECT_EQ(sort(R"([{"jsonrpc":"2.0","result":1,"id":7},])"), IncomingKind::reply);
  EXPECT_EQ(sort("\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":7}"), IncomingKind::reply);
}

TEST(IncomingSorter, NothingIsNoiseWhereAHeaderMarksTheMessages) {
  EXPECT_EQ(sort("ready", kByHeader), IncomingKind::reply);
  EXPECT_EQ(sort(R"({"msg":"ready"})", kByHeader), IncomingKind::reply);
  EXPECT_EQ(sort(R"({"level":"info"})", kByHeader), IncomingKind::reply);
  EXPECT_EQ(sort("", kByHeader), IncomingKind::reply);
}

TEST(IsWellFormed, HoldsForRequestsNotificationsAndBatchesOfThem) {
  EXPECT_TRUE(is_well_formed(R"({"jsonrpc":"2.0","method":"m","id":1})"));
  EXPECT_TRUE(is_well_formed(R"({"jsonrpc":"2.0","method":"m"})"));
  EXPECT_TRUE(is_well_formed(R"({"jsonrpc":"2.0","method":"m","params":{},"id":null})"));
  EXPECT_TRUE(is_well_formed(R"([{"jsonrpc":"2.0","method":"m","params":[],"id":"x"}])"));
}

TEST(IsWellFormed, FailsForEachFaultOfTheEnvelope) {
  for (const char* message :
       {"", "{", "1", "null", "[]", "[1]", "{}", R"({"method":"m","id":1})",
        R"({"jsonrpc":"2.1","method":"m","id":1})", R"({"jsonrpc":2.0,"method":"m","id":1})",
        R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","method":1,"id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":1,"id":1})",
        R"({"jsonrpc":"2.0","method":"m","id":[]})", R"({"jsonrpc":"2.0","method":"m","id":true})",
        R"({"jsonrpc":"2.0","method":"m","method":"n","id":1})",
        R"([{"jsonrpc":"2.0","method":"m"},1])"}) {
    EXPECT_FALSE(is_well_formed(message)) << message;
  }
}

}  // namespace incoming_test
}  // namespace jrpcheck::session
