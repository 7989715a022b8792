// The whole way, from the command line to the report, against servers that jrpcheck starts and
// reaches over HTTP.
#include <gtest/gtest.h>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_http_test {

Words reference_over_http() {
  const auto port = std::to_string(free_port());
  return {"http://127.0.0.1:" + port + "/", "--", reference_program(), "--http", port};
}

TEST(ReferenceOverHttp, Conforms) {
  auto judgement = judge(reference_over_http());
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.counts["fail"], 0);
  EXPECT_EQ(judgement.counts["warn"], 0);
  EXPECT_EQ(judgement.target["transport"], "http");
}

TEST(ReferenceOverHttp, TheSameSeedGivesTheSameReport) {
  const auto words = Words{"--seed", "7"} + reference_over_http();
  const auto first = judge(words);
  EXPECT_EQ(first.verdict, "conforms");
  EXPECT_EQ(first_difference(normalised(first.json), normalised(judge(words).json)), "");
}

class OddityOverHttp : public ::testing::TestWithParam<std::string> {};

TEST_P(OddityOverHttp, IsNoFault) {
  auto judgement = judge(over_http(GetParam()));
  EXPECT_EQ(judgement.program.exit_code, 0);
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_GT(judgement.counts["pass"], 200);
}

// closes-after-each: HTTP/1.0, one connection after another, each closed behind its response.
INSTANTIATE_TEST_SUITE_P(, OddityOverHttp,
                         ::testing::Values("ordinary", "closes-after-each", "one-at-a-time",
                                           "writes-in-pieces", "wrong-type", "adds-data"),
                         [](const auto& param_info) { return test_name(param_info.param); });

// A few cases that meet the fault, among many that do not: each of the few costs a timeout.
const Words kFewSilences = {
    "--timeout", "1",    "--select", "calibration/*", "--select", "notification/known-method",
    "--select",  "id/*", "--select", "error/*"};

class FaultOverHttp : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultOverHttp, IsChargedToItsRequirementAndNoOther) {
  expect_charged(GetParam(), judge(GetParam().options + over_http(GetParam().mode)));
}

INSTANTIATE_TEST_SUITE_P(
    , FaultOverHttp,
    ::testing::Values(Fault{"closes-on-not-json",
                            {"err-code-parse"},
                            {},
                            {"json-extensions", "json-trailing", "json-utf8", "http-empty-body"}},
                      Fault{
                          "ignores-notifications", {"http-response-always"}, {}, {}, kFewSilences},
                      Fault{"omits-version", {"res-version"}},
                      Fault{"drops-batch-member",
                            {"bat-each"},
                            {"bat-invalid-member", "bat-duplicate-ids", "id-null-request"},
                            {"bat-large"}}),
    [](const auto& param_info) { return test_name(param_info.param.mode); });

TEST(NoJsonRpcOverHttp, AnErrorPageIsShownAndJudgedOnce) {
  auto judgement = judge(over_http("server-error"));
  EXPECT_EQ(judgement.program.exit_code, 1);
  EXPECT_EQ(judgement.counts["fail"], 1);
  EXPECT_EQ(judgement.counts["pass"], 0);
  EXPECT_EQ(judgement.failing(), std::set<std::string>{"res-always"});
  ASSERT_EQ(judgement.notes.size(), 1U);
  EXPECT_NE(judgement.notes.front().find("HTTP 500 (text/plain): Oops"), std::string::npos)
      << judgement.notes.front();
}

TEST(DyingServersOverHttp, EveryDeathIsReportedAndTheServerStartedAgain) {
  auto judgement = judge(over_http("dies-on-not-json"));
  expect_charged({"dies-on-not-json", {"rob-survives"}}, judgement);
  const auto deaths = judgement.charged("rob-survives");
  EXPECT_GE(deaths.size(), 30U);
  EXPECT_GT(judgement.counts["pass"], 150);
  for (const auto* one : deaths) {
    EXPECT_NE(one->findings.front().actual.find("exited with code 3"), std::string::npos)
        << one->id;
  }
}

TEST(StartedServers, ATargetWhereSomethingListensAlreadyIsRefused) {
  const ListeningPort other;
  const auto port = std::to_string(other.number());
  const auto judgement = judge({"http://127.0.0.1:" + port + "/", "--", misbehaving_program(),
                                "--ordinary", "--http", port});
  EXPECT_EQ(judgement.program.exit_code, 3);
  EXPECT_NE(judgement.program.error.find("something answers at 127.0.0.1:" + port),
            std::string::npos)
      << judgement.program.error;
}

TEST(StartedServers, AreEndedWithAllTheirProcesses) {
  const auto port = std::to_string(free_port());
  const auto judgement =
      judge({"--select", "calibration/*", "http://127.0.0.1:" + port + "/", "--", "sh", "-c",
             "\"$0\" --ordinary --http " + port + " & wait", misbehaving_program()});
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_FALSE(judgement.program.left_processes);
}

TEST(StartedServers, OneThatExitsAtOnceShowsItsStandardError) {
  const auto judgement = judge(over_http("exits-at-once"));
  EXPECT_EQ(judgement.program.exit_code, 3);
  EXPECT_NE(judgement.program.error.find("the file of settings is missing"), std::string::npos)
      << judgement.program.error;
}

}  // namespace spine_http_test
}  // namespace jrpcheck::testing
