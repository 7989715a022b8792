#include "result/baseline.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "result/conclude.hpp"

namespace jrpcheck::result {
namespace baseline_test {

judge::Finding finding(const std::string& requirement,
                       corpus::Verdict severity = corpus::Verdict::fail) {
  return {requirement, severity, judge::Symptom::wrong_result, {}, "right", "wrong"};
}

CaseResult case_with(const std::string& id, std::vector<judge::Finding> findings) {
  CaseResult one;
  one.id = id;
  one.requirements = {"id-echo"};
  one.verdict = Verdict::pass;
  for (const auto& each : findings) {
    const bool fails = each.severity == corpus::Verdict::fail;
    one.verdict = std::max(one.verdict, fails ? Verdict::fail : Verdict::warn);
  }
  one.findings = std::move(findings);
  return one;
}

Run run_of(std::vector<CaseResult> cases) {
  Run run;
  run.cases = std::move(cases);
  conclude(run, true);
  return run;
}

KnownCase known(std::vector<KnownFinding> findings, bool flaky = false) {
  return {"a reason", flaky, std::move(findings), ""};
}

KnownFinding listed(const std::string& requirement,
                    corpus::Verdict severity = corpus::Verdict::fail) {
  return {requirement, severity, judge::Symptom::wrong_result};
}

/// What becomes of the case `one` by a baseline that lists it as `known_case`.
Expected expectation_of(const CaseResult& one, const KnownCase& known_case, bool strict = false) {
  Run run = run_of({one});
  hold_against({"", false, {{one.id, known_case}}}, "known.json", strict, run);
  return run.cases[0].expected.value_or(Expected{Expectation::known, "", "not looked at"});
}

TEST(Baseline, AFailureAsListedIsKnownWithItsReason) {
  const auto expected =
      expectation_of(case_with("a/b", {finding("id-echo")}), known({listed("id-echo")}));
  EXPECT_EQ(expected.expectation, Expectation::known);
  EXPECT_EQ(expected.reason, "a reason");
}

TEST(Baseline, AFailureThatIsNotListedIsUnexpected) {
  result::Run run = run_of({case_with("a/b", {finding("id-echo")}), case_with("a/c", {})});
  hold_against({}, "known.json", false, run);
  conclude(run, true);
  ASSERT_TRUE(run.cases[0].expected);
  EXPECT_EQ(run.cases[0].expected->expectation, Expectation::unexpected);
  EXPECT_FALSE(run.cases[1].expected);
  EXPECT_EQ(run.baseline->unexpected, 1U);
  EXPECT_FALSE(run.baseline->holds());
}

TEST(Baseline, AnotherFailureOfAListedCaseIsUnexpected) {
  const auto expected = expectation_of(
      case_with("a/b", {finding("id-echo"), finding("res-version")}), known({listed("id-echo")}));
  EXPECT_EQ(expected.expectation, Expectation::unexpected);
  EXPECT_NE(expected.detail.find("res-version (wrong-result)"), std::string::npos);
}

TEST(Baseline, TheSameRequirementBrokenOtherwiseOrElsewhereIsUnexpected) {
  auto otherwise = finding("id-echo");
  otherwise.symptom = judge::Symptom::wrong_id;
  auto elsewhere = finding("id-echo");
  elsewhere.place.element = 2;
  for (const auto& each : {otherwise, elsewhere}) {
    EXPECT_EQ(expectation_of(case_with("a/b", {each}), known({listed("id-echo")})).expectation,
              Expectation::unexpected);
  }
}

// A baseline of an earlier version lists it as a call that was not answered.
TEST(Baseline, AHandshakeThatWasRefusedIsAsListedUnderItsFormerName) {
  auto refused = finding("ws-extension");
  refused.symptom = judge::Symptom::handshake_refused;
  auto unanswered = listed("ws-extension");
  unanswered.symptom = judge::Symptom::unanswered;
  EXPECT_EQ(expectation_of(case_with("a/b", {refused}), known({unanswered})).expectation,
            Expectation::known);
  std::swap(*unanswered.symptom, refused.symptom);
  EXPECT_EQ(expectation_of(case_with("a/b", {refused}), known({unanswered})).expectation,
            Expectation::unexpected);
}

TEST(Baseline, WordsAndValuesHaveNoPart) {
  auto other = finding("id-echo");
  other.expected = "12";
  other.actual = "13";
  other.particulars = "at byte 7";
  EXPECT_EQ(expectation_of(case_with("a/b", {other}), known({listed("id-echo")})).expectation,
            Expectation::known);
}

TEST(Baseline, OneOfAnOlderVersionIsHeldAgainstRequirementsAndSaysSo) {
  const auto read = read_baseline("known.json", R"({"schema": "jrpcheck-baseline-1", "cases": {
      "a/b": {"reason": "ticket 7", "findings": [{"requirement": "id-echo", "shape": "words"},
                                                 {"requirement": "res-json"}]}}})");
  ASSERT_TRUE(read) << read.error().message;
  const result::Run run = run_of({case_with("a/b", {finding("id-echo"), finding("res-json")})});
  result::Run held = run;
  hold_against(*read, "known.json", false, held);
  EXPECT_EQ(held.cases[0].expected->expectation, Expectation::known);
  ASSERT_EQ(held.notes.size(), 1U);
  EXPECT_NE(held.notes[0].find("known.json is of an older version"), std::string::npos);

