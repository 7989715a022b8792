// Which requirement is charged when a part of the reply is wrong: the table of cases/README.md.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "judge/charger.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace charge_test {

const std::string kRefusal = R"({"response": {"error": {"code": -32600}, "id": null}})";
const std::string kEcho = R"({"response": {"error": {"code": -32600}, "id": 1}})";
const std::string kUnknown = R"({"response": {"error": {"code": -32601}, "id": 1}})";
const std::string kTwo = R"({"batch": [{"result": {"equals": 19}, "id": "a"},
                                       {"error": {"code": -32601}, "id": "b"}]})";
const std::string kTwoMessages = R"({"responses": [{"result": {"equals": 19}, "id": "a"},
                                                   {"error": {"code": -32601}, "id": "b"}]})";
const std::string kSilence = R"({"silence": true})";

std::string error_reply(const std::string& code, const std::string& id) {
  return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No"},"id":)" + id + "}";
}

std::string result_reply(const std::string& result, const std::string& id) {
  return R"({"jsonrpc":"2.0","result":)" + result + R"(,"id":)" + id + "}";
}

struct Row {
  std::string what;
  std::string part;
  std::string outcomes;
  std::vector<std::string> replies;
  std::string charged;  // without a `charge` of the step
};

const std::string kA = result_reply("19", "\"a\"");
const std::string kB = error_reply("-32601", "\"b\"");

std::vector<Row> table() {
  return {
      {"nothing", "silence", kUnknown, {}, "res-always: fail"},
      {"nothing for a batch", "silence", kTwo, {}, "res-always: fail"},
      {"nothing for several", "silence", kTwoMessages, {}, "res-always: fail"},
      {"an answer to a Notification",
       "reply",
       kSilence,
       {error_reply("-32601", "null")},
       "err-code-method: fail"},
      {"[] to a batch of Notifications", "reply", kSilence, {"[]"}, "err-code-method: fail"},
      {"null to a Notification", "reply", kSilence, {"null"}, "err-code-method: fail"},
      {"{} to a Notification", "reply", kSilence, {"{}"}, "err-code-method: fail"},
      {"text to a Notification", "reply", kSilence, {"OK"}, "err-code-method: fail"},
      {"another id", "id", kUnknown, {error_reply("-32601", "2")}, "id-echo: fail"},
      {"two errors to what was read in parts",
       "count",
       kUnknown,
       {error_reply("-32700", "null"), error_reply("-32700", "null")},
       "rob-split: fail"},
      {"an error to a part that is a value, and one to a part that is no JSON",
       "count",
       kUnknown,
       {error_reply("-32600", "null"), error_reply("-32700", "null")},
       "rob-split: fail"},
      {"two other errors",
       "count",
       kUnknown,
       {error_reply("-32700", "null"), error_reply("-32601", "1")},
       "res-once: fail"},
      {"an id as text", "id", kUnknown, {error_reply("-32601", "\"1\"")}, "id-echo: fail"},
      {"an id where none can be known",
       "id",
       kRefusal,
       {error_reply("-32600", "1")},
       "id-null-undetectable: fail"},
      {"a third id",
       "id",
       kRefusal + "," + kEcho,
       {error_reply("-32600", "7")},
       "id-invalid-request: fail"},
      {"a third id, told the other way round",
       "id",
       kEcho + "," + kRefusal,
       {error_reply("-32600", "7")},
       "id-invalid-request: fail"},
      {"a wrong id on a served call",
       "id",
       kUnknown + R"(, {"response": {"error": {"code": -32600}, "id": {"any-of": [null, 1]}}})",
       {error_reply("-32601", "7")},
       "id-echo: fail"},
      {"a result in place of an error",
       "kind",
       kUnknown,
       {result_reply("19", "1")},
       "err-code-method: fail"},
      {"another code", "code", kUnknown, {error_reply("-32603", "1")}, "err-code-method: fail"},
      {"another result",
       "result",
       R"({"response": {"result": {"equals": 19}, "id": 1}})",
       {result_reply("20", "1")},
       "err-code-method: fail"},
      {"an Object for a batch", "shape", kTwo, {error_reply("-32600", "null")}, "bat-array: fail"},
      {"separate Objects for a batch", "shape", kTwo, {kA, kB}, "bat-array: fail"},
      {"an Array for a call",
       "shape",
       kUnknown,
       {"[" + error_reply("-32601", "1") + "]"},
       "res-object: fail"},
      {"an Array for separate calls",
       "shape",
       kTwoMessages,
       {"[" + kA + "," + kB + "]"},
       "res-object: fail"},
      {"one Response too few in a batch", "count", kTwo, {"[" + kA + "]"}, "bat-each: fail"},
      {"one Response too many in a batch",
       "count",
       kTwo,
       {"[" + kA + "," + kB + "," + kB + "]"},
       "bat-each: fail"},
      {"a second Response to a call",
       "count",
       kUnknown,
       {error_reply("-32601", "1"), error_reply("-32601", "1")},
       "res-once: fail"},
      {"one Response too few", "count", kTwoMessages, {kA}, "res-once: fail"},
      {"one Response too many", "count", kTwoMessages, {kA, kB, kB}, "res-once: fail"},
  };
}

