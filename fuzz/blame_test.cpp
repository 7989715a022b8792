#include "fuzz/blame.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuzz/oracle.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::fuzz {
namespace blame_test {

using Lines = std::vector<std::string>;

// Each finding as "requirement: what it is about: what is wrong".
Lines blamed(const std::string& sent, const std::vector<std::string>& replies) {
  const Oracle oracle(judge::real_ledger(), {});
  const auto expectation = expectation_of(sent, {});
  Lines lines;
  for (const auto& each : oracle.judge_replies(sent, replies).findings) {
    lines.push_back(each.requirement + ": " + shape_of(expectation, each));
  }
  return lines;
}

std::string error(const std::string& code, const std::string& id) {
  return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"no"},"id":)" + id + "}";
}

const std::string kRefused = error("-32600", "null");
const std::string kNullCall = R"({"jsonrpc":"2.0","method":"m","id":null})";
const std::string kNotification = R"({"jsonrpc":"2.0","method":"m"})";

TEST(Blame, AMissingResponseIsChargedToWhatTheElementIs) {
  EXPECT_EQ(blamed("[1]", {"[]"}), Lines{"bat-invalid-member: primitive: unanswered"});
  EXPECT_EQ(blamed("[[]]", {"[]"}), Lines{"bat-nested: Array: unanswered"});
  EXPECT_EQ(blamed("[" + kNullCall + "]", {"[]"}),
            Lines{"id-null-request: Request with id null: unanswered"});
  EXPECT_EQ(blamed(R"([{"jsonrpc":"2.0","method":"m","id":5},1])", {"[" + kRefused + "]"}),
            Lines{"bat-each: call; primitive: unanswered"});
}

TEST(Blame, AnEmptyArrayIsWrongWhetherAResponseIsDueOrNot) {
  const std::string odd = R"({"jsonrpc":"2.0","method":"m","params":null})";
  const std::string invalid = R"({"jsonrpc":"2.0","params":[]})";
  const Lines empty = {"bat-all-notifications: batch of notifications: answered"};
  for (const auto& elements : {odd, odd + "," + kNotification, invalid}) {
    EXPECT_EQ(blamed("[" + elements + "]", {"[]"}), empty) << elements;
  }
  EXPECT_EQ(blamed("[" + odd + "]", {}), Lines{});
  EXPECT_EQ(blamed("[" + odd + ",1]", {"[]"}), Lines{"bat-invalid-member: primitive: unanswered"});
}

TEST(Blame, CallsThatShareAnIdAreNotAtFaultForWhatStandsBesideThem) {
  const std::string call = R"({"jsonrpc":"2.0","method":"m","id":5})";
  const std::string answers = error("-32601", "5") + "," + error("-32601", "5");
  EXPECT_EQ(blamed("[" + call + ",1," + call + "]", {"[" + answers + "]"}),
            Lines{"bat-invalid-member: primitive: unanswered"});
  EXPECT_EQ(blamed("[" + call + "," + call + "]", {"[" + error("-32601", "5") + "]"}),
            Lines{"bat-duplicate-ids: calls that share an id: unanswered"});
  const std::string of_zero = R"({"jsonrpc":"2.0","method":"m","id":-0})";
  EXPECT_EQ(blamed("[" + of_zero + "," + of_zero + "]", {"[" + error("-32601", "-0") + "]"}),
            Lines{"bat-duplicate-ids: calls that share an id: unanswered"})
      << "the other was answered by that id";
  EXPECT_EQ(blamed("[" + call + "," + call + "," + kNullCall + "]", {"[" + answers + "]"}),
            Lines{"id-null-request: Request with id null: unanswered"});
}

TEST(Blame, WhereEitherMayBeMissingBothAreNamed) {
  EXPECT_EQ(blamed("[1,[]]", {"[" + kRefused + "]"}),
            Lines{"bat-invalid-member: Array; primitive: unanswered"});
}

TEST(Blame, ABatchWithoutAnAnswerIsChargedToWhatAllOfItIs) {
  EXPECT_EQ(blamed("[[]]", {}), Lines{"bat-nested: Array: unanswered"});
  EXPECT_EQ(blamed("[" + kNullCall + "]", {}),
            Lines{"id-null-request: Request with id null: unanswered"});
  EXPECT_EQ(blamed(R"([{"jsonrpc":"2.0","method":"m","id":5}])", {}),
            Lines{"res-always: call: unanswered"});
}

