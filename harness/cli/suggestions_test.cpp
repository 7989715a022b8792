#include "cli/suggestions.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::cli {
namespace suggestions_test {

const std::vector<std::string> kCommands = {"run", "fuzz", "report", "replay", "list"};

TEST(Suggestions, NameTheCommandThatIsSpeltOtherwise) {
  EXPECT_EQ(instead_of_command("rnu", kCommands), "; did you mean 'run'?");
  EXPECT_EQ(instead_of_command("reprot", kCommands), "; did you mean 'report'?");
  EXPECT_EQ(instead_of_command("benchmark", kCommands), "");
}

TEST(Suggestions, PutRunBeforeATarget) {
  EXPECT_EQ(instead_of_command("http://127.0.0.1:1/", kCommands),
            "; did you mean jrpcheck run http://127.0.0.1:1/ ?");
  EXPECT_EQ(instead_of_command("localhost:8545", kCommands),
            "; did you mean jrpcheck run http://localhost:8545/ ?");
  EXPECT_EQ(instead_of_command("./server.py", kCommands),
            "; a program stands behind run: jrpcheck run -- ./server.py");
}

TEST(Suggestions, RepeatNoPassword) {
  EXPECT_EQ(instead_of_command("http://me:hush@127.0.0.1:1/", kCommands).find("hush"),
            std::string::npos);
  EXPECT_EQ(instead_of_target("me:hush@127.0.0.1"), "");
}

TEST(Suggestions, MakeAUrlOfAHostAndAPort) {
  EXPECT_EQ(instead_of_target("localhost:8545"), "; did you mean http://localhost:8545/ ?");
  EXPECT_EQ(instead_of_target(":8545"), "; did you mean http://127.0.0.1:8545/ ?");
  EXPECT_EQ(instead_of_target("8545"), "; did you mean http://127.0.0.1:8545/ ?");
  EXPECT_EQ(instead_of_target("localhost"), "; did you mean http://localhost/ ?");
  EXPECT_EQ(instead_of_target("server.js"), "");
  EXPECT_EQ(instead_of_target("host:99999999"), "");
}

TEST(Suggestions, SayWhichNumbersArePorts) {
  EXPECT_EQ(instead_of_target("http://host:99999/path"), ", a number from 1 to 65535");
  EXPECT_EQ(instead_of_target("tcp://host:0"), ", a number from 1 to 65535");
  EXPECT_EQ(instead_of_target("http://host:8545/"), "");
  EXPECT_EQ(instead_of_target("foo://host:99999/"), "");
  EXPECT_EQ(instead_of_target("http://"), "");
}

}  // namespace suggestions_test
}  // namespace jrpcheck::cli
