#include "run/constant_answer.hpp"

#include <gtest/gtest.h>

#include "dialogue/exchanges_of.hpp"

namespace jrpcheck::run {
namespace constant_answer_test {

using result::Verdict;

dialogue::Exchange answered(const std::string& members, const std::string& id = "1") {
  dialogue::Exchange exchange;
  exchange.replies.push_back({R"({"jsonrpc":"2.0",)" + members + R"(,"id":)" + id + "}", 0});
  return exchange;
}

const std::string kRefusal = R"("error":{"code":-32600,"message":"Invalid Request"})";
const std::string kUnknown = R"("error":{"code":-32601,"message":"Method not found"})";

bool is_constant(const std::string& one, const std::string& other,
                 const std::vector<std::string>& methods = {"a", "a"}) {
  return ConstantAnswer::of({answered(one), answered(other, "2")}, methods).has_value();
}

// As servers have it that name what they do not know.
std::string refusal_of(const std::string& method) {
  return R"("error":{"code":-32600,"message":"Method not found: )" + method + "\"}";
}

TEST(ConstantAnswer, IsAWrongOneThatComesTwice) {
  EXPECT_TRUE(is_constant(kRefusal, kRefusal));
  EXPECT_TRUE(is_constant(R"("result":null)", R"("result":null)"));
  EXPECT_FALSE(is_constant(kUnknown, kUnknown));
  EXPECT_FALSE(is_constant(kRefusal, R"("result":null)"));
  EXPECT_FALSE(ConstantAnswer::of({answered(kRefusal)}, {"a"}));
  EXPECT_FALSE(ConstantAnswer::of({}, {}));
}

// As from a Perl hash, which is in another order each time.
TEST(ConstantAnswer, IsTheSameInWhateverOrderTheMembersOfTheErrorCome) {
  const std::string turned = R"("error":{"message":"Invalid Request","code":-32600})";
  EXPECT_TRUE(is_constant(kRefusal, turned));
  EXPECT_FALSE(is_constant(kRefusal, R"("error":{"message":"No","code":-32600})"));
  const auto answer = ConstantAnswer::of({answered(kRefusal), answered(turned, "2")}, {"a", "a"});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->code(), -32600);
}

TEST(ConstantAnswer, IsALoginThatMayBeMissingWhereThereAreHeaderFieldsForOne) {
  const auto hint = [](const std::string& code, std::string_view binding) {
    const auto refusal = answered(R"("error":{"code":)" + code + R"(,"message":"No"})");
    return ConstantAnswer::of({refusal, refusal}, {"a", "a"})->hint(wire::known_binding(binding));
  };
  for (const auto* binding : {"http", "websocket"}) {
    EXPECT_NE(hint("-32001", binding).find("--header"), std::string::npos) << binding;
  }
  EXPECT_EQ(hint("-32001", "lines").find("--header"), std::string::npos);
  EXPECT_NE(hint("-32001", "lines").find("--opening"), std::string::npos);
  EXPECT_EQ(hint("-32600", "http"), "");
}

TEST(ConstantAnswer, WithACodeOfTheServersOwnMayBeAboutWhatIsMissing) {
  const auto hint = [](const std::string& code, std::string_view binding) {
    const auto refusal = answered(R"("error":{"code":)" + code + R"(,"message":"No"})");
    return ConstantAnswer::of({refusal, refusal}, {"a", "a"})->hint(wire::known_binding(binding));
  };
  for (const auto* code : {"-32009", "-32000", "-1", "403"}) {
    EXPECT_NE(hint(code, "http").find(std::string("error ") + code), std::string::npos) << code;
    EXPECT_NE(hint(code, "http").find("--header"), std::string::npos) << code;
    EXPECT_NE(hint(code, "lines").find("--opening"), std::string::npos) << code;
  }
  for (const auto* code : {"-32700", "-32600", "-32602", "-32603"}) {
    EXPECT_EQ(hint(code, "http"), "") << "says what is wrong with the call, as it seems";
  }
}