dialogue::Exchange exchange_of(const Row& row) {
  return row.replies.empty() ? ended(dialogue::Ending::timed_out, "no answer in 5 s")
                             : replied(row.replies);
}

const dialogue::SurvivalCheck kAlive = survival(dialogue::Survival::alive);

TEST(Charge, EveryPartHasADefault) {
  for (const auto& row : table()) {
    const bool dropped = row.part == "silence" && row.outcomes == kSilence;
    ASSERT_FALSE(dropped);
    EXPECT_EQ(charges(judged(case_accepting(row.outcomes), exchange_of(row), kAlive)),
              Charges{row.charged})
        << row.what;
  }
}

TEST(Charge, WhatIsNoJsonWasReadInPartsWhereItsAnswersDiffer) {
  auto one = case_accepting(R"({"response": {"error": {"code": -32700}, "id": null}})");
  one.steps[0].messages = {dialogue::Message(std::string("[["))};
  const std::string at = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"No JSON at )";
  const std::string first = at + R"(5"},"id":null})";
  const std::string second = at + R"(6"},"id":null})";
  EXPECT_EQ(charges(judged(one, replied({first, second}), kAlive)), Charges{"rob-split: fail"});
  EXPECT_EQ(charges(judged(one, replied({first, first}), kAlive)), Charges{"res-once: fail"});
}

TEST(Charge, ACaseMayNameTheRequirementOfAnyPart) {
  for (const auto& row : table()) {
    const auto one =
        case_accepting(row.outcomes, R"("charge": {")" + row.part + R"(": "par-named"}, )");
    EXPECT_EQ(charges(judged(one, exchange_of(row), kAlive)), Charges{"par-named: fail"})
        << row.what;
  }
}

TEST(Charge, AChargeForAnotherPartChangesNothing) {
  for (const auto& row : table()) {
    const std::string other = row.part == "id" ? "code" : "id";
    const auto one =
        case_accepting(row.outcomes, R"("charge": {")" + other + R"(": "par-named"}, )");
    EXPECT_EQ(charges(judged(one, exchange_of(row), kAlive)), Charges{row.charged}) << row.what;
  }
}

TEST(Charge, AShouldWarnsAndWhatIsRecordedIsNotCharged) {
  const auto with_charge = [](const std::string& requirement) {
    const auto one = case_accepting(kUnknown, R"("charge": {"code": ")" + requirement + R"("}, )");
    return charges(judged(one, replied({error_reply("-32603", "1")})));
  };
  EXPECT_EQ(with_charge("err-code-method"), Charges{"err-code-method: fail"});
  EXPECT_EQ(with_charge("par-invalid"), Charges{"par-invalid: warn"});
  EXPECT_EQ(with_charge("req-params-null"), Charges{});
  const auto one = case_accepting(kUnknown, R"("charge": {"code": "req-params-null"}, )");
  const auto judgement = judged(one, replied({error_reply("-32603", "1")}));
  ASSERT_EQ(judgement.observations.size(), 1U);
  EXPECT_EQ(judgement.observations[0].name, "req-params-null");
}

TEST(Charge, EachWrongPartIsCharged) {
  EXPECT_EQ(charges(judged(case_accepting(kUnknown), replied({error_reply("-32603", "2")}))),
            (Charges{"err-code-method: fail", "id-echo: fail"}));
}

