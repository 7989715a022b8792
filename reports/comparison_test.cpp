#include "reports/comparison.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace comparison_test {

using Runs = std::vector<result::Run>;
using result::Verdict;

result::Run run_of(const std::string& target) {
  auto run = run_for_testing();
  run.target.text = target;
  return run;
}

// The run after: one case mended, one broken, one no longer exercised, one new and one gone.
result::Run later_run() {
  auto run = run_for_testing();
  auto& cases = run.cases;
  cases[0].verdict = Verdict::pass;
  cases[0].findings.clear();
  cases[2].verdict = Verdict::not_exercised;
  cases[2].findings.clear();
  cases[2].reason = "no longer asked";
  cases[4].verdict = Verdict::fail;
  cases[4].findings = run_for_testing().cases[0].findings;
  cases.push_back(cases[4]);
  cases.back().id = "a/new-one";
  cases.erase(cases.begin() + 3);
  return run;
}

TEST(Comparison, PutsRequirementsBesideEachOther) {
  Runs runs = {run_of("a"), run_of("b"), run_of("c")};
  runs[1].requirements[0].verdict = Verdict::pass;
  runs[2].requirements.pop_back();
  const auto comparison = compare(runs);
  ASSERT_EQ(comparison.requirements.size(), 4U);
  EXPECT_FALSE(comparison.is_difference);
  EXPECT_FALSE(comparison.requirements[0].agrees());
  EXPECT_TRUE(comparison.requirements[1].agrees());
  EXPECT_EQ(comparison.requirements[3].results[2], nullptr);
  EXPECT_TRUE(comparison.requirements[3].agrees()) << "a run that was not asked does not disagree";
}

TEST(Comparison, WhatDoesNotApplyIsNeitherADisagreementNorAChange) {
  Runs runs = {run_of("a"), run_of("b")};
  runs[1].requirements[0].verdict = Verdict::not_applicable;
  EXPECT_TRUE(compare(runs).requirements[0].agrees());
  Runs same_server = {run_for_testing(), run_for_testing()};
  same_server[1].cases[3].verdict = Verdict::not_applicable;
  EXPECT_TRUE(compare(same_server).changes.empty());
}

TEST(Comparison, TwoRunsOfOneServerGiveADifference) {
  const Runs runs = {run_for_testing(), later_run()};
  const auto comparison = compare(runs);
  ASSERT_TRUE(comparison.is_difference);
  std::map<std::string, std::string> changes;
  for (const auto& each : comparison.changes) changes[each.id] = name_of(each.change);
  EXPECT_EQ(changes, (std::map<std::string, std::string>{{"request/unknown-method", "broken"},
                                                         {"id/number", "fixed"},
                                                         {"json/comment", "changed"},
                                                         {"a/new-one", "new"},
                                                         {"batch/empty", "gone"}}));
  EXPECT_EQ(comparison.changes.front().change, Change::broken) << "what got worse comes first";
}

TEST(Comparison, ASideDialogueThatOneRunAloneTellsOfWasRightInTheOther) {
  Runs runs = {run_for_testing(), run_for_testing()};
  auto dialogue = runs[1].cases[0];
  dialogue.id = "dialogue/unasked";
  runs[1].cases.push_back(dialogue);
  const auto comparison = compare(runs);
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].change, Change::broken);
  EXPECT_EQ(summary_of(comparison), "Of one case that changed, one got worse and none better.");
  EXPECT_FALSE(render_comparison_markdown(comparison).empty()) << "with one side alone";
  std::swap(runs[0], runs[1]);
  EXPECT_EQ(compare(runs).changes.at(0).change, Change::fixed);

  runs[1].interrupted = "stopped by --max-time";
  EXPECT_EQ(compare(runs).changes.at(0).change, Change::removed) << "nobody knows";
}

TEST(Comparison, WhatTheOtherRunWasNotAskedForIsNoChange) {
  Runs runs = {run_for_testing(), run_for_testing()};
  std::erase_if(runs[1].cases, [](const auto& one) { return !one.id.starts_with("id/"); });
  EXPECT_FALSE(compare(runs).changes.empty());
  runs[1].conditions = result::Conditions{};
  runs[1].conditions->select = {"id/*"};
  EXPECT_TRUE(compare(runs).changes.empty());
  std::swap(runs[0], runs[1]);
  EXPECT_TRUE(compare(runs).changes.empty());
}

TEST(Comparison, TheSameFailureForAnotherReasonIsAChange) {
  Runs runs = {run_for_testing(), run_for_testing()};
  EXPECT_TRUE(compare(runs).changes.empty());
  runs[1].cases[0].findings[0].requirement = "res-version";
  const auto comparison = compare(runs);
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].change, Change::changed);
}

