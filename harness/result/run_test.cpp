#include "result/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace jrpcheck::result {
namespace run_test {

const corpus::Ledger& ledger() {
  static const corpus::Ledger kLedger = [] {
    auto loaded = corpus::Ledger::load("ledger.json", R"({"requirements": [
      {"id": "a-must", "clause": "4", "level": "must", "class": "core", "text": "A must."},
      {"id": "b-must", "clause": "5", "level": "must", "class": "json", "text": "A must."},
      {"id": "c-should", "clause": "6", "level": "should", "class": "core", "text": "A should."},
      {"id": "d-info", "clause": "6", "level": "info", "class": "core", "text": "Recorded."},
      {"id": "h-must", "clause": "-", "level": "must", "class": "http", "text": "Of HTTP."},
      {"id": "x-must", "clause": "-", "level": "must", "class": "core", "text": "Untested.",
       "status": "untestable: nobody can see it"}]})");
    if (!loaded) ADD_FAILURE() << loaded.error().message;
    return loaded ? *std::move(loaded) : corpus::Ledger();
  }();
  return kLedger;
}

CaseResult passed(const std::string& id, std::vector<std::string> requirements) {
  CaseResult one;
  one.id = id;
  one.verdict = Verdict::pass;
  one.exercised = requirements;
  one.requirements = std::move(requirements);
  return one;
}

CaseResult charged(const std::string& id, const std::string& requirement,
                   corpus::Verdict severity) {
  CaseResult one = passed(id, {requirement});
  one.verdict = severity == corpus::Verdict::fail ? Verdict::fail : Verdict::warn;
  one.findings.push_back(
      {requirement, severity, judge::Symptom::wrong_result, {}, "right", "wrong"});
  return one;
}

CaseResult left_out(const std::string& id, std::vector<std::string> requirements,
                    const std::string& reason) {
  CaseResult one;
  one.id = id;
  one.requirements = std::move(requirements);
  one.reason = reason;
  return one;
}

std::vector<CaseResult> all_passed() {
  std::vector<CaseResult> cases;
  cases.push_back(passed("a/a", {"a-must", "c-should", "d-info"}));
  cases.push_back(passed("b/b", {"b-must"}));
  return cases;
}

Run summarised(std::vector<CaseResult> cases, Scope scope = {{"core", "json"}, {}, true}) {
  Run run;
  run.cases = std::move(cases);
  summarise(run, ledger(), scope);
  return run;
}

const RequirementResult* find(const Run& run, const std::string& id) {
  const auto found = std::ranges::find_if(
      run.requirements, [&](const RequirementResult& each) { return each.requirement.id == id; });
  return found == run.requirements.end() ? nullptr : &*found;
}

std::string verdict_of(const Run& run, const std::string& id) {
  const auto* found = find(run, id);
  return found == nullptr ? "not there" : std::string(name_of(found->verdict));
}

TEST(RunVerdict, ConformsWhenEveryMustWasExercisedAndNothingFailed) {
  EXPECT_EQ(summarised(all_passed()).verdict, RunVerdict::conforms);
}

TEST(RunVerdict, WarningsDoNotKeepARunFromConforming) {
  auto cases = all_passed();
  cases.push_back(charged("c/c", "c-should", corpus::Verdict::warn));
  EXPECT_EQ(summarised(std::move(cases)).verdict, RunVerdict::conforms);
}

TEST(RunVerdict, OneFailureFails) {
  auto cases = all_passed();
  cases.push_back(charged("a/z", "a-must", corpus::Verdict::fail));
  EXPECT_EQ(summarised(cases).verdict, RunVerdict::fails);
  cases.push_back(passed("a/y", {"a-must"}));
  EXPECT_EQ(summarised(std::move(cases)).verdict, RunVerdict::fails);
}

TEST(RunVerdict, AFailureCountsAlsoWhenOnlyAPartRan) {
  std::vector<CaseResult> cases = {charged("a/z", "a-must", corpus::Verdict::fail)};
  EXPECT_EQ(summarised(std::move(cases), {{"core"}, {}, false}).verdict, RunVerdict::fails);
}

TEST(RunVerdict, NoCaseAtAllIsPartial) {
  EXPECT_EQ(summarised({}).verdict, RunVerdict::partial);
  EXPECT_EQ(summarised({}, {{}, {}, true}).verdict, RunVerdict::partial);
}