TEST(Charge, InACaseAboutIdsARefusalIsChargedToTheIdAndAnyOtherCodeToTheCode) {
  auto one = case_accepting(kUnknown,
                            R"("charge": {"id": "id-string-exact", "code": "err-code-method"}, )");
  one.requirements = {"id-string-exact"};
  const auto charged = [&](const std::string& code, const std::string& id) {
    return charges(judged(one, replied({error_reply(code, id)})));
  };
  EXPECT_EQ(charged("-32603", "1"), Charges{"err-code-method: fail"});
  EXPECT_EQ(charged("-32603", "null"), (Charges{"id-string-exact: fail", "id-string-exact: fail"}))
      << "for the code and for the id, which is told as one";
  EXPECT_EQ(charged("-32600", "1"), Charges{"id-string-exact: fail"});
  EXPECT_EQ(charged("-32600", "null"), Charges{"id-string-exact: fail"});
  EXPECT_EQ(charged("-32700", "null"), Charges{"id-string-exact: fail"});
  one.requirements = {"err-code-method"};
  EXPECT_EQ(charged("-32700", "null"), Charges{"err-code-method: fail"});
}

TEST(Charge, ARefusedIdThatComesBackChangedIsToldAsAWrongId) {
  auto one =
      case_accepting(kUnknown, R"("charge": {"id": "id-echo", "code": "err-code-method"}, )");
  one.requirements = {"id-echo"};
  const auto judgement = judged(one, replied({error_reply("-32700", "-1")}));
  ASSERT_EQ(charges(judgement), Charges{"id-echo: fail"});
  EXPECT_EQ(judgement.findings.front().symptom, Symptom::wrong_id);
}

TEST(Charge, AnEndThatIsChargedToWhatTheCaseIsAboutIsOneFaultWithWhatCameBeforeIt) {
  const auto one =
      case_accepting(kUnknown, R"("charge": {"id": "id-echo", "survival": "id-echo"}, )");
  const auto refused = replied({error_reply("-32601", "2")});
  EXPECT_EQ(charges(judged(one, refused)), Charges{"id-echo: fail"});
  const auto died = judged(one, refused, survival(dialogue::Survival::dead));
  ASSERT_EQ(charges(died), Charges{"id-echo: fail"});
  EXPECT_EQ(died.findings.front().symptom, Symptom::died);
}

TEST(Charge, AnOutcomeThatIsAFaultIsNotWhatWasMissed) {
  const auto one = case_accepting(
      kSilence + R"(, {"response": {"error": {"code": -32600}, "id": null}, "verdict": "fail",
      "charge": "req-reserved-names", "because": "B"})",
      R"("charge": {"reply": "ntf-silent"},)");
  EXPECT_EQ(charges(judged(one, replied({error_reply("-32600", "null")}))),
            Charges{"req-reserved-names: fail"});
  EXPECT_EQ(charges(judged(one, replied({error_reply("-32601", "null")}))),
            Charges{"ntf-silent: fail"});
  EXPECT_EQ(charges(judged(one, replied({"null"}))), Charges{"ntf-silent: fail"});
}

TEST(Charge, WhatIsLostBesideAnArrayWithinTheBatchIsNoFaultOfTheArrays) {
  const auto one =
      case_accepting(R"({"batch": [{"error": {"any": true}, "id": {"any-of": [1, null]}},
                                   {"error": {"code": -32600}, "id": null}]})",
                     R"("charge": {"count": "bat-nested"}, )");
  const std::string refused =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null})";
  const std::string served = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":1})";
  const auto charged = [&](const std::string& elements) {
    return charges(judged(one, replied({"[" + elements + "]"})));
  };
  EXPECT_EQ(charged(refused), Charges{"bat-each: fail"});
  EXPECT_EQ(charged(refused + ",null"), Charges{"bat-each: fail"});
  EXPECT_EQ(charged(served), Charges{"bat-nested: fail"});
  EXPECT_EQ(charged(served + ",[]"), Charges{"bat-nested: fail"});
}

TEST(Charge, TheThirdIdOfAnInvalidRequestInABatchIsItsOwnFault) {
  const std::string batch = R"({"batch": [{"result": {"equals": 19}, "id": "a"},
                                          {"error": {"code": -32600}, "id": )";
  const auto one = case_accepting(batch + "null}]}, " + batch + "\"b\"}]}");
  const auto with_ids = [&](const std::string& valid, const std::string& invalid) {
    return charges(judged(one, replied({"[" + result_reply("19", valid) + "," +
                                        error_reply("-32600", invalid) + "]"})));
  };
  EXPECT_EQ(with_ids("\"a\"", "null"), Charges{});
  EXPECT_EQ(with_ids("\"a\"", "\"b\""), Charges{});
  EXPECT_EQ(with_ids("\"a\"", "\"z\""), Charges{"id-invalid-request: fail"});
  EXPECT_EQ(with_ids("\"z\"", "null"), Charges{"id-echo: fail"});
}

