#include "corpus/client_dialogue.hpp"

#include <gtest/gtest.h>

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

TEST(ClientDialogues, MistakesAreNamed) {
  EXPECT_EQ(error_of(file_with("")), "");
  EXPECT_NE(error_of("{").find("not JSON"), std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "sey": [])")).find("sey"), std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "answers": {"m": {"value": 1}})")).find("\"result\""),
            std::string::npos);
  EXPECT_NE(error_of(file_with(R"(, "owed": {"1": {"item": 1}})")).find("item"), std::string::npos);
  const auto unknown = load_dialogues("x.json", file_with(""), nullptr);
  ASSERT_TRUE(unknown);
  const Ledger empty;
  const auto without = load_dialogues("x.json", file_with(""), &empty);
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("x-c-a"), std::string::npos);
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
  EXPECT_FALSE(holds_dialogues("client/good.json"));
}

}  // namespace client_dialogue_test
}  // namespace jrpcheck::corpus
