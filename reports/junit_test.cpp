#include <gtest/gtest.h>

#include <string>

#include "base/contains.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace junit_test {

// From the opening tag of that case to its end.
std::string element_of(const std::string& id, const std::string& text) {
  const auto name = text.find("name=\"" + id + "\"");
  if (name == std::string::npos) return "";
  const auto begin = text.rfind("<testcase", name);
  return text.substr(begin, text.find("</testcase>", begin) - begin);
}

TEST(JUnit, ClassesAreSuitesWithTheirNumbers) {
  const std::string text = render_junit(run_for_testing());
  EXPECT_TRUE(
      contains(text, "<testsuites name=\"jrpcheck\" tests=\"5\" failures=\"2\" errors=\"0\""));
  EXPECT_TRUE(contains(text,
                       "<testsuite name=\"jrpcheck.core\" tests=\"5\" failures=\"2\" errors=\"0\" "
                       "skipped=\"1\" time=\"0.007500\" timestamp=\"2026-01-02T03:04:05\">"));
}

TEST(JUnit, AFailureShowsWhatWasSentExpectedAndGot) {
  const std::string failed = element_of("id/number", render_junit(run_for_testing()));
  EXPECT_TRUE(contains(failed, "classname=\"jrpcheck.core.id\""));
  EXPECT_TRUE(contains(failed, "<failure message=\"id-echo: The Response has the wrong id.\""));
  EXPECT_TRUE(contains(failed, "sent:     {&quot;id&quot;:1}\n"));
  EXPECT_TRUE(contains(failed, "expected: an error with id 1\n"));
  EXPECT_TRUE(contains(failed, "got:      {&quot;id&quot;:&quot;1&quot;}\n"));
  EXPECT_TRUE(contains(failed, "try:      printf"));
  EXPECT_TRUE(contains(failed, "0.020 ms  received  {&quot;id&quot;:&quot;1&quot;}\n"));
}

TEST(JUnit, AWarningIsNoFailureAndIsTold) {
  const std::string warned = element_of("json/comment", render_junit(run_for_testing()));
  EXPECT_FALSE(contains(warned, "<failure"));
  EXPECT_FALSE(contains(warned, "<skipped"));
  EXPECT_TRUE(contains(warned, "WARNING json-extensions (warn): A comment is accepted."));
}

TEST(JUnit, WhatWasNotExercisedIsSkippedWithItsReason) {
  const std::string skipped = element_of("batch/empty", render_junit(run_for_testing()));
  EXPECT_TRUE(contains(skipped, "<skipped message=\"batches are not served\"/>"));
}

TEST(JUnit, ARunThatExercisedNothingHoldsAnError) {
  const std::string text = render_junit(empty_run_for_testing());
  EXPECT_TRUE(contains(text, "tests=\"6\" failures=\"0\" errors=\"1\""));
  EXPECT_TRUE(contains(text, "<error message=\"nothing was exercised\""));
}

TEST(JUnit, WhatTurnsTheDirectionOfWritingIsVisibleInAttributesToo) {
  auto run = run_for_testing();
  const std::string turned = "\xE2\x80\xAE";
  run.interrupted = run.notes.emplace_back("x" + turned);
  for (auto& one : run.cases) {
    one.title += turned;
    if (!one.reason.empty()) one.reason += turned;
    for (auto& finding : one.findings) finding.particulars += turned;
  }
  EXPECT_FALSE(contains(render_junit(run), turned));
}

TEST(JUnit, LongMessagesAreCutSoThatCiServersKeepThem) {
  EXPECT_LT(render_junit(hostile_run_for_testing()).size(), 400'000U);
}

}  // namespace junit_test
}  // namespace jrpcheck::reports
