#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace sarif_test {

using Json = nlohmann::json;

Json rendered(const result::Run& run) { return Json::parse(render_sarif(run))["runs"][0]; }

TEST(Sarif, RulesAreTheRequirementsWithHelp) {
  const Json rules = rendered(run_for_testing())["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 4U);
  EXPECT_EQ(rules[0]["id"], "id-echo");
  EXPECT_EQ(rules[0]["help"]["text"],
            "Text of id-echo. (JSON-RPC 2.0 §5)\n\nA client cannot tell which call was answered.");
  EXPECT_EQ(rules[0]["helpUri"], "https://www.jsonrpc.org/specification#response_object");
  EXPECT_EQ(rules[0]["defaultConfiguration"]["level"], "error");
  EXPECT_EQ(rules[1]["helpUri"], "https://www.rfc-editor.org/rfc/rfc8259#section-9");
  EXPECT_EQ(rules[1]["defaultConfiguration"]["level"], "warning");
}

TEST(Sarif, EveryFindingIsAResultOfItsRule) {
  const Json run = rendered(run_for_testing());
  ASSERT_EQ(run["results"].size(), 3U);
  const Json& first = run["results"][0];
  EXPECT_EQ(first["ruleId"], "id-echo");
  EXPECT_EQ(first["ruleIndex"], 0);
  EXPECT_EQ(first["level"], "error");
  EXPECT_EQ(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "jrpcheck/id/number");
  EXPECT_EQ(first["properties"]["actual"], R"({"id":"1"})");
  EXPECT_EQ(run["results"][2]["level"], "warning");
  EXPECT_EQ(run["results"][2]["ruleIndex"], 1);
}

// There is no such file anywhere else.
TEST(Sarif, WhatALocationNamesIsInTheLog) {
  const Json run = rendered(run_for_testing());
  EXPECT_EQ(run["tool"]["driver"]["informationUri"], "https://www.jsonrpc.org/specification");
  ASSERT_EQ(run["artifacts"].size(), 3U) << "one for each case with findings";
  for (const auto& result : run["results"]) {
    const Json& location = result["locations"][0]["physicalLocation"]["artifactLocation"];
    const Json& artifact = run["artifacts"][location["index"].get<std::size_t>()];
    EXPECT_EQ(artifact["location"]["uri"], location["uri"]);
    const auto text = artifact["contents"]["text"].get<std::string>();
    EXPECT_NE(text.find(result["properties"]["actual"].get<std::string>()), std::string::npos);
  }
}

std::set<std::string> fingerprints(const result::Run& run) {
  std::set<std::string> found;
  const Json json = rendered(run);
  for (const auto& each : json["results"]) {
    found.insert(each["partialFingerprints"]["primaryLocationLineHash"].get<std::string>());
  }
  return found;
}

TEST(Sarif, FingerprintsTellFindingsApartAndOutliveWhatTheServerSays) {
  auto run = run_for_testing();
  run.cases[0].findings.push_back(run.cases[0].findings[0]);
  const auto before = fingerprints(run);
  EXPECT_EQ(before.size(), 4U);
  for (auto& one : run.cases) {
    for (auto& finding : one.findings) finding.actual = "another text";
  }
  run.started = "2027-01-01T00:00:00Z";
  EXPECT_EQ(fingerprints(run), before);
}

TEST(Sarif, NoServerPlacesALink) {
  auto run = run_for_testing();
  run.cases[0].findings[0].actual = "[x](http://evil)";
  const std::string text = rendered(run)["results"][0]["message"]["text"];
  EXPECT_EQ(text.find("]("), std::string::npos);
  EXPECT_NE(text.find("http://evil"), std::string::npos);
}

TEST(Sarif, ARunThatExercisedNothingDidNotSucceed) {
  EXPECT_EQ(rendered(empty_run_for_testing())["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(rendered(run_for_testing())["invocations"][0]["executionSuccessful"], true);
}

}  // namespace sarif_test
}  // namespace jrpcheck::reports
