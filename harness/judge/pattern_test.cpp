#include "judge/pattern.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace pattern_test {

// The pattern that a case file would write so.
corpus::ResponsePattern pattern(const std::string& text) {
  auto one = case_accepting("{\"response\": " + text + "}");
  return std::move(one.steps.at(0).accept.at(0).responses.at(0));
}

// What is wrong, as "part", or "part->requirement" where the pattern itself names one; the last
// element is "?" when a part could not be compared.
Charges differences(const Comparison& comparison) {
  Charges texts;
  for (const auto& each : comparison.mismatches) {
    texts.push_back(std::string(name_of(each.part)) +
                    (each.requirement.empty() ? "" : "->" + each.requirement));
  }
  if (comparison.unjudged) texts.emplace_back("?");
  return texts;
}

Charges compared(const std::string& wanted, const std::string& response) {
  return differences(compare_response(pattern(wanted), value_of(response)));
}

TEST(Pattern, WhereResultAndErrorAreNamedEitherMayComeAndIsCompared) {
  const std::string either =
      R"({"result": {"equals": 19}, "error": {"code-not": [-32603]}, "id": 1})";
  const auto with = [&](const std::string& member) {
    return compared(either, R"({"jsonrpc":"2.0",)" + member + R"(,"id":1})");
  };
  EXPECT_EQ(with(R"("result":19)"), Charges{});
  EXPECT_EQ(with(R"("result":20)"), Charges{"result"});
  EXPECT_EQ(with(R"("error":{"code":-32005,"message":"No"})"), Charges{});
  EXPECT_EQ(with(R"("error":{"code":-32603,"message":"No"})"), Charges{"code"});
  EXPECT_EQ(with(R"("result":null)"), Charges{"result"});
}

TEST(Pattern, AResponseThatIsAsDescribedDiffersInNothing) {
  EXPECT_EQ(compared(R"({"result": {"equals": 19}, "id": 1})", R"({"result":19,"id":1})"),
            Charges{});
  EXPECT_EQ(compared(R"({"error": {"code": -32601}, "id": "a"})",
                     R"({"error":{"code":-32601,"message":"No"},"id":"a"})"),
            Charges{});
}

TEST(Pattern, IdsAreComparedByTypeAndExactValue) {
  const auto with_id = [](const std::string& wanted, const std::string& id) {
    return compared(R"({"result": {"any": true}, "id": )" + wanted + "}",
                    R"({"result":1,"id":)" + id + "}");
  };
  EXPECT_EQ(with_id("1", "1.0"), Charges{});
  EXPECT_EQ(with_id("1", "\"1\""), Charges{"id->id-echo"});
  EXPECT_EQ(with_id("\"1\"", "1"), Charges{"id->id-echo"});
  EXPECT_EQ(with_id("9007199254740993", "9007199254740992"), Charges{"id->id-echo"});
  EXPECT_EQ(with_id("1.5", "15e-1"), Charges{});
  EXPECT_EQ(with_id("\"\"", "null"), Charges{"id->id-echo"});
  EXPECT_EQ(with_id("0", "null"), Charges{"id->id-echo"});
  EXPECT_EQ(with_id(R"({"literal": {"a": 1}})", R"({"a":1})"), Charges{});
}

TEST(Pattern, WhatTheIdHadToBeDecidesWhoseFaultItIs) {
  const auto with_id = [](const std::string& wanted, const std::string& id) {
    return compared(R"({"error": {"any": true}, "id": )" + wanted + "}",
                    R"({"error":{"code":1,"message":""},"id":)" + id + "}");
  };
  EXPECT_EQ(with_id("null", "1"), Charges{"id->id-null-undetectable"});
  EXPECT_EQ(with_id(R"({"any-of": [null, 1]})", "2"), Charges{"id->id-invalid-request"});
  EXPECT_EQ(with_id(R"({"any-of": [null, 1]})", "1"), Charges{});
  EXPECT_EQ(with_id(R"({"any-of": [null, 1]})", "null"), Charges{});
  EXPECT_EQ(with_id(R"({"any-of": [1, 2]})", "3"), Charges{"id->id-echo"});
}

