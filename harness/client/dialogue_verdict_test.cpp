#include <gtest/gtest.h>

#include <algorithm>

#include "client/dialogue_for_testing.hpp"
#include "client/dialogue_judge.hpp"

namespace jrpcheck::client {
namespace dialogue_verdict_test {

using result::CaseResult;

CaseResult result_with(std::vector<judge::Finding> findings, std::vector<std::string> exercised) {
  CaseResult result;
  result.requirements = {"mcp-c-ping"};
  result.findings = std::move(findings);
  result.exercised = std::move(exercised);
  conclude_dialogue(result);
  return result;
}

TEST(SeenTwice, WhatBothRunsShowIsCharged) {
  const auto both = result_with({finding_of("mcp-c-ping", "one")}, {"mcp-c-ping"});
  EXPECT_EQ(told(seen_twice(both, both)), "fail mcp-c-ping");
}

TEST(SeenTwice, WhatOneRunShowsIsNeitherChargedNorPassed) {
  const auto one = result_with({finding_of("mcp-c-ping", "one")}, {"mcp-c-ping"});
  const auto other = result_with({finding_of("mcp-c-ping", "other")}, {"mcp-c-ping"});
  const auto none = result_with({}, {"mcp-c-ping", "mcp-c-id-echo"});
  for (const auto& each : {seen_twice(one, other), seen_twice(one, none), seen_twice(none, one)}) {
    EXPECT_EQ(told(each), "not-exercised");
    EXPECT_NE(each.reason.find("mcp-c-ping"), std::string::npos);
    EXPECT_EQ(std::count(each.exercised.begin(), each.exercised.end(), "mcp-c-ping"), 0);
  }
  EXPECT_EQ(seen_twice(one, none).exercised, std::vector<std::string>{"mcp-c-id-echo"});
}

TEST(SeenTwice, WhatIsChargedStandsBesideWhatIsNot) {
  const auto ping = finding_of("mcp-c-ping", "one");
  const auto other = finding_of("mcp-c-id-echo", "x");
  EXPECT_EQ(told(seen_twice(result_with({ping, other}, {}), result_with({ping}, {}))),
            "fail mcp-c-ping");
}

TEST(DifferenceBetween, RunsIsInWhatIsSaidAndHowTheyEnd) {
  const auto usual = trial_with({"initialize", "ping"}, 0);
  EXPECT_EQ(difference_between(usual, usual), "");
  const auto fails = difference_between(usual, trial_with({"initialize", "ping"}, 1));
  EXPECT_NE(fails.find("exited with code 0 in one run, but exited with code 1"), std::string::npos)
      << fails;
  const auto says_else = difference_between(usual, trial_with({"initialize", "tools/list"}, 0));
  EXPECT_NE(says_else.find("at place 2 is ping in one run, and tools/list in another"),
            std::string::npos)
      << says_else;
  const auto says_less = difference_between(usual, trial_with({"initialize"}, 0));
  EXPECT_NE(says_less.find("and missing in another"), std::string::npos) << says_less;
}

// Who rests at its end is ended in the run with less time.
TEST(DifferenceBetween, RunsIsNotInTheTimeThatTheyHad) {
  const auto ended = trial_with({"initialize", "ping"}, {});
  EXPECT_EQ(difference_between(ended, trial_with({"initialize", "ping"}, 0)), "");
  const auto more = difference_between(ended, trial_with({"initialize", "ping", "ping"}, 0));
  EXPECT_NE(more.find("--client-timeout"), std::string::npos) << more;
  EXPECT_EQ(difference_between(ended, trial_with({"x"}, {})).find("--client-timeout"),
            std::string::npos);
}

}  // namespace dialogue_verdict_test
}  // namespace jrpcheck::client
