// What happens where the machine has no more to give.
#include <gtest/gtest.h>

#include <string>

#include "testing/judgement_for_testing.hpp"
#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {
namespace limits_test {

Words with_limit(const std::string& limit, const std::string& report) {
  return {"/bin/sh",
          "-c",
          "ulimit " + limit + "; exec \"$@\"",
          "sh",
          jrpcheck_program(),
          "run",
          "--report",
          "json=" + report,
          "--"};
}

TEST(LimitsOfTheMachine, TooFewDescriptorsAreToldAndTheReportIsWritten) {
  const TemporaryFolder folder;
  const auto result = run_program(with_limit("-n 12", folder.file("run.json")) +
                                  Words{reference_program(), "--stdio"});
  EXPECT_EQ(result.exit_code, 4) << result.output;
  EXPECT_TRUE(contains(result.error, "cannot go on: Too many open files")) << result.error;
  EXPECT_EQ(read_report(read_file(folder.file("run.json"))).verdict, "partial");
}

// The server is given what jrpcheck is denied.
TEST(LimitsOfTheMachine, TooLittleMemoryIsToldAndTheReportIsWritten) {
  const TemporaryFolder folder;
  const auto result = run_program(
      with_limit("-S -v 88000", folder.file("run.json")) +
      Words{"/bin/sh", "-c", "ulimit -S -v unlimited; exec \"$0\" --stdio", reference_program()});
  EXPECT_EQ(result.exit_code, 4) << result.output;
  EXPECT_TRUE(contains(result.error, "jrpcheck has run out of memory")) << result.error;
  EXPECT_EQ(read_report(read_file(folder.file("run.json"))).verdict, "partial");
}

}  // namespace limits_test
}  // namespace jrpcheck::testing