TEST(ConstantAnswer, IsNotHelpedByWhatTheServerWasGivenAlready) {
  const auto hint = [](const std::string& code, std::string_view binding, const GivenFirst& given) {
    const auto refusal = answered(R"("error":{"code":)" + code + R"(,"message":"No"})");
    return ConstantAnswer::of({refusal, refusal}, {"a", "a"})
        ->hint(wire::known_binding(binding), given);
  };
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  const GivenFirst handshake{.handshake = true};
  for (const auto* code : {"-32001", "-32000"}) {
    const std::string on_stream = hint(code, "lines", handshake);
    EXPECT_TRUE(has(on_stream, std::string("error ") + code)) << on_stream;
    EXPECT_FALSE(has(on_stream, "--")) << on_stream;
    const std::string over_http = hint(code, "http", handshake);
    EXPECT_TRUE(has(over_http, "--header")) << over_http;
    EXPECT_FALSE(has(over_http, "--opening")) << over_http;
  }
  // Who has told who he is may have to tell something else; and the reverse.
  const GivenFirst login{.authorization = true, .any_field = true};
  const GivenFirst field{.any_field = true};
  EXPECT_FALSE(has(hint("-32001", "http", login), "--header"));
  EXPECT_TRUE(has(hint("-32001", "http", login), "--opening"));
  EXPECT_TRUE(has(hint("-32001", "http", field), "--header 'Authorization"));
  EXPECT_FALSE(has(hint("-32000", "http", field), "--header"));
}

TEST(ConstantAnswer, MayNameTheMethodThatWasCalled) {
  EXPECT_TRUE(is_constant(refusal_of("one"), refusal_of("two"), {"one", "two"}));
  EXPECT_FALSE(is_constant(refusal_of("one"), refusal_of("two"), {"one", "one"}));
}

std::vector<std::string> charges(const result::CaseResult& result) {
  std::vector<std::string> ids;
  for (const auto& finding : result.findings) ids.push_back(finding.requirement);
  return ids;
}

class WithdrawTest : public ::testing::Test {
 protected:
  // A case about `requirement` in which this came back, and which was judged so.
  result::CaseResult judged(const std::string& requirement, const std::string& members,
                            std::vector<std::string> charged, std::vector<std::string> roles = {},
                            const std::string& constant = kRefusal) {
    return judged(requirement, answered(members), std::move(charged), std::move(roles), constant);
  }
  result::CaseResult judged(const std::string& requirement, const dialogue::Exchange& exchange,
                            std::vector<std::string> charged, std::vector<std::string> roles,
                            const std::string& constant) {
    corpus::Case one;
    one.requirements = {requirement};
    one.roles = std::move(roles);
    one.observes = "how deep";
    one.steps.emplace_back();
    one.steps.back().messages.emplace_back(R"({"jsonrpc":"2.0","method":"rpc.nobody","id":1})");
    one.steps.back().accept.emplace_back();
    result::CaseResult result;
    result.observations = {{"how deep", "not 20"}, {"HTTP status of a result", "200"}};
    result.verdict = charged.empty() ? Verdict::pass : Verdict::fail;
    for (auto& id : charged) {
      judge::Finding finding;
      finding.requirement = std::move(id);
      result.findings.push_back(std::move(finding));
    }
    ConstantAnswer::of({answered(constant), answered(constant)}, {"nobody", "nobody"})
        ->withdraw_from(one, {exchange}, result);
    return result;
  }
};

TEST_F(WithdrawTest, ARefusalThatMeetsEveryCallIsNoPass) {
  EXPECT_EQ(judged("req-version", kRefusal, {}).verdict, Verdict::not_exercised);
}