  const auto anew = updated_by(run, false, *read);
  EXPECT_FALSE(anew.is_outdated);
  const auto& one = anew.cases.at("a/b");
  EXPECT_EQ(one.reason, "ticket 7");
  EXPECT_EQ(one.findings, (std::vector<KnownFinding>{listed("id-echo"), {"res-json"}}))
      << "what had no words stays loose";
}

TEST(Baseline, WithoutSymptomOrFindingsWhateverIsFoundIsKnown) {
  const auto one = case_with("a/b", {finding("id-echo")});
  EXPECT_EQ(expectation_of(one, known({{"id-echo"}})).expectation, Expectation::known);
  EXPECT_EQ(expectation_of(one, known({})).expectation, Expectation::known);
}

TEST(Baseline, AListedCaseThatPassesOrWarnsIsStale) {
  EXPECT_EQ(expectation_of(case_with("a/b", {}), known({})).expectation, Expectation::stale);
  EXPECT_EQ(expectation_of(case_with("a/b", {finding("id-echo", corpus::Verdict::warn)}),
                           known({listed("id-echo")}))
                .expectation,
            Expectation::stale);
}

TEST(Baseline, ACaseMendedInPartIsStale) {
  const auto expected = expectation_of(case_with("a/b", {finding("id-echo")}),
                                       known({listed("id-echo"), listed("res-version")}));
  EXPECT_EQ(expected.expectation, Expectation::stale);
  EXPECT_NE(expected.detail.find("res-version"), std::string::npos);
}

TEST(Baseline, WhatWasNotExercisedIsNeitherKnownNorStale) {
  auto one = case_with("a/b", {});
  one.verdict = Verdict::not_exercised;
  EXPECT_EQ(expectation_of(one, known({listed("id-echo")})).expectation, Expectation::unchecked);
  result::Run run = run_of({case_with("a/c", {})});
  hold_against({"", false, {{"a/b", known({})}}}, "known.json", false, run);
  conclude(run, true);
  EXPECT_TRUE(run.baseline->holds()) << "a case that did not run is not stale";
}

TEST(Baseline, WarningsCountInStrictRunsAlone) {
  const auto one = case_with("a/b", {finding("id-echo", corpus::Verdict::warn)});
  const auto warned = known({listed("id-echo", corpus::Verdict::warn)});
  EXPECT_EQ(expectation_of(one, warned, true).expectation, Expectation::known);
  EXPECT_EQ(expectation_of(case_with("a/b", {}), warned, true).expectation, Expectation::stale);
  EXPECT_EQ(expectation_of(case_with("a/b", {}), warned, false).detail, "not looked at");
  result::Run run = run_of({one});
  hold_against({}, "known.json", false, run);
  EXPECT_FALSE(run.cases[0].expected);
  hold_against({}, "known.json", true, run);
  EXPECT_EQ(run.cases[0].expected->expectation, Expectation::unexpected);
}

