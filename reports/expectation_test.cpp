#include "reports/expectation.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/contains.hpp"
#include "reports/report.hpp"
#include "reports/run_for_testing.hpp"
#include "reports/run_reader.hpp"
#include "result/conclude.hpp"

namespace jrpcheck::reports {
namespace expectation_test {

using result::Expectation;
using result::Expected;

/// The two failures of run_for_testing() are known, one of them as flaky.
result::Run known_run() {
  auto run = run_for_testing();
  run.baseline = result::BaselineSummary{"known.json"};
  run.cases[0].expected = Expected{Expectation::known, "ticket 7", ""};
  run.cases[1].expected = Expected{Expectation::flaky, "", "failed in 1 of 3 tries"};
  result::count_expectations(run);
  return run;
}

/// One is not listed, and a case that passes is.
result::Run surprising_run() {
  auto run = known_run();
  run.cases[1].expected = Expected{Expectation::unexpected, "", "is not listed"};
  run.cases[4].expected = Expected{Expectation::stale, "", "does not fail any more"};
  result::count_expectations(run);
  return run;
}

result::Run interrupted_run() {
  auto run = run_for_testing();
  run.interrupted = "interrupted by SIGINT after 4 of 5 cases";
  return run;
}

std::string console(const result::Run& run) { return render_console(run, {}); }

TEST(KnownFailures, AreShownAsSuchInEveryFormat) {
  const auto run = known_run();
  const std::string summary =
      "as the baseline known.json says: 1 known failure, 1 known to be flaky";
  EXPECT_TRUE(contains(console(run), summary)) << console(run);
  EXPECT_TRUE(contains(console(run), "KNOWN  id-echo"));
  EXPECT_TRUE(contains(console(run), "id/number: ticket 7"));
  EXPECT_TRUE(contains(console(run), "2 failed")) << "known failures are not hidden";
  EXPECT_TRUE(contains(render_html(run), summary));
  EXPECT_TRUE(contains(render_html(run), R"("expectation":"known","reason":"ticket 7")"));
  EXPECT_TRUE(contains(render_markdown(run), "(known)"));
  EXPECT_TRUE(contains(render_markdown(run), "known failure: ticket 7"));
  EXPECT_TRUE(contains(render_tap(run),
                       "not ok 1 - id/number: Title of id/number # TODO known "
                       "failure: ticket 7\n"));
  EXPECT_TRUE(contains(render_badge(run), R"("fails 1 requirement, known")"));
  EXPECT_TRUE(contains(render_badge(run), R"("isError":false)"));
}

TEST(KnownFailures, AreSkippedTestsInJunit) {
  const auto junit = render_junit(known_run());
  EXPECT_FALSE(contains(junit, "<failure"));
  EXPECT_TRUE(contains(junit, R"(<skipped message="known failure: ticket 7"/>)"));
  EXPECT_TRUE(contains(junit, "FAILURE id-echo (fail)"));
  EXPECT_TRUE(contains(junit, R"(failures="0")"));
  EXPECT_TRUE(contains(junit, R"(skipped="3")"));
}

TEST(KnownFailures, AreSuppressedResultsInSarif) {
  const auto run = nlohmann::json::parse(render_sarif(known_run()))["runs"][0];
  for (const auto& each : run["results"]) EXPECT_TRUE(each.contains("suppressions"));
  EXPECT_EQ(run["results"][0]["baselineState"], "unchanged");
  EXPECT_EQ(run["results"][0]["suppressions"][0]["justification"], "known failure: ticket 7");
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["level"], "note");
}

TEST(Surprises, AreFailuresInEveryFormat) {
  const auto run = surprising_run();
  const std::string summary =
      "differs from the baseline known.json: 1 unexpected, 1 stale, 1 known failure";
  const std::string stale = "request/unknown-method does not fail any more";
  for (const auto& text : {console(run), render_html(run), render_tap(run), render_sarif(run)}) {
    EXPECT_TRUE(contains(text, summary)) << text.substr(0, 400);
    EXPECT_TRUE(contains(text, stale)) << text.substr(0, 400);
  }
  EXPECT_TRUE(contains(render_markdown(run), "1 unexpected, 1 stale"));
  EXPECT_TRUE(contains(console(run), "unexpected: is not listed"));
  EXPECT_TRUE(contains(render_tap(run), "not ok 5 - request/unknown-method"));
  EXPECT_TRUE(contains(render_badge(run), R"("isError":true)"));
  const auto junit = render_junit(run);
  EXPECT_TRUE(contains(junit, R"(failures="2")"));
  EXPECT_TRUE(
      contains(junit, R"(message="stale in the baseline: does not fail any more" type="stale")"));
}

TEST(AnInterruptedRun, IsPartialInEveryFormat) {
  const auto run = interrupted_run();
  const std::string words = "interrupted by SIGINT after 4 of 5 cases";
  for (const auto& format : kFormats) {
    const auto text = format.render(run);
    EXPECT_TRUE(contains(text, format.name.substr(0, 5) == "badge" ? "interrupted" : words))
        << format.name;
  }
  EXPECT_TRUE(contains(console(run), "partial: " + words));
  EXPECT_TRUE(contains(render_console(run, {false, true, false}), "partial: " + words));
  EXPECT_TRUE(contains(render_badge_svg(run), "interrupted"));
  EXPECT_TRUE(contains(render_junit(run), R"(errors="1")"));
  EXPECT_TRUE(contains(render_tap(run), "Bail out! " + words));
  EXPECT_TRUE(contains(render_sarif(run), R"("executionSuccessful": false)"));
}

TEST(AShard, SaysSoAndIsNoFailureWhenItIsEmpty) {
  auto run = run_for_testing();
  run.shard = result::Shard{1, 4};
  EXPECT_TRUE(contains(console(run), "This is shard 1 of 4"));
  run.cases.clear();
  result::conclude(run, false);
  EXPECT_FALSE(contains(render_junit(run), "<error"));
  EXPECT_TRUE(contains(render_tap(run), "1..0 # SKIP"));
  EXPECT_FALSE(contains(render_tap(run), "Bail out"));
}

TEST(StoredRuns, KeepExpectationsShardsAndInterruptions) {
  auto run = surprising_run();
  run.shard = result::Shard{0, 2};
  run.interrupted = "interrupted by SIGTERM";
  const auto text = render_json(run);
  const auto read = read_run("run.json", text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(render_json(*read), text);
  EXPECT_EQ(read->baseline->unexpected, 1U);
  auto broken = text;
  broken.replace(broken.find("\"index\": 0"), 10, "\"index\": 2");
  EXPECT_FALSE(read_run("run.json", broken));
}

}  // namespace expectation_test
}  // namespace jrpcheck::reports