// A Response alone shows how a call was taken.
TEST(ConstantStatus, ThatMeetsEveryCallIsNoPassWhateverIsAskedAbout) {
  const auto refused = [](const std::string& method, int status) {
    dialogue::Exchange exchange;
    exchange.http_status = status;
    exchange.replies.push_back({"no method \"" + method + "\"", status});
    return exchange;
  };
  const auto constant =
      ConstantAnswer::of({refused("one", 400), refused("two", 400)}, {"one", "two"});
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->charged_to(), "res-always");
  EXPECT_FALSE(ConstantAnswer::of({refused("one", 400), refused("one", 404)}, {"one", "one"}));
  corpus::Case one;
  one.requirements = {"id-echo"};
  one.steps.emplace_back();
  one.steps.back().messages.emplace_back(R"({"jsonrpc":"2.0","method":"nobody","id":1})");
  one.steps.back().accept.emplace_back();
  for (const int status : {400, 404}) {
    result::CaseResult result;
    result.verdict = Verdict::pass;
    result.exercised = {"id-echo"};
    constant->withdraw_from(one, {refused("nobody", status)}, result);
    EXPECT_EQ(result.verdict == Verdict::not_exercised, status == 400);
    EXPECT_EQ(result.exercised.empty(), status == 400);
  }
}

TEST_F(WithdrawTest, AFaultThatMeetsEveryCallIsNotChargedAgain) {
  const auto result = judged("http-chunked", kRefusal, {"http-chunked"});
  EXPECT_EQ(result.verdict, Verdict::not_exercised);
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(WithdrawTest, AFaultThatNamesTheMethodIsNotChargedAgain) {
  EXPECT_EQ(judged("req-reserved-names", refusal_of("rpc.nobody"), {"req-reserved-names"}, {},
                   refusal_of("nobody"))
                .verdict,
            Verdict::not_exercised);
  EXPECT_EQ(judged("req-reserved-names", refusal_of("rpc.somebody"), {"req-reserved-names"}, {},
                   refusal_of("nobody"))
                .verdict,
            Verdict::fail);
}

TEST_F(WithdrawTest, WhatElseIsWrongIsCharged) {
  const auto result = judged("req-version", kRefusal, {"req-version", "id-echo"});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().requirement, "id-echo");
  EXPECT_EQ(result.verdict, Verdict::fail);
}

TEST_F(WithdrawTest, TheSameFaultIsNotChargedAgainWhereTheCaseIsAboutAnother) {
  for (const std::string subject : {"bat-each", "rob-prototype-params", "req-duplicate-members"}) {
    EXPECT_EQ(judged(subject, kRefusal, {"err-code-method"}).verdict, Verdict::not_exercised);
    EXPECT_EQ(judged(subject, kRefusal, {"err-code-method"}, {"subtract"}).verdict,
              Verdict::not_exercised);
    EXPECT_EQ(judged(subject, kUnknown, {"err-code-method"}).verdict, Verdict::fail);
  }
  EXPECT_EQ(charges(judged("bat-each", kRefusal, {"err-code-method", "id-echo"})),
            std::vector<std::string>{"id-echo"});
}

TEST_F(WithdrawTest, TheSameFaultIsThatOfEachResponseOfABatch) {
  const auto batch = [](const std::string& first, const std::string& second) {
    dialogue::Exchange exchange;
    exchange.sent.emplace_back(R"([{"jsonrpc":"2.0","method":"one","id":1},)"
                               R"({"jsonrpc":"2.0","method":"two","id":null}])");
    exchange.replies.push_back({"[" + answered(first).replies.front().text() + "," +
                                    answered(second, "null").replies.front().text() + "]",
                                0});
    return exchange;
  };
  const std::string constant = refusal_of("nobody");
  const auto verdict_of = [&](const dialogue::Exchange& exchange) {
    return judged("bat-each", exchange, {"err-code-method"}, {}, constant).verdict;
  };
  EXPECT_EQ(verdict_of(batch(refusal_of("one"), refusal_of("two"))), Verdict::not_exercised);
  EXPECT_EQ(verdict_of(batch(refusal_of("one"), R"("result":null)")), Verdict::fail);
}

TEST_F(WithdrawTest, AnotherAnswerTells) {
  EXPECT_EQ(judged("req-version", kUnknown, {}).verdict, Verdict::pass);
}

