#include "corpus/scenario.hpp"

#include <gtest/gtest.h>

#include <set>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::corpus {
namespace scenario_test {

std::string error_of(const std::string& scenario) {
  const auto& corpus = corpus_for_testing();
  const auto loaded = load_scenarios(
      "x.json", R"({"role":"client","scenarios":[)" + scenario + "]}", corpus.ledger);
  return loaded ? "" : loaded.error().message;
}

TEST(Scenarios, OfTheCorpusAreManyAndEachHasAnIdOfItsOwn) {
  const auto& corpus = corpus_for_testing();
  std::set<std::string> ids;
  for (const auto& each : corpus.scenarios) {
    EXPECT_TRUE(ids.insert(each.id).second) << each.id;
    EXPECT_TRUE(each.id.starts_with("client/")) << each.id;
    EXPECT_TRUE(!each.kills.empty() || each.id == "client/good") << each.id;
    for (const auto& requirement : each.requirements) {
      EXPECT_EQ(corpus.ledger.find(requirement)->class_name, "client") << each.id;
    }
  }
  EXPECT_GE(ids.size(), 70U);
}

TEST(Scenarios, MistakesAreNamed) {
  const std::string right =
      R"({"id":"client/a","title":"T","requirements":["cl-good"],"accept":["value"]})";
  EXPECT_EQ(error_of(right), "");
  EXPECT_NE(error_of(R"({"id":"client/a","title":"T","requirements":["cl-good"],"accept":[]})")
                .find("names no outcome"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"id":"client/a","title":"T","requirements":["nope"],"accept":["value"]})")
                .find("no requirement 'nope'"),
            std::string::npos);
  EXPECT_NE(
      error_of(R"({"id":"client/a","title":"T","requirements":["cl-good"],"accept":["fine"]})")
          .find("is no outcome"),
      std::string::npos);
}

}  // namespace scenario_test
}  // namespace jrpcheck::corpus
