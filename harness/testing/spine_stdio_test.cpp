// The whole way, from the command line to the report, against servers on stdio.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_stdio_test {

const Words kLines = {"--framing", "lines"};

Words reference(const Words& options) {
  return Words{"--", reference_program(), "--stdio"} + options;
}

void expect_reference_passes(const Words& words, const std::string& framing) {
  auto judgement = judge(words);
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.counts["fail"], 0);
  EXPECT_EQ(judgement.counts["warn"], 0);
  EXPECT_GT(judgement.counts["pass"], 150);
  EXPECT_EQ(judgement.target["transport"], "stdio");
  EXPECT_EQ(judgement.target["framing"], framing);
}

// In JSON-RPC a server may do without batches, at the price of a warning. MCP 2025-03-26 wants
// them.
TEST(ReferenceOnStdio, WhatAProtocolDemandsFailsWhereJsonRpcOnlyWarns) {
  auto judgement = judge(Words{"--profile", "mcp-2025-03-26"} +
                         reference({"--mcp", "2025-03-26", "--fault", "mcp-batch-refused"}));
  EXPECT_EQ(judgement.program.exit_code, 1) << judgement.program.error;
  EXPECT_EQ(judgement.counts["fail"], 1);
  EXPECT_EQ(judgement.counts["warn"], 1);
  EXPECT_EQ(judgement.failing(), std::set<std::string>{"mcp-batch-receive"});
}

TEST(ReferenceOnStdio, ConformsWithLinesFoundOut) {
  expect_reference_passes(reference({}), "lines");
}

TEST(ReferenceOnStdio, ConformsWithLinesGiven) {
  expect_reference_passes(kLines + reference({}), "lines");
}

TEST(ReferenceOnStdio, ConformsWithContentLengthFoundOut) {
  expect_reference_passes(reference({"--framing", "content-length"}), "content-length");
}

TEST(ReferenceOnStdio, ConformsWithConcatenatedGiven) {
  expect_reference_passes(
      Words{"--framing", "concatenated"} + reference({"--framing", "concatenated"}),
      "concatenated");
}

TEST(ReferenceOnStdio, TheSameSeedGivesTheSameReport) {
  const auto words = Words{"--seed", "7", "--jobs", "3"} + reference({});
  const auto first = judge(words);
  EXPECT_EQ(first.verdict, "conforms");
  EXPECT_EQ(first_difference(normalised(first.json), normalised(judge(words).json)), "");
}

// No rule names a time.
TEST(ReferenceOnStdio, AProgramThatTakesLongToEndPassesAndIsToldSo) {
  const auto slow = judge(Words{"--select", "stdio/end-of-input"} + kLines +
                          reference({"--variant", "ends-late=2200"}));
  EXPECT_EQ(slow.cases.size(), 1U);
  for (const auto& each : slow.cases) EXPECT_EQ(each.verdict, "pass") << each.id;
  const auto tells = [](const std::string& note) {
    return note.find("to end by itself (stdio/end-of-input)") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(slow.notes.begin(), slow.notes.end(), tells));
  const auto usual = judge(Words{"--select", "stdio/end-of-input"} + kLines + reference({}));
  EXPECT_TRUE(std::none_of(usual.notes.begin(), usual.notes.end(), tells));
}

TEST(ReferenceOnStdio, AProgramThatEndsTooLateIsToldHowLongItWasWaitedFor) {
  auto late = judge(Words{"--select", "stdio/end-of-input", "--timeout", "1"} + kLines +
                    reference({"--fault", "ends-too-late"}));
  EXPECT_EQ(listed(late.warned()), "std-eof");
  ASSERT_EQ(late.charged("std-eof").size(), 1U);
  const std::string actual = late.charged("std-eof").front()->findings.front().actual;
  EXPECT_EQ(actual.rfind("the program runs on after ", 0), 0U) << actual;
}

TEST(ReferenceOnStdio, AnotherSeedAsksForOtherMethods) {
  const auto words = Words{"--select", "calibration/*"};
  const auto one = normalised(judge(Words{"--seed", "1"} + words + reference({})).json);
  const auto other = normalised(judge(Words{"--seed", "2"} + words + reference({})).json);
  EXPECT_NE(one, other);
}

class FaultOnStdio : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultOnStdio, IsChargedToItsRequirementAndNoOther) {
  expect_charged(GetParam(), judge(GetParam().options + on_stdio(GetParam().mode)));
}

// A few cases that meet the fault, among many that do not: each of the few costs a timeout.
const Words kFewSilences = {"--timeout",       "1",        "--jobs",  "4",        "--select",
                            "json/truncated*", "--select", "error/*", "--select", "id/*",
                            "--select",        "batch/*"};

