// What the reference program is told: words that would say nothing are refused.
#include <gtest/gtest.h>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace reference_words_test {

ProgramResult told(const Words& words) { return run_program(Words{reference_program()} + words); }

struct Misuse {
  Words words;
  std::string complaint;
};

TEST(ReferenceProgram, RefusesWhatWouldSayNothing) {
  const Misuse misuses[] = {
      {{"--stdio", "--tls-self-signed"}, "excludes"},
      {{"--stdio", "--tls", "/nowhere/a.pem", "/nowhere/b.pem"}, "excludes"},
      {{"--stdio", "--dialect", "1.0", "--mcp", "2025-11-25"}, "excludes"},
      {{"--client", "http://127.0.0.1:1/", "--dialect", "1.0"}, "excludes"},
      {{"--client", "http://127.0.0.1:1/", "--ethereum"}, "excludes"},
      {{"--client", "http://127.0.0.1:1/", "--framing", "lines"}, "excludes"},
      {{"--stdio", "server.js"}, "server.js"},
      {{"--stdio", "--", "server.js"}, "--client"},
      {{"--client"}, "no server is named"},
      {{"--client", "x"}, "'x' is no URL"},
      {{"--client", "x", "--mcp", "2025-11-25"}, "'x' is no URL"},
      {{"--client", "http://localhost/"}, "names no port"},
      {{"--client", "--fault", "nobody", "--", "true"}, "prints the names"},
      {{"--stdio", "--fault", "nobody"}, "prints the names"},
      {{"--stdio", "--fault", "id-counted=3"}, "prints the names"},
      {{"--stdio", "--fault", "hangs-after-answers=soon"}, "no number"},
      {{"--stdio", "--fault", "dies-every-hundred-answers=0"}, "no number"},
      {{"--stdio", "--variant", "ends-late="}, "no number"},
  };
  for (const auto& misuse : misuses) {
    const auto result = told(misuse.words);
    EXPECT_EQ(result.exit_code, 2) << misuse.complaint;
    EXPECT_EQ(result.output, "") << misuse.complaint;
    EXPECT_TRUE(contains(result.error, misuse.complaint)) << result.error;
  }
}

TEST(ReferenceProgram, LeavesWhatStandsBehindTwoHyphensToTheServer) {
  const auto result = told({"--client", "--", reference_program(), "--stdio"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_TRUE(contains(result.output, R"({"n":3,"ok":[3]})")) << result.output;
}

TEST(ReferenceProgram, ServesAtNoEmptyPath) {
  const auto result = told({"--unix", ""});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.error, "path")) << result.error;
}

}  // namespace reference_words_test
}  // namespace jrpcheck::testing
