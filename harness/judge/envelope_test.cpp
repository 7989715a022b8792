#include "judge/envelope.hpp"

#include <gtest/gtest.h>

#include <string>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace envelope_test {

constexpr std::string_view kGood = R"({"jsonrpc":"2.0","result":19,"id":1})";

Judgement judged_response(const std::string& response, bool result_expected = false) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_response(value_of(response), result_expected, charger);
  return judgement;
}

Judgement judged_text(std::string_view reply) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_text(std::string(reply), charger);
  return judgement;
}

// A Response with this error, right in everything else.
Judgement judged_error(const std::string& error) {
  return judged_response(R"({"jsonrpc":"2.0","error":)" + error + R"(,"id":1})");
}

Judgement judged_code(const std::string& code) {
  return judged_error(R"({"code":)" + code + R"(,"message":"Wrong"})");
}

TEST(Envelope, ARightResultIsChargedNothing) {
  const auto judgement = judged_response(std::string(kGood));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.exercised,
            (Requirements{"res-version", "res-id-present", "res-exclusive", "res-member-names",
                          "res-result-on-success", "res-duplicate-members", "res-extra-members"}));
  EXPECT_TRUE(judgement.observations.empty());
}

TEST(Envelope, ARightErrorIsChargedNothing) {
  const auto judgement = judged_error(R"({"code":-32601,"message":"No such method","data":[1]})");
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.exercised,
            (Requirements{"res-version", "res-id-present", "res-exclusive", "res-member-names",
                          "res-duplicate-members", "err-object", "err-code-integer",
                          "err-code-reserved", "err-message-string", "err-message-concise",
                          "res-extra-members", "sec-no-leak"}));
}

TEST(Envelope, TheVersionIsTheStringTwoPointZero) {
  for (const std::string version : {"\"1.0\"", "\"2\"", "2.0", "2", "null", "\"2.0 \"", "[]"}) {
    const auto judgement = judged_response(R"({"jsonrpc":)" + version + R"(,"result":1,"id":1})");
    EXPECT_EQ(charges(judgement), Charges{"res-version: fail"}) << version;
    EXPECT_EQ(judgement.findings.at(0).actual, version);
  }
  EXPECT_EQ(charges(judged_response(R"({"result":1,"id":1})")), Charges{"res-version: fail"});
}

TEST(Envelope, TheIdIsPresentAlsoWhenItIsNull) {
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","result":1})")),
            Charges{"res-id-present: fail"});
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","result":1,"id":null})")), Charges{});
}

TEST(Envelope, ExactlyOneOfResultAndErrorIsThere) {
  const std::string error = R"("error":{"code":-32000,"message":"Wrong"})";
  const std::vector<std::string> wrong = {R"("result":1,"error":null)", R"("result":null,)" + error,
                                          R"("result":1,)" + error};
  for (const auto& both : wrong) {
    const auto judgement = judged_response(R"({"jsonrpc":"2.0",)" + both + R"(,"id":1})");
    EXPECT_EQ(charges(judgement), Charges{"res-exclusive: fail"}) << both;
  }
  const auto neither = judged_response(R"({"jsonrpc":"2.0","id":1})");
  EXPECT_EQ(charges(neither), Charges{"res-exclusive: fail"});
  EXPECT_FALSE(neither.exercised.contains("res-result-on-success"));
}

TEST(Envelope, ACallThatCanOnlySucceedHasLostItsResult) {
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","id":1})", true)),
            Charges{"res-result-on-success: fail"});
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","result":null,"id":1})", true)), Charges{});
}

TEST(Envelope, AMemberInTheWrongCaseIsOneFaultAndNotAMissingMember) {
  EXPECT_EQ(charges(judged_response(R"({"JsonRPC":"2.0","result":1,"id":1})")),
            Charges{"res-member-names: fail"});
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","Result":1,"id":1})")),
            Charges{"res-member-names: fail"});
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","ERROR":{},"id":1})")),
            Charges{"res-member-names: fail"});
  const auto id = judged_response(R"({"jsonrpc":"2.0","result":1,"ID":1})");
  EXPECT_EQ(charges(id), Charges{"res-member-names: fail"});
  EXPECT_EQ(id.findings.at(0).expected, "\"id\"");
  EXPECT_EQ(id.findings.at(0).actual, "\"ID\"");
  EXPECT_FALSE(id.exercised.contains("res-id-present"));
}

TEST(Envelope, AFoldedMemberBesideTheRightOneIsNoFault) {
  const auto judgement = judged_response(R"({"jsonrpc":"2.0","result":1,"id":1,"ID":2})");
  EXPECT_EQ(charges(judgement), Charges{});
}

TEST(Envelope, AMemberThatIsThereTwiceWarns) {
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","result":1,"id":1,"id":1})")),
            Charges{"res-duplicate-members: warn"});
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","result":1,"result":2,"id":1})")),
            Charges{"res-duplicate-members: warn"});
  EXPECT_EQ(charges(judged_response(R"({"jsonrpc":"2.0","result":{"a":1,"a":1},"id":1})")),
            Charges{})
      << "what a result holds is the application's";
}

