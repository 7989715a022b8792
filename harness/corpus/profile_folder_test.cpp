// A profile is a folder: a protocol that nobody here has heard of is added by its files alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "corpus/corpus.hpp"

namespace jrpcheck::corpus {
namespace profile_folder_test {

// As in docs/profiles.md.
std::vector<CorpusFile> house_protocol() {
  return {{"profiles/house/profile.json", R"({
        "name": "house", "title": "The house's own protocol", "dialect": "2.0",
        "classes": ["core", "house"], "schemas": "schemas/house.json",
        "opening": [{"jsonrpc": "2.0", "id": 3000001, "method": "hello", "params": {"v": 1}}],
        "control": {"method": "alive"}, "answers": {"whoAreYou": {"result": "a client"}},
        "exempts": [{"cases": ["batch/*"], "requirements": ["id-null*"], "clause": "House 3",
                     "because": "there are no batches"}],
        "lists": [{"name": "rooms", "method": "rooms", "items": "/rooms"}],
        "rules": [{"rule": "own-ids-unique", "charges": "house-own-ids"}],
        "detection": [{"send": {"jsonrpc": "2.0", "id": 1, "method": "version"},
                       "versions-at": ["/result"]}],
        "versions": {"1": {}, "2": {"opening": [{"jsonrpc": "2.0", "id": 3000001, "method": "hi"}],
                                    "rules": [{"rule": "own-ids-unique", "charges": "house-2"}]}}
      })"},
          {"profiles/house/ledger.json", R"({"requirements": [
        {"id": "house-alive", "clause": "House 1", "level": "must", "class": "house", "text": "It lives."},
        {"id": "house-own-ids", "clause": "House 2", "level": "must", "class": "house", "text": "Ids."},
        {"id": "house-2", "clause": "House 2", "level": "must", "class": "house", "text": "New.",
         "versions": ["2"]}]})"},
          {"profiles/house/schemas/house.json", R"({"results": {"rooms": {"type": "object"}}})"},
          {"profiles/house/cases.json", R"({"cases": [
        {"id": "house/alive", "title": "It lives", "requirements": ["house-alive"],
         "steps": [{"send": {"json": {"jsonrpc": "2.0", "id": "${id}", "method": "alive"}},
                    "accept": [{"response": {"id": "${id}", "result": {"any": true}}}]}]},
        {"id": "house/new", "title": "It is new", "requirements": ["house-2"],
         "steps": [{"send": {"json": {"jsonrpc": "2.0", "id": "${id}", "method": "new"}},
                    "accept": [{"response": {"id": "${id}", "result": {"any": true}}}]}]}]})"}};
}

Corpus with_house(const std::string& name) {
  auto corpus = assemble(embedded_files(), house_protocol());
  EXPECT_TRUE(corpus) << corpus.error().message;
  auto chosen = with_profile(*std::move(corpus), name);
  EXPECT_TRUE(chosen) << chosen.error().message;
  return *std::move(chosen);
}

TEST(ProfileFolder, BringsItsCasesRequirementsAndSchemas) {
  const auto corpus = with_house("house");
  EXPECT_NE(corpus.find("house/alive"), nullptr);
  EXPECT_NE(corpus.ledger.find("house-alive"), nullptr);
  EXPECT_EQ(corpus.schemas.count(corpus.profile.schemas), 1U);
  EXPECT_EQ(corpus.profile.versions, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(corpus.profile.answers.at("whoAreYou"), R"("result":"a client")");
  EXPECT_EQ(corpus.profile.detection.front().versions_at.front(), "/result");
}

TEST(ProfileFolder, LeavesOtherProfilesAsTheyAre) {
  auto corpus = assemble(embedded_files(), house_protocol());
  ASSERT_TRUE(corpus);
  const auto of_2_0 = with_profile(*std::move(corpus), std::string(kDefaultProfile));
  ASSERT_TRUE(of_2_0);
  EXPECT_EQ(of_2_0->find("house/alive"), nullptr);
}

TEST(ProfileFolder, AVersionHasWhatIsItsOwn) {
  const auto first = with_house("house-1");
  EXPECT_EQ(first.find("house/new"), nullptr);
  EXPECT_EQ(first.ledger.find("house-2"), nullptr);
  EXPECT_EQ(first.profile.rules.size(), 1U);
  const auto second = with_house("house-2");
  EXPECT_NE(second.find("house/new"), nullptr);
  EXPECT_EQ(second.profile.rules.size(), 2U);
  EXPECT_NE(second.profile.opening.front().find("\"hi\""), std::string::npos);
  EXPECT_EQ(second.profile.family, "house");
}

TEST(ProfileFolder, SaysWhatItDoesNotAskFor) {
  const auto corpus = with_house("house-1");
  ASSERT_NE(corpus.profile.exempts_case("batch/empty"), nullptr);
  EXPECT_EQ(corpus.profile.exempts_case("batch/empty")->clause, "House 3");
  EXPECT_EQ(corpus.profile.exempts_case("id/one"), nullptr);
  EXPECT_NE(corpus.profile.exempts_requirement("id-null-request"), nullptr);
}

}  // namespace profile_folder_test
}  // namespace jrpcheck::corpus
