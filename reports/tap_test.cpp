#include <gtest/gtest.h>

#include <string>

#include "base/contains.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace tap_test {

TEST(Tap, HasAPlanAndALineForEachCase) {
  const std::string text = render_tap(run_for_testing());
  EXPECT_EQ(text.rfind("TAP version 13\n1..5\n", 0), 0U);
  EXPECT_TRUE(contains(text, "\nnot ok 1 - id/number: Title of id/number\n  ---\n"));
  EXPECT_TRUE(contains(text, "      got: '{\"id\":\"1\"}'\n"));
  EXPECT_TRUE(
      contains(text, "\nok 3 - json/comment: Title of json/comment\n  ---\n  severity: warn\n"));
  EXPECT_TRUE(
      contains(text, "\nok 4 - batch/empty: Title of batch/empty # SKIP batches are not served\n"));
}

TEST(Tap, OfVersion14DiffersInTheVersionAlone) {
  const std::string text = render_tap14(run_for_testing());
  EXPECT_EQ(text.rfind("TAP version 14\n", 0), 0U);
  EXPECT_EQ(text.substr(text.find('\n')), render_tap(run_for_testing()).substr(text.find('\n')));
}

TEST(Tap, NothingInADescriptionIsADirective) {
  auto run = run_for_testing();
  run.cases[0].title = "all is well # TODO \\";
  EXPECT_TRUE(contains(render_tap(run), "not ok 1 - id/number: all is well \\# TODO \\\\\n"));
}

TEST(Tap, ARunThatExercisedNothingBailsOut) {
  const std::string text = render_tap(empty_run_for_testing());
  EXPECT_TRUE(contains(text, "\n# cannot connect\nBail out! nothing was exercised\n"));
  auto interrupted = empty_run_for_testing();
  interrupted.interrupted = "interrupted by SIGINT";
  EXPECT_TRUE(contains(render_tap(interrupted), "\nBail out! interrupted by SIGINT\n"));
}

}  // namespace tap_test
}  // namespace jrpcheck::reports