TEST(RunVerdict, AMustThatWasNotExercisedIsPartial) {
  auto cases = all_passed();
  cases.pop_back();
  EXPECT_EQ(summarised(cases).verdict, RunVerdict::partial);
  cases.push_back(left_out("b/b", {"b-must"}, "needs a method in the role 'sum'"));
  EXPECT_EQ(summarised(std::move(cases)).verdict, RunVerdict::partial);
}

TEST(RunVerdict, AShouldThatWasNotExercisedIsNoLack) {
  std::vector<CaseResult> cases = {passed("a/a", {"a-must"}), passed("b/b", {"b-must"})};
  EXPECT_EQ(summarised(std::move(cases)).verdict, RunVerdict::conforms);
}

TEST(RunVerdict, ADeselectedCaseIsPartial) {
  EXPECT_EQ(summarised(all_passed(), {{"core", "json"}, {}, false}).verdict, RunVerdict::partial);
}

TEST(RunVerdict, WhatDoesNotApplyToTheTargetIsNoLack) {
  const std::vector<CaseResult> cases = {passed("a/a", {"a-must"})};
  EXPECT_EQ(summarised(cases, {{"core"}, {}, true}).verdict, RunVerdict::conforms);
  EXPECT_EQ(summarised(cases, {{"core", "json"}, {}, true}).verdict, RunVerdict::partial);
  EXPECT_EQ(
      summarised(cases, {{"core", "json"}, {{"b-must", "no case of it applies to lines"}}, true})
          .verdict,
      RunVerdict::conforms);
}

TEST(RunVerdict, WhatNobodyCanTestIsNoLack) {
  const auto run = summarised(all_passed());
  EXPECT_EQ(run.verdict, RunVerdict::conforms);
  EXPECT_EQ(verdict_of(run, "x-must"), "not-exercised");
  EXPECT_EQ(find(run, "x-must")->reason, "untestable: nobody can see it");
}

TEST(RequirementVerdict, IsTheWorstOfItsCases) {
  auto cases = all_passed();
  cases.push_back(charged("a/w", "a-must", corpus::Verdict::warn));
  EXPECT_EQ(verdict_of(summarised(cases), "a-must"), "warn");
  cases.push_back(charged("a/f", "a-must", corpus::Verdict::fail));
  cases.push_back(charged("a/v", "a-must", corpus::Verdict::warn));
  cases.push_back(passed("a/p", {"a-must"}));
  EXPECT_EQ(verdict_of(summarised(cases), "a-must"), "fail");
  EXPECT_EQ(verdict_of(summarised(cases), "b-must"), "pass");
}

TEST(RequirementVerdict, ComesFromFindingsOfCasesThatAreAboutSomethingElse) {
  auto cases = all_passed();
  cases[0].findings.push_back({.requirement = "b-must", .expected = "", .actual = ""});
  cases[0].verdict = Verdict::fail;
  EXPECT_EQ(verdict_of(summarised(std::move(cases)), "b-must"), "fail");
}

TEST(RequirementVerdict, IsNotAPassBecauseACaseNamesIt) {
  CaseResult one = passed("a/a", {"a-must"});
  one.exercised.clear();
  const auto run = summarised({one});
  EXPECT_EQ(verdict_of(run, "a-must"), "not-exercised");
  EXPECT_EQ(find(run, "a-must")->reason, "nothing came back that shows it");
  EXPECT_EQ(run.verdict, RunVerdict::partial);
}

TEST(RequirementVerdict, IsNoPassByATwinWhereEachCaseAboutItIsMetOtherwise) {
  auto twin = passed("a/twin", {"a-must", "b-must"});
  auto about = charged("b/wrong", "a-must", corpus::Verdict::fail);
  about.requirements = {"b-must"};
  const auto run = summarised({twin, about});
  EXPECT_EQ(verdict_of(run, "b-must"), "not-exercised");
  EXPECT_NE(find(run, "b-must")->reason.find("b/wrong"), std::string::npos);
  EXPECT_EQ(verdict_of(summarised({twin, about, passed("b/other", {"b-must"})}), "b-must"), "pass");
  EXPECT_EQ(verdict_of(summarised({twin, left_out("b/wrong", {"b-must"}, "no role")}), "b-must"),
            "pass");
}

