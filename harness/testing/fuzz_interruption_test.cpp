// jrpcheck fuzz and replay, interrupted.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "testing/fuzz_for_testing.hpp"

namespace jrpcheck::testing {
namespace fuzz_interruption_test {

class InterruptedFuzz : public ::testing::TestWithParam<int> {};

TEST_P(InterruptedFuzz, TellsAndWritesWhatItHasFound) {
  const TemporaryFolder folder;
  RunningProgram program({JRPCHECK_PROGRAM, "fuzz", "--max-time", "0", "--keep-going", "--report",
                          "json=" + folder.file("found.json"), "--findings", folder.path(), "--",
                          REFERENCE_PROGRAM, "--stdio", "--fault", "batch-empty-answered-empty"});
  ASSERT_TRUE(program.await_output("  stored    "));
  program.send_signal(GetParam());
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + GetParam()) << result.output << result.error;
  EXPECT_FALSE(result.left_processes);
  const std::string words =
      GetParam() == SIGINT ? "interrupted by SIGINT after" : "interrupted by SIGTERM after";
  EXPECT_TRUE(contains(result.output, "partial: " + words)) << result.output;
  EXPECT_TRUE(contains(read_file(folder.file("found.json")), "\"interrupted\": \"" + words));
  EXPECT_TRUE(contains(read_file(folder.file("found.json")), "fuzz/bat-empty-"));
}

INSTANTIATE_TEST_SUITE_P(, InterruptedFuzz, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& one) {
                           return one.param == SIGINT ? "BySigint" : "BySigterm";
                         });

// Answers so many lines, says so and then nothing any more.
Words server_that_falls_silent(const std::string& lines) {
  return {"--", "/bin/sh", "-c",
          "sed -u " + lines + "q | " + REFERENCE_PROGRAM +
              " --stdio; read -r line || exit 0; echo enough >&9; exec sleep 600"};
}

// Every wait ends then as if the server had not answered.
TEST(Fuzz, AnInterruptionOfAWaitIsNoFinding) {
  const TemporaryFolder folder;
  Words words = {JRPCHECK_PROGRAM, "fuzz",
                 "--max-time",     "0",
                 "--timeout",      "600",
                 "--framing",      "lines",
                 "--report",       "json=" + folder.file("run.json"),
                 "--findings",     folder.path()};
  for (const auto& word : server_that_falls_silent("400")) words.push_back(word);
  RunningProgram program(words);
  ASSERT_TRUE(program.await_word());
  program.send_signal(SIGINT);
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + SIGINT) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "\n0 findings\n")) << result.output << result.error;
  EXPECT_FALSE(contains(result.output, "not confirmed")) << result.output;
  EXPECT_FALSE(contains(read_file(folder.file("run.json")), "was lost"));
  EXPECT_EQ(files_in(folder.path()).size(), 1U) << "the report alone";
  EXPECT_FALSE(result.left_processes);
}

// The server takes no notice of the end of its input, nor of SIGTERM.
TEST(Fuzz, InterruptedTwiceEndsWithItsServers) {
  RunningProgram program({JRPCHECK_PROGRAM, "fuzz", "--timeout", "60", "--framing", "lines", "--",
                          "/bin/sh", "-c",
                          "trap '' TERM; echo started >&9; while :; do sleep 1; done"});
  ASSERT_TRUE(program.await_word());
  program.send_signal(SIGINT);
  program.send_signal(SIGTERM);
  const auto result = program.finish();
  EXPECT_TRUE(result.exit_code == 128 + SIGINT || result.exit_code == 128 + SIGTERM)
      << result.exit_code;
  EXPECT_FALSE(result.left_processes);
}

TEST(Replay, InterruptedSaysNeitherFixedNorFailed) {
  const TemporaryFolder folder;
  const std::string file = stored_finding(folder, "batch-empty-answered-empty");
  Words words = {JRPCHECK_PROGRAM, "replay", file, "--timeout", "600", "--framing", "lines"};
  for (const auto& word : server_that_falls_silent("1")) words.push_back(word);
  RunningProgram program(words);
  ASSERT_TRUE(program.await_word());
  program.send_signal(SIGTERM);
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + SIGTERM) << result.output << result.error;
  EXPECT_EQ(result.output.rfind("ERROR", 0), 0U) << result.output;
  EXPECT_TRUE(contains(result.error, "interrupted by SIGTERM")) << result.error;
  EXPECT_FALSE(result.left_processes);
}

}  // namespace fuzz_interruption_test
}  // namespace jrpcheck::testing
