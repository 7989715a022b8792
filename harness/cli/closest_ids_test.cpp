#include <gtest/gtest.h>

#include "cli/explain.hpp"

namespace jrpcheck::cli {
namespace closest_ids_test {

using Texts = std::vector<std::string>;

corpus::Corpus corpus_with(const Texts& ids) {
  corpus::Corpus corpus;
  for (const auto& id : ids) {
    corpus.cases.emplace_back();
    corpus.cases.back().id = id;
  }
  return corpus;
}

TEST(ClosestIds, ATypingErrorFindsTheIdThatWasMeant) {
  const auto corpus = corpus_with({"batch/empty", "batch/nested", "id/number"});
  EXPECT_EQ(closest_ids("batch/emtpy", corpus).front(), "batch/empty");
}

TEST(ClosestIds, APartOfAnIdFindsTheWhole) {
  const auto corpus = corpus_with({"batch/empty", "batch/nested", "id/number"});
  EXPECT_EQ(closest_ids("batch", corpus), (Texts{"batch/empty", "batch/nested"}));
}

TEST(ClosestIds, ScenariosAndDialoguesAreFoundAsCasesAre) {
  auto corpus = corpus_with({"batch/empty"});
  corpus.scenarios.emplace_back().id = "client/id-foreign";
  DialogueOfProfile dialogue{"mcp", "", {}};
  dialogue.dialogue.id = "mcp-client/ping";
  EXPECT_EQ(closest_ids("client/id-foriegn", corpus, {dialogue}), Texts{"client/id-foreign"});
  EXPECT_EQ(closest_ids("mcp-client/pnig", corpus, {dialogue}), Texts{"mcp-client/ping"});
}

TEST(ClosestIds, WhatResemblesNothingFindsNothing) {
  EXPECT_EQ(closest_ids("xyz", corpus_with({"batch/empty"})), Texts{});
}

TEST(ClosestIds, AreFew) {
  const auto corpus = corpus_with({"id/a", "id/b", "id/c", "id/d", "id/e", "id/f", "id/g"});
  EXPECT_EQ(closest_ids("id/", corpus).size(), 5U);
}

}  // namespace closest_ids_test
}  // namespace jrpcheck::cli