INSTANTIATE_TEST_SUITE_P(
    , FaultOnStdio,
    ::testing::Values(
        Fault{"prints-banner", {"std-clean"}}, Fault{"prints-log", {"std-clean"}},
        Fault{"dies-on-not-json", {"rob-survives"}},
        Fault{"aborts-on-empty-batch", {"rob-survives"}},
        Fault{"deaf-after-not-json", {"rob-survives"}, {}, {}, kFewSilences},
        Fault{"omits-version", {"res-version"}},
        Fault{"null-result-beside-error", {"res-exclusive"}},
        Fault{"error-is-text", {"err-object"}, {}, {"par-invalid"}},
        Fault{"swaps-codes", {"err-code-method"}},
        Fault{"answers-silence-with-empty-array", {"bat-all-notifications"}},
        // Which call it drops depends on what the batch is about.
        Fault{"drops-batch-member",
              {"bat-each"},
              {"bat-invalid-member", "bat-duplicate-ids", "id-null-request"},
              {"bat-large"}},
        // A second answer that comes after the next case has begun, which spells the
        // same id, looks like an answer to that one.
        Fault{"answers-twice",
              {"res-once"},
              {"rob-pipelined", "ntf-silent-unknown-method", "id-string-exact", "id-zero-and-empty",
               "id-fraction", "id-echo", "id-null-request"}},
        // Some cases are about one kind of id, and charge what becomes of it there.
        Fault{"id-as-string", {"id-echo"}, {"bat-one", "rob-size", "rob-prototype-params"}},
        Fault{"answers-notifications",
              {"ntf-silent", "ntf-silent-unknown-method", "ntf-silent-invalid-params",
               "ntf-silent-in-batch", "bat-all-notifications"}},
        Fault{"invalid-is-parse-error",
              {"err-code-invalid", "req-version", "req-method-required", "req-method-string",
               "req-params-structured", "req-id-type", "bat-invalid-member", "bat-nested"},
              {"bat-each", "bat-one"},
              {"req-version-missing", "req-members-case", "ntf-invalid-answered"}}),
    [](const auto& param_info) { return test_name(param_info.param.mode); });

TEST(FaultsOnStdio, ABatchRefusedAsAWholeIsAWarningAndEndsTheMatter) {
  auto judgement = judge(on_stdio("refuses-batches"));
  EXPECT_EQ(judgement.program.exit_code, 0);
  EXPECT_EQ(judgement.verdict, "partial");
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_EQ(listed(judgement.warned()), "bat-supported");
}

TEST(FaultsOnStdio, AMethodNamedByTheUserThatPlaysAnotherRoleIsToldAndLeftOut) {
  const TemporaryFolder folder;
  write_file(folder.file("methods.json"), R"({"subtract": {"method": "subtract"}})");
  const Words words{"--methods", folder.file("methods.json"), "--select", "par-*"};
  auto judgement = judge(words + on_stdio("wrong-difference"));
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_GT(judgement.counts["not-exercised"], 0);
  const std::string told =
      "The method subtract of --methods does not do what the role 'subtract' asks, and was left "
      "out";
  std::string screen = judgement.program.error;  // in lines of 80 columns
  std::replace(screen.begin(), screen.end(), '\n', ' ');
  EXPECT_NE(screen.find(told), std::string::npos) << screen;
  EXPECT_NE(judgement.program.output.find(R"(\"result\":-19)"), std::string::npos);
}

class OddityOnStdio : public ::testing::TestWithParam<std::string> {};

TEST_P(OddityOnStdio, IsNoFault) {
  // Several processes, so that a slow server does not hold up the test.
  auto judgement = judge(Words{"--jobs", "8"} + on_stdio(GetParam()));
  EXPECT_EQ(judgement.program.exit_code, 0);
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_EQ(listed(judgement.warned()), "");
  EXPECT_GT(judgement.counts["pass"], 200);
}

INSTANTIATE_TEST_SUITE_P(, OddityOnStdio,
                         ::testing::Values("ordinary", "floods-errors", "speaks-unasked", "slow",
                                           "ends-lines-with-crlf", "writes-in-pieces",
                                           "reverses-batches", "spaced", "adds-data",
                                           "echoes-id-of-invalid"),
                         [](const auto& param_info) { return test_name(param_info.param); });

// A log line beside every answer is one fault, not one for every case.
TEST(SystematicFaults, AreFoundOnceAndTheRestIsJudged) {
  for (const std::string mode : {"prints-log", "omits-version"}) {
    auto judgement = judge(on_stdio(mode));
    EXPECT_LE(judgement.counts["fail"], 4) << mode;
    EXPECT_GT(judgement.counts["pass"], 200) << mode;
  }
}

TEST(DyingServers, ARunWithManyDeathsEndsWithACompleteReport) {
  const auto complete = judge(on_stdio("ordinary"));
  auto judgement = judge(on_stdio("dies-on-fault"));
  expect_charged({"dies-on-fault", {"rob-survives"}}, judgement);
  const auto deaths = judgement.charged("rob-survives");
  EXPECT_GE(deaths.size(), 62U);
  EXPECT_EQ(judgement.cases.size(), complete.cases.size());
  EXPECT_EQ(judgement.verdict, "fails");
  for (const auto* one : deaths) {
    EXPECT_EQ(one->directions.count("exited"), 1U) << one->id;
    EXPECT_EQ(one->directions.count("stderr"), 1U) << one->id;
  }
}