TEST(RequirementVerdict, IsNoPassByATwinWhereEachCaseAboutItCameToNothing) {
  const auto twin = passed("a/twin", {"a-must", "b-must"});
  auto about = left_out("b/nothing", {"b-must"}, "every call is answered so");
  about.transcript.emplace_back();
  const auto run = summarised({twin, about});
  EXPECT_EQ(verdict_of(run, "b-must"), "not-exercised");
  EXPECT_NE(find(run, "b-must")->reason.find("b/nothing"), std::string::npos);
  EXPECT_EQ(verdict_of(summarised({twin, about, passed("b/other", {"b-must"})}), "b-must"), "pass");
  // What is judged of whatever comes.
  auto any = passed("c/any", {"a-must"});
  any.exercised.push_back("b-must");
  EXPECT_EQ(verdict_of(summarised({twin, about, any}), "b-must"), "pass");
}

TEST(RequirementVerdict, OfWhatWasNotExercisedSaysWhy) {
  const auto run = summarised({left_out("b/b", {"b-must"}, "does not apply to http")});
  EXPECT_EQ(find(run, "b-must")->reason, "does not apply to http");
  EXPECT_EQ(find(run, "a-must")->reason, "no case that ran tests it");
}

TEST(RequirementVerdict, OfAForeignClassIsShownOnlyWhenItIsViolated) {
  auto cases = all_passed();
  cases.push_back(passed("h/h", {"h-must"}));
  EXPECT_EQ(verdict_of(summarised(cases), "h-must"), "not there");
  cases.push_back(charged("h/i", "h-must", corpus::Verdict::fail));
  EXPECT_EQ(verdict_of(summarised(std::move(cases)), "h-must"), "fail");
}

// Positive cases name it beside their own subject and do not show that it is kept.
TEST(RequirementVerdict, OfWhatIsInapplicableIsNoPass) {
  const auto run = summarised(
      all_passed(), {{"core", "json"}, {{"b-must", "no case of it applies to lines"}}, true});
  EXPECT_EQ(verdict_of(run, "b-must"), "not-applicable");
  EXPECT_EQ(find(run, "b-must")->reason, "no case of it applies to lines");
}

TEST(RequirementVerdict, OfWhatIsNotApplicableIsNoLackAndIsNotCountedAmongTheApplicable) {
  const auto run = summarised(
      all_passed(), {{"core", "json"}, {{"a-must", "no case of it applies to lines"}}, true});
  const auto with = summarised(all_passed(), {{"core", "json"}, {}, true});
  EXPECT_EQ(run.verdict, RunVerdict::conforms);
  EXPECT_EQ(must_coverage(with).applicable, must_coverage(run).applicable + 1);
  const auto known = std::ranges::find_if(
      run.classes, [](const auto& each) { return each.counts.not_applicable > 0; });
  ASSERT_NE(known, run.classes.end());
  EXPECT_EQ(known->counts.not_applicable, 1U);
}

TEST(RequirementVerdict, WhatAnotherBindingIsAskedSaysNothingAboutWhyThisOneWasNot) {
  auto elsewhere = left_out("a/e", {"a-must"}, "does not apply to http");
  elsewhere.verdict = Verdict::not_applicable;
  const auto run = summarised({elsewhere, left_out("a/n", {"a-must"}, "needs a role")});
  const auto found = std::ranges::find_if(
      run.requirements, [](const auto& each) { return each.requirement.id == "a-must"; });
  ASSERT_NE(found, run.requirements.end());
  EXPECT_EQ(found->reason, "needs a role");
  EXPECT_EQ(run.counts.not_applicable, 1U);
  EXPECT_EQ(run.counts.not_exercised, 1U);
}

TEST(RequirementVerdict, WhatTheServerDeclinesIsNoLack) {
  auto declined = left_out("b/b", {"b-must"}, "the server does not agree to it");
  declined.verdict = Verdict::not_applicable;
  const auto run = summarised({all_passed().front(), declined});
  EXPECT_EQ(verdict_of(run, "b-must"), "not-applicable");
  EXPECT_EQ(find(run, "b-must")->reason, "the server does not agree to it");
  EXPECT_EQ(run.verdict, RunVerdict::conforms);
}

TEST(MustCoverage, CountsTheMustsThatApplyAndThoseThatWereExercised) {
  const auto none = must_coverage(summarised({}));
  EXPECT_EQ(none.exercised, 0U);
  EXPECT_GT(none.applicable, 0U);
  const auto some = must_coverage(summarised(all_passed()));
  EXPECT_EQ(some.applicable, none.applicable);
  EXPECT_GT(some.exercised, 0U);
  EXPECT_LE(some.exercised, some.applicable);
}

