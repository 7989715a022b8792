#include "result/merge.hpp"

#include <gtest/gtest.h>

#include <string>

#include "result/conclude.hpp"

namespace jrpcheck::result {
namespace {

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

TEST(MergeShards, PartsOfOneRunBecomeIt) {
  const auto wholes = merge_shards({shard("b/2", Verdict::pass, Verdict::not_exercised),
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
  const auto wholes = merge_shards({first, second});
  ASSERT_EQ(wholes.size(), 1U);
  EXPECT_EQ(wholes[0].verdict, RunVerdict::partial);
}

TEST(MergeShards, TheWorstVerdictOfARequirementStays) {
  auto first = shard("a/1", Verdict::fail, Verdict::warn);
  first.cases[0].verdict = Verdict::fail;
  const auto wholes = merge_shards({first, shard("b/2", Verdict::pass, Verdict::pass)});
  ASSERT_EQ(wholes.size(), 1U);
  EXPECT_EQ(wholes[0].requirements[0].verdict, Verdict::fail);
  EXPECT_EQ(wholes[0].requirements[1].verdict, Verdict::warn);
  EXPECT_EQ(wholes[0].verdict, RunVerdict::fails);
  EXPECT_EQ(wholes[0].classes[0].counts.fail, 1U);
}

TEST(MergeShards, RunsThatOverlapOrAreOfOthersStayApart) {
  const auto first = shard("a/1", Verdict::pass, Verdict::pass);
  EXPECT_EQ(merge_shards({first, first}).size(), 2U);
  auto other = shard("b/2", Verdict::pass, Verdict::pass);
  other.target.text = "another";
  EXPECT_EQ(merge_shards({first, other}).size(), 2U);
  other = shard("b/2", Verdict::pass, Verdict::pass);
  other.corpus_hash = "def";
  EXPECT_EQ(merge_shards({first, other}).size(), 2U);
}

}  // namespace
}  // namespace jrpcheck::result