TEST(Blame, AnIdTellsWhoseResponseItIs) {
  const std::string sent = R"([{"jsonrpc":1},{"jsonrpc":1,"method":"m","id":1},1])";
  EXPECT_EQ(blamed(sent, {"[" + kRefused + "," + error("-32601", "1") + "," + kRefused + "]"}),
            Lines{"bat-invalid-member: invalid Request: wrong version: taken-for-request"});
  EXPECT_EQ(blamed(R"([{"jsonrpc":1,"id":{}},{"jsonrpc":"2.0","method":"m","id":""}])",
                   {"[" + error("-32600", "{}") + "]"}),
            (Lines{"req-id-type: an id (of a wrong type) that came back: wrong-id",
                   "id-zero-and-empty: Request with id \"\": unanswered"}));
}

TEST(Blame, AnIdThatWasCutStillTellsWhoseResponseItIs) {
  EXPECT_EQ(blamed(R"([1,{"id":0.1,"jsonrpc":1}])", {"[" + error("-32600", "0") + "]"}),
            (Lines{"id-fraction: an id (fraction) that came back as another: wrong-id",
                   "bat-invalid-member: primitive: unanswered"}));
  EXPECT_EQ(blamed(R"([{"jsonrpc":1,"id":2.5},)" + kNotification + "]",
                   {"[" + error("-32600", "2") + "," + kRefused + "]"}),
            (Lines{"id-fraction: an id (fraction) that came back as another: wrong-id",
                   "ntf-silent-in-batch: notification: answered"}));
}

TEST(Blame, WhereAnIdHasComeTwiceTheResponseInItsPlaceIsMeant) {
  EXPECT_EQ(blamed(R"([{"jsonrpc":"2.0","id":3.2},{"jsonrpc":1,"method":"m","id":3}])",
                   {"[" + error("-32600", "3") + "," + error("1", "3") + "]"}),
            (Lines{"bat-invalid-member: invalid Request: wrong version: taken-for-request",
                   "id-fraction: an id (fraction) that came back as another: wrong-id"}));
}

TEST(Blame, OfTwoElementsWithTheSameIdTheResponseIsThatOfTheOneItFits) {
  EXPECT_EQ(
      blamed(
          R"([[],{"jsonrpc":"2.0","method":1,"id":"x"},{"jsonrpc":"2.0","method":"m","id":"x"}])",
          {"[" + kRefused + "," + error("-32601", "\"x\"") + "]"}),
      Lines{"bat-invalid-member: Array; invalid Request: method is no String: unanswered"});
}

TEST(Blame, WhereTwoShareAnIdWhatIsLeftOutMayBeAnyThatTheResponsesWouldFit) {
  EXPECT_EQ(blamed(R"([{"jsonrpc":"2.0","method":"m","params":1,"id":"x"},[],)"
                   R"({"jsonrpc":"2.0","method":"jrpcheckNone","id":"x"}])",
                   {"[" + kRefused + "," + error("-32601", "\"x\"") + "]"}),
            Lines{"bat-each: Array; call; params of a wrong type: unanswered"});
}

TEST(Blame, WhatMayBeEitherOfTwoWithTheSameIdIsAboutBoth) {
  EXPECT_EQ(blamed(R"([{"jsonrpc":1,"method":"m","id":5},{"jsonrpc":"2.0","id":5}])",
                   {"[" + error("1", "5") + "," + error("-32600", "5") + "]"}),
            Lines{"bat-invalid-member: invalid Request: no method; invalid Request: wrong "
                  "version: taken-for-request"});
}

TEST(Blame, NobodyTakesTheResponseThatStandsInTheRightPlaceOfAnother) {
  EXPECT_EQ(
      blamed(R"([{"jsonrpc":"2.0","method":1,"id":1},{"jsonrpc":1},)" + kNullCall + "]",
             {"[" + error("-32601", "1") + "," + kRefused + "," + error("-32601", "null") + "]"}),
      Lines{"bat-invalid-member: invalid Request: method is no String: taken-for-request"});
}

TEST(Blame, ABatchOfOneThatIsAnsweredLikeItsElementIsOneFault) {
  const std::string call = R"([{"jsonrpc":"2.0","method":"m","id":5}])";
  const Lines one = {"bat-one: batch that is due one Response: message-for-batch"};
  EXPECT_EQ(blamed("[1]", {kRefused}), one);
  EXPECT_EQ(blamed("[null]", {kRefused}), one);
  EXPECT_EQ(blamed("[[]]", {kRefused}), one);
  EXPECT_EQ(blamed(R"([{"jsonrpc":1}])", {kRefused}), one);
  EXPECT_EQ(blamed(call, {error("-32601", "5")}), one);
}

TEST(Blame, AResponseThatFitsNeitherIsAboutBoth) {
  EXPECT_EQ(blamed(R"([{"jsonrpc":"2.0","method":1},{"jsonrpc":1,"method":"m","id":null}])",
                   {"[" + kRefused + "," + error("1", "null") + "]"}),
            Lines{"bat-invalid-member: invalid Request: method is no String; invalid Request: "
                  "wrong version: taken-for-request"});
  EXPECT_EQ(blamed(R"([[],{"jsonrpc":1,"method":"m","id":null}])", {"[" + error("1", "null") + "]"})
                .front(),
            "bat-invalid-member: Array; invalid Request: wrong version: wrong-code");
}

