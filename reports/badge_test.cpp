#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace badge_test {

using Json = nlohmann::json;

// What shields.io says an endpoint may answer: https://shields.io/badges/endpoint-badge
TEST(Badge, HasWhatAnEndpointMustAnswer) {
  EXPECT_EQ(Json::parse(render_badge(run_for_testing())), Json({{"schemaVersion", 1},
                                                                {"label", "JSON-RPC 2.0"},
                                                                {"message", "fails 1 requirement"},
                                                                {"color", "red"},
                                                                {"isError", true}}));
}

TEST(Badge, SaysConformsForNothingLess) {
  auto run = run_for_testing();
  run.verdict = result::RunVerdict::partial;
  EXPECT_EQ(Json::parse(render_badge(run))["message"], "partial, 2 of 3 must");
  EXPECT_EQ(Json::parse(render_badge(run))["color"], "blue");
  run.verdict = result::RunVerdict::conforms;
  EXPECT_EQ(Json::parse(render_badge(run))["message"], "conforms");
  EXPECT_EQ(Json::parse(render_badge(run))["color"], "brightgreen");
}

TEST(Badge, IsAGreyErrorWhereNothingWasJudged) {
  auto run = run_for_testing();
  for (const auto verdict : {result::RunVerdict::unreachable, result::RunVerdict::not_json_rpc}) {
    run.verdict = verdict;
    const auto badge = Json::parse(render_badge(run));
    EXPECT_EQ(badge["isError"], true);
    EXPECT_EQ(badge["color"], "lightgrey");
  }
}

TEST(Badge, ThePictureSaysTheSameInWords) {
  const std::string text = render_badge_svg(run_for_testing());
  EXPECT_NE(text.find("aria-label=\"JSON-RPC 2.0: fails 1 requirement\""), std::string::npos);
  EXPECT_NE(text.find("<title>JSON-RPC 2.0: fails 1 requirement</title>"), std::string::npos);
}

}  // namespace badge_test
}  // namespace jrpcheck::reports
