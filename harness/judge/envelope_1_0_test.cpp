#include "judge/envelope_1_0.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "json/parse.hpp"
#include "judge/envelope.hpp"

namespace jrpcheck::judge {
namespace envelope_1_0_test {

corpus::Ledger ledger_of_1_0() {
  auto ledger = corpus::Ledger::load("ledger.json", R"({"requirements": [
    {"id": "v1-both-members", "clause": "-", "level": "must", "class": "v1", "text": "Both."},
    {"id": "v1-response", "clause": "-", "level": "must", "class": "v1", "text": "One."},
    {"id": "v1-id-any", "clause": "-", "level": "must", "class": "v1", "text": "Id."}]})");
  if (!ledger) ADD_FAILURE() << ledger.error().message;
  return ledger ? *std::move(ledger) : corpus::Ledger();
}

Judgement judged(const std::string& response) {
  static const corpus::Ledger kLedger = ledger_of_1_0();
  Judgement judgement;
  Charger charger(kLedger, judgement);
  charger.use(corpus::Dialect::json_rpc_1_0);
  judge_text(response, charger);
  if (const auto parsed = json::parse(response)) judge_response(*parsed.value, false, charger);
  return judgement;
}

std::multiset<std::string> charged(const std::string& response) {
  std::multiset<std::string> ids;
  for (const auto& finding : judged(response).findings) ids.insert(finding.requirement);
  return ids;
}

using Ids = std::multiset<std::string>;

TEST(EnvelopeOf10, ResultAndErrorAreThereAndOneIsNull) {
  EXPECT_EQ(charged(R"({"result":19,"error":null,"id":1})"), Ids{});
  EXPECT_EQ(charged(R"({"result":null,"error":"no","id":1})"), Ids{});
  EXPECT_EQ(charged(R"({"id":[1],"error":null,"result":null})"), Ids{});
  EXPECT_EQ(charged(R"({"result":19,"id":1})"), Ids{"v1-both-members"});
  EXPECT_EQ(charged(R"({"error":{},"id":1})"), Ids{"v1-both-members"});
  EXPECT_EQ(charged(R"({"result":19,"error":"no","id":1})"), Ids{"v1-both-members"});
}

TEST(EnvelopeOf10, IdIsThere) {
  EXPECT_EQ(charged(R"({"result":19,"error":null})"), Ids{"v1-id-any"});
}

TEST(EnvelopeOf10, ReplyIsJson) { EXPECT_EQ(charged("{"), Ids{"v1-response"}); }

TEST(EnvelopeOf10, RulesOf20AreNotApplied) {
  const auto judgement = judged(R"({"result":null,"error":-32000.5,"id":true})");
  EXPECT_TRUE(judgement.findings.empty());
  for (const auto& id : judgement.exercised.in_order()) EXPECT_EQ(id.rfind("v1-", 0), 0U) << id;
}

TEST(EnvelopeOf10, FurtherMembersAreObserved) {
  const auto judgement = judged(R"({"jsonrpc":"1.0","result":1,"error":null,"id":1})");
  EXPECT_TRUE(judgement.findings.empty());
  ASSERT_EQ(judgement.observations.size(), 1U);
  EXPECT_EQ(judgement.observations.front().value, "jsonrpc");
}

TEST(EnvelopeOf10, DialectDecidesByWhoseRulesAReplyIsJudged) {
  const auto ledger = ledger_of_1_0();
  Judgement judgement;
  Charger charger(ledger, judgement);
  judge_response(*json::parse(R"({"result":19,"error":null,"id":1})").value, false, charger);
  EXPECT_TRUE(judgement.exercised.contains("res-version"));
  EXPECT_FALSE(judgement.exercised.contains("v1-both-members"));
}

}  // namespace envelope_1_0_test
}  // namespace jrpcheck::judge