TEST(Pattern, ARefusalThatGivesNullForTheIdIsOneFaultAndNotTwo) {
  const std::string due = R"({"result": {"equals": 19}, "id": 1})";
  const auto refused = [&](const std::string& code, const std::string& id) {
    return compare_response(pattern(due), value_of(R"({"jsonrpc":"2.0","error":{"code":)" + code +
                                                   R"(,"message":""},"id":)" + id + "}"));
  };
  for (const std::string code : {"-32600", "-32700"}) {
    const auto comparison = refused(code, "null");
    EXPECT_EQ(differences(comparison), Charges{"kind"}) << code;
    EXPECT_EQ(comparison.mismatches.front().symptom, Symptom::call_failed_and_null_id) << code;
    EXPECT_EQ(comparison.mismatches.front().habits, Charges{"result -> error with id null"});
    EXPECT_EQ(differences(refused(code, "2")), (Charges{"kind", "id->id-echo"})) << code;
    EXPECT_EQ(differences(refused(code, "1")), Charges{"kind"}) << code;
  }
  EXPECT_EQ(differences(refused("-32603", "null")), (Charges{"kind", "id->id-echo"}));
  EXPECT_EQ(compared(due, R"({"jsonrpc":"2.0","result":19,"id":null})"), Charges{"id->id-echo"});
}

TEST(Pattern, ResultsAreComparedByValue) {
  const auto with_result = [](const std::string& wanted, const std::string& result) {
    return compared(R"({"result": )" + wanted + R"(, "id": 1})",
                    R"({"result":)" + result + R"(,"id":1})");
  };
  EXPECT_EQ(with_result(R"({"equals": 19})", "19.0"), Charges{});
  EXPECT_EQ(with_result(R"({"equals": 19})", "20"), Charges{"result"});
  EXPECT_EQ(with_result(R"({"equals": {"a": 1, "b": 2}})", R"({"b":2,"a":1})"), Charges{});
  EXPECT_EQ(with_result(R"({"equals": [1, 2]})", "[2,1]"), Charges{"result"});
  EXPECT_EQ(with_result(R"({"equals": null})", "null"), Charges{});
  EXPECT_EQ(with_result(R"({"equals": null})", "false"), Charges{"result"});
  EXPECT_EQ(with_result(R"({"type": "string"})", "\"x\""), Charges{});
  EXPECT_EQ(with_result(R"({"type": "string"})", "null"), Charges{"result"});
  EXPECT_EQ(with_result(R"({"any": true})", "null"), Charges{});
}

