#include "corpus/client_dialogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace jrpcheck::corpus {
namespace client_dialogue_test {

std::string file_with(const std::string& members) {
  return R"({"role": "client", "ready": "ready", "dialogues": [{"id": "x/client-a", "title": "A title",
            "requirements": ["x-c-a"])" +
         members + "}]}";
}

std::string error_of(const std::string& text) {
  const auto loaded = load_dialogues("x.json", text, nullptr);
  return loaded ? "" : loaded.error().message;
}

TEST(ClientDialogues, OfEachProtocolAreReadAndNameWhatIsInTheLedger) {
  for (const std::string family : {"mcp", "lsp"}) {
    auto corpus = assemble(embedded_files(), {});
    ASSERT_TRUE(corpus);
    corpus = with_profile(*std::move(corpus), family);
    ASSERT_TRUE(corpus);
    const auto dialogues = dialogues_of(family, embedded_files(), corpus->ledger);
    ASSERT_TRUE(dialogues) << dialogues.error().message;
    EXPECT_GE(dialogues->dialogues.size(), 7U);
    std::set<std::string> ids;
    for (const auto& each : dialogues->dialogues) {
      EXPECT_TRUE(ids.insert(each.id).second) << each.id;
      EXPECT_TRUE(each.id.starts_with(family + "/client-")) << each.id;
      EXPECT_EQ(corpus->find(each.id), nullptr) << "it is no case for servers";
    }
    EXPECT_TRUE(dialogues->dialogues.front().say.empty()) << "the control is nothing odd";
  }
  EXPECT_FALSE(dialogues_of("bitcoin", embedded_files(), Ledger()));
}

bool has_dialogue(const Dialogues& all, const std::string& id) {
  return std::ranges::any_of(all.dialogues, [&](const Dialogue& each) { return each.id == id; });
}

TEST(ClientDialogues, OfOneVersionAreThoseWhoseRequirementItHas) {
  for (const std::string profile : {"mcp-2025-03-26", "mcp-2025-11-25"}) {
    auto assembled = assemble(embedded_files(), {});
    ASSERT_TRUE(assembled);
    const Ledger whole = assembled->ledger;
    const auto corpus = with_profile(*std::move(assembled), profile);
    ASSERT_TRUE(corpus) << corpus.error().message;
    auto dialogues = dialogues_of("mcp", embedded_files(), whole);
    ASSERT_TRUE(dialogues) << dialogues.error().message;
    const auto all = dialogues->dialogues.size();
    ASSERT_TRUE(keep_dialogues_of_version(*dialogues, corpus->ledger, profile));
    EXPECT_LT(dialogues->dialogues.size(), all);
    EXPECT_EQ(has_dialogue(*dialogues, "mcp/client-auth-defaults"), profile == "mcp-2025-03-26");
    EXPECT_FALSE(has_dialogue(*dialogues, "mcp/client-auth-iss-other"));
    for (const auto& one : dialogues->dialogues) {
      for (const auto& id : one.requirements) EXPECT_NE(corpus->ledger.find(id), nullptr) << id;
    }
  }
}

TEST(ClientDialogues, WithoutAControlThereAreNone) {
  auto assembled = assemble(embedded_files(), {});
  ASSERT_TRUE(assembled);
  const Ledger whole = assembled->ledger;
  const auto corpus = with_profile(*std::move(assembled), "mcp-2026-07-28");
  ASSERT_TRUE(corpus) << corpus.error().message;
  auto dialogues = dialogues_of("mcp", embedded_files(), whole);
  ASSERT_TRUE(dialogues);
  const auto kept = keep_dialogues_of_version(*dialogues, corpus->ledger, "mcp-2026-07-28");
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().message.find("mcp-2026-07-28"), std::string::npos);
}

TEST(ClientDialogues, VersionWithoutHandshakeHasItsOwn) {
  auto assembled = assemble(embedded_files(), {});
  ASSERT_TRUE(assembled);
  const Ledger whole = assembled->ledger;
  const auto corpus = with_profile(*std::move(assembled), "mcp-2026-07-28");
  ASSERT_TRUE(corpus) << corpus.error().message;
  auto dialogues = dialogues_of("mcp", embedded_files(), whole, corpus->profile.version);
  ASSERT_TRUE(dialogues) << dialogues.error().message;
  EXPECT_EQ(dialogues->ready, "");
  const auto all = dialogues->dialogues.size();
  ASSERT_TRUE(keep_dialogues_of_version(*dialogues, corpus->ledger, "mcp-2026-07-28"));
  // But for one of 2025-03-26, of those that all versions share.
  EXPECT_EQ(dialogues->dialogues.size(), all - 1);
  EXPECT_TRUE(has_dialogue(*dialogues, "mcp/client-auth-flow"));
}

