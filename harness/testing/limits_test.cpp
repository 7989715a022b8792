// What happens where the machine has no more to give.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "testing/judgement_for_testing.hpp"
#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {
namespace limits_test {

Words with_limit(const std::string& limit, const Words& command, const std::string& report) {
  return Words{"/bin/sh", "-c", "ulimit " + limit + "; exec \"$@\"", "sh", jrpcheck_program()} +
         command + Words{"--report", "json=" + report, "--"};
}

void expect_told(const ProgramResult& result, const std::string& what, const std::string& report) {
  EXPECT_EQ(result.exit_code, 4) << result.output << result.error;
  EXPECT_TRUE(contains(result.error, what)) << result.error;
  EXPECT_EQ(read_report(read_file(report)).verdict, "partial");
}

// A command that judges, and what is judged.
struct Judging {
  Words command;
  Words judged;
};

class LimitsOfTheMachine : public ::testing::TestWithParam<Judging> {
 protected:
  const TemporaryFolder folder_;
  const std::string report_ = folder_.file("run.json");
};

TEST_P(LimitsOfTheMachine, TooFewDescriptorsAreToldAndTheReportIsWritten) {
  const auto result =
      run_program(with_limit("-n 12", GetParam().command, report_) + GetParam().judged);
  expect_told(result, ": Too many open files", report_);
}

// Nobody, as root has no such limit.
TEST_P(LimitsOfTheMachine, TooFewProcessesAreToldAndTheReportIsWritten) {
  const Words as_nobody = {"setpriv", "--reuid", "65534", "--clear-groups"};
  if (run_program(as_nobody + Words{jrpcheck_program(), "--version"}).exit_code != 0) {
    GTEST_SKIP() << "the program cannot be run as another user";
  }
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  const auto result =
      run_program(as_nobody + with_limit("-p 2", GetParam().command, report_) + GetParam().judged);
  expect_told(result, "Resource temporarily unavailable", report_);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, LimitsOfTheMachine,
    ::testing::Values(Judging{{"run"}, {reference_program(), "--stdio"}},
                      Judging{{"fuzz"}, {reference_program(), "--stdio"}},
                      Judging{{"fuzz", "--client"}, {reference_program(), "--client"}},
                      Judging{{"properties"}, {reference_program(), "--stdio"}},
                      Judging{{"client"}, {reference_program(), "--client"}},
                      Judging{{"client", "--profile", "mcp"},
                              {reference_program(), "--client", "--mcp", "2025-06-18"}},
                      Judging{{"watch"}, {reference_program(), "--stdio"}}));

TEST(LimitsOfTheDisk, WhatCannotBePrintedIsTold) {
  for (const std::string command : {"explain id-echo", "list cases", "--help"}) {
    const auto printed_to = [&command](const std::string& place) {
      return run_program({"/bin/sh", "-c", jrpcheck_program() + " " + command + place});
    };
    const auto full = printed_to(" >/dev/full");
    EXPECT_EQ(full.exit_code, 4) << command;
    EXPECT_TRUE(contains(full.error, "standard output cannot be written to")) << full.error;
    EXPECT_EQ(printed_to(" >&-").exit_code, 0) << command;
  }
}

// Whoever runs the tests may have left some open.
const Words kWithNoneOpen = {"/bin/sh", "-c",
                             "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec \"$@\"", "sh"};

// Before there is a process that judges.
TEST(LimitsOfWatch, ADescriptorTooFewForItsPipeIsToldAndTheReportIsWritten) {
  const TemporaryFolder folder;
  const std::string report = folder.file("run.json");
  const auto result = run_program(kWithNoneOpen + with_limit("-n 4", {"watch"}, report) +
                                  Words{reference_program(), "--stdio"});
  expect_told(result, ": Too many open files; nothing more is judged", report);
}

// The report takes the descriptor that the recording has had.
TEST(LimitsOfWatch, ARecordingThatTakesTheLastDescriptorLeavesItToTheReport) {
  const TemporaryFolder folder;
  const std::string report = folder.file("run.json");
  const Words watch = {"watch", "--record", folder.file("traffic.jsonl")};
  const auto result = run_program(kWithNoneOpen + with_limit("-n 5", watch, report) +
                                  Words{reference_program(), "--stdio"});
  expect_told(result, ": Too many open files", report);
}

TEST(LimitsOfMethods, TooFewDescriptorsAreToldAsOtherCommandsTellIt) {
  const auto result =
      run_program(Words{"/bin/sh", "-c", "ulimit -n 12; exec \"$@\"", "sh", jrpcheck_program(),
                        "methods", "--", reference_program(), "--stdio"});
  EXPECT_EQ(result.exit_code, 4) << result.error;
  EXPECT_TRUE(contains(result.error, "jrpcheck cannot go on: ")) << result.error;
  EXPECT_TRUE(contains(result.error, ": Too many open files")) << result.error;
}

class LimitsOfMemory : public LimitsOfTheMachine {};

// Who is judged is given what jrpcheck is denied. Where there is no room for the stack of a thread,
// that is told as a lack of threads; libFuzzer may give up by itself; more is enough for a run, but
// not for the report on it.
TEST_P(LimitsOfMemory, TooLittleIsToldAndTheReportIsWritten) {
  Words judged = GetParam().judged;
  const std::string program = judged.front();
  judged.erase(judged.begin());
  for (const char* kibibytes : {"68000", "76000", "85000", "92000"}) {
    SCOPED_TRACE(kibibytes);
    const std::string report = folder_.file(std::string(kibibytes) + ".json");
    const auto result = run_program(
        with_limit(std::string("-S -v ") + kibibytes, GetParam().command, report) +
        Words{"/bin/sh", "-c", "ulimit -S -v unlimited; exec \"$0\" \"$@\"", program} + judged);
    const bool is_of_threads = contains(result.error, "no more processes or threads are to be had");
    const bool is_of_engine = contains(result.error, "as it does where memory lacks");
    const std::string other = is_of_threads ? "jrpcheck cannot go on" : "libFuzzer ended before";
    expect_told(result, is_of_threads || is_of_engine ? other : "jrpcheck has run out of memory",
                report);
  }
}

// A server that says 12 MiB at once.
Words talking() {
  return {"/bin/sh", "-c",
          R"(printf '{"jsonrpc":"2.0","id":1,"result":1}\n{"jsonrpc":"2.0","id":1,"result":"')"
          R"(; head -c 12582912 /dev/zero | tr '\0' x; printf '"}\n')"};
}

INSTANTIATE_TEST_SUITE_P(Commands, LimitsOfMemory,
                         ::testing::Values(Judging{{"run"}, {reference_program(), "--stdio"}},
                                           Judging{{"fuzz"}, {reference_program(), "--stdio"}},
                                           Judging{{"fuzz", "--client"},
                                                   {reference_program(), "--client"}},
                                           Judging{{"client"}, {reference_program(), "--client"}},
                                           Judging{{"watch"}, talking()}));

TEST(LimitsOfProperties, TooLittleMemoryIsToldAndTheReportIsWritten) {
  const TemporaryFolder folder;
  const std::string report = folder.file("run.json");
  const auto result = run_program(with_limit("-S -v 65000", {"properties"}, report) +
                                  Words{reference_program(), "--stdio"});
  expect_told(result, "jrpcheck has run out of memory", report);
}

TEST(LimitsOfJudge, TooLittleMemoryIsToldAndTheReportIsWritten) {
  const TemporaryFolder folder;
  const std::string report = folder.file("run.json");
  const std::string capture = folder.file("large.har");
  write_file(capture, R"({"log":{"entries":[)" + std::string(64U << 20, ' ') + "]}}");
  const auto result =
      run_program({"/bin/sh", "-c", "ulimit -S -v 88000; exec \"$@\"", "sh", jrpcheck_program(),
                   "judge", "--report", "json=" + report, capture});
  expect_told(result, "jrpcheck has run out of memory", report);
}

}  // namespace limits_test
}  // namespace jrpcheck::testing
