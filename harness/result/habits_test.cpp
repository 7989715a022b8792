#include "result/habits.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::result {
namespace {

constexpr const char* kHabit = "error -32601 -> result";

judge::Finding finding(const std::string& requirement, bool rest_counts = false,
                       const std::string& habit = kHabit) {
  judge::Finding one;
  one.requirement = requirement;
  one.severity = corpus::Verdict::fail;
  if (!habit.empty()) one.habits.push_back(habit);
  one.rest_counts = rest_counts;
  return one;
}

CaseResult failed(const std::string& id, const std::string& subject,
                  std::vector<judge::Finding> findings) {
  CaseResult one;
  one.id = id;
  one.requirements = {subject, "res-always"};
  one.verdict = Verdict::fail;
  one.exercised = {subject, "res-always", "res-json"};
  one.findings = std::move(findings);
  return one;
}

// What becomes of `one` beside the plain case of an unknown method, which has the habit.
CaseResult beside_typical(CaseResult one) {
  std::vector<CaseResult> cases = {
      failed("plain/unknown-method", "err-code-method", {finding("err-code-method")}),
      std::move(one)};
  drop_habits(cases, {"plain/unknown-method"});
  EXPECT_EQ(cases.front().verdict, Verdict::fail);
  EXPECT_EQ(cases.front().findings.size(), 1U);
  return cases.back();
}

TEST(Habits, ACaseAboutSomethingElseThatShowsOnlyAHabitIsNotExercised) {
  const auto one =
      beside_typical(failed("http/chunked", "http-chunked", {finding("http-chunked")}));
  EXPECT_EQ(one.verdict, Verdict::not_exercised);
  EXPECT_TRUE(one.findings.empty());
  EXPECT_NE(one.reason.find("plain/unknown-method"), std::string::npos);
  EXPECT_NE(one.reason.find("err-code-method"), std::string::npos);
  EXPECT_EQ(one.exercised, (std::vector<std::string>{"res-always", "res-json"}));
}

TEST(Habits, ACaseAboutTheHabitItselfStillFails) {
  const auto one =
      beside_typical(failed("error/other", "err-code-method", {finding("err-code-method")}));
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_EQ(one.findings.size(), 1U);
}

TEST(Habits, WhereTheRestCountsTheCasePasses) {
  const auto one = beside_typical(failed("id/large", "id-large", {finding("id-echo", true)}));
  EXPECT_EQ(one.verdict, Verdict::pass);
  EXPECT_EQ(one.reason, "");
  EXPECT_EQ(one.exercised.size(), 3U);
}

TEST(Habits, AnotherFaultInTheSameCaseStays) {
  const auto one = beside_typical(failed(
      "http/chunked", "http-chunked", {finding("http-chunked"), finding("res-json", false, "")}));
  EXPECT_EQ(one.verdict, Verdict::fail);
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(one.findings.front().requirement, "res-json");
}

TEST(Habits, WhatNoTypicalCaseShowsIsNoHabit) {
  std::vector<CaseResult> cases = {
      failed("http/chunked", "http-chunked", {finding("http-chunked")}),
      failed("http/accept", "http-accept", {finding("http-accept")})};
  drop_habits(cases, {"plain/unknown-method"});
  EXPECT_EQ(cases.front().verdict, Verdict::fail);
  EXPECT_EQ(cases.back().verdict, Verdict::fail);
}

TEST(Habits, AnotherDeviationThanTheKnownOneStays) {
  const auto one = beside_typical(failed(
      "http/chunked", "http-chunked", {finding("http-chunked", false, "error -32601 -> refused")}));
  EXPECT_EQ(one.verdict, Verdict::fail);
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(one.findings.front().requirement, "http-chunked");
}

}  // namespace
}  // namespace jrpcheck::result
