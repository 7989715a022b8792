#include "judge/unasked.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace unasked_test {

std::set<std::string> charged(const std::string& message,
                              corpus::Dialect dialect = corpus::Dialect::json_rpc_2_0) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  charger.use(dialect);
  judge_unasked(message, charger);
  std::set<std::string> requirements;
  for (const auto& each : judgement.findings) requirements.insert(each.requirement);
  return requirements;
}

using Charges = std::set<std::string>;

TEST(Unasked, WellFormedRequestsAndNotificationsAreTheServersRight) {
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"log","params":["x"]})"), Charges());
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"ask","params":{},"id":"s1"})"), Charges());
  EXPECT_EQ(
      charged(R"([{"jsonrpc":"2.0","method":"log"},{"jsonrpc":"2.0","method":"ask","id":1}])"),
      Charges());
}

TEST(Unasked, NullInPlaceOfParamsIsLeftOpen) {
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"log","params":null})"), Charges());
}

TEST(Unasked, EachMemberOfARequestIsHeldToItsOwnRule) {
  EXPECT_EQ(charged(R"({"method":"log"})"), Charges{"req-version"});
  EXPECT_EQ(charged(R"({"method":"log","params":[],"id":null})"), Charges{"req-version-missing"});
  EXPECT_EQ(charged(R"({"jsonrpc":2.0,"method":"log"})"), Charges{"req-version"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":7})"), Charges{"req-method-string"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"log","params":"x"})"),
            Charges{"req-params-structured"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"ask","id":true})"), Charges{"req-id-type"});
}

TEST(Unasked, AnswerToTheResponseThatTheServerWasGivenIsTold) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_unasked(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"x"},"id":"s1"})", charger,
                {"ss1"});
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings.front().requirement, "req-response-shaped");
}

TEST(Unasked, AnswerToAControlCallWithAnotherIdIsThatFaultAlone) {
  Judgement judgement;
  Charger charger(real_ledger(), judgement);
  judge_answer_with_other_id(R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":0})",
                             charger);
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings.front().requirement, "id-echo");
}

TEST(Unasked, BadElementOfABatchIsFound) {
  EXPECT_EQ(charged(R"([{"jsonrpc":"2.0","method":"log"},{"jsonrpc":"2.0","method":null}])"),
            Charges{"req-method-string"});
}

TEST(Unasked, ResponseToNothingIsOneTooManyAndJudgedAsAnyOther) {
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","result":1,"id":"nobody's"})"), Charges{"res-once"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","result":1,"error":null,"id":"nobody's"})"),
            (Charges{"res-once", "res-exclusive"}));
}

TEST(Unasked, MessagesIn1_0AreNotHeldToTheRulesOf2_0) {
  EXPECT_EQ(charged(R"({"method":"log","params":[],"id":null})", corpus::Dialect::json_rpc_1_0),
            Charges());
}

}  // namespace unasked_test
}  // namespace jrpcheck::judge
