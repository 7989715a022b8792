// Runs that are interrupted, and reports that cannot be written: what there is to tell is told.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace interruption_test {

using Json = nlohmann::json;

// Answers some calls, says a word and then nothing any more.
Words server_that_falls_silent() {
  return {"--", "/bin/sh", "-c",
          "sed -u 40q | " + misbehaving_program() +
              " --omits-version; echo enough >&9; exec sleep 600"};
}

class InterruptedRun : public ::testing::TestWithParam<int> {
 protected:
  Words reports() const {
    Words words;
    for (const std::string format :
         {"json", "html", "junit", "sarif", "tap", "markdown", "badge"}) {
      words.insert(words.end(), {"--report", format + "=" + folder_.file("run." + format)});
    }
    return words;
  }
  std::string report(const std::string& format) const {
    return read_file(folder_.file("run." + format));
  }

  TemporaryFolder folder_;
};

TEST_P(InterruptedRun, WritesItsReportsAndEndsItsServers) {
  RunningProgram program(Words{jrpcheck_program(), "run", "--timeout", "60", "--profile",
                               "jsonrpc-2.0", "--framing", "lines"} +
                         reports() + server_that_falls_silent());
  ASSERT_TRUE(program.await_word());
  program.send_signal(GetParam());
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + GetParam()) << result.error;
  EXPECT_FALSE(result.left_processes);
  const std::string words =
      GetParam() == SIGINT ? "interrupted by SIGINT" : "interrupted by SIGTERM";
  EXPECT_TRUE(contains(result.output, "partial: " + words)) << result.output;
  for (const std::string format : {"json", "html", "junit", "sarif", "tap", "markdown"}) {
    EXPECT_TRUE(contains(report(format), words)) << format;
  }
  EXPECT_TRUE(contains(report("badge"), "interrupted"));

  auto judgement = read_report(report("json"));
  EXPECT_GT(judgement.counts["not-exercised"], 100);
  for (const auto& one : judgement.cases) {
    const bool settled = one.verdict != "not-exercised";
    for (const auto& finding : one.findings) {
      EXPECT_EQ(finding.requirement, "res-version") << one.id << ": waiting was cut short";
    }
    EXPECT_TRUE(settled || !one.reason.empty()) << one.id;
  }
}

INSTANTIATE_TEST_SUITE_P(, InterruptedRun, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& param_info) {
                           return param_info.param == SIGINT ? "BySigint" : "BySigterm";
                         });

TEST(InterruptedRunStart, BeforeTheServerListensIsToldAsSuch) {
  const TemporaryFolder folder;
  RunningProgram program({jrpcheck_program(), "run", "--timeout", "60", "--report",
                          "json=" + folder.file("run.json"),
                          "http://127.0.0.1:" + std::to_string(free_port()) + "/", "--", "/bin/sh",
                          "-c", "echo started >&9; exec sleep 600"});
  ASSERT_TRUE(program.await_word());
  program.send_signal(SIGTERM);
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + SIGTERM);
  EXPECT_FALSE(result.left_processes);
  EXPECT_TRUE(contains(result.error, "interrupted by SIGTERM before the target was reached"))
      << result.error;
  EXPECT_EQ(read_report(read_file(folder.file("run.json"))).verdict, "partial");
}

TEST(ARunWhoseTimeIsUp, TellsWhatWasSettledAndChargesNothingToTheServer) {
  const TemporaryFolder folder;
  const auto result =
      run_program({jrpcheck_program(), "run", "--timeout", "60", "--max-time", "3", "--framing",
                   "lines", "--report", "json=" + folder.file("run.json"), "--", "/bin/sh", "-c",
                   "sed -u 40q | " + reference_program() + " --stdio; exec sleep 600"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "partial: stopped by --max-time after ")) << result.output;
  EXPECT_FALSE(result.left_processes);
  auto judgement = read_report(read_file(folder.file("run.json")));
  EXPECT_EQ(judgement.verdict, "partial");
  EXPECT_GT(judgement.counts["pass"], 0);
  EXPECT_GT(judgement.counts["not-exercised"], 100);
}

// Each answer is right, and takes a second: the time is up among the first calls.
TEST(ARunWhoseTimeIsUp, FailsNoServerThatWasAboutToAnswer) {
  for (const std::string seconds : {"5", "7", "9"}) {
    const TemporaryFolder folder;
    const auto result = run_program(
        {jrpcheck_program(), "run", "--max-time", seconds, "--framing", "lines", "--report",
         "json=" + folder.file("run.json"), "--", "/bin/sh", "-c",
         "while IFS= read -r line; do sleep 1; printf '%s\\n' \"$line\" | \"$0\" --stdio; done",
         reference_program()});
    auto judgement = read_report(read_file(folder.file("run.json")));
    EXPECT_EQ(judgement.counts["fail"], 0) << result.output;
    EXPECT_EQ(judgement.verdict, "partial");
    EXPECT_FALSE(result.left_processes);
  }
}

