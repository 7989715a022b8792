// What a finding may be a habit of, as the judge names it.
#include "judge/habit.hpp"

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace habit_test {

using Names = std::vector<std::string>;

constexpr const char* kUnknown = R"({"response": {"error": {"code": -32601}, "id": 1}})";

judge::Finding only_finding(const Judgement& judgement) {
  EXPECT_EQ(judgement.findings.size(), 1U);
  return judgement.findings.empty() ? Finding() : judgement.findings.front();
}

Finding found(const std::string& outcomes, const dialogue::Exchange& exchange) {
  return only_finding(judged(case_accepting(outcomes), exchange));
}

TEST(Habit, AResultForAnUnknownMethodIsOneThatLeavesNothingToJudge) {
  const auto finding = found(kUnknown, replied({R"({"jsonrpc":"2.0","result":1,"id":1})"}));
  EXPECT_EQ(finding.habits, Names{"error -32601 -> result"});
  EXPECT_FALSE(finding.rest_counts);
}

TEST(Habit, ACodeOfTheServersOwnLeavesTheRestToBeJudged) {
  const auto finding = found(
      kUnknown, replied({R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"m"},"id":1})"}));
  EXPECT_EQ(finding.habits, Names{"error -32601 -> error -32000"});
  EXPECT_TRUE(finding.rest_counts);
}

TEST(Habit, ACodeThatTellsAnotherStageLeavesNothingToJudge) {
  const auto finding = found(
      kUnknown, replied({R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":1})"}));
  EXPECT_EQ(finding.habits, Names{"error -32601 -> error -32600"});
  EXPECT_FALSE(finding.rest_counts);
}

TEST(Habit, ARefusalThatLosesTheIdIsAnotherThanOneThatEchoesIt) {
  const auto finding = found(
      kUnknown, replied({R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"},"id":null})"}));
  EXPECT_EQ(finding.habits, Names{"error -32601 -> error -32700 with id null"});
}

TEST(Habit, ARefusalOfACallWithIdNullLosesNothing) {
  const auto finding =
      found(R"({"response": {"error": {"code": -32601}, "id": null}})",
            replied({R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"},"id":null})"}));
  EXPECT_EQ(finding.habits, Names{"error -32601 -> error -32700"});
}

TEST(Habit, AWrongCodeMayStandForThatOfEachOutcomeThatPasses) {
  const std::string any_of = R"(, {"response": {"error": {"code": -32602}, "id":
      {"any-of": [1, null]}}}, {"response": {"error": {"code": -32600}, "id": 1},
      "verdict": "warn", "because": "B"})";
  const auto finding =
      found(kUnknown + any_of,
            replied({R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"},"id":1})"}));
  EXPECT_EQ(finding.habits,
            (Names{"error -32601 -> error -32700", "error -32602 -> error -32700"}));
}

TEST(Habit, AnAnswerWhereSilenceIsDueIsOneByItsCode) {
  const auto finding =
      found(R"({"silence": true})",
            replied({R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":null})"}));
  EXPECT_EQ(finding.habits, Names{"silence -> error -32601"});
}

TEST(Habit, AnAnswerWhereSilenceIsDueIsOneAlsoWhereItIsForeseen) {
  const auto finding =
      found(R"({"silence": true}, {"response": {"error": {"code": -32600}, "id": null},
               "verdict": "fail", "because": "B"})",
            replied({R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null})"}));
  EXPECT_EQ(finding.habits, Names{"silence -> error -32600"});
}

TEST(Habit, AnIdOfAnotherTypeLeavesTheRestToBeJudged) {
  const auto finding = found(
      kUnknown, replied({R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":"1"})"}));
  EXPECT_EQ(finding.habits, Names{"id number -> string"});
  EXPECT_TRUE(finding.rest_counts);
}

TEST(Habit, APageInPlaceOfAResponseIsOne) {
  EXPECT_EQ(found(kUnknown, responded(500, "<html>", "text/html")).habits,
            Names{"error -32601 -> refused"});
}

TEST(Habit, ARefusalThatIsForeseenAsAWarningIsOneToo) {
  const std::string refused =
      R"(, {"refused": true, "verdict": "warn", "charge": "err-code-parse", "because": "B"})";
  EXPECT_EQ(found(kUnknown + refused, responded(500, "<html>", "text/html")).habits,
            Names{"error -32601 -> refused"});
}

TEST(Habit, NothingAtAllIsOneOfEachCodeThatMayCome) {
  const std::string either = R"({"response": {"error": {"code": [-32600, -32602]}, "id": 1}})";
  EXPECT_EQ(found(either, ended(dialogue::Ending::timed_out, "no answer")).habits,
            (Names{"error -32600 -> nothing", "error -32602 -> nothing"}));
}