TEST(Charge, TheIdTellsAnAnsweredNotificationFromACallThatIsAnsweredTwice) {
  auto one = case_accepting(kUnknown, R"("charge": {"reply": "ntf-silent"}, )");
  const std::string right = error_reply("-32601", "1");
  const auto with = [&](const std::string& surplus) {
    return charges(judged(one, replied({surplus, right})));
  };
  one.steps.at(0).messages = {R"({"jsonrpc":"2.0","method":"a","id":1})"};
  EXPECT_EQ(with(error_reply("-32601", "null")), Charges{"res-once: fail"});
  one.steps.at(0).messages.emplace_back(R"({"jsonrpc":"2.0","method":"b"})");
  EXPECT_EQ(with(error_reply("-32601", "null")), Charges{"ntf-silent: fail"});
  EXPECT_EQ(with(R"({"jsonrpc":"2.0","result":1})"), Charges{"ntf-silent: fail"});
  EXPECT_EQ(with("null"), Charges{"ntf-silent: fail"});
  EXPECT_EQ(with(right), Charges{"res-once: fail"});
}

TEST(Charge, AReplyWithIdNullInPlaceOfTheCallsAnswersTheNotificationBesideIt) {
  auto one = case_accepting(kUnknown, R"("charge": {"reply": "ntf-silent"}, )");
  const auto with = [&](const std::string& id) {
    return judged(one, replied({error_reply("-32601", id)}));
  };
  EXPECT_EQ(charges(with("null")), Charges{"id-echo: fail"});
  one.steps.at(0).messages = {R"({"jsonrpc":"2.0","method":"a"})",
                              R"({"jsonrpc":"2.0","method":"b","id":1})"};
  const auto judgement = with("null");
  ASSERT_EQ(charges(judgement), Charges{"ntf-silent: fail"});
  EXPECT_EQ(judgement.findings[0].symptom, Symptom::answered);
  EXPECT_EQ(judgement.findings[0].habits, std::vector<std::string>{"id number -> null"})
      << "who answers all calls so has lost the id here too";
  EXPECT_EQ(charges(with("2")), Charges{"id-echo: fail"});
}

TEST(Charge, AResultWithIdNullThatIsDueToTheCallIsNoAnswerToTheNotificationBesideIt) {
  auto one = case_accepting(R"({"response": {"result": {"type": "object"}, "id": 1}})",
                            R"("charge": {"reply": "ntf-silent"}, )");
  one.steps.at(0).messages = {R"({"jsonrpc":"2.0","method":"a"})",
                              R"({"jsonrpc":"2.0","method":"b","id":1})"};
  const std::string lost = R"({"jsonrpc":"2.0","result":{},"id":null})";
  EXPECT_EQ(charges(judged(one, replied({lost}))), Charges{"id-echo: fail"});
  const std::string own = R"({"jsonrpc":"2.0","result":{},"id":1})";
  EXPECT_EQ(charges(judged(one, replied({lost, own}))), Charges{"ntf-silent: fail"});
}

TEST(Charge, WhateverAnswersANotificationBeforeTheProgramEndsIsCharged) {
  auto one = case_accepting(kUnknown, R"("charge": {"reply": "ntf-silent-in-batch"}, )");
  one.steps.at(0).accept.at(0) = corpus::Outcome();
  one.steps.at(0).accept.at(0).shape = corpus::Outcome::Shape::exited;
  const auto with = [&](const std::string& said) {
    auto exchange = replied({said});
    exchange.ending = dialogue::Ending::exited;
    return charges(judged(one, exchange));
  };
  one.steps.at(0).messages = {R"({"jsonrpc":"2.0","method":"exit"})"};
  EXPECT_EQ(with(error_reply("-32601", "null")), Charges{"ntf-silent-in-batch: fail"});
  EXPECT_EQ(with(R"({"jsonrpc":"2.0","method":"log"})"), Charges{});
  one.steps.at(0).messages = {R"({"jsonrpc":"2.0","method":"shutdown","id":1})"};
  EXPECT_EQ(with(result_reply("null", "1")), Charges{});
}

TEST(Charge, OfSeveralOutcomesTheClosestIsWhatWasMissed) {
  const auto one = case_accepting(kRefusal + R"(, {"response": {"result": {"equals": 19}, "id": 1}},
      {"silence": true, "verdict": "warn", "because": "It may."})");
  EXPECT_EQ(charges(judged(one, replied({result_reply("20", "1")}))),
            Charges{"err-code-method: fail"});
  EXPECT_EQ(judged(one, replied({result_reply("20", "1")})).findings.at(0).symptom,
            Symptom::wrong_result);
  EXPECT_EQ(judged(one, replied({error_reply("-32600", "5")})).findings.at(0).symptom,
            Symptom::wrong_id);
}