TEST(Envelope, MembersBeyondTheFourAreRecorded) {
  const auto judgement = judged_response(R"({"jsonrpc":"2.0","result":1,"id":1,"time":3})");
  EXPECT_EQ(charges(judgement), Charges{});
  ASSERT_EQ(judgement.observations.size(), 1U);
  EXPECT_EQ(judgement.observations[0].name, "extra member in Responses");
  EXPECT_EQ(judgement.observations[0].value, "time");
}

TEST(Envelope, OfMembersBeyondTheFourAHundredAreRecordedEachOnce) {
  std::string members;
  for (int i = 0; i < 300; ++i)
    members.append(",\"x").append(std::to_string(i % 150)).append("\":0");
  const auto judgement = judged_response(R"({"jsonrpc":"2.0","result":1,"id":1)" + members + "}");
  EXPECT_EQ(judgement.observations.size(), 100U);
  const auto long_name = judged_response(R"({"jsonrpc":"2.0","result":1,"id":1,")" +
                                         std::string(50'000, 'x') + "\":0}");
  ASSERT_EQ(long_name.observations.size(), 1U);
  EXPECT_LT(long_name.observations[0].value.size(), 5000U);
}

TEST(Envelope, AnErrorIsAnObject) {
  for (const std::string error : {"\"Wrong\"", "-32601", "true", "[]"}) {
    const auto judgement = judged_error(error);
    EXPECT_EQ(charges(judgement), Charges{"err-object: fail"}) << error;
    EXPECT_FALSE(judgement.exercised.contains("err-code-integer")) << error;
  }
}

TEST(Envelope, AnErrorOfNullAloneIsASuccessWithoutItsResult) {
  for (const bool result_expected : {false, true}) {
    const auto judgement =
        judged_response(R"({"jsonrpc":"2.0","error":null,"id":1})", result_expected);
    EXPECT_EQ(charges(judgement), Charges{"res-result-on-success: fail"});
    EXPECT_EQ(judgement.findings.at(0).place.pointer, "/result");
  }
}

TEST(Envelope, ACodeIsAnIntegerNumber) {
  EXPECT_EQ(charges(judged_error(R"({"message":"Wrong"})")), Charges{"err-code-integer: fail"});
  for (const std::string code : {"\"-32601\"", "-32601.5", "null", "true", "1e-1", "[-32601]"}) {
    const auto judgement = judged_code(code);
    EXPECT_EQ(charges(judgement), Charges{"err-code-integer: fail"}) << code;
    EXPECT_FALSE(judgement.exercised.contains("err-code-reserved")) << code;
  }
}

TEST(Envelope, AnIntegerCodeInAnotherSpellingWarns) {
  for (const std::string code : {"-32601.0", "-3.2601e4", "1E2"}) {
    EXPECT_EQ(charges(judged_code(code)), Charges{"err-code-integer: warn"}) << code;
  }
}

TEST(Envelope, CodesTheSpecificationDefinesOrLeavesFreeAreRight) {
  for (const std::string code :
       {"-32700", "-32600", "-32601", "-32602", "-32603", "-32000", "-32099", "-32050", "-31999",
        "-32769", "0", "1", "-1", "401", "123456789012345678901234567890"}) {
    EXPECT_EQ(charges(judged_code(code)), Charges{}) << code;
  }
}

TEST(Envelope, OtherCodesOfTheReservedRangeWarn) {
  for (const std::string code :
       {"-32768", "-32701", "-32699", "-32604", "-32599", "-32100", "-32500"}) {
    EXPECT_EQ(charges(judged_code(code)), Charges{"err-code-reserved: warn"}) << code;
  }
}

TEST(Envelope, AReservedCodeIsReservedInAnySpelling) {
  EXPECT_EQ(charges(judged_code("-32604.0")),
            (Charges{"err-code-integer: warn", "err-code-reserved: warn"}));
  EXPECT_EQ(charges(judged_code("-325e2")),
            (Charges{"err-code-integer: warn", "err-code-reserved: warn"}));
}

TEST(Envelope, AMessageIsAString) {
  EXPECT_EQ(charges(judged_error(R"({"code":1})")), Charges{"err-message-string: fail"});
  for (const std::string message : {"null", "1", "[\"Wrong\"]", "{}"}) {
    const auto judgement = judged_error(R"({"code":1,"message":)" + message + "}");
    EXPECT_EQ(charges(judgement), Charges{"err-message-string: fail"}) << message;
    EXPECT_FALSE(judgement.exercised.contains("err-message-concise")) << message;
  }
  EXPECT_EQ(charges(judged_error(R"({"code":1,"message":""})")), Charges{});
}

TEST(Envelope, AMessageIsOneConciseSentence) {
  const auto with_message = [](const std::string& text) {
    return charges(judged_error(R"({"code":1,"message":")" + text + "\"}"));
  };
  EXPECT_EQ(with_message(std::string(200, 'x')), Charges{});
  EXPECT_EQ(with_message(std::string(201, 'x')), Charges{"err-message-concise: warn"});
  EXPECT_EQ(with_message(R"(first\nsecond)"), Charges{"err-message-concise: warn"});
}

