#include "run/constant_answer.hpp"

#include <gtest/gtest.h>

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

TEST(ConstantAnswer, IsAWrongOneThatComesTwice) {
  EXPECT_TRUE(ConstantAnswer::of({answered(kRefusal), answered(kRefusal, "2")}));
  EXPECT_TRUE(ConstantAnswer::of({answered(R"("result":null)"), answered(R"("result":null)")}));
  EXPECT_FALSE(ConstantAnswer::of({answered(kUnknown), answered(kUnknown)}));
  EXPECT_FALSE(ConstantAnswer::of({answered(kRefusal), answered(R"("result":null)")}));
  EXPECT_FALSE(ConstantAnswer::of({answered(kRefusal)}));
  EXPECT_FALSE(ConstantAnswer::of({}));
}

class WithdrawTest : public ::testing::Test {
 protected:
  // A case about `requirement` in which this came back, and which was judged so.
  result::CaseResult judged(const std::string& requirement, const std::string& members,
                            std::vector<std::string> charged, std::vector<std::string> roles = {}) {
    corpus::Case one;
    one.requirements = {requirement};
    one.roles = std::move(roles);
    one.steps.emplace_back();
    one.steps.back().accept.emplace_back();
    result::CaseResult result;
    result.verdict = charged.empty() ? Verdict::pass : Verdict::fail;
    for (auto& id : charged) {
      judge::Finding finding;
      finding.requirement = std::move(id);
      result.findings.push_back(std::move(finding));
    }
    ConstantAnswer::of({answered(kRefusal), answered(kRefusal)})
        ->withdraw_from(one, {answered(members)}, result);
    return result;
  }
};

TEST_F(WithdrawTest, ARefusalThatMeetsEveryCallIsNoPass) {
  EXPECT_EQ(judged("req-version", kRefusal, {}).verdict, Verdict::not_exercised);
}

TEST_F(WithdrawTest, AFaultThatMeetsEveryCallIsNotChargedAgain) {
  const auto result = judged("http-chunked", kRefusal, {"http-chunked"});
  EXPECT_EQ(result.verdict, Verdict::not_exercised);
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(WithdrawTest, WhatElseIsWrongIsCharged) {
  const auto result = judged("req-version", kRefusal, {"req-version", "id-echo"});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().requirement, "id-echo");
  EXPECT_EQ(result.verdict, Verdict::fail);
}

TEST_F(WithdrawTest, AnotherAnswerTells) {
  EXPECT_EQ(judged("req-version", kUnknown, {}).verdict, Verdict::pass);
}

TEST_F(WithdrawTest, ItTellsSomethingAboutAKnownMethodAndAboutIds) {
  EXPECT_EQ(judged("req-version", kRefusal, {}, {"subtract"}).verdict, Verdict::pass);
  EXPECT_EQ(judged("id-echo", kRefusal, {}).verdict, Verdict::pass);
}

}  // namespace constant_answer_test
}  // namespace jrpcheck::run
