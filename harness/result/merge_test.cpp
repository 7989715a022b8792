#include "result/merge.hpp"

#include <gtest/gtest.h>

#include <string>

#include "result/conclude.hpp"

namespace jrpcheck::result {
namespace merge_test {

CaseResult one_case(const std::string& id, Verdict verdict) {
  CaseResult one;
  one.id = id;
  one.verdict = verdict;
  return one;
}

RequirementResult requirement(const std::string& id, Verdict verdict) {
  RequirementResult one;
  one.requirement.id = id;
  one.requirement.clause = "5";
  one.requirement.class_name = "core";
  one.verdict = verdict;
  if (verdict == Verdict::not_exercised) one.reason = "no case that ran tests it";
  return one;
}

Run shard(const std::string& id, Verdict first, Verdict second) {
  Run run;
  run.corpus_cases = 2;
  run.corpus_hash = "abc";
  run.target.text = "server";
  run.started = "2026-01-02T03:04:0" + id.substr(id.size() - 1) + "Z";
  run.duration = milliseconds(5);
  run.cases = {one_case(id, Verdict::pass)};
  run.requirements = {requirement("first-one", first), requirement("second-one", second)};
  run.notes = {"the same note"};
  conclude(run, false);
  return run;
}

std::vector<Run> merged(std::vector<Run> runs) {
  auto wholes = merge_shards(std::move(runs));
  EXPECT_TRUE(wholes) << wholes.error().message;
  return wholes ? *std::move(wholes) : std::vector<Run>{};
}

std::string complaint(std::vector<Run> runs) {
  const auto wholes = merge_shards(std::move(runs));
  EXPECT_FALSE(wholes);
  return wholes ? "" : wholes.error().message;
}

Run numbered(Run run, std::size_t index, std::size_t count) {
  run.shard = Shard{index, count};
  return run;
}

TEST(MergeShards, PartsOfOneRunBecomeIt) {
  const auto wholes = merged({shard("b/2", Verdict::pass, Verdict::not_exercised),
                              shard("a/1", Verdict::not_exercised, Verdict::pass)});
  ASSERT_EQ(wholes.size(), 1U);
  const result::Run& whole = wholes[0];
  ASSERT_EQ(whole.cases.size(), 2U);
  EXPECT_EQ(whole.cases[0].id, "a/1");
  EXPECT_EQ(whole.counts.pass, 2U);
  EXPECT_EQ(whole.requirements[0].verdict, Verdict::pass);
  EXPECT_EQ(whole.requirements[1].verdict, Verdict::pass);
  EXPECT_EQ(whole.requirements[1].reason, "");
  EXPECT_EQ(whole.verdict, RunVerdict::conforms);
  EXPECT_EQ(whole.started, "2026-01-02T03:04:01Z");
  EXPECT_EQ(whole.notes.size(), 1U);
}

TEST(MergeShards, AShardThatIsMissingIsNoConformance) {
  auto first = shard("a/1", Verdict::pass, Verdict::pass);
  auto second = shard("b/2", Verdict::pass, Verdict::pass);
  first.corpus_cases = second.corpus_cases = 3;
  const auto wholes = merged({first, second});
  ASSERT_EQ(wholes.size(), 1U);
  EXPECT_EQ(wholes[0].verdict, RunVerdict::partial);
}

TEST(MergeShards, WhatPassedBesideTheCasesStandsForNoneThatIsMissing) {
  for (const char* id : {"dialogue/discovery", "traffic/client"}) {
    auto first = shard("a/1", Verdict::pass, Verdict::pass);
    auto second = shard("b/2", Verdict::pass, Verdict::pass);
    first.cases.push_back(one_case(id, Verdict::warn));
    first.corpus_cases = second.corpus_cases = 3;
    EXPECT_EQ(merged({first, second})[0].verdict, RunVerdict::partial) << id;
  }
}

TEST(MergeShards, TheWorstVerdictOfARequirementStays) {
  auto first = shard("a/1", Verdict::fail, Verdict::warn);
  first.cases[0].verdict = Verdict::fail;
  const auto wholes = merged({first, shard("b/2", Verdict::pass, Verdict::pass)});
  ASSERT_EQ(wholes.size(), 1U);
  EXPECT_EQ(wholes[0].requirements[0].verdict, Verdict::fail);
  EXPECT_EQ(wholes[0].requirements[1].verdict, Verdict::warn);
  EXPECT_EQ(wholes[0].verdict, RunVerdict::fails);
  EXPECT_EQ(wholes[0].classes[0].counts.fail, 1U);
}

TEST(MergeShards, WhatTheServerDeclinesIsNoLackOfTheShardsThatDidNotAsk) {
  auto first = shard("a/1", Verdict::not_applicable, Verdict::pass);
  first.cases[0].verdict = Verdict::not_applicable;
  first.cases[0].requirements = {"first-one"};
  const auto wholes = merged({first, shard("b/2", Verdict::not_exercised, Verdict::pass)});
  ASSERT_EQ(wholes.size(), 1U);
  EXPECT_EQ(wholes[0].requirements[0].verdict, Verdict::not_applicable);
}

// A case about the first requirement that fails by another, in one shard; its twin in the other.
TEST(MergeShards, WhatATwinShowsIsNoneOfWhatAnotherShardSawFail) {
  auto about = shard("a/1", Verdict::not_exercised, Verdict::fail);
  about.cases[0].verdict = Verdict::fail;
  about.cases[0].requirements = {"first-one"};
  auto twin = shard("b/2", Verdict::pass, Verdict::pass);
  twin.cases[0].requirements = {"second-one", "first-one"};
  const auto wholes = merged({about, twin});
  ASSERT_EQ(wholes.size(), 1U);
  EXPECT_EQ(wholes[0].requirements[0].verdict, Verdict::not_exercised);
  twin.cases[0].requirements = {"first-one"};
  const auto shown = merged({about, twin});
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].requirements[0].verdict, Verdict::pass);
}