TEST(Counts, AreOfCases) {
  auto cases = all_passed();
  cases.push_back(charged("a/f", "a-must", corpus::Verdict::fail));
  cases.push_back(charged("a/w", "c-should", corpus::Verdict::warn));
  cases.push_back(left_out("a/n", {"a-must"}, "deselected"));
  const auto run = summarised(std::move(cases));
  EXPECT_EQ(run.counts.pass, 2U);
  EXPECT_EQ(run.counts.warn, 1U);
  EXPECT_EQ(run.counts.fail, 1U);
  EXPECT_EQ(run.counts.not_exercised, 1U);
}

TEST(Counts, OfClassesAreOfRequirements) {
  auto cases = all_passed();
  cases.push_back(charged("a/w", "c-should", corpus::Verdict::warn));
  cases.push_back(charged("a/f", "a-must", corpus::Verdict::fail));
  const auto run = summarised(std::move(cases), {{"core", "json", "http"}, {}, true});
  ASSERT_EQ(run.classes.size(), 3U);
  EXPECT_EQ(run.classes[0].name, "core");
  EXPECT_EQ(run.classes[0].counts.pass, 1U);           // d-info
  EXPECT_EQ(run.classes[0].counts.warn, 1U);           // c-should
  EXPECT_EQ(run.classes[0].counts.fail, 1U);           // a-must
  EXPECT_EQ(run.classes[0].counts.not_exercised, 1U);  // x-must
  EXPECT_EQ(run.classes[1].name, "json");
  EXPECT_EQ(run.classes[1].counts.pass, 1U);
  EXPECT_EQ(run.classes[2].name, "http");
  EXPECT_EQ(run.classes[2].counts.not_exercised, 1U);
}

std::string verdict_of_class(const Run& run, const std::string& name) {
  for (const auto& each : run.classes) {
    if (each.name == name) return std::string(name_of(each.verdict));
  }
  return "not there";
}

TEST(ClassVerdict, IsOfTheRequirementsOfTheClassAlone) {
  auto cases = all_passed();
  cases.push_back(charged("b/f", "b-must", corpus::Verdict::fail));
  const auto run = summarised(std::move(cases));
  EXPECT_EQ(run.verdict, RunVerdict::fails);
  EXPECT_EQ(verdict_of_class(run, "core"), "conforms");
  EXPECT_EQ(verdict_of_class(run, "json"), "fails");
}

TEST(ClassVerdict, ConformsNeverForLess) {
  auto cases = all_passed();
  cases.pop_back();
  const auto one_must_missing = summarised(cases);
  EXPECT_EQ(verdict_of_class(one_must_missing, "core"), "conforms");
  EXPECT_EQ(verdict_of_class(one_must_missing, "json"), "partial");
  const auto deselected = summarised(all_passed(), {{"core", "json"}, {}, false});
  EXPECT_EQ(verdict_of_class(deselected, "core"), "partial");
  EXPECT_EQ(verdict_of_class(deselected, "json"), "partial");
}

TEST(ClassVerdict, OfAClassOfWhichNothingWasExercisedIsPartial) {
  auto loaded = corpus::Ledger::load("ledger.json", R"({"requirements": [
      {"id": "s-should", "clause": "-", "level": "should", "class": "security", "text": "T."}]})");
  ASSERT_TRUE(loaded);
  result::Run run;
  summarise(run, *loaded, {{"security"}, {}, true});
  EXPECT_EQ(verdict_of_class(run, "security"), "partial");
}

TEST(Observations, AreCollectedWithTheirCases) {
  auto cases = all_passed();
  cases[0].observations.push_back({"id null", "served"});
  cases[1].observations.push_back({"id null", "refused"});
  const auto run = summarised(std::move(cases));
  ASSERT_EQ(run.observations.size(), 2U);
  EXPECT_EQ(run.observations[0].id, "id null");
  EXPECT_EQ(run.observations[0].value, "served");
  EXPECT_EQ(run.observations[0].case_id, "a/a");
  EXPECT_EQ(run.observations[1].case_id, "b/b");
}

TEST(Names, AreThoseOfTheReports) {
  EXPECT_EQ(name_of(Verdict::pass), "pass");
  EXPECT_EQ(name_of(Verdict::warn), "warn");
  EXPECT_EQ(name_of(Verdict::fail), "fail");
  EXPECT_EQ(name_of(Verdict::not_exercised), "not-exercised");
  EXPECT_EQ(name_of(RunVerdict::conforms), "conforms");
  EXPECT_EQ(name_of(RunVerdict::partial), "partial");
  EXPECT_EQ(name_of(RunVerdict::fails), "fails");
}

}  // namespace run_test
}  // namespace jrpcheck::result
