// jrpcheck methods: the file that names a server's methods, made by asking the server.
#include <gtest/gtest.h>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace methods_test {

TEST(Methods, FoundOnesAreNamedInAFileThatARunTakes) {
  const auto found =
      run_program({jrpcheck_program(), "methods", "--", reference_program(), "--stdio"});
  ASSERT_EQ(found.exit_code, 0) << found.error;
  EXPECT_TRUE(contains(found.output, R"("method": "subtract")")) << found.output;
  EXPECT_TRUE(contains(found.error, "jrpcheck run --methods roles.json -- ")) << found.error;
  const TemporaryFolder folder;
  write_file(folder.file("roles.json"), found.output);
  const auto judgement = judge({"--methods", folder.file("roles.json"), "--select",
                                "response/null-result", "--", reference_program(), "--stdio"});
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.cases.front().verdict, "pass");
}

TEST(Methods, OnesThatAreMissingAreLeftOpenAndTheFileIsTakenAllTheSame) {
  const auto found = run_program(Words{jrpcheck_program(), "methods"} + on_stdio("ordinary"));
  ASSERT_EQ(found.exit_code, 0) << found.error;
  EXPECT_TRUE(contains(found.output, R"("method": null)")) << found.output;
  EXPECT_TRUE(contains(found.output, "takes no params and gives null")) << found.output;
  const TemporaryFolder folder;
  write_file(folder.file("roles.json"), found.output);
  const auto judgement =
      judge(Words{"--methods", folder.file("roles.json"), "--select", "calibration/*"} +
            on_stdio("ordinary"));
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
}

TEST(Methods, OfWhatIsNoServerAreNotLookedFor) {
  const auto found = run_program({jrpcheck_program(), "methods", "--", "/bin/cat"});
  EXPECT_EQ(found.exit_code, 3);
  EXPECT_EQ(found.output, "");
  EXPECT_TRUE(contains(found.error, "sends back what it is sent")) << found.error;
}

}  // namespace methods_test
}  // namespace jrpcheck::testing