TEST(FlakyCase, MayPassAndMayFailAsListed) {
  auto one = case_with("a/b", {});
  EXPECT_EQ(expectation_of(one, known({listed("id-echo")}, true)).expectation, Expectation::flaky);
  one.tries = {case_with("a/b", {finding("id-echo")}), case_with("a/b", {})};
  const auto expected = expectation_of(one, known({listed("id-echo")}, true));
  EXPECT_EQ(expected.expectation, Expectation::flaky);
  EXPECT_EQ(expected.detail, "failed in 1 of 3 tries");
}

TEST(FlakyCase, ANewKindOfFailureInAnyTryIsUnexpectedAndShown) {
  auto one = case_with("a/b", {finding("id-echo")});
  one.tries = {case_with("a/b", {}), case_with("a/b", {finding("rob-survives")})};
  result::Run run = run_of({one});
  hold_against({"", false, {{"a/b", known({listed("id-echo")}, true)}}}, "known.json", false, run);
  EXPECT_EQ(run.cases[0].expected->expectation, Expectation::unexpected);
  ASSERT_EQ(run.cases[0].findings.size(), 2U);
  EXPECT_EQ(run.cases[0].findings[1].requirement, "rob-survives");
  EXPECT_TRUE(run.cases[0].tries.empty());
}