TEST(Envelope, TheLengthOfAMessageIsCountedInCharacters) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "é";
  EXPECT_EQ(charges(judged_error(R"({"code":1,"message":")" + text + "\"}")), Charges{});
  EXPECT_EQ(charges(judged_error(R"({"code":1,"message":")" + text + "é\"}")),
            Charges{"err-message-concise: warn"});
}

// A message that quotes the name of the method is as long as that.
TEST(Envelope, AnswersToHugeMessagesMayBeLong) {
  const auto reply = value_of(R"({"jsonrpc":"2.0","error":{"code":1,"message":")" +
                              std::string(201, 'x') + R"("},"id":1})");
  for (const std::size_t sent_bytes : {10'000U, 10'001U}) {
    Judgement judgement;
    Charger charger(real_ledger(), judgement);
    charger.begin_step(0, sent_bytes);
    judge_response(reply, false, charger);
    EXPECT_EQ(judgement.findings.size(), sent_bytes == 10'000U ? 1U : 0U);
    EXPECT_EQ(judgement.exercised.contains("err-message-concise"), !judgement.findings.empty());
  }
}

TEST(Envelope, SeveralFaultsAreSeveralCharges) {
  EXPECT_EQ(charges(judged_response(R"({"error":{"code":"x"}})")),
            (Charges{"res-version: fail", "res-id-present: fail", "err-code-integer: fail",
                     "err-message-string: fail"}));
}

TEST(Envelope, AReplyIsOneJsonTextInUtf8) {
  EXPECT_EQ(charges(judged_text(kGood)), Charges{});
  EXPECT_EQ(judged_text(kGood).exercised, Requirements{"res-json"});
  for (const std::string_view reply :
       {"{", "hello", "{} {}", "{'a':1}", "\xEF\xBB\xBF{}", "[1,]"}) {
    const auto judgement = judged_text(reply);
    EXPECT_EQ(charges(judgement), Charges{"res-json: fail"}) << reply;
  }
}

TEST(Envelope, BytesThatAreNotUtf8AreNamedAsSuch) {
  const auto judgement = judged_text("{\"a\":\"\xff\"}");
  ASSERT_EQ(charges(judgement), Charges{"res-json: fail"});
  EXPECT_EQ(judgement.findings[0].symptom, Symptom::reply_not_utf8);
}

TEST(Envelope, ACodingIsWhyAReplyIsNoJson) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_text(std::string("\x1f\x8b\x08"), charger, "gzip");
  ASSERT_EQ(charges(judgement), Charges{"res-json: fail"});
  EXPECT_EQ(sentence_of(judgement.findings[0]),
            "The reply is not JSON (its Content-Encoding is gzip).");
}

TEST(Charger, TheLevelOfTheRequirementDecidesTheSeverity) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  charger.begin_step(3, 0);
  charger.charge("id-echo", {Symptom::wrong_id, "e", "a"});            // must
  charger.charge("id-large", {Symptom::wrong_id, "e", "a"});           // should
  charger.charge("req-params-null", {Symptom::unanswered, "e", "a"});  // info
  EXPECT_EQ(charges(judgement), (Charges{"id-echo: fail", "id-large: warn"}));
  EXPECT_EQ(judgement.findings[0].step, 3U);
  EXPECT_EQ(judgement.worst(), corpus::Verdict::fail);
  EXPECT_EQ(judgement.exercised, (Requirements{"id-echo", "id-large", "req-params-null"}));
  ASSERT_EQ(judgement.observations.size(), 1U) << "what is not charged is observed";
  EXPECT_EQ(judgement.observations[0].name, "req-params-null");
  EXPECT_EQ(judgement.observations[0].value, "No Response came back. a");
}

TEST(Charger, ACaseMayChargeAtASeverityOfItsOwn) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  charger.charge_as(corpus::Verdict::warn, "id-echo", {Symptom::wrong_id, "e", "a"});
  EXPECT_EQ(charges(judgement), Charges{"id-echo: warn"});
  EXPECT_EQ(judgement.worst(), corpus::Verdict::warn);
  EXPECT_EQ(Judgement().worst(), corpus::Verdict::pass);
}

TEST(EnvelopeRequirements, AreAllThatTheRulesExercise) {
  Requirements exercised = judged_text(kGood).exercised;
  exercised.merge(judged_response(std::string(kGood), true).exercised);
  exercised.merge(judged_code("-32601").exercised);
  for (const auto& id : exercised.in_order()) EXPECT_TRUE(is_envelope_requirement(id)) << id;
  EXPECT_GE(exercised.in_order().size(), 14U);
}

TEST(EnvelopeRequirements, AreInTheLedger) {
  for (const auto& each : envelope_requirements()) {
    EXPECT_TRUE(is_envelope_requirement(each.id)) << each.id;
    EXPECT_NE(real_ledger().find(each.id), nullptr) << each.id;
  }
  EXPECT_FALSE(is_envelope_requirement("id-echo"));
  EXPECT_FALSE(is_envelope_requirement("res-once"));
  EXPECT_FALSE(is_envelope_requirement(""));
}

}  // namespace envelope_test
}  // namespace jrpcheck::judge
