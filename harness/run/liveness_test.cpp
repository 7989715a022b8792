#include "run/liveness.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::run {
namespace liveness_test {

class LivenessTest : public ::testing::Test {
 protected:
  static const corpus::Ledger& ledger() { return corpus::corpus_for_testing().ledger; }
  Liveness liveness_{SideDialogue("dialogue/liveness", "t", ledger(), {})};
};

std::string error(int code, const std::string& id) {
  return R"({"jsonrpc":"2.0","error":{"code":)" + std::to_string(code) +
         R"(,"message":"No"},"id":)" + id + "}";
}

TEST_F(LivenessTest, AnotherIdOrAnotherMessageIsNoChange) {
  EXPECT_FALSE(liveness_.has_changed(error(-32601, "1")));
  EXPECT_FALSE(liveness_.has_changed(error(-32601, "2")));
  EXPECT_FALSE(liveness_.has_changed(
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"at 10:05"},"id":3})"));
}

TEST_F(LivenessTest, AnotherCodeOrAResultIsAChange) {
  EXPECT_FALSE(liveness_.has_changed(error(-32601, "1")));
  EXPECT_TRUE(liveness_.has_changed(error(-32000, "2")));
  EXPECT_TRUE(liveness_.has_changed(R"({"jsonrpc":"2.0","result":1,"id":3})"));
  EXPECT_FALSE(liveness_.has_changed(error(-32601, "4")));
}

TEST_F(LivenessTest, NoAnswerIsNoChange) {
  EXPECT_FALSE(liveness_.has_changed(error(-32601, "1")));
  EXPECT_FALSE(liveness_.has_changed(""));
}

TEST_F(LivenessTest, AnswerInAnArrayIsNoChangeAndThatFaultAlone) {
  EXPECT_FALSE(liveness_.has_changed(error(-32601, "1")));
  EXPECT_FALSE(liveness_.has_changed("[" + error(-32601, "2") + "]"));
  const auto result = liveness_.dialogue().result({});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->findings.size(), 1U);
  EXPECT_EQ(result->findings.front().requirement, "res-object");
}

TEST_F(LivenessTest, AnswersAreJudged) {
  liveness_.has_changed(error(-32601, "1"));
  EXPECT_FALSE(liveness_.dialogue().result({}));
  liveness_.has_changed(R"({"error":{"code":-32601,"message":"No"},"id":2})");
  const auto result = liveness_.dialogue().result({});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->findings.size(), 1U);
  EXPECT_EQ(result->findings.front().requirement, "res-version");
}

TEST_F(LivenessTest, AnswerThatNobodyCanReadIsNoChangeAndIsCharged) {
  constexpr int kOk = 200;
  EXPECT_FALSE(liveness_.has_changed(error(-32601, "1"), kOk));
  EXPECT_FALSE(liveness_.has_changed("/**/" + error(-32601, "2"), kOk));
  const auto result = liveness_.dialogue().result({});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->findings.size(), 1U);
  EXPECT_EQ(result->findings.front().requirement, "res-json");
}

// A web framework's own words: cases are charged with a failure of theirs, and show what was sent.
TEST_F(LivenessTest, WhatIsNoResponseUnderAnErrorStatusIsAChangeAndNotJudged) {
  liveness_.has_changed(error(-32601, "1"), 200);
  const std::string words = R"({"error":"Internal server error","message":"Not initialized"})";
  EXPECT_TRUE(liveness_.has_changed(words, 500));
  EXPECT_FALSE(liveness_.dialogue().result({}));
  EXPECT_TRUE(liveness_.has_changed(words, 200));
  EXPECT_TRUE(liveness_.dialogue().result({})) << "under 200 it is meant as the answer";
}

TEST_F(LivenessTest, AResponseUnderAnErrorStatusIsJudged) {
  liveness_.has_changed(R"({"error":{"code":-32601,"message":"No"},"id":2})", 500);
  EXPECT_TRUE(liveness_.dialogue().result({}));
}

}  // namespace liveness_test
}  // namespace jrpcheck::run