TEST(Habit, NothingInAnswerToCallsAtOnceIsOneWhereTheSameIsDueToEach) {
  const auto silent = ended(dialogue::Ending::timed_out, "no answer");
  EXPECT_EQ(found(R"({"responses": [{"error": {"code": -32601}, "id": 1},
                                    {"error": {"code": -32601}, "id": 2}]})",
                  silent)
                .habits,
            Names{"error -32601 -> nothing"});
  EXPECT_EQ(found(R"({"responses": [{"error": {"code": -32601}, "id": 1},
                                    {"result": {"equals": 7}, "id": 2}]})",
                  silent)
                .habits,
            Names());
}

TEST(Habit, WhatIsOnlyToleratedIsNotWhatWasDue) {
  const std::string tolerated = R"(, {"response": {"error": {"code": -32700}, "id": null}})";
  EXPECT_EQ(found(kUnknown + tolerated, ended(dialogue::Ending::timed_out, "no answer")).habits,
            Names{"error -32601 -> nothing"});
}

TEST(Habit, AWarningIsChargedBesideACodeThatMayBeAHabit) {
  const std::string outcomes =
      R"({"response": {"error": {"code": -32700}, "id": null}}, {"response": {"error": {"code":
      -32601}, "id": 1}, "verdict": "warn", "charge": "json-extensions", "because": "B"})";
  const auto judgement =
      judged(case_accepting(outcomes),
             replied({R"({"jsonrpc":"2.0","error":{"code":1,"message":"m"},"id":1})"}));
  EXPECT_EQ(charges(judgement), (Charges{"json-extensions: warn", "err-code-method: fail"}));
}

TEST(Habit, ACodeBesideAWarningMayStandForThatOfTheWarningToo) {
  const std::string outcomes =
      R"({"response": {"error": {"code": -32700}, "id": null}}, {"response": {"error": {"code":
      -32601}, "id": 1}, "verdict": "warn", "charge": "json-extensions", "because": "B"})";
  const auto judgement =
      judged(case_accepting(outcomes),
             replied({R"({"jsonrpc":"2.0","error":{"code":1,"message":"m"},"id":1})"}));
  ASSERT_EQ(judgement.findings.size(), 2U);
  EXPECT_EQ(judgement.findings[1].habits,
            (Names{"error -32601 -> error 1", "error -32700 -> error 1"}));
}

TEST(Habit, AMessageThatComesOnceMoreIsOne) {
  const std::string refusal = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":1})";
  const std::string other = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No!"},"id":1})";
  EXPECT_EQ(found(kUnknown, replied({refusal, refusal})).habits, Names{"a message -> twice"});
  EXPECT_EQ(found(kUnknown, replied({refusal, other})).habits, Names());
}

TEST(Habit, SeparateMessagesForABatchAreOne) {
  const auto finding =
      found(R"({"batch": [{"error": {"any": true}, "id": 1}, {"error": {"any": true}, "id": 2}]})",
            replied({R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":1})",
                     R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":2})"}));
  EXPECT_EQ(finding.habits, Names{"batch -> separate messages"});
}

// What rests on a batch that is refused for its length is refused for it too.
TEST(Habit, OneErrorForABatchIsOneAlsoWhereItIsForeseen) {
  const std::string served =
      R"({"batch": [{"error": {"code": -32601}, "id": 1}, {"error": {"code": -32600}, "id": null}]})";
  const std::string refused =
      R"(, {"response": {"error": {"any": true}, "id": null}, "verdict": "warn",
          "charge": "bat-supported", "because": "B"})";
  const auto one_error =
      replied({R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null})"});
  EXPECT_EQ(found(served, one_error).habits, Names{"batch -> one message"});
  const auto foreseen = found(served + refused, one_error);
  EXPECT_EQ(foreseen.requirement, "bat-supported");
  EXPECT_EQ(foreseen.habits, Names{"batch -> one message"});
}

// Who answers all that is not JSON with -32600 takes no bare word for a String.
TEST(Habit, AWrongCodeIsOneAlsoWhereItIsForeseen) {
  const auto foreseen = found(
      R"({"response": {"error": {"code": -32700}, "id": null}},
         {"response": {"error": {"code": -32600}, "id": null}, "verdict": "warn", "because": "B"})",
      replied({R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null})"}));
  EXPECT_EQ(foreseen.symptom, Symptom::outcome_of_case);
  EXPECT_EQ(foreseen.habits, Names{"error -32700 -> error -32600"});
}

TEST(Habit, AWrongValueOfAResultIsNone) {
  const auto finding = found(R"({"response": {"result": {"equals": 19}, "id": 1}})",
                             replied({R"({"jsonrpc":"2.0","result":-19,"id":1})"}));
  EXPECT_TRUE(finding.habits.empty());
}

TEST(Habit, AnAnyErrorOutcomeDoesNotWarnOfAnErrorWithoutACode) {
  const std::string outcomes =
      std::string(kUnknown) +
      R"(, {"response": {"error": {"any": true}, "id": 1}, "verdict": "warn", "because": "B"})";
  const auto judgement =
      judged(case_accepting(outcomes), replied({R"({"jsonrpc":"2.0","error":"no","id":1})"}));
  EXPECT_EQ(charges(judgement), Charges{"err-object: fail"});
}

}  // namespace habit_test
}  // namespace jrpcheck::judge