TEST(Pattern, ATextInAResultMayStandAnywhereInAString) {
  const std::string wanted = R"({"result": {"at": "/0/text", "contains": "root:"}, "id": 1})";
  const auto with = [&](const std::string& result) {
    return compared(wanted, R"({"result":)" + result + R"(,"id":1})");
  };
  EXPECT_EQ(with(R"([{"text":"# users\nroot:x:0:0"}])"), Charges{});
  EXPECT_EQ(with(R"([{"text":"file:///etc/passwd"}])"), Charges{"result"});
  EXPECT_EQ(with(R"([{"text":["root:"]}])"), Charges{"result"});
  EXPECT_EQ(with("[]"), Charges{"result"});
}

TEST(Pattern, CodesAreComparedInAnySpelling) {
  const auto with_code = [](const std::string& wanted, const std::string& code) {
    return compared(R"({"error": )" + wanted + R"(, "id": 1})",
                    R"({"error":{"code":)" + code + R"(,"message":""},"id":1})");
  };
  EXPECT_EQ(with_code(R"({"code": -32601})", "-32601.0"), Charges{});
  EXPECT_EQ(with_code(R"({"code": -32601})", "-3.2601e4"), Charges{});
  EXPECT_EQ(with_code(R"({"code": -32601})", "-32600"), Charges{"code"});
  EXPECT_EQ(with_code(R"({"code": [-32700, -32600]})", "-32600"), Charges{});
  EXPECT_EQ(with_code(R"({"code": [-32700, -32600]})", "-32603"), Charges{"code"});
  EXPECT_EQ(with_code(R"({"code-not": [-32601]})", "-32601"), Charges{"code"});
  EXPECT_EQ(with_code(R"({"code-not": [-32601]})", "7e0"), Charges{});
  EXPECT_EQ(with_code(R"({"code-not": [0]})", "1e400"), Charges{});
  EXPECT_EQ(with_code(R"({"code": 0})", "1e400"), Charges{"code"});
  EXPECT_EQ(with_code(R"({"code": 0})", "-123456789012345678901"), Charges{"code"});
  EXPECT_EQ(with_code(R"({"any": true})", "-32600"), Charges{});
  for (const std::string huge : {"1e999999999", "1e99999999999999999999", "-1e999999999"}) {
    EXPECT_EQ(with_code(R"({"code": 1})", huge), Charges{"code"}) << huge;
  }
}

// The envelope rules charge the code; the case must neither charge it again nor pass.
TEST(Pattern, AnErrorWithoutIntegerCodeLeavesTheCodeUnjudged) {
  const std::string wanted = R"({"error": {"code": -32601}, "id": 1})";
  for (const std::string error :
       {R"({"message":""})", R"({"code":"-32601"})", R"({"code":1.5})", R"("text")", "[]"}) {
    EXPECT_EQ(compared(wanted, R"({"error":)" + error + R"(,"id":1})"), Charges{"?"}) << error;
  }
}

TEST(Pattern, AnyErrorIsAnErrorOfAnyForm) {
  EXPECT_EQ(compared(R"({"error": {"any": true}, "id": 1})",
                     R"({"result":null,"error":"an error of JSON-RPC 1.0","id":1})"),
            Charges{});
}

TEST(Pattern, ResultInPlaceOfErrorIsTheWrongKindAndTheReverse) {
  EXPECT_EQ(compared(R"({"error": {"any": true}, "id": 1})", R"({"result":19,"id":1})"),
            Charges{"kind"});
  EXPECT_EQ(compared(R"({"result": {"any": true}, "id": 1})",
                     R"({"error":{"code":1,"message":""},"id":1})"),
            Charges{"kind"});
}

// Both being there is charged by the envelope rules; what is meant is compared.
TEST(Pattern, OfResultAndErrorTheOneThatSaysSomethingCounts) {
  const std::string success = R"({"result": {"equals": 19}, "id": 1})";
  const std::string failure = R"({"error": {"code": 7}, "id": 1})";
  const std::string error = R"("error":{"code":7,"message":""})";
  EXPECT_EQ(compared(success, R"({"result":19,"error":null,"id":1})"), Charges{});
  EXPECT_EQ(compared(failure, R"({"result":19,"error":null,"id":1})"), Charges{"kind"});
  EXPECT_EQ(compared(failure, R"({"result":null,)" + error + R"(,"id":1})"), Charges{});
  EXPECT_EQ(compared(success, R"({"result":null,)" + error + R"(,"id":1})"), Charges{"kind"});
  EXPECT_EQ(compared(success, R"({"result":19,)" + error + R"(,"id":1})"), Charges{});
  EXPECT_EQ(compared(failure, R"({"result":19,)" + error + R"(,"id":1})"), Charges{});
}

TEST(Pattern, WhatIsMissingFromTheEnvelopeIsLeftUnjudged) {
  const std::string wanted = R"({"result": {"any": true}, "id": 1})";
  EXPECT_EQ(compared(wanted, R"({"result":1})"), Charges{"?"});
  EXPECT_EQ(compared(wanted, R"({"id":1})"), Charges{"?"});
  EXPECT_EQ(compared(wanted, R"({"id":2})"), (Charges{"id->id-echo", "?"}));
  EXPECT_EQ(compared(wanted, "[]"), Charges{"?"});
  EXPECT_EQ(compared(wanted, "19"), Charges{"?"});
}

TEST(Pattern, IsDescribedForPeople) {
  EXPECT_EQ(describe(pattern(R"({"error": {"code": -32600}, "id": null})")),
            "error -32600 with id null");
  EXPECT_EQ(describe(pattern(R"({"error": {"code": [1, 2]}, "id": {"any-of": [null, "a"]}})")),
            R"(error 1 or 2 with id null or "a")");
  EXPECT_EQ(describe(pattern(R"({"error": {"code-not": [1, 2]}, "id": 1})")),
            "error other than 1, 2 with id 1");
  EXPECT_EQ(describe(pattern(R"({"error": {"any": true}, "id": 1})")), "an error with id 1");
  EXPECT_EQ(describe(pattern(R"({"result": {"equals": [1]}, "id": 1})")), "result [1] with id 1");
  EXPECT_EQ(describe(pattern(R"({"result": {"type": "null"}, "id": 1})")),
            "a result of type null with id 1");
  EXPECT_EQ(describe(pattern(R"({"result": {"any": true}, "id": 1})")), "a result with id 1");
}

TEST(Pattern, OutcomesAreDescribedForPeople) {
  const auto described = [](const std::string& outcome) {
    return describe(case_accepting(outcome).steps.at(0).accept.at(0));
  };
  const std::string one = R"({"result": {"any": true}, "id": 1})";
  EXPECT_EQ(described(R"({"batch": [)" + one + "," + one + "]}"),
            "an Array of 2 (a result with id 1; a result with id 1)");
  std::string nine = one;
  for (int i = 0; i < 8; ++i) nine += "," + one;
  EXPECT_NE(described(R"({"responses": [)" + nine + "]}").find("; 3 more)"), std::string::npos);
  EXPECT_EQ(described(R"({"silence": true})"), "silence");
  EXPECT_EQ(described(R"({"refused": true})"), "an HTTP refusal");
  EXPECT_EQ(described(R"({"closed": true})"), "a closed connection");
  EXPECT_EQ(described(R"({"status": [400, 499]})"), "HTTP 400 to 499");
  EXPECT_EQ(described(R"({"status": [411, 411]})"), "HTTP 411");
}

// --- several Responses in any order (JSON-RPC 2.0 §6) ---

// Three calls: one succeeds, one fails, one is an invalid Request that shares its id with others.
std::vector<corpus::ResponsePattern> three_patterns() {
  std::vector<corpus::ResponsePattern> patterns;
  patterns.push_back(pattern(R"({"result": {"equals": 19}, "id": "a"})"));
  patterns.push_back(pattern(R"({"error": {"code": -32601}, "id": "b"})"));
  patterns.push_back(pattern(R"({"error": {"code": -32600}, "id": null})"));
  patterns.push_back(pattern(R"({"error": {"code": -32600}, "id": null})"));
  return patterns;
}

const std::vector<std::string> kRightResponses = {
    R"({"result":19,"id":"a"})", R"({"error":{"code":-32601,"message":""},"id":"b"})",
    R"({"error":{"code":-32600,"message":""},"id":null})",
    R"({"error":{"code":-32600,"message":""},"id":null})"};

Charges compared_batch(const std::vector<std::string>& texts) {
  std::vector<json::Value> values;
  for (const auto& text : texts) values.push_back(value_of(text));
  std::vector<const json::Value*> responses;
  for (const auto& value : values) responses.push_back(&value);
  return differences(compare_responses(three_patterns(), responses));
}

std::vector<std::string> shuffled() {
  auto responses = kRightResponses;
  std::shuffle(responses.begin(), responses.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
  return responses;
}

RC_GTEST_PROP(Batch, AnyOrderOfTheRightResponsesIsRight, ()) {
  RC_ASSERT(compared_batch(shuffled()) == Charges{});
}

RC_GTEST_PROP(Batch, ADroppedResponseIsOneTooFew, ()) {
  auto responses = shuffled();
  responses.erase(responses.begin() + *rc::gen::inRange<int>(0, 4));
  RC_ASSERT(compared_batch(responses) == Charges{"count"});
}

RC_GTEST_PROP(Batch, ADuplicatedResponseIsOneTooMany, ()) {
  auto responses = shuffled();
  responses.push_back(responses[*rc::gen::inRange<std::size_t>(0, 4)]);
  RC_ASSERT(compared_batch(responses) == Charges{"count"});
}

RC_GTEST_PROP(Batch, AnAlteredResponseIsWrongInThatPartAlone, ()) {
  auto responses = shuffled();
  struct Alteration {
    std::string from, to, part;
  };
  const auto alteration = *rc::gen::elementOf(
      std::vector<Alteration>{{R"("result":19)", R"("result":20)", "result"},
                              {"-32601", "-32603", "code->err-code-method"},
                              {R"("id":"a")", R"("id":"z")", "id->id-echo"},
                              {R"("id":"b")", R"("id":null)", "id->id-echo"},
                              {R"("result":19)", R"("error":{"code":1,"message":""})", "kind"},
                              {R"("id":"a")", R"("a":1)", "?"}});
  for (auto& response : responses) {
    const auto at = response.find(alteration.from);
    if (at != std::string::npos) response.replace(at, alteration.from.size(), alteration.to);
  }
  RC_ASSERT(compared_batch(responses) == Charges{alteration.part});
}

TEST(Batch, AResponseToNobodyIsOneTooMany) {
  auto responses = kRightResponses;
  responses.emplace_back(R"({"result":1,"id":"z"})");
  EXPECT_EQ(compared_batch(responses), Charges{"count"});
}

TEST(Batch, NoResponsesAreAllMissing) {
  const auto comparison = compare_responses(three_patterns(), {});
  ASSERT_EQ(comparison.mismatches.size(), 4U);
  for (const auto& each : comparison.mismatches) {
    EXPECT_EQ(each.part, Part::count);
    EXPECT_TRUE(each.missing);
  }
}

// A greedy choice would spend the pattern that accepts several ids on the wrong Response.
TEST(Batch, PatternsAreGivenToResponsesSoThatAllMatch) {
  std::vector<corpus::ResponsePattern> patterns;
  patterns.push_back(pattern(R"({"error": {"any": true}, "id": {"any-of": [null, "a"]}})"));
  patterns.push_back(pattern(R"({"error": {"code": 1}, "id": null})"));
  const auto one = value_of(R"({"error":{"code":1,"message":""},"id":null})");
  const auto other = value_of(R"({"error":{"code":2,"message":""},"id":"a"})");
  EXPECT_EQ(differences(compare_responses(patterns, {&one, &other})), Charges{});
  EXPECT_EQ(differences(compare_responses(patterns, {&other, &one})), Charges{});
}

TEST(Batch, AMatchedResponseThatCouldNotBeComparedIsUnjudged) {
  EXPECT_EQ(compared_batch({kRightResponses[0], R"({"error":"text","id":"b"})", kRightResponses[2],
                            kRightResponses[3]}),
            Charges{"?"});
  EXPECT_EQ(compared_batch({"1", kRightResponses[1], kRightResponses[2], kRightResponses[3]}),
            Charges{"?"});
}

TEST(Batch, ManyResponsesBackwardsAreRight) {
  std::vector<corpus::ResponsePattern> patterns;
  std::vector<json::Value> values;
  for (int i = 0; i < 200; ++i) {
    patterns.push_back(pattern(R"({"result": {"any": true}, "id": )" + std::to_string(i) + "}"));
    values.push_back(value_of(R"({"result":1,"id":)" + std::to_string(199 - i) + "}"));
  }
  std::vector<const json::Value*> responses;
  for (const auto& value : values) responses.push_back(&value);
  EXPECT_EQ(differences(compare_responses(patterns, responses)), Charges{});
}

// Held each against each they take minutes.
TEST(Batch, OfResponsesThatFitAnythingTheRestIsTooManyAtOnce) {
  std::vector<corpus::ResponsePattern> patterns;
  patterns.reserve(300);
  for (int i = 0; i < 300; ++i) {
    patterns.push_back(pattern(R"({"error": {"code": 1}, "id": )" + std::to_string(i) + "}"));
  }
  const auto odd = value_of(R"({"result":1})");
  const auto good = value_of(R"({"error":{"code":1,"message":""},"id":7})");
  std::vector<const json::Value*> responses(20'000, &odd);
  responses.push_back(&good);
  const auto comparison = compare_responses(patterns, responses);
  EXPECT_EQ(comparison.surplus.size(), responses.size() - patterns.size());
  EXPECT_EQ(comparison.mismatches.size(), responses.size() - 1);
}

}  // namespace pattern_test
}  // namespace jrpcheck::judge
