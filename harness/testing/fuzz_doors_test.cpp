// jrpcheck fuzz through each door of the reference server.
#include <gtest/gtest.h>

#include <string>

#include "testing/doors_for_testing.hpp"
#include "testing/fuzz_for_testing.hpp"

namespace jrpcheck::testing {
namespace fuzz_doors_test {

class FuzzDoor : public ::testing::TestWithParam<std::string> {
 protected:
  struct Tried {
    ProgramResult program;
    std::string report;
  };

  // So many messages that some are not of the corpus. `more`: what the server is told.
  Tried fuzz(const Words& more = {}) const {
    const TemporaryFolder folder;
    const std::string report = folder.file("found.json");
    Tried tried;
    tried.program = jrpcheck(
        {"fuzz", "--runs", "600", "--seed", "1", "--max-time", "60", "--report", "json=" + report},
        reference_behind(door_, folder, more));
    EXPECT_FALSE(tried.program.left_processes);
    tried.report = read_file(report);
    return tried;
  }

  const Door door_ = door_named(GetParam());
};

TEST_P(FuzzDoor, NothingIsFoundInTheReferenceBehindIt) {
  const auto tried = fuzz();
  EXPECT_EQ(tried.program.exit_code, 0) << tried.program.output << tried.program.error;
  EXPECT_TRUE(contains(tried.program.output, "600 exchanges")) << tried.program.output;
  EXPECT_TRUE(contains(tried.program.output, "0 findings")) << tried.program.output;
  EXPECT_FALSE(contains(tried.program.output, " 0 valid calls")) << tried.program.output;
}

TEST_P(FuzzDoor, AFaultIsFoundBehindItAndTheReportNamesIt) {
  const auto tried = fuzz({"--fault", "id-through-int32"});
  EXPECT_EQ(tried.program.exit_code, 1) << tried.program.output << tried.program.error;
  EXPECT_TRUE(contains(tried.program.output, "FAIL  id-echo")) << tried.program.output;
  EXPECT_TRUE(contains(tried.program.output, "1 finding\n")) << tried.program.output;
  EXPECT_TRUE(contains(tried.report, "\"transport\": \"" + door_.scheme + "\""));
  EXPECT_TRUE(contains(tried.report, "\"framing\": \"" + door_.framing + "\""));
}

INSTANTIATE_TEST_SUITE_P(, FuzzDoor, ::testing::Values("unix", "tls", "wss", "https", "sse"),
                         [](const auto& each) { return each.param; });

}  // namespace fuzz_doors_test
}  // namespace jrpcheck::testing
