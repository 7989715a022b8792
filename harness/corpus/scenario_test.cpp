#include "corpus/scenario.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/contains.hpp"
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

TEST(Scenarios, WhatWarnsOverHttpIsAcceptedElsewhere) {
  const auto error = [](const std::string& more) {
    return error_of(R"({"id":"client/a","title":"T","requirements":["cl-good"],)" + more + "}");
  };
  EXPECT_EQ(error(R"("accept":["error","waits"],"warn-over-http":["waits"])"), "");
  EXPECT_NE(error(R"("accept":["error"],"warn-over-http":["waits"])"), "");
  EXPECT_NE(error(R"("accept":["waits"],"warn-over-http":["waits"],"doors":["ws"])"), "");
  Scenario scenario;
  scenario.accept = {CallOutcome::error, CallOutcome::waits};
  scenario.warn_over_http = {CallOutcome::waits};
  const auto there = over_http(scenario);
  EXPECT_EQ(there.accept, std::vector{CallOutcome::error});
  EXPECT_EQ(there.warn, std::vector{CallOutcome::waits});
}

// A body that is no Response ends its call: nothing else answers the request.
TEST(Scenarios, WhoWaitsBehindAWholeBodyThatIsNoResponseIsWarned) {
  for (const auto& each : corpus_for_testing().scenarios) {
    const bool is_of_shape = each.requirements.front() == "cl-not-an-object" ||
                             each.requirements.front() == "cl-array-for-single";
    const bool is_there = each.doors.empty() || contains(each.doors, "http");
    if (!is_of_shape || !is_there) continue;
    EXPECT_FALSE(contains(over_http(each).accept, CallOutcome::waits)) << each.id;
  }
}

}  // namespace scenario_test
}  // namespace jrpcheck::corpus