TEST(Blame, WhatMayAnswerANotificationIsNotHeldAgainstTheCallBesideItAlone) {
  const std::string unknown = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":null})";
  EXPECT_EQ(
      blamed("[" + kNotification + "," + unknown + "]", {"[" + error("-32603", "null") + "]"}),
      Lines{"err-code-method: call of an unknown method; notification: wrong-code"});
}

TEST(Blame, WhatIsNoJsonIsOneFaultWhereverInTheReplyItStands) {
  const Lines one = {"res-json: reply-not-json"};
  EXPECT_EQ(blamed("{}", {R"({"result":[Infinity],"id":1})"}), one);
  EXPECT_EQ(blamed("{}", {R"({"id":1,"result":Infinity})"}), one);
}

TEST(Blame, ServedOrNotFoundIsTheSameForWhatIsNoRequest) {
  const std::string sent = R"({"jsonrpc":1,"method":"m","id":7})";
  const Lines taken = {"req-version: invalid Request: wrong version: taken-for-request"};
  EXPECT_EQ(blamed(sent, {error("-32601", "7")}), taken);
  EXPECT_EQ(blamed(sent, {R"({"jsonrpc":"2.0","result":1,"id":7})"}), taken);
  EXPECT_NE(blamed(sent, {error("-32700", "7")}), taken);
}

TEST(Blame, AnIdThatIsCutIsOneFaultWhateverItStandsIn) {
  const std::string cut = "id-fraction: an id (fraction) that came back as another: wrong-id";
  for (const char* const request :
       {R"({"jsonrpc":"2.0","method":"m","id":1.5})", R"({"jsonrpc":1,"id":1.5})",
        R"({"jsonrpc":"2.0","method":"m","params":1,"id":1.5})"}) {
    EXPECT_EQ(blamed(request, {error("-32600", "1")}), Lines{cut}) << request;
    EXPECT_EQ(blamed("[" + std::string(request) + "]", {"[" + error("-32600", "1") + "]"}),
              Lines{cut})
        << request;
  }
}

TEST(Blame, WhatIsTakenForARequestWithABadIdIsOneFault) {
  const std::string sent = R"({"jsonrpc":"2.0","method":"m","id":{}})";
  EXPECT_EQ(blamed(sent, {error("-32601", "{}")}),
            Lines{"req-id-type: invalid Request: id of a wrong type: taken-for-request"});
  EXPECT_EQ(blamed(sent, {error("-32600", "{}")}),
            Lines{"req-id-type: an id (of a wrong type) that came back: wrong-id"});
}

TEST(Blame, AResponseToNobodyIsTheNotifications) {
  EXPECT_EQ(
      blamed("[" + kNotification + R"(,{"jsonrpc":1}])", {"[" + kRefused + "," + kRefused + "]"}),
      Lines{"ntf-silent-in-batch: notification: answered"});
  EXPECT_EQ(blamed("[" + kNotification + "]", {"[" + kRefused + "]"}),
            Lines{"bat-all-notifications: notification: answered"});
  EXPECT_EQ(blamed("[" + kNotification + "]", {"[]"}),
            Lines{"bat-all-notifications: batch of notifications: answered"});
  EXPECT_EQ(blamed(kNotification, {kRefused}), Lines{"ntf-silent: notification: answered"});
  EXPECT_EQ(blamed("[" + kNotification + R"(,{"jsonrpc":"2.0","method":"m","id":5}])",
                   {"[" + error("-32601", "5") + "," + error("-32601", "5") + "]"}),
            Lines{"bat-each: batch: answered"});
}

// "a" may be a method that is there, until the answer says that it is not.
TEST(Blame, ANotificationThatIsAnsweredAsNotFoundIsOfAnUnknownMethod) {
  const std::string not_found = error("-32601", "null");
  EXPECT_EQ(blamed(kNotification, {not_found}),
            Lines{"ntf-silent-unknown-method: notification of an unknown method: answered"});
  EXPECT_EQ(blamed(kNotification, {not_found}),
            blamed(R"({"jsonrpc":"2.0","method":"jrpcheckX"})", {not_found}));
  EXPECT_EQ(
      blamed("[" + kNotification + R"(,{"jsonrpc":1}])", {"[" + kRefused + "," + not_found + "]"}),
      Lines{"ntf-silent-in-batch: notification of an unknown method: answered"});
  EXPECT_EQ(blamed("[" + kNotification + "]", {"[" + not_found + "]"}),
            Lines{"bat-all-notifications: notification of an unknown method: answered"});
}

