// What a person sees on a terminal: while a run goes on, and when it is over.
#include <gtest/gtest.h>

#include <algorithm>

#include "testing/judgement_for_testing.hpp"
#include "testing/terminal_for_testing.hpp"

namespace jrpcheck::testing {
namespace screen_test {

TEST(LiveLine, TellsWhatIsWaitedForAndForHowLong) {
  const auto result =
      run_on_terminal({jrpcheck_program(), "run", "--", "/bin/sleep", "100"}, "1 s of 20 s");
  EXPECT_TRUE(contains(result.shown, "starting /bin/sleep, 0 s of 20 s")) << result.shown;
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
      run_program({jrpcheck_program(), "run", "--max-time", "6", "--", "/bin/sleep", "100"});
  EXPECT_TRUE(contains(log.error, "jrpcheck: starting /bin/sleep, ")) << log.error;
  EXPECT_FALSE(contains(log.error, "\r"));
  EXPECT_LE(std::count(log.error.begin(), log.error.end(), '\n'), 3) << log.error;
}

TEST(LastScreen, EndsWithTheAnswerAndWhatToDoNext) {
  const TemporaryFolder folder;
  const auto result = run_on_terminal(
      Words{jrpcheck_program(), "run", "--report", "json=" + folder.file("r.json")} +
      on_stdio("omits-version"));
  EXPECT_EQ(result.exit_code, 1);
  const auto lines = lines_left(result.shown);
  const auto answer =
      std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("fails  "); });
  ASSERT_NE(answer, lines.end()) << result.shown;
  EXPECT_LT(lines.end() - answer, 16) << "it is at the end";
  std::string rest;
  for (auto line = answer; line != lines.end(); ++line) rest += *line + "\n";
  EXPECT_TRUE(contains(rest, "  FAIL  res-version: ")) << rest;
  EXPECT_TRUE(contains(rest, "report  json ")) << rest;
  EXPECT_TRUE(contains(rest, "next    jrpcheck explain res-version\n")) << rest;
  for (const auto& line : lines) EXPECT_LE(line.size(), 80U) << line;
}

TEST(AnError, IsWrappedAtWordsAndWhatIsToBeCopiedStaysWhole) {
  const auto result = run_on_terminal({jrpcheck_program(), "run", "--start-timeout", "0.2",
                                       "--timeout", "0.2", "--", "/bin/sleep", "100"});
  EXPECT_EQ(result.exit_code, 3);
  std::string said;
  for (const auto& line : lines_left(result.shown)) {
    EXPECT_LE(line.size(), 80U) << line;
    said += line + " ";
  }
  EXPECT_TRUE(contains(said, "the server has never answered: nothing has come in ")) << said;
  const auto unknown = run_on_terminal({jrpcheck_program(), "run", "node", "server.js"});
  EXPECT_TRUE(contains(unknown.shown, "jrpcheck run -- node server.js")) << unknown.shown;
}

}  // namespace screen_test
}  // namespace jrpcheck::testing
