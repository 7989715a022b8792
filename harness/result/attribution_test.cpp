#include "result/attribution.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::result {
namespace attribution_test {

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

corpus::Case case_named(const std::string& id) {
  corpus::Case one;
  one.id = id;
  return one;
}

// One with a typical case, and one that rests on another.
corpus::Corpus corpus_for_testing() {
  corpus::Corpus corpus;
  for (const char* const id : {"plain/unknown-method", "params/plain", "probe/depth"}) {
    corpus.cases.push_back(case_named(id));
  }
  corpus.cases[0].typical = true;
  corpus.cases[2].rests_on = "params/plain";
  return corpus;
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
  attribute(cases, corpus_for_testing());
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

TEST(Habits, AreNoLimits) {
  auto probe = failed("probe/size", "rob-depth", {finding("res-always")});
  probe.observations = {{"size", "not 20"}, {"HTTP status of a result", "200"}};
  const auto one = beside_typical(std::move(probe));
  ASSERT_EQ(one.observations.size(), 1U);
  EXPECT_EQ(one.observations.front().value, "200");
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

// Answered -32700 as it should, but with another id than the null that the case asks for as well.
TEST(Habits, ACaseThatAsksForWhatTheHabitDeniesHasNotPassed) {
  auto asking = failed("json/truncated", "json-invalid", {finding("id-null", true)});
  asking.requirements.push_back("id-null");
  asking.exercised.push_back("id-null");
  const auto one = beside_typical(std::move(asking));
  EXPECT_EQ(one.verdict, Verdict::not_exercised);
  EXPECT_TRUE(one.findings.empty());
  EXPECT_NE(one.reason.find("plain/unknown-method"), std::string::npos);
  EXPECT_EQ(one.exercised.front(), "json-invalid") << "the rest counts still";
}

TEST(Habits, ACaseThatAsksForWhereTheHabitIsReportedHasNotPassed) {
  auto asking = failed("json/truncated", "json-invalid", {finding("json-invalid", true)});
  asking.requirements.push_back("err-code-method");
  const auto one = beside_typical(std::move(asking));
  EXPECT_EQ(one.verdict, Verdict::not_exercised);
  EXPECT_EQ(one.exercised.front(), "json-invalid");
}

TEST(Habits, AnotherFaultInTheSameCaseStays) {
  const auto one = beside_typical(failed(
      "http/chunked", "http-chunked", {finding("http-chunked"), finding("res-json", false, "")}));
  EXPECT_EQ(one.verdict, Verdict::fail);
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(one.findings.front().requirement, "res-json");
}

TEST(Habits, AFailIsNotReportedElsewhereByAWarning) {
  for (const auto severity : {corpus::Verdict::warn, corpus::Verdict::fail}) {
    auto warned = finding("bat-supported");
    warned.severity = corpus::Verdict::warn;
    auto later = finding("mcp-batch-receive");
    later.severity = severity;
    std::vector<CaseResult> cases = {failed("plain/unknown-method", "bat-supported", {warned}),
                                     failed("mcp/batch-served", "mcp-batch-receive", {later})};
    attribute(cases, corpus_for_testing());
    const bool fails = severity == corpus::Verdict::fail;
    EXPECT_EQ(cases.back().findings.size(), fails ? 1U : 0U);
    EXPECT_EQ(cases.back().verdict, fails ? Verdict::fail : Verdict::not_exercised);
  }
}

TEST(Habits, WhereTypicalCasesDifferTheGravestCountsWhicheverComesFirst) {
  auto warned = finding("bat-supported");
  warned.severity = corpus::Verdict::warn;
  std::vector<CaseResult> cases = {
      failed("plain/unknown-method", "bat-supported", {warned, finding("err-code-method")}),
      failed("http/chunked", "http-chunked", {finding("http-chunked")})};
  attribute(cases, corpus_for_testing());
  EXPECT_EQ(cases.back().verdict, Verdict::not_exercised);
  EXPECT_NE(cases.back().reason.find("err-code-method"), std::string::npos);
}

TEST(Habits, WhatNoTypicalCaseShowsIsNoHabit) {
  std::vector<CaseResult> cases = {
      failed("http/chunked", "http-chunked", {finding("http-chunked")}),
      failed("http/accept", "http-accept", {finding("http-accept")})};
  attribute(cases, corpus_for_testing());
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

// What becomes of `one` where the case that it rests on shows the habit, or nothing.
CaseResult resting_on(std::vector<judge::Finding> shown, CaseResult one) {
  std::vector<CaseResult> cases = {failed("params/plain", "res-always", std::move(shown)),
                                   std::move(one)};
  cases.back().observations.push_back({"depth", "not 20"});
  attribute(cases, corpus_for_testing());
  EXPECT_EQ(cases.front().verdict, Verdict::fail);
  return cases.back();
}

TEST(Unfounded, WhatTheCaseBelowShowsAsWellTellsNothingAboutTheSubject) {
  const auto one = resting_on({finding("res-always")},
                              failed("probe/depth", "rob-depth", {finding("rob-depth")}));
  EXPECT_EQ(one.verdict, Verdict::not_exercised);
  EXPECT_NE(one.reason.find("params/plain"), std::string::npos);
  EXPECT_TRUE(one.observations.empty());
  EXPECT_EQ(one.exercised, (std::vector<std::string>{"res-always", "res-json"}));
}

TEST(Unfounded, ADeathIsTheFaultOfWhatWasSent) {
  const auto one = resting_on({finding("res-always")},
                              failed("probe/depth", "rob-depth",
                                     {finding("rob-depth"), finding("rob-survives", false, "")}));
  EXPECT_EQ(one.verdict, Verdict::fail);
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(one.findings.front().requirement, "rob-survives");
}

TEST(Unfounded, APassIsOneStillAndObservesNothing) {
  auto passed = failed("probe/depth", "rob-depth", {});
  passed.verdict = Verdict::pass;
  const auto one = resting_on({finding("err-code-method")}, std::move(passed));
  EXPECT_EQ(one.verdict, Verdict::pass);
  EXPECT_TRUE(one.observations.empty());
}

TEST(Unfounded, WhereTheCaseBelowIsAnsweredAsItShouldAllCounts) {
  const auto one = resting_on({finding("sec-no-leak", false, "")},
                              failed("probe/depth", "rob-depth", {finding("rob-depth")}));
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(one.observations.size(), 1U);
}

judge::Finding said(judge::Symptom symptom, const std::string& actual, std::size_t step) {
  judge::Finding one = finding("req-id-type");
  one.symptom = symptom;
  one.actual = actual;
  one.step = step;
  return one;
}

TEST(JoinedFindings, OneReplyThatBreaksOneRequirementTwiceIsOneFinding) {
  std::vector<CaseResult> cases = {
      failed("id/array", "req-id-type",
             {said(judge::Symptom::wrong_code, "{}", 0), said(judge::Symptom::wrong_id, "{}", 0),
              said(judge::Symptom::wrong_id, "{}", 0), said(judge::Symptom::wrong_id, "[]", 0),
              said(judge::Symptom::wrong_id, "{}", 1)})};
  cases[0].findings.push_back(finding("id-echo"));
  attribute(cases, corpus_for_testing());
  ASSERT_EQ(cases[0].findings.size(), 4U);
  EXPECT_EQ(cases[0].findings[0].symptom, judge::Symptom::wrong_code);
  EXPECT_EQ(cases[0].findings[1].actual, "[]");
  EXPECT_EQ(cases[0].findings[2].step, 1U);
  EXPECT_EQ(cases[0].findings[3].requirement, "id-echo");
}

}  // namespace attribution_test
}  // namespace jrpcheck::result
