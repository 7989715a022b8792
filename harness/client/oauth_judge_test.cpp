#include "client/oauth_judge.hpp"

#include <gtest/gtest.h>

#include "base/contains.hpp"
#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace oauth_judge_test {

using corpus::OAuthPlace;

judge::OAuthTurn turn_at(OAuthPlace place, const std::string& path) {
  judge::OAuthTurn turn;
  turn.place = place;
  turn.method = "GET";
  turn.target = turn.path = path;
  return turn;
}

DialogueNotes notes_with(std::vector<judge::OAuthTurn> turns, corpus::AuthorizationPlan plan = {}) {
  DialogueNotes notes;
  notes.oauth.emplace();
  notes.oauth->plan = std::move(plan);
  notes.oauth->plan.challenge = "Bearer";
  notes.oauth->version = "2025-03-26";  // so that no rule of later versions speaks as well
  notes.oauth->server_metadata = {"{}"};
  notes.oauth->turns = std::move(turns);
  return notes;
}

DialogueNotes usual() {
  return notes_with({turn_at(OAuthPlace::server_metadata, "/b"),
                     turn_at(OAuthPlace::authorization, "/authorize"),
                     turn_at(OAuthPlace::token, "/token")});
}

result::CaseResult judged(corpus::AuthorizationPlan plan, const DialogueNotes& notes,
                          const DialogueNotes* flow) {
  const auto& corpus = corpus::corpus_for_testing("mcp");
  corpus::Dialogue dialogue;
  dialogue.id = "mcp/client-auth-test";
  dialogue.requirements = {"mcp-c-auth-defaults-march"};
  dialogue.authorization = std::move(plan);
  result::CaseResult result;
  result.requirements = dialogue.requirements;
  judge_oauth(dialogue, notes, flow, corpus.ledger, result);
  return result;
}

bool is_charged(const result::CaseResult& result) {
  return std::ranges::any_of(result.findings, [](const auto& each) {
    return each.requirement == "mcp-c-auth-defaults-march";
  });
}

bool is_shown(const result::CaseResult& result) {
  return contains(result.exercised, "mcp-c-auth-defaults-march");
}

TEST(OAuthDialogue, AddressesAreLookedAtInTheirOrder) {
  corpus::AuthorizationPlan plan;
  plan.in_order = {"/a", "/b"};
  const auto flow = usual();
  const auto looked = [&](std::vector<std::string> paths) {
    std::vector<judge::OAuthTurn> turns;
    for (const auto& each : paths) turns.push_back(turn_at(OAuthPlace::server_metadata, each));
    return judged(plan, notes_with(turns), &flow);
  };
  EXPECT_FALSE(is_charged(looked({"/a", "/c", "/b"})));
  EXPECT_TRUE(is_shown(looked({"/a", "/b"})));
  EXPECT_TRUE(is_charged(looked({"/b", "/a"})));
  EXPECT_TRUE(is_charged(looked({"/b"})));
  EXPECT_TRUE(is_charged(looked({"/a"})));
  EXPECT_TRUE(is_charged(looked({})));
}

TEST(OAuthDialogue, WhoAsksForATokenAsARuleDoesSoHere) {
  corpus::AuthorizationPlan plan;
  plan.asks_for_token = true;
  const auto flow = usual();
  const auto none = notes_with({turn_at(OAuthPlace::server_metadata, "/b")});
  EXPECT_FALSE(is_charged(judged(plan, usual(), &flow)));
  EXPECT_TRUE(is_charged(judged(plan, none, &flow)));
  const auto where_none_is = judged(plan, none, &none);
  EXPECT_FALSE(is_charged(where_none_is));
  EXPECT_FALSE(is_shown(where_none_is));
  EXPECT_NE(where_none_is.reason.find("where nothing is odd either"), std::string::npos);
}

TEST(OAuthDialogue, WhatIsWrongIsRefused) {
  corpus::AuthorizationPlan plan;
  plan.stops_before = OAuthPlace::authorization;
  plan.server_metadata = R"({"issuer": "x"})";
  const auto flow = usual();
  EXPECT_TRUE(is_charged(judged(plan, usual(), &flow)));
  const auto stopped = notes_with({turn_at(OAuthPlace::server_metadata, "/b")});
  EXPECT_FALSE(is_charged(judged(plan, stopped, &flow)));
  EXPECT_TRUE(is_shown(judged(plan, stopped, &flow)));
  // Who has not read it has refused nothing.
  EXPECT_FALSE(is_shown(judged(plan, notes_with({turn_at(OAuthPlace::elsewhere, "/x")}), &flow)));
}

TEST(OAuthDialogue, WhoRedeemsNoCodeAsARuleShowsNothingByThat) {
  corpus::AuthorizationPlan plan;
  plan.stops_before = OAuthPlace::token;
  plan.redirect = {{"iss", "https://elsewhere.example"}};
  const auto waits = notes_with({turn_at(OAuthPlace::authorization, "/authorize")});
  EXPECT_FALSE(is_shown(judged(plan, waits, &waits)));
  const auto flow = usual();
  EXPECT_TRUE(is_shown(judged(plan, waits, &flow)));
  EXPECT_TRUE(is_charged(judged(plan, usual(), &flow)));
}

TEST(OAuthDialogue, WhoSendsNoStateShowsNothingByAnOtherOne) {
  corpus::AuthorizationPlan plan;
  plan.stops_before = OAuthPlace::token;
  plan.redirect = {{"state", "other"}};
  const auto flow = usual();
  EXPECT_FALSE(is_charged(judged(plan, usual(), &flow)));
  auto with_state = usual();
  with_state.oauth->turns[1].parameters = {{"state", "mine"}};
  EXPECT_TRUE(is_charged(judged(plan, with_state, &flow)));
}

TEST(OAuthDialogue, WhoDoesNotBeginIsToldHowToTakePart) {
  const auto silent = notes_with({turn_at(OAuthPlace::resource, "/mcp")});
  const auto result = judged({}, silent, nullptr);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_NE(result.reason.find("optional"), std::string::npos);
}

TEST(OAuthDialogue, OfWhoNamesNoVersionIsAskedWhatAllVersionsAsk) {
  const auto& corpus = corpus::corpus_for_testing("mcp");
  auto notes = usual();
  EXPECT_EQ(why_it_is_not_asked("mcp-c-auth-defaults-march", notes, corpus.ledger), "");
  EXPECT_NE(why_it_is_not_asked("mcp-c-auth-401", notes, corpus.ledger), "");
  notes.oauth->version.clear();
  EXPECT_NE(why_it_is_not_asked("mcp-c-auth-defaults-march", notes, corpus.ledger), "");
  EXPECT_EQ(why_it_is_not_asked("mcp-c-auth-header", notes, corpus.ledger), "");
}

TEST(OAuthDialogue, WhatTheUsualFlowHasShownIsNotToldAgain) {
  auto odd = usual();
  odd.oauth->turns[1].parameters = {{"redirect_uri", "http://a.example/cb"}};
  const auto first = judged({}, odd, nullptr);
  EXPECT_FALSE(first.findings.empty());
  EXPECT_TRUE(judged({}, odd, &odd).findings.empty());
  // What passed is there for people.
  EXPECT_EQ(first.transcript.size(), 6U);
}

}  // namespace oauth_judge_test
}  // namespace jrpcheck::client
