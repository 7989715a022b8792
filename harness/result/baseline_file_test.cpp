#include <gtest/gtest.h>

#include "result/baseline.hpp"

namespace jrpcheck::result {
namespace baseline_file_test {

std::string complaint(const std::string& text) {
  const auto read = read_baseline("known.json", text);
  EXPECT_FALSE(read) << text;
  return read ? "" : read.error().message;
}

TEST(BaselineFile, HoldsWhatItSays) {
  const auto read = read_baseline("known.json", R"({
    "about": "the old gateway",
    "cases": {
      "a/b": {"reason": "ticket 7", "flaky": true,
              "findings": [{"requirement": "id-echo", "severity": "warn",
                            "symptom": "wrong-id", "element": 2, "pointer": "/id"}]},
      "a/c": {}
    }})");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->about, "the old gateway");
  const auto& one = read->cases.at("a/b");
  EXPECT_EQ(one.reason, "ticket 7");
  EXPECT_TRUE(one.flaky);
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(one.findings[0].severity, corpus::Verdict::warn);
  EXPECT_EQ(one.findings[0].symptom, judge::Symptom::wrong_id);
  EXPECT_EQ(one.findings[0].place, (judge::Place{2, "/id"}));
  EXPECT_FALSE(read->is_outdated);
  EXPECT_EQ(one.where, "known.json:4:14");
  EXPECT_TRUE(read->cases.at("a/c").findings.empty());
}

TEST(BaselineFile, AMistakeIsNamedWithFileLineColumnAndMember) {
  EXPECT_EQ(complaint("{\n \"cases\": {\n  oops\n"),
            "known.json:3:3: not JSON: " + complaint("{\n \"cases\": {\n  oops\n").substr(26));
  EXPECT_EQ(complaint("[]"), "known.json:1:1: an object is expected here, not an array");
  EXPECT_EQ(complaint("{}"), "known.json:1:1: member \"cases\" is missing");
  EXPECT_EQ(complaint("{\"cases\": {\"a/b\": {\"raeson\": \"x\"}}}"),
            "known.json:1:30: case 'a/b': unknown member \"raeson\"");
  EXPECT_EQ(complaint("{\"cases\": {\"a/b\": {\"flaky\": 1}}}"),
            "known.json:1:29: case 'a/b': member \"flaky\" must be a boolean, not a number");
  EXPECT_EQ(complaint("{\"cases\": {\"a/b\": {}, \"a/b\": {}}}"),
            "known.json:1:19: case 'a/b': is listed twice");
  EXPECT_EQ(complaint("{\"cases\": {\"a/b\": {\"findings\": [{}]}}}"),
            "known.json:1:33: case 'a/b': member \"requirement\" is missing");
  EXPECT_NE(complaint("{\"cases\": {\"a/b\": {\"findings\": []}}}").find("must not be empty"),
            std::string::npos);
  EXPECT_EQ(complaint("{\"cases\": {\"a/b\": {\"findings\": [{\"requirement\": \"x\", "
                      "\"symptom\": \"bad\"}]}}}"),
            "known.json:1:65: case 'a/b': there is no symptom \"bad\"");
  EXPECT_NE(complaint("{\"schema\": \"jrpcheck-baseline-9\", \"cases\": {}}").find("\"schema\""),
            std::string::npos);
  EXPECT_NE(complaint("{\"cases\": {\"a/b\": {\"findings\": [{\"requirement\": \"x\", "
                      "\"severity\": \"bad\"}]}}}")
                .find("\"severity\""),
            std::string::npos);
}

TEST(BaselineFile, IsWrittenSortedWithOneFindingALine) {
  Baseline baseline{"why \"these\"", false, {}};
  baseline.cases["b/b"] = {"", true, {}, ""};
  baseline.cases["a/a"] = {
      "ticket 7",
      false,
      {{"res-version", corpus::Verdict::warn},
       {"id-echo", corpus::Verdict::fail, judge::Symptom::wrong_id, judge::Place{2, "/id"}}},
      ""};
  const std::string expected = R"json({
  "schema": "jrpcheck-baseline-2",
  "about": "why \"these\"",
  "cases": {
    "a/a": {
      "reason": "ticket 7",
      "findings": [
        {"requirement": "id-echo", "symptom": "wrong-id", "element": 2, "pointer": "/id"},
        {"requirement": "res-version", "severity": "warn"}
      ]
    },
    "b/b": {
      "flaky": true
    }
  }
}
)json";
  EXPECT_EQ(write_baseline(baseline), expected);
  EXPECT_EQ(write_baseline(Baseline{}),
            "{\n  \"schema\": \"jrpcheck-baseline-2\",\n  \"cases\": {}\n}\n");
}

}  // namespace baseline_file_test
}  // namespace jrpcheck::result