// Without --strict warnings are asked for nothing, and failures are none of them.
TEST(FlakyCase, AFailureInATryOfWhatIsListedForItsWarningsIsUnexpected) {
  auto one = case_with("a/b", {});
  one.tries = {case_with("a/b", {finding("rob-survives")})};
  result::Run run = run_of({one});
  const auto warns = known({listed("id-echo", corpus::Verdict::warn)}, true);
  hold_against({"", false, {{"a/b", warns}}}, "known.json", false, run);
  ASSERT_TRUE(run.cases[0].expected);
  EXPECT_EQ(run.cases[0].expected->expectation, Expectation::unexpected);
  EXPECT_EQ(run.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(run.verdict, RunVerdict::fails);
}

TEST(UpdatedBaseline, KeepsWhatPeopleWroteAndWhatDidNotRun) {
  auto skipped = case_with("a/skipped", {});
  skipped.verdict = Verdict::not_exercised;
  const result::Run run =
      run_of({case_with("a/fails", {finding("id-echo"), finding("id-echo")}),
              case_with("a/mended", {}), case_with("a/new", {finding("res-version")}), skipped});
  Baseline before{"about this", false, {}};
  for (const auto* id : {"a/fails", "a/mended", "a/skipped", "a/elsewhere"}) {
    before.cases[id] = known({listed("res-json")});
  }
  const auto after = updated_by(run, false, before);
  EXPECT_EQ(after.about, "about this");
  ASSERT_EQ(after.cases.size(), 4U);
  EXPECT_EQ(after.cases.count("a/mended"), 0U);
  EXPECT_EQ(after.cases.at("a/fails").reason, "a reason");
  ASSERT_EQ(after.cases.at("a/fails").findings.size(), 1U);
  EXPECT_EQ(after.cases.at("a/fails").findings[0], listed("id-echo"));
  EXPECT_EQ(after.cases.at("a/new").reason, "");
  EXPECT_EQ(after.cases.at("a/skipped").findings[0].requirement, "res-json");
}

TEST(UpdatedBaseline, KeepsAFlakyCaseThatPassesAndAddsWhatItShows) {
  auto one = case_with("a/b", {finding("rob-survives")});
  const Baseline before{"", false, {{"a/b", known({listed("id-echo")}, true)}}};
  EXPECT_EQ(updated_by(run_of({one}), false, before).cases.at("a/b").findings.size(), 2U);
  EXPECT_EQ(updated_by(run_of({case_with("a/b", {})}), false, before).cases.size(), 1U);
}

TEST(UpdatedBaseline, KeepsEntriesThatAreLooseOnPurpose) {
  const result::Run run = run_of({case_with("a/b", {finding("id-echo")})});
  const Baseline any{"", false, {{"a/b", known({})}}};
  EXPECT_TRUE(updated_by(run, false, any).cases.at("a/b").findings.empty());
  const Baseline loose{"", false, {{"a/b", known({{"id-echo"}})}}};
  EXPECT_FALSE(updated_by(run, false, loose).cases.at("a/b").findings[0].symptom);
}

Run whole_run_of(std::vector<CaseResult> cases) {
  result::Run run = run_of(std::move(cases));
  run.conditions = Conditions{};
  return run;
}

const Baseline kListsUnasked{"", false, {{"dialogue/unasked", known({listed("id-echo")})}}};

TEST(Baseline, ASideDialogueThatShowsNothingInAWholeRunIsStale) {
  result::Run run = whole_run_of({case_with("a/b", {})});
  EXPECT_TRUE(updated_by(run, false, kListsUnasked).cases.empty());
  hold_against(kListsUnasked, "known.json", false, run);
  EXPECT_EQ(run.baseline->stale, 1U);
  EXPECT_EQ(run.counts.pass, 2U);
  EXPECT_EQ(run.cases.back().requirements, std::vector<std::string>{"id-echo"});

  result::Run same = whole_run_of({case_with("dialogue/unasked", {finding("id-echo")})});
  EXPECT_EQ(updated_by(same, false, kListsUnasked).cases.size(), 1U);
  hold_against(kListsUnasked, "known.json", false, same);
  EXPECT_TRUE(same.baseline->holds());
}

TEST(Baseline, OfAPartOfARunNoSideDialogueIsLookedFor) {
  std::vector<result::Run> parts(4, whole_run_of({case_with("a/b", {})}));
  parts[0].conditions->select = {"a/*"};
  parts[1].conditions->skip = {"c/*"};
  parts[2].shard = Shard{0, 2};
  parts[3].interrupted = "interrupted by SIGINT";
  for (auto& run : parts) {
    EXPECT_EQ(updated_by(run, false, kListsUnasked).cases.size(), 1U);
    hold_against(kListsUnasked, "known.json", false, run);
    EXPECT_TRUE(run.baseline->holds());
  }
}

TEST(Baseline, ADialogueThatThisRunDidNotHaveIsNotLookedFor) {
  const Baseline lists{"", false, {{"dialogue/opening", known({listed("id-echo")})}}};
  result::Run without = whole_run_of({case_with("a/b", {})});
  hold_against(lists, "known.json", false, without);
  EXPECT_EQ(without.baseline->stale, 0U);
  result::Run with = whole_run_of({case_with("a/b", {})});
  with.conditions->dialogues = {
      {"dialogue/opening", "What the handshake was answered", {{"{}", {}}}}};
  hold_against(lists, "known.json", false, with);
  EXPECT_EQ(with.baseline->stale, 1U);
}

rc::Gen<Run> any_run() {
  const auto any_finding = rc::gen::map(
      rc::gen::pair(rc::gen::element<std::string>("id-echo", "res-version", "rob-survives"),
                    rc::gen::arbitrary<bool>()),
      [](const auto& pair) {
        return finding(pair.first, pair.second ? corpus::Verdict::fail : corpus::Verdict::warn);
      });
  return rc::gen::map(
      rc::gen::container<std::vector<std::vector<judge::Finding>>>(
          rc::gen::container<std::vector<judge::Finding>>(any_finding)),
      [](const auto& lists) {
        std::vector<CaseResult> cases;
        for (const auto& list : lists) {
          cases.push_back(case_with("a/case-" + std::to_string(cases.size()), list));
        }
        return run_of(std::move(cases));
      });
}

RC_GTEST_PROP(UpdatedBaseline, IsOneThatTheSameRunHoldsAndThatReadsBack, (bool strict)) {
  result::Run run = *any_run();
  const auto baseline = updated_by(run, strict, {});
  const auto read = read_baseline("known.json", write_baseline(baseline));
  RC_ASSERT(static_cast<bool>(read));
  RC_ASSERT(write_baseline(*read) == write_baseline(baseline));
  hold_against(*read, "known.json", strict, run);
  conclude(run, true);
  RC_ASSERT(run.baseline->holds());
  RC_ASSERT(run.baseline->known == read->cases.size());
}

}  // namespace baseline_test
}  // namespace jrpcheck::result