TEST(Blame, ANotificationOfAMethodThatIsThereIsThatHoweverItIsAnswered) {
  Traits traits;
  traits.methods = {"m"};
  const Oracle oracle(judge::real_ledger(), traits);
  const auto findings = oracle.judge_replies(kNotification, {error("-32601", "null")}).findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().requirement, "ntf-silent");
}

// Where -9 comes back as 9.
TEST(Blame, AResponseThatFitsButForItsIdIsThatElementsAndNoOthers) {
  const std::string call = R"({"jsonrpc":"2.0","method":"","id":-9})";
  const Lines one = {"id-echo: an id (whole Number) that came back as another: wrong-id"};
  for (const std::string before :
       {R"({"jsonrpc":1,"id":1})", R"({"jsonrpc":"2.0","id":9})", R"({"jsonrpc":1,"id":9})"}) {
    EXPECT_EQ(blamed("[" + before + "," + call + "]",
                     {"[" + kRefused + "," + error("-32601", "9") + "]"}),
              one)
        << before;
  }
  const std::string served = R"({"jsonrpc":"2.0","result":null,"id":1})";
  EXPECT_EQ(blamed(R"([{"jsonrpc":"2.0","method":"nothing","id":-1},)" + kNotification +
                       R"(,{"jsonrpc":"2.0","method":"jrpcheckX","id":1}])",
                   {"[" + served + "," + error("-32601", "1") + "]"}),
            one);
}

TEST(Blame, WhereOneResponseIsLeftOutBesideWhatMayBeOf1_0ThatIsTheFault) {
  EXPECT_EQ(
      blamed(R"([{"jsonrpc":"2.0","method":"m","id":5},{"jsonrpc":"2.0","method":"m","id":5},)"
             R"({},1])",
             {"[" + error("-32601", "5") + "," + error("-32601", "5") + "]"}),
      Lines{"bat-invalid-member: primitive: unanswered"});
}

TEST(Blame, WhatIsTooManyBesideAnArrayIsThatOfItsElements) {
  EXPECT_EQ(blamed("[[1,1]]", {"[" + kRefused + "," + kRefused + "]"}),
            Lines{"bat-nested: Array: answered"});
  EXPECT_EQ(blamed("[" + kNotification + ",[1,1]]", {"[" + kRefused + "," + kRefused + "]"}),
            Lines{"bat-nested: Array; notification: answered"});
  EXPECT_EQ(blamed(R"([{"jsonrpc":1,"id":""},[1,{"jsonrpc":"2.0","method":"m","id":""}]])",
                   {"[" + kRefused + "," + kRefused + "," + error("-32601", "\"\"") + "]"}),
            Lines{"bat-nested: Array: answered"});
  EXPECT_EQ(blamed(R"([{"jsonrpc":1,"id":""},[{"jsonrpc":"2.0","method":"m","id":""}]])",
                   {"[" + kRefused + "," + error("-32601", "\"\"") + "]"}),
            Lines{"bat-nested: Array: wrong-code"});
  EXPECT_EQ(blamed(R"([{"id":2.5},[{"jsonrpc":"2.0","method":"m","id":1}]])",
                   {"[" + kRefused + "," + error("-32601", "1") + "]"}),
            Lines{"bat-nested: Array: wrong-code"});
}

TEST(Blame, WhatIsRightStaysRight) {
  EXPECT_EQ(blamed("[1,[]," + kNullCall + "," + kNotification + "]",
                   {"[" + kRefused + "," + error("-32601", "null") + "," + kRefused + "]"}),
            Lines{});
  EXPECT_EQ(blamed(R"([{"jsonrpc":1,"id":7},1])", {"[" + kRefused + "," + kRefused + "]"}),
            Lines{});
}

judge::Finding about(const std::string& what, judge::Symptom symptom) {
  judge::Finding finding;
  finding.symptom = symptom;
  finding.about = what;
  return finding;
}

TEST(Blame, APlainerRequestWithTheSameFaultExplainsIt) {
  const auto missing = judge::Symptom::response_missing;
  const auto none = judge::Symptom::unanswered;
  EXPECT_TRUE(explains(about("Array", none), about("Array; primitive", missing)));
  EXPECT_TRUE(explains(about("call", none), about("Request with id 0", none)));
  EXPECT_TRUE(explains(about("call", none), about("calls that share an id", missing)));
  EXPECT_FALSE(explains(about("Request with id 0", none), about("call", none)));
  EXPECT_FALSE(explains(about("Array", none), about("primitive", missing)));
  EXPECT_FALSE(
      explains(about("primitive", judge::Symptom::wrong_code), about("primitive", missing)));
}

}  // namespace blame_test
}  // namespace jrpcheck::fuzz