TEST_F(WithdrawTest, ItTellsSomethingAboutAKnownMethodAndAboutIds) {
  EXPECT_EQ(judged("req-version", kRefusal, {}, {"subtract"}).verdict, Verdict::pass);
  EXPECT_EQ(judged("id-echo", kRefusal, {}).verdict, Verdict::pass);
}

TEST_F(WithdrawTest, HowDeepIsAnsweredItDoesNotTell) {
  const auto constant = judged("rob-depth", kRefusal, {});
  EXPECT_EQ(constant.verdict, Verdict::pass);
  ASSERT_EQ(constant.observations.size(), 1U);
  EXPECT_EQ(constant.observations.front().value, "200");
  EXPECT_EQ(judged("rob-depth", kUnknown, {}).observations.size(), 2U);
}

// A case charged with the code of what it was answered, and another that was answered so.
Verdict beside(const std::string& answer, const std::string& other) {
  const auto transcript = [](const std::string& members) {
    dialogue::Transcript said;
    said.begin_step(0);
    said.add(dialogue::Direction::received, answered(members).replies.front().text());
    said.add(dialogue::end_of(answered(members)));
    return said.events();
  };
  std::vector<result::CaseResult> cases(2);
  cases[0].verdict = Verdict::fail;
  cases[0].transcript = transcript(answer);
  judge::Finding finding;
  finding.requirement = "err-code-method";
  finding.symptom = judge::Symptom::wrong_code;
  cases[0].findings.push_back(std::move(finding));
  cases[1].verdict = Verdict::pass;
  cases[1].transcript = transcript(other);
  take_back_before_handshake(cases, {});
  return cases[0].verdict;
}

const std::string kNotInitialized = R"("error":{"code":-32002,"message":"Not initialized"})";

TEST(BeforeAHandshake, TheCodeOfAnUnknownMethodTellsNothing) {
  EXPECT_EQ(beside(kNotInitialized, kNotInitialized), Verdict::not_exercised);
  EXPECT_EQ(beside(kNotInitialized, kRefusal), Verdict::not_exercised);
  const std::string in_words = R"("error":{"code":-32603,"message":"Server not initialized"})";
  EXPECT_EQ(beside(in_words, in_words), Verdict::not_exercised);
  for (const std::string words : {"The connection must be initialized before 'x'",
                                  "Before initialize", "Has to be initialised before use"}) {
    const std::string refusal = R"("error":{"code":-32600,"message":")" + words + "\"}";
    EXPECT_EQ(beside(refusal, refusal), Verdict::not_exercised) << words;
  }
}

TEST(BeforeAHandshake, IsWhoeverIsCalledTooOftenMeanwhile) {
  const std::string too_often =
      R"("error":{"code":-32000,"message":"Rate limit exceeded","data":{"retryAfter":1}})";
  EXPECT_EQ(beside(kNotInitialized, too_often), Verdict::not_exercised);
  const std::string of_its_own = R"("error":{"code":-32000,"message":"No"})";
  EXPECT_EQ(beside(kNotInitialized, of_its_own), Verdict::fail);
  const std::string unknown_later =
      R"("error":{"code":-32601,"message":"Not found","data":{"retryAfter":1}})";
  EXPECT_EQ(beside(kNotInitialized, unknown_later), Verdict::fail);
}

TEST(BeforeAHandshake, IsNobodyWhoServesAnythingOrSaysThatTheMethodIsUnknown) {
  EXPECT_EQ(beside(kNotInitialized, R"("result":1)"), Verdict::fail);
  EXPECT_EQ(beside(kNotInitialized, kUnknown), Verdict::fail);
  const std::string not_found = R"("error":{"code":-32002,"message":"Method not found"})";
  EXPECT_EQ(beside(not_found, not_found), Verdict::fail);
  EXPECT_EQ(beside(kRefusal, kRefusal), Verdict::fail);
}

}  // namespace constant_answer_test
}  // namespace jrpcheck::run