TEST(Comparison, AnotherSymptomIsAChangeAndOtherWordsAreNone) {
  Runs runs = {run_for_testing(), run_for_testing()};
  auto& finding = runs[1].cases[0].findings[0];
  finding.actual = "something else";
  finding.particulars = "in other words";
  EXPECT_TRUE(compare(runs).changes.empty());
  finding.symptom = judge::Symptom::wrong_code;
  EXPECT_EQ(compare(runs).changes.size(), 1U);
  runs[0].cases[0].findings[0].symptom = judge::Symptom::untold;
  EXPECT_TRUE(compare(runs).changes.empty()) << "older runs are compared by requirements";
}

TEST(Comparison, OfServersIsALeague) {
  Runs runs = {run_of("a"), run_of("b"), run_of("c")};
  runs[0].counts.fail = 9;
  runs[1].verdict = result::RunVerdict::unreachable;
  runs[1].counts = {};
  runs[2].name = "best";
  const auto comparison = compare(runs);
  EXPECT_EQ(comparison.names, (std::vector<std::string>{"best", "a", "b"}))
      << "whoever was not judged has no failures, and is not the best for it";
  EXPECT_EQ(comparison.requirements[0].results[0], &runs[2].requirements[0]);
}

TEST(ComparisonFormats, JsonTellsWhatWasSentAndWhatCameBack) {
  const Runs runs = {run_of("a"), run_of("b")};
  const auto json = nlohmann::json::parse(render_comparison_json(compare(runs)));
  EXPECT_EQ(json["summary"], summary_of(compare(runs)));
  const auto& account = json["requirements"][0]["accounts"][0];
  EXPECT_EQ(account["case"], "id/number");
  EXPECT_EQ(account["sent"], R"({"id":1})");
  EXPECT_EQ(account["actual"], R"({"id":"1"})");
  EXPECT_EQ(json["requirements"][2]["accounts"][0], nullptr) << "a rule that is kept";
  EXPECT_EQ(json["requirements"][3]["accounts"][1]["reason"], "batches are not served");
}

TEST(ComparisonFormats, JsonHoldsTheVerdictsOfEachRun) {
  Runs runs = {run_of("a"), run_of("b")};
  runs[1].requirements.pop_back();
  const auto json = nlohmann::json::parse(render_comparison_json(compare(runs)));
  EXPECT_EQ(json["schema"], "jrpcheck-comparison-1");
  EXPECT_EQ(json["runs"][1]["target"], "b");
  EXPECT_EQ(json["runs"][0]["must"], nlohmann::json({{"exercised", 2}, {"applicable", 3}}));
  EXPECT_EQ(json["requirements"][0]["verdicts"], nlohmann::json({"fail", "fail"}));
  EXPECT_EQ(json["requirements"][3]["verdicts"], nlohmann::json({"not-exercised", nullptr}));
  EXPECT_FALSE(json.contains("changes"));
}

TEST(ComparisonFormats, MarkdownShowsWhatChanged) {
  const Runs runs = {run_for_testing(), later_run()};
  const std::string text = render_comparison_markdown(compare(runs));
  EXPECT_TRUE(contains(text, "| broken | request/unknown-method | ✅ pass | ❌ fail id-echo: "));
  EXPECT_TRUE(contains(text, "| fixed | id/number | ❌ fail id-echo: "));
}

TEST(ComparisonFormats, MarkdownOfServersShowsWhereTheyDiffer) {
  Runs runs = {run_of("a"), run_of("b")};
  runs[1].requirements[0].verdict = Verdict::pass;
  const std::string text = render_comparison_markdown(compare(runs));
  EXPECT_TRUE(contains(text, "| id-echo | JSON-RPC 2.0 §5 | ❌ fail | ✅ pass |\n"));
  EXPECT_TRUE(contains(text, "3 requirements say the same everywhere."));
}

TEST(ComparisonFormats, ThePageHoldsTheMatrixAndItsReasons) {
  Runs runs = {run_of("a"), run_of("b")};
  runs[1].requirements[0].verdict = Verdict::pass;
  const std::string page = render_comparison_html(compare(runs));
  EXPECT_TRUE(contains(page, "<tr id=\"req/id-echo\">"));
  EXPECT_TRUE(contains(page, "The Response has the wrong id."));
}

TEST(ComparisonFormats, NothingOfAHostileServerIsMarkup) {
  Runs runs = {hostile_run_for_testing(), hostile_run_for_testing()};
  runs[1].cases[0].findings.clear();
  runs[1].cases[0].verdict = Verdict::pass;
  for (const auto* target : {"one", "another"}) {
    runs[1].target.text = target;
    const std::string page = render_comparison_html(compare(runs));
    EXPECT_FALSE(contains(page, "<script>window.pwned"));
    EXPECT_FALSE(contains(page, "<img"));
    EXPECT_LT(render_comparison_markdown(compare(runs)).size(), 65'536U);
  }
}

}  // namespace comparison_test
}  // namespace jrpcheck::reports
