#include "reports/summary.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "reports/comparison.hpp"
#include "reports/hostile_run_for_testing.hpp"

namespace jrpcheck::reports {
namespace summary_test {

using judge::Symptom;
using result::RunVerdict;
using result::Verdict;

result::Run run_of(RunVerdict verdict, const result::Counts& counts) {
  result::Run run;
  run.verdict = verdict;
  run.counts = counts;
  return run;
}

TEST(Summary, TellsWhatIsBrokenWhatHurtsAndWhatIsMissing) {
  EXPECT_EQ(
      summary_of(run_for_testing()),
      "Breaks 1 of 3 core rules; loses or mixes up answers in two cases; batches are not served.");
}

TEST(Summary, HowBatchesAreMetIsToldWhole) {
  auto run = run_of(RunVerdict::fails, {3, 0, 1, 1, 0});
  run.cases.emplace_back();
  run.cases.front().reason = "batches are met with a status of 5xx (calibration/batch)";
  EXPECT_EQ(summary_of(run), "Fails one case; batches are met with a status of 5xx.");
}

TEST(Summary, TheWorstComesFirst) {
  auto run = run_for_testing();
  run.cases[0].findings[0].symptom = Symptom::died;
  run.cases[4].findings = {run.cases[0].findings[0]};
  EXPECT_EQ(
      summary_of(run),
      "Breaks 1 of 3 core rules; dies of two messages; loses or mixes up answers in one case; "
      "batches are not served.");
}

TEST(Summary, WhatAServerEndedOfBetweenCasesIsNoMessage) {
  auto run = run_for_testing();
  run.cases[0].findings[0].symptom = Symptom::went_away;
  EXPECT_EQ(summary_of(run),
            "Breaks 1 of 3 core rules; loses or mixes up answers in one case; ends or stops "
            "serving between cases; batches are not served.");
}

TEST(Summary, NamesTheFirstClassesAndCountsTheRest) {
  auto run = run_of(RunVerdict::fails, {10, 0, 9, 0, 0});
  for (const auto* name : {"core", "json", "http", "robust", "tcp"}) {
    run.classes.push_back({name, RunVerdict::fails, {3, 1, 2, 5, 7}});
  }
  EXPECT_EQ(summary_of(run), "Breaks 2 of 6 core, 2 of 6 json, 2 of 6 http rules and 4 others.");
}

TEST(Summary, AServerThatConformsIsWhole) {
  const auto run = run_of(RunVerdict::conforms, {376, 0, 0, 0, 55});
  EXPECT_EQ(summary_of(run), "Keeps every rule that applies: 376 of 376 cases pass.");
  EXPECT_EQ(applicable_cases(run), 376U) << "what does not apply is not counted";
  EXPECT_EQ(summary_of(run_of(RunVerdict::conforms, {370, 6, 0, 0, 55})),
            "Keeps every rule that it must; warns in 6 of 376 cases.");
}

TEST(Summary, WhatWasNotTriedIsSaid) {
  EXPECT_EQ(summary_of(run_of(RunVerdict::partial, {300, 0, 0, 38, 0})),
            "Breaks no rule that was tried; 38 of 338 cases could not be tried.");
  EXPECT_EQ(summary_of(run_of(RunVerdict::fails, {10, 0, 1, 30, 0})),
            "Fails one case; 30 of 41 cases could not be tried.");
  EXPECT_EQ(summary_of(run_of(RunVerdict::partial, {0, 0, 0, 9, 0})),
            "Shows nothing; 9 of 9 cases could not be tried.");
  auto run = run_of(RunVerdict::partial, {300, 0, 0, 38, 0});
  run.interrupted = "interrupted by SIGINT";
  EXPECT_EQ(
      summary_of(run),
      "Breaks no rule that was tried; 38 of 338 cases could not be tried; the run ended early: "
      "interrupted by SIGINT.");
}

TEST(Summary, WhereNothingWasJudgedItSaysSo) {
  EXPECT_EQ(summary_of(run_of(RunVerdict::unreachable, {})),
            "Nobody is there, or nobody says anything: nothing was judged.");
  auto answered = run_of(RunVerdict::unreachable, {});
  answered.answered = "it answers, and no handshake comes about";
  EXPECT_EQ(summary_of(answered), "It answers, and no handshake comes about: nothing was judged.");
  EXPECT_EQ(summary_of(run_of(RunVerdict::not_json_rpc, {})),
            "What answers is no JSON-RPC endpoint: nothing was judged.");
}

TEST(Summary, FailuresThatAreAllKnownAreNoNews) {
  auto run = run_for_testing();
  run.baseline = result::BaselineSummary{};
  run.baseline->known = 2;
  EXPECT_EQ(summary_of(run), "Fails as its baseline says, in two cases, and in no other.");
}

TEST(Summary, OfServersTellsWhoConformsAndWhatMostBreak) {
  const auto runs = servers_for_testing();
  EXPECT_EQ(summary_of(compare(runs)),
            "One of 13 servers conforms; 12 of 13 break \u201cText of rule-0\u201d (rule-0).");
  std::vector<result::Run> two(2, run_for_testing());
  two[0].target.text = "another";
  two[1].cases[4].findings = two[1].cases[0].findings;
  two[1].cases[4].findings[0].symptom = Symptom::died;
  two[1].cases[4].findings[0].requirement = "rob-survives";
  EXPECT_EQ(summary_of(compare(two)),
            "None of the two servers conforms; one dies of a message; 2 of 2 break \u201cText of "
            "id-echo\u201d (id-echo).");
}

TEST(Summary, OfTwoRunsOfAServerTellsWhatBecameOfIt) {
  std::vector<result::Run> runs(2, run_for_testing());
  EXPECT_EQ(summary_of(compare(runs)), "No case changed.");
  runs[1].cases[0].verdict = Verdict::pass;
  runs[1].cases[0].findings.clear();
  EXPECT_EQ(summary_of(compare(runs)), "Of one case that changed, none got worse and one better.");
}

}  // namespace summary_test
}  // namespace jrpcheck::reports