TEST(ClientDialogues, WhatTheyAskCountsAsTested) {
  auto corpus = assemble(embedded_files(), {});
  ASSERT_TRUE(corpus);
  ASSERT_NE(corpus->ledger.find("mcp-c-ping")->status, "");
  corpus->ledger.set_tested(is_asked_by_dialogues);
  EXPECT_EQ(corpus->ledger.find("mcp-c-ping")->status, "");
  EXPECT_EQ(corpus->ledger.find("lsp-c-header")->status, "");
  EXPECT_NE(corpus->ledger.find("mcp-c-sampling-max-tokens")->status, "") << "nobody asks that";
}

TEST(ClientDialogues, EachRequirementOfClientsIsAskedOrSaysWhyNot) {
  const auto corpus = assemble(embedded_files(), {});
  ASSERT_TRUE(corpus);
  const std::set<std::string> classes = {"mcp-client", "language-client"};
  std::size_t asked = 0;
  std::size_t explained = 0;
  for (const auto& each : corpus->ledger.requirements()) {
    if (!classes.contains(each.class_name)) continue;
    EXPECT_EQ(each.status.find("which jrpcheck run does not meet"), std::string::npos) << each.id;
    ++(is_asked_by_dialogues(each) ? asked : explained);
    EXPECT_FALSE(each.status.empty()) << each.id;
  }
  // As docs/profiles.md counts them.
  EXPECT_EQ(asked, 134U + 17U);
  EXPECT_EQ(explained, 23U + 3U);
}

TEST(ClientDialogues, MistakesAreNamed) {
  EXPECT_EQ(error_of(file_with("")), "");
  EXPECT_NE(error_of("{").find("not JSON"), std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "sey": [])")).find("sey"), std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "answers": {"m": {"value": 1}})")).find("\"result\""),
            std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "owed": {"1": {"item": 1}})")).find("item"), std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "authorization": {"isuer": "/a"})")).find("isuer"),
            std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "authorization": {"stops-before": "registration"})"))
                .find("stops-before"),
            std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "authorization": {"stops-before": "token"})")).find("as-in"),
            std::string::npos);
  const auto unknown = load_dialogues("x.json", file_with(""), nullptr);
  ASSERT_TRUE(unknown);
  const Ledger empty;
  const auto without = load_dialogues("x.json", file_with(""), &empty);
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("x-c-a"), std::string::npos);
}

TEST(ClientDialogues, APlanHasWhatIsUsualWhereItSaysNothing) {
  const auto loaded = load_dialogues(
      "x.json",
      file_with(R"(, "authorization": {"issuer": "/a", "redirect": {"iss": null, "state": "s"}})"),
      nullptr);
  ASSERT_TRUE(loaded);
  const auto& plan = *loaded->dialogues.front().authorization;
  EXPECT_EQ(plan.server_metadata_at, "/.well-known/oauth-authorization-server/a");
  EXPECT_EQ(plan.resource_metadata_at, "/resource-metadata");
  EXPECT_EQ(plan.redirect.at("iss"), std::nullopt);
  EXPECT_EQ(plan.redirect.at("state"), "s");
  EXPECT_FALSE(plan.stops_before);
  const auto nowhere = load_dialogues(
      "x.json", file_with(R"(, "authorization": {"server-metadata-at": "", "challenge": ""})"),
      nullptr);
  ASSERT_TRUE(nowhere);
  EXPECT_EQ(nowhere->dialogues.front().authorization->server_metadata_at, "");
  EXPECT_EQ(nowhere->dialogues.front().authorization->challenge, "");
}

TEST(ClientDialogues, WhatIsSaidIsKeptAsJson) {
  const auto loaded = load_dialogues(
      "x.json",
      file_with(
          R"(, "say": [{"id": 1, "method": "ping"}], "owed": {"1": {"items": 3}}, "goes-on": true)"),
      nullptr);
  ASSERT_TRUE(loaded);
  const auto& one = loaded->dialogues.front();
  EXPECT_EQ(one.say, std::vector<std::string>{R"({"id":1,"method":"ping"})"});
  EXPECT_EQ(one.owed.at("1").items, 3U);
  EXPECT_TRUE(one.goes_on);
  EXPECT_TRUE(holds_dialogues("profiles/mcp/client.json"));
  EXPECT_TRUE(holds_dialogues("profiles/mcp/client-2026-07-28.json"));
  EXPECT_TRUE(holds_dialogues("profiles/mcp/client-authorization.json"));
  EXPECT_FALSE(holds_dialogues("client/good.json"));
}

}  // namespace client_dialogue_test
}  // namespace jrpcheck::corpus
