#include "result/server_profile.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck::result {
namespace server_profile_test {

std::string summary_of(const std::string& name, const std::vector<std::string>& values) {
  std::vector<RecordedObservation> observations;
  for (const auto& value : values) observations.push_back({name, value, "some/case"});
  const auto points = server_profile(observations);
  return points.size() == 1 ? points.front().name + ": " + points.front().summary
                            : std::to_string(points.size()) + " points";
}

TEST(ServerProfile, OfNothingIsEmpty) { EXPECT_TRUE(server_profile({}).empty()); }

TEST(ServerProfile, AnswersAreCountedTheMostFrequentFirst) {
  EXPECT_EQ(summary_of("id of an invalid Request", {"echoed", "null", "null"}),
            "id of an invalid Request: null (2 of 3 cases), echoed (1)");
}

TEST(ServerProfile, OneAnswerNeedsNoNumbers) {
  EXPECT_EQ(summary_of("params null", {"refused", "refused"}), "params null: refused");
}

TEST(ServerProfile, GradedProbesComeToTheLargest) {
  const std::string name = "nesting depth answered";
  EXPECT_EQ(summary_of(name, {"100", "not 10000", "20", "1000", "not 100000"}),
            name + ": up to 1000, not 10000");
  EXPECT_EQ(summary_of(name, {"100", "20"}), name + ": up to 100, the most that was seen");
  EXPECT_EQ(summary_of(name, {"not 100", "not 20"}), name + ": not 20");
}

TEST(ServerProfile, GradedProbesMayHaveGapsAndAnyNumberOfDigits) {
  EXPECT_EQ(
      summary_of("largest integer id echoed exactly",
                 {"9007199254740991", "not 9007199254740993", "100000000000000000000000000000"}),
      "largest integer id echoed exactly: up to 100000000000000000000000000000, but not "
      "9007199254740993");
}

TEST(ServerProfile, ExtensionsOfJsonAreListedByName) {
  const auto points = server_profile({{"JSON extensions", "taken", "json/comment"},
                                      {"JSON extensions", "refused", "json/number-nan"},
                                      {"JSON extensions", "taken", "json/single-quotes"}});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points.front().summary, "comment, single-quotes (2 of 3)");
  EXPECT_EQ(summary_of("JSON extensions", {"refused"}), "JSON extensions: none of 1 is taken");
}

TEST(ServerProfile, HttpStatusesAreOneLine) {
  const auto points = server_profile({{"HTTP status of a result", "200", "a/a"},
                                      {"HTTP status of error -32601", "200", "a/b"},
                                      {"HTTP status of error -32601", "200", "a/c"},
                                      {"HTTP status of no answer", "204", "a/d"}});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points.front().name, "HTTP status");
  EXPECT_EQ(points.front().summary, "200 for a result, error -32601; 204 for no answer");
  EXPECT_TRUE(points.front().in_short);
  ASSERT_EQ(points.front().answers.size(), 2U);
  EXPECT_EQ(points.front().answers.front().cases, 3U);
}

TEST(ServerProfile, WhatMattersToMostComesFirst) {
  const auto points = server_profile({{"GET", "refused", "http/get"},
                                      {"a byte order mark", "ignored", "json/byte-order-mark"},
                                      {"params null", "refused", "params/null"}});
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].name, "params null");
  EXPECT_TRUE(points[0].in_short);
  EXPECT_EQ(points[1].name, "GET");
  EXPECT_FALSE(points[1].in_short);
  EXPECT_EQ(points[2].name, "a byte order mark");
}

}  // namespace server_profile_test
}  // namespace jrpcheck::result
