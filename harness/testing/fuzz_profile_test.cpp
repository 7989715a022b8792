// jrpcheck fuzz --profile as a program, against the reference servers of protocols on top.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {
namespace fuzz_profile_test {

using Words = std::vector<std::string>;

struct Spoken {
  std::string profile;
  Words server;
  std::string fault;
};

ProgramResult fuzzed(const Spoken& spoken, const std::string& fault = {}) {
  Words words = {JRPCHECK_PROGRAM, "fuzz", "--profile", spoken.profile, "--max-time", "4"};
  const bool is_http = spoken.server.back() == "--http";
  const std::string port = is_http ? std::to_string(free_port()) : "";
  if (is_http) words.push_back("http://jrpcheck:jrpcheck@127.0.0.1:" + port + "/");
  words.insert(words.end(), {"--", REFERENCE_PROGRAM});
  words.insert(words.end(), spoken.server.begin(), spoken.server.end());
  if (is_http) words.push_back(port);
  if (!fault.empty()) words.insert(words.end(), {"--fault", fault});
  return run_program(words);
}

const Spoken kSpoken[] = {
    {"mcp", {"--mcp", "2025-11-25", "--stdio"}, "mcp-result-array"},
    {"mcp-2026-07-28", {"--mcp", "2026-07-28", "--stdio"}, "mcp-result-type-number"},
    {"mcp", {"--mcp", "2025-11-25", "--http"}, ""},
    {"lsp", {"--lsp", "--stdio", "--framing", "content-length"}, "lsp-unknown-method-refused"},
    {"ethereum", {"--ethereum", "--http"}, ""},
    {"bitcoin", {"--bitcoin", "2.0", "--http"}, ""},
};

TEST(FuzzByProfile, NothingIsFoundInAServerThatIsRight) {
  for (const auto& each : kSpoken) {
    const auto result = fuzzed(each);
    EXPECT_EQ(result.exit_code, 0) << each.profile << result.output << result.error;
    EXPECT_NE(result.output.find("0 findings"), std::string::npos) << result.output;
    EXPECT_EQ(result.output.find(" 0 valid calls"), std::string::npos) << result.output;
  }
}

TEST(FuzzByProfile, AFaultIsFound) {
  for (const auto& each : kSpoken) {
    if (each.fault.empty()) continue;
    const auto result = fuzzed(each, each.fault);
    EXPECT_EQ(result.exit_code, 1) << each.fault << result.output << result.error;
    EXPECT_NE(result.output.find("FAIL  "), std::string::npos) << result.output;
  }
}

TEST(FuzzByProfile, WhatIsNotDoneIsRefusedWithWhatToDoInstead) {
  const auto old =
      run_program({JRPCHECK_PROGRAM, "fuzz", "--profile", "bitcoin-1.1", "http://127.0.0.1:1/"});
  EXPECT_EQ(old.exit_code, 2);
  EXPECT_NE(old.error.find("jrpcheck run --profile bitcoin-1.1"), std::string::npos) << old.error;
  const auto stored = run_program({JRPCHECK_PROGRAM, "fuzz", "--profile", "mcp", "--findings",
                                   ::testing::TempDir() + "none", "--", "true"});
  EXPECT_EQ(stored.exit_code, 2);
  EXPECT_NE(stored.error.find("--report json=FILE"), std::string::npos) << stored.error;
}

}  // namespace fuzz_profile_test
}  // namespace jrpcheck::testing