// Declaring batches unsupported is another outcome, but not the one that separate messages miss.
TEST(Charge, SeparateMessagesForABatchAreNoRefusalOfIt) {
  const auto one = case_accepting(kTwo + R"(, {"response": {"error": {"any": true}, "id": null}})");
  EXPECT_EQ(charges(judged(one, replied({kA, kB}))), Charges{"bat-array: fail"});
  EXPECT_EQ(charges(judged(one, replied({kA}))), Charges{"bat-array: fail"});
}

TEST(Charge, AGoodAnswerToOneCallIsNoRefusalOfTheBatch) {
  const auto one = case_accepting(
      kTwo +
      R"(, {"response": {"error": {"code-not": [-32601]}, "id": {"any-of": [null, "a", "b"]}}})");
  for (const auto& answer : {kA, kB}) {
    const auto judgement = judged(one, replied({answer}));
    EXPECT_EQ(charges(judgement), Charges{"bat-array: fail"});
    EXPECT_EQ(judgement.findings.at(0).symptom, Symptom::message_for_batch);
  }
  EXPECT_EQ(charges(judged(one, replied({error_reply("-32600", "\"a\"")}))), Charges{});
}

TEST(Charge, OfTwoCallsThatLackAResponseTheOneIsMeantThatItFitsButForItsId) {
  const auto one = case_accepting(
      R"({"batch": [{"result": {"equals": 7}, "id": "a"}, {"result": {"equals": 19}, "id": "b"}]})");
  EXPECT_EQ(charges(judged(one, replied({"[" + result_reply("7", "\"x\"") + "]"}))),
            (Charges{"id-echo: fail", "bat-each: fail"}));
}

TEST(Charge, AResultThatAnotherCallOfTheBatchIsDueHasComeToTheWrongOne) {
  const auto one = case_accepting(
      R"({"batch": [{"result": {"equals": 7}, "id": "a"}, {"result": {"equals": 19}, "id": "b"}]})");
  const auto batch = [](const std::string& first, const std::string& second) {
    return "[" + result_reply(first, "\"a\"") + "," + result_reply(second, "\"b\"") + "]";
  };
  EXPECT_EQ(charges(judged(one, replied({batch("19", "7")}))),
            (Charges{"bat-each: fail", "bat-each: fail"}));
  EXPECT_EQ(charges(judged(one, replied({batch("3", "19")}))), Charges{"err-code-method: fail"});
}

TEST(Charge, MoreOfTheSameIsNoNewsBeyondAHundred) {
  std::string elements = kA + "," + kB;
  for (int i = 0; i < 300; ++i) elements.append(",{\"x\":").append(std::to_string(i)).append("}");
  const auto judgement = judged(case_accepting(kTwo), replied({"[" + elements + "]"}));
  EXPECT_EQ(charges(judgement), Charges(100, "bat-each: fail"));
}

TEST(Charge, WhatIsWorseIsNewsHoweverOftenItWasMetBefore) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  for (int i = 0; i < 300; ++i) {
    charger.charge_as(corpus::Verdict::warn, "bat-each", {Symptom::response_missing, "", ""});
  }
  charger.charge_as(corpus::Verdict::fail, "bat-each", {Symptom::response_missing, "", ""});
  EXPECT_EQ(judgement.findings.size(), 101U);
  EXPECT_EQ(judgement.worst(), corpus::Verdict::fail);
}

TEST(Charge, WhatIsOnlyObservedLeavesTheFindingsBeforeItAsTheyAre) {
  const auto one = case_accepting(kUnknown, R"("charge": {"code": "err-code-application"}, )");
  const auto judgement =
      judged(one, replied({R"({"error":{"code":-32000,"message":"No"},"id":1})"}));
  ASSERT_EQ(charges(judgement), Charges{"res-version: fail"});
  EXPECT_EQ(judgement.findings[0].habits, std::vector<std::string>());
  EXPECT_FALSE(judgement.findings[0].rest_counts);
}

TEST(Charge, TheFindingNamesAllThatWouldHavePassed) {
  const auto one = case_accepting(
      kRefusal + "," + kEcho + R"(, {"silence": true, "verdict": "warn", "because": "It may."})");
  const auto judgement = judged(one, replied({error_reply("-32603", "1")}));
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings[0].expected, "error -32600 with id null, or error -32600 with id 1");
  EXPECT_EQ(judgement.findings[0].actual, error_reply("-32603", "1"));
}

}  // namespace charge_test
}  // namespace jrpcheck::judge
