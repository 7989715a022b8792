#include "judge/request.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace request_test {

using Names = std::set<std::string>;

Names charged(const std::string& request, dialogue::Side side = dialogue::Side::client) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_request(value_of(request), side, charger);
  Names requirements;
  for (const auto& each : judgement.findings) requirements.insert(each.requirement);
  return requirements;
}

TEST(RequestOfAClient, WhatIsRightIsNotCharged) {
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","id":1})"), Names());
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","params":{},"id":"x"})"), Names());
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","params":[1]})"), Names());
}

TEST(RequestOfAClient, EachMemberIsHeldToItsOwnRule) {
  EXPECT_EQ(charged(R"({"method":"a","id":1})"), Names{"cl-req-version"});
  EXPECT_EQ(charged(R"({"jsonrpc":2.0,"method":"a","id":1})"), Names{"cl-req-version"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","id":1})"), Names{"cl-req-method"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":1,"id":1})"), Names{"cl-req-method"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","params":null,"id":1})"),
            Names{"cl-req-params"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","params":7,"id":1})"), Names{"cl-req-params"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","id":[1]})"), Names{"cl-id-type"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","id":null})"), Names{"cl-id-not-null"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","id":1.5})"), Names{"cl-id-no-fraction"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","id":9007199254740992})"),
            Names{"cl-id-no-fraction"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","id":1,"version":"1.1"})"),
            Names{"cl-req-members"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","id":1,"id":1})"),
            Names{"cl-req-duplicate-members"});
}

TEST(RequestOfAClient, OfMembersWithoutEndTenAreTold) {
  std::string members;
  for (int i = 0; i < 50'000; ++i) members.append(",\"x").append(std::to_string(i)).append("\":0");
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_request(value_of(R"({"jsonrpc":"2.0","method":"a")" + members + R"(,"x7":1})"),
                dialogue::Side::client, charger);
  ASSERT_EQ(judgement.findings.size(), 11U);
  EXPECT_EQ(judgement.findings.back().requirement, "cl-req-duplicate-members");
}

TEST(RequestOfAServer, IsChargedWhereTheSpecificationSpeaksOfRequests) {
  const auto server = dialogue::Side::server;
  for (const auto* of_no_version : {R"({"method":"a"})", R"({"method":"a","params":{},"id":1})",
                                    R"({"method":"a","params":[]})"}) {
    EXPECT_EQ(charged(of_no_version, server), Names{"req-version"});
  }
  for (const auto* of_1_0 :
       {R"({"method":"a","params":[],"id":1})", R"({"method":"a","params":[1],"id":null})"}) {
    EXPECT_EQ(charged(of_1_0, server), Names{"req-version-missing"});
  }
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","params":null,"id":1.5})", server), Names());
}

// That its own Requests are right does not show that it refuses wrong ones.
TEST(RequestOfAServer, ExercisesNothing) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_request(value_of(R"({"jsonrpc":"2.0","method":"a","id":1})"), dialogue::Side::server,
                charger);
  EXPECT_TRUE(judgement.exercised.empty());
}

}  // namespace request_test
}  // namespace jrpcheck::judge
