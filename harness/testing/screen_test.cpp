// What a person sees on a terminal: while a run goes on, and when it is over.
#include <gtest/gtest.h>

#include <algorithm>

#include "testing/judgement_for_testing.hpp"
#include "testing/terminal_for_testing.hpp"

namespace jrpcheck::testing {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(LiveLine, TellsWhatIsWaitedForAndForHowLong) {
  const auto result =
      run_on_terminal({jrpcheck_program(), "run", "--", "/bin/sleep", "100"}, "1 s of 60 s");
  EXPECT_TRUE(contains(result.shown, "starting /bin/sleep, 0 s of 60 s")) << result.shown;
  EXPECT_EQ(result.exit_code, 130);
  for (const auto& line : lines_left(result.shown)) EXPECT_LE(line.size(), 80U) << line;
}

TEST(LiveLine, TellsHowManyCasesHaveRunAndFailed) {
  const auto result =
      run_on_terminal(Words{jrpcheck_program(), "run"} + on_stdio("omits-version"), " cases, ");
  EXPECT_TRUE(contains(result.shown, " failed, ")) << result.shown;
}

TEST(LiveLine, LeavesNothingBehindAndIsNotThereWhenNobodyWantsIt) {
  const Words words = {"--max-time", "1", "--", "/bin/sleep", "100"};
  const auto quiet = run_on_terminal(Words{jrpcheck_program(), "run", "--quiet"} + words);
  EXPECT_FALSE(contains(quiet.shown, "starting")) << quiet.shown;
  const auto live = run_on_terminal(Words{jrpcheck_program(), "run"} + words);
  EXPECT_TRUE(contains(live.shown, "starting")) << live.shown;
  for (const auto& line : lines_left(live.shown)) {
    EXPECT_FALSE(contains(line, "starting")) << line;
  }
}

TEST(LiveLine, IsALineNowAndThenWhereThereIsNoTerminal) {
  const auto log =
      run_program({jrpcheck_program(), "run", "--max-time", "3", "--", "/bin/sleep", "100"});
  EXPECT_TRUE(contains(log.error, "jrpcheck: starting /bin/sleep, ")) << log.error;
  EXPECT_FALSE(contains(log.error, "\r"));
  EXPECT_LE(std::count(log.error.begin(), log.error.end(), '\n'), 3) << log.error;
}

}  // namespace
}  // namespace jrpcheck::testing