TEST(MergeShards, RunsThatOverlapOrAreOfOthersStayApart) {
  const auto first = shard("a/1", Verdict::pass, Verdict::pass);
  EXPECT_EQ(merged({first, first}).size(), 2U);
  auto other = shard("b/2", Verdict::pass, Verdict::pass);
  other.target.text = "another";
  EXPECT_EQ(merged({first, other}).size(), 2U);
  other = shard("b/2", Verdict::pass, Verdict::pass);
  other.corpus_hash = "def";
  EXPECT_EQ(merged({first, other}).size(), 2U);
}

TEST(MergeShards, NumberedShardsBecomeTheWholeInAnyOrder) {
  const auto first = numbered(shard("b/2", Verdict::pass, Verdict::not_exercised), 0, 2);
  const auto second = numbered(shard("a/1", Verdict::not_exercised, Verdict::pass), 1, 2);
  for (const auto& runs :
       {std::vector<result::Run>{first, second}, std::vector<result::Run>{second, first}}) {
    const auto wholes = merged(runs);
    ASSERT_EQ(wholes.size(), 1U);
    EXPECT_EQ(wholes[0].verdict, RunVerdict::conforms);
    EXPECT_FALSE(wholes[0].shard);
  }
}

TEST(MergeShards, AShardThatIsMissingOrThereTwiceIsNamed) {
  const auto first = numbered(shard("a/1", Verdict::pass, Verdict::pass), 0, 4);
  const auto third = numbered(shard("b/2", Verdict::pass, Verdict::pass), 2, 4);
  EXPECT_NE(complaint({first, third}).find("shards 1 and 3 of 4 of 'server' are missing"),
            std::string::npos);
  EXPECT_NE(complaint({third, first, third}).find("shard 2 of 4 of 'server' is there twice"),
            std::string::npos);
}

TEST(MergeShards, WhatShardsOfTwoRunsDifferInIsNamed) {
  const auto first = numbered(shard("a/1", Verdict::pass, Verdict::pass), 0, 2);
  auto second = numbered(shard("b/2", Verdict::pass, Verdict::pass), 1, 2);
  second.corpus_hash = "def";
  EXPECT_NE(complaint({first, second}).find("differ in their corpus: 'abc' and 'def'"),
            std::string::npos);
  second = numbered(shard("b/2", Verdict::pass, Verdict::pass), 1, 2);
  second.target.text = "another";
  EXPECT_NE(complaint({first, second}).find("target: 'server' and 'another'"), std::string::npos);
  second = numbered(shard("b/2", Verdict::pass, Verdict::pass), 1, 2);
  second.baseline = BaselineSummary{};
  EXPECT_NE(complaint({first, second}).find("baseline"), std::string::npos);
}

TEST(MergeShards, TheShardsOfTwoServersBecomeTwoRuns) {
  std::vector<result::Run> runs;
  for (const std::string server : {"one", "other"}) {
    for (const std::size_t index : {0U, 1U}) {
      auto run = shard(index == 0 ? "a/1" : "b/2", Verdict::pass, Verdict::pass);
      run.target.text = server;
      runs.push_back(numbered(run, index, 2));
    }
  }
  const auto wholes = merged(runs);
  ASSERT_EQ(wholes.size(), 2U);
  EXPECT_EQ(wholes[0].cases.size(), 2U);
  EXPECT_EQ(wholes[1].target.text, "other");
}

TEST(MergeShards, ACaseThatSeveralReportCountsOnceAndAtItsWorst) {
  auto first = numbered(shard("a/1", Verdict::pass, Verdict::pass), 0, 2);
  auto second = numbered(shard("b/2", Verdict::pass, Verdict::pass), 1, 2);
  second.cases.push_back(one_case("a/1", Verdict::fail));
  const auto wholes = merged({first, second});
  ASSERT_EQ(wholes.size(), 1U);
  EXPECT_EQ(wholes[0].cases.size(), 2U);
  EXPECT_EQ(wholes[0].counts.fail, 1U);
}

TEST(MergeShards, WhatOneShardDoesNotExpectIsNotExpectedByTheWhole) {
  std::vector<result::Run> shards;
  for (const std::size_t index : {0U, 1U}) {
    auto one = numbered(shard(index == 0 ? "a/1" : "b/2", Verdict::pass, Verdict::pass), index, 2);
    one.baseline = BaselineSummary{"known.json"};
    one.cases.push_back(one_case("calibration/call", Verdict::fail));
    const bool is_known = index == 0;
    one.cases.back().expected =
        Expected{is_known ? Expectation::known : Expectation::unexpected, "", ""};
    shards.push_back(std::move(one));
  }
  EXPECT_FALSE(merged(shards)[0].baseline->holds());
  EXPECT_FALSE(merged({shards[1], shards[0]})[0].baseline->holds());
}

TEST(MergeShards, AShardThatWasInterruptedInterruptsTheWhole) {
  auto first = numbered(shard("a/1", Verdict::pass, Verdict::pass), 0, 2);
  auto second = numbered(shard("b/2", Verdict::pass, Verdict::pass), 1, 2);
  second.interrupted = "interrupted by SIGINT";
  const auto whole = merged({first, second})[0];
  EXPECT_EQ(whole.interrupted, "interrupted by SIGINT");
  EXPECT_EQ(whole.verdict, RunVerdict::partial) << "as of one that was not split";
}

}  // namespace merge_test
}  // namespace jrpcheck::result
