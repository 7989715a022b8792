// jrpcheck fuzz, replay and properties with servers that want a handshake first, as jrpcheck run
// has it.
#include <gtest/gtest.h>

#include <string>

#include "testing/doors_for_testing.hpp"
#include "testing/fuzz_for_testing.hpp"

namespace jrpcheck::testing {
namespace fuzz_handshake_test {

const Words kWantsOne = {"--variant", "opening-needed"};

TEST(FuzzHandshake, AServerThatWantsOneIsGivenItAndFuzzed) {
  const auto result = jrpcheck({"fuzz", "--runs", "600", "--max-time", "60"}, reference(kWantsOne));
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.error, "and was given that of --opening mcp.")) << result.error;
  EXPECT_TRUE(contains(result.output, "0 findings")) << result.output;
  EXPECT_FALSE(contains(result.output, " 0 valid calls")) << result.output;
  EXPECT_FALSE(result.left_processes);
}

TEST(FuzzHandshake, ItIsGivenToAServerBehindAPortThatIsStartedOnce) {
  const std::string port = std::to_string(free_port());
  const auto result =
      jrpcheck({"fuzz", "--runs", "600", "--max-time", "60", "http://127.0.0.1:" + port + "/"},
               {"--", REFERENCE_PROGRAM, "--http", port, "--variant", "opening-needed"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.error, "--opening mcp")) << result.error;
  EXPECT_FALSE(result.left_processes);
}

TEST(FuzzHandshake, PropertiesAreTriedBehindIt) {
  const auto result =
      jrpcheck({"properties", "--tests", "10", "--only", "white-space"}, reference(kWantsOne));
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.error, "and was given that of --opening mcp.")) << result.error;
}

// No protocol with a handshake is at home there.
TEST(FuzzHandshake, WhereNoneCanBeGivenItIsToldHowToNameOne) {
  for (const std::string command : {"fuzz", "properties"}) {
    const TemporaryFolder folder;
    const auto result = jrpcheck({command, "--max-time", "60"},
                                 reference_behind(door_named("tcp"), folder, kWantsOne));
    EXPECT_EQ(result.exit_code, 3) << result.output << result.error;
    EXPECT_TRUE(contains(result.error, "wants a handshake before it serves")) << result.error;
    EXPECT_TRUE(contains(result.error, "--opening mcp")) << result.error;
    EXPECT_FALSE(result.left_processes);
  }
}

// As in a run: the code of LSP is one that a server may have chosen for something else.
TEST(FuzzHandshake, TheCodeOfThatForAMethodThatIsNotThereIsAFinding) {
  const std::string server =
      "while IFS= read -r line; do id=${line##*'\"id\":'}; id=${id%%[,\\}]*}; printf "
      "'{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32002,\"message\":\"No such "
      "method\"},\"id\":%s}\\n' \"$id\"; done";
  const auto result = jrpcheck({"fuzz", "--runs", "50", "--framing", "lines", "--max-time", "60"},
                               {"--", "sh", "-c", server});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "FAIL  err-code-method")) << result.output;
  EXPECT_TRUE(contains(result.error, "does not take that of --opening mcp")) << result.error;
}

}  // namespace fuzz_handshake_test
}  // namespace jrpcheck::testing