TEST(ARunWhoseTimeIsUp, BeforeTheServerListensIsUnreached) {
  const auto result = run_program({jrpcheck_program(), "run", "--timeout", "60", "--max-time", "1",
                                   "http://127.0.0.1:" + std::to_string(free_port()) + "/", "--",
                                   "/bin/sh", "-c", "exec sleep 600"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.left_processes);
  EXPECT_TRUE(contains(result.error, "stopped by --max-time before the target was reached"))
      << result.error;
}

// The server takes no notice of the end of its input, nor of SIGTERM.
TEST(InterruptedTwice, TheRunEndsWithItsServers) {
  RunningProgram program({jrpcheck_program(), "run", "--timeout", "60", "--framing", "lines", "--",
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

// In sessions of their own, without a parent, and deaf to all but SIGKILL.
constexpr const char* kServerWithDaemons =
    "(trap '' TERM HUP INT; setsid sleep 600 & setsid sh -c 'sleep 600 & exit' &) ; exec \"$0\" "
    "--stdio";

TEST(KilledAtAnyMoment, TheRunLeavesNothingBehind) {
  for (int i = 0; i < 40; ++i) {
    RunningProgram program({jrpcheck_program(), "run", "--framing", "lines", "--", "/bin/sh", "-c",
                            kServerWithDaemons, reference_program()});
    // From before anything has been started until cases run.
    ::poll(nullptr, 0, 7 * i);
    program.send_signal(SIGKILL);
    const auto result = program.finish();
    EXPECT_FALSE(result.left_processes) << "after " << 7 * i << " ms";
  }
}

TEST(ARunThatEnds, LeavesNoDaemonOfItsServer) {
  const auto result =
      run_program({jrpcheck_program(), "run", "--quiet", "--select", "batch/*", "--framing",
                   "lines", "--", "/bin/sh", "-c", kServerWithDaemons, reference_program()});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_FALSE(result.left_processes);
}

// More than a pipe holds: the report waits for a reader until the signal.
TEST(AReportThatNobodyReads, IsGivenUpAndTheOthersAreWritten) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  const int unread = ::open(folder.file("pipe").c_str(), O_RDWR | O_CLOEXEC);
  RunningProgram program(Words{jrpcheck_program(), "run", "--report", "html=" + folder.file("pipe"),
                               "--report", "json=" + folder.file("run.json")} +
                         Words{"--", reference_program(), "--stdio"});
  pollfd polled{unread, POLLIN, 0};
  ASSERT_EQ(::poll(&polled, 1, 60'000), 1);
  program.send_signal(SIGINT);
  const auto result = program.finish();
  ::close(unread);
  EXPECT_EQ(result.exit_code, 128 + SIGINT);
  EXPECT_TRUE(contains(result.error, "Interrupted system call")) << result.error;
  EXPECT_EQ(read_report(read_file(folder.file("run.json"))).verdict, "conforms");
}

TEST(ReportsThatCannotBeWritten, AreNamedAndHideNeitherTheVerdictNorTheOthers) {
  const TemporaryFolder folder;
  const auto result =
      run_program(Words{jrpcheck_program(), "run", "--select", "calibration/*", "--report",
                        "html=/dev/full", "--report", "junit=/nowhere/run.xml", "--report",
                        "tap=" + folder.path(), "--report", "json=" + folder.file("run.json")} +
                  on_stdio("swaps-codes"));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.output, "fails  ")) << result.output;
  EXPECT_TRUE(contains(result.error, "'/dev/full' cannot be written: No space left on device"));
  EXPECT_TRUE(contains(result.error, "'/nowhere/run.xml' cannot be written: No such file"));
  EXPECT_TRUE(contains(result.error, "cannot be written: Is a directory")) << result.error;
  EXPECT_EQ(read_report(read_file(folder.file("run.json"))).verdict, "fails");
}

TEST(ReportsThatCannotBeWritten, LeaveNoHalfReportWhereTheDiskIsFull) {
  const TemporaryFolder folder;
  write_file(folder.file("run.json"), "the report before");
  const auto result =
      run_program(Words{"/bin/sh", "-c", "ulimit -f 8; exec \"$@\"", "sh", jrpcheck_program(),
                        "run", "--select", "batch/*", "--report", "json=" + folder.file("run.json"),
                        "--report", "badge=" + folder.file("badge.json")} +
                  on_stdio("swaps-codes"));
  EXPECT_EQ(result.exit_code, 4) << result.error;
  EXPECT_TRUE(contains(result.error, "File too large")) << result.error;
  EXPECT_TRUE(contains(result.output, "fails  ")) << result.output;
  EXPECT_EQ(read_file(folder.file("run.json")), "the report before");
  EXPECT_TRUE(contains(read_file(folder.file("badge.json")), "schemaVersion"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST(ReportsThatCannotBeWritten, AVerdictThatStandardOutputDoesNotTakeGoesToStandardError) {
  const auto result = run_program({"/bin/sh", "-c",
                                   jrpcheck_program() + " run --quiet --select batch/empty -- " +
                                       misbehaving_program() + " --ordinary >/dev/full"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.error, "standard output cannot be written to"));
  EXPECT_TRUE(contains(result.error, "1 passed")) << result.error;
}

TEST(Reports, GoThroughPipesAndToStandardOutput) {
  const TemporaryFolder folder;
  const auto result = run_program(
      {"/bin/sh", "-c",
       "mkfifo \"$1\"; cat \"$1\" >\"$1.read\" & " + jrpcheck_program() +
           " run --select batch/empty --report json=\"$1\" --report tap=/dev/stdout -- " +
           misbehaving_program() + " --ordinary; wait",
       "sh", folder.file("pipe")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(result.output.rfind("TAP version 13\n", 0), 0U) << result.output;
  EXPECT_EQ(read_report(read_file(folder.file("pipe.read"))).counts["pass"], 1);
}

}  // namespace interruption_test
}  // namespace jrpcheck::testing
