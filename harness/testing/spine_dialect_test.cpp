// The dialect of 1.0, from the command line to the report.
#include <gtest/gtest.h>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_dialect_test {

const Words kProfile = {"--profile", "jsonrpc-1.0"};

Words server_of_1_0(const Words& options = {}) {
  return Words{"--", reference_program(), "--stdio", "--dialect", "1.0"} + options;
}

TEST(DialectOf10, ReferenceConformsOnStdio) {
  auto judgement = judge(kProfile + server_of_1_0());
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.counts["fail"] + judgement.counts["warn"], 0);
  EXPECT_EQ(judgement.counts["not-exercised"], 0);
}

TEST(DialectOf10, ReferenceConformsOverHttp) {
  const auto port = std::to_string(free_port());
  auto judgement = judge(kProfile + Words{"http://127.0.0.1:" + port + "/", "--",
                                          reference_program(), "--http", port, "--dialect", "1.0"});
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.counts["fail"] + judgement.counts["warn"], 0);
}

TEST(DialectOf10, IsToldOnceByARunOf20) {
  auto judgement = judge(server_of_1_0());
  EXPECT_EQ(judgement.verdict, "fails");
  EXPECT_EQ(judgement.failing(), std::set<std::string>{"res-version"});
  EXPECT_EQ(judgement.charged("res-version").size(), 1U);
  EXPECT_EQ(judgement.counts["fail"], 1);
  EXPECT_EQ(judgement.counts["pass"] + judgement.counts["warn"], 0);
  ASSERT_EQ(judgement.notes.size(), 1U);
  EXPECT_NE(judgement.notes[0].find("--profile jsonrpc-1.0"), std::string::npos);
}

TEST(DialectOf10, ReferenceOf20DoesNotConform) {
  auto judgement = judge(kProfile + Words{"--", reference_program(), "--stdio"});
  EXPECT_EQ(judgement.verdict, "fails");
}

TEST(Profile, UnknownNameIsAUsageErrorThatNamesTheKnownOnes) {
  const auto result =
      run_program({jrpcheck_program(), "run", "--profile", "xml-rpc", "--", "true"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.error.find("'xml-rpc'; there are bitcoin, bitcoin-1.1, bitcoin-2.0, ethereum, "
                              "jsonrpc-1.0, jsonrpc-2.0"),
            std::string::npos)
      << result.error;
}

}  // namespace spine_dialect_test
}  // namespace jrpcheck::testing