TEST(DyingServers, ADeathIsToldWithItsExitCodeAndLastWords) {
  auto judgement = judge(Words{"--select", "json/truncated"} + on_stdio("dies-on-not-json"));
  const auto deaths = judgement.charged("rob-survives");
  ASSERT_FALSE(deaths.empty());
  const auto& actual = deaths.front()->findings.front().actual;
  EXPECT_NE(actual.find("exited with code 3"), std::string::npos) << actual;
  EXPECT_NE(actual.find("SyntaxError: that is not JSON"), std::string::npos) << actual;
}

TEST(DyingServers, ADeathByASignalIsToldByItsName) {
  auto judgement = judge(Words{"--select", "batch/empty"} + on_stdio("aborts-on-empty-batch"));
  const auto deaths = judgement.charged("rob-survives");
  ASSERT_EQ(deaths.size(), 1U);
  const auto& actual = deaths.front()->findings.front().actual;
  EXPECT_NE(actual.find("killed by signal 6"), std::string::npos) << actual;
}

TEST(DyingServers, AServerThatGoesDeafIsToldApartFromOneThatDies) {
  auto judgement = judge(Words{"--timeout", "1", "--select", "json/truncated"} +
                         on_stdio("deaf-after-not-json"));
  const auto charged = judgement.charged("rob-survives");
  ASSERT_EQ(charged.size(), 1U);
  EXPECT_EQ(charged.front()->directions.count("exited"), 0U);
}

// A program that says nothing is waited for in proportion to the time an answer may take.
const Words kImpatient = {"--timeout", "0.1"};

// One statement in place of hundreds of findings.
void expect_one_statement(Judgement judgement, const std::string& statement,
                          const std::set<std::string>& may_fail) {
  EXPECT_EQ(judgement.program.exit_code, 1);
  EXPECT_EQ(judgement.verdict, "fails");
  EXPECT_EQ(judgement.counts["pass"], 0);
  EXPECT_LE(judgement.counts["fail"], 1);
  EXPECT_EQ(listed(minus(judgement.failing(), may_fail)), "");
  ASSERT_EQ(judgement.notes.size(), 1U);
  EXPECT_NE(judgement.notes.front().find(statement), std::string::npos) << judgement.notes.front();
  EXPECT_NE(judgement.program.error.find(statement), std::string::npos);
}

TEST(NoJsonRpc, APromptIsShownAndJudgedOnce) {
  expect_one_statement(judge(kImpatient + on_stdio("prompts")), "Welcome!",
                       {"std-clean", "rob-survives", "res-always"});
}

TEST(NoJsonRpc, AServerThatHasNeverAnsweredIsNotJudged) {
  const auto judgement = judge(kImpatient + kLines + on_stdio("never-answers"));
  EXPECT_EQ(judgement.program.exit_code, 3);
  EXPECT_EQ(judgement.verdict, "unreachable");
  EXPECT_NE(judgement.program.error.find("the server has never answered"), std::string::npos)
      << judgement.program.error;
}

TEST(NoJsonRpc, AnEndlessFloodIsJudgedOnce) {
  expect_one_statement(judge(kImpatient + kLines + on_stdio("floods-output")), "yes, yes, yes",
                       {"std-clean", "rob-survives", "res-always"});
}

TEST(NoJsonRpc, RepliesWithoutTheIdOfTheirCallAreJudgedOnce) {
  expect_one_statement(judge(Words{"--timeout", "0.3"} + kLines + on_stdio("loses-id-on-errors")),
                       "do not carry the id of the call", {"id-echo", "rob-survives"});
}

TEST(NoJsonRpc, HalfALineAndAnExitIsATargetThatCouldNotBeReached) {
  const auto judgement = judge(on_stdio("half-a-line"));
  EXPECT_EQ(judgement.program.exit_code, 3);
  EXPECT_EQ(judgement.verdict, "unreachable");
  EXPECT_NE(judgement.program.error.find("ended before it answered"), std::string::npos);
}

// The server goes on when its input ends, so that only somebody who ends it ends it.
TEST(Leftovers, AServerDoesNotOutliveAKilledJrpcheck) {
  const Words server = {"sh", "-c", "echo up >&9; exec \"$0\" --never-answers",
                        misbehaving_program()};
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    RunningProgram program(Words{jrpcheck_program(), "run", "--framing", "lines", "--"} + server);
    ASSERT_TRUE(program.await_word());
    program.send_signal(signal);
    const auto result = program.finish();
    EXPECT_EQ(result.exit_code, 128 + signal);
    EXPECT_FALSE(result.left_processes);
  }
}

}  // namespace spine_stdio_test
}  // namespace jrpcheck::testing
