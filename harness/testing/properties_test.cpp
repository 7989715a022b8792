// jrpcheck properties as a program: what it says, writes and returns, whatever the server does.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>

#include "testing/doors_for_testing.hpp"
#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace properties_test {

Words properties(const Words& words) { return Words{jrpcheck_program(), "properties"} + words; }

Words reference(const Words& more = {}) {
  return Words{"--", reference_program(), "--stdio"} + more;
}

// Answers so many lines each time when it is started, and then hangs.
Words server_that_hangs_after(int lines) {
  return {"--", "/bin/sh", "-c",
          "sed -u " + std::to_string(lines) + "q | " + misbehaving_program() +
              " --ordinary; read -r line || exit 0; exec sleep 600"};
}

// What `run` with a report promises, `properties` does.
struct Tried {
  ProgramResult program;
  Judgement judgement;
};

Tried try_properties(const Words& words) {
  const TemporaryFolder folder;
  const std::string report = folder.file("properties.json");
  Tried tried;
  tried.program = run_program(properties(Words{"--report", "json=" + report} + words));
  EXPECT_FALSE(tried.program.left_processes);
  tried.judgement = read_consistent_report(read_file(report));
  return tried;
}

const JudgedCase* find_case(const Judgement& judgement, const std::string& id) {
  const auto found =
      std::ranges::find_if(judgement.cases, [&](const JudgedCase& one) { return one.id == id; });
  return found == judgement.cases.end() ? nullptr : &*found;
}

TEST(PropertiesProgram, AllHoldForTheReference) {
  auto tried = try_properties(Words{"--tests", "40"} + reference());
  EXPECT_EQ(tried.program.exit_code, 0) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["pass"], 22) << tried.program.output;
  EXPECT_EQ(tried.judgement.verdict, "partial") << "properties alone never conform";
  EXPECT_TRUE(contains(tried.program.output, "PASS  properties/white-space"))
      << tried.program.output;
  EXPECT_TRUE(contains(tried.program.output, "(40 tests)")) << tried.program.output;
  EXPECT_TRUE(contains(tried.program.output, "22 held, 0 warned, 0 broken, 0 not exercised"));
}

TEST(PropertiesProgram, AllHoldForTheReferenceOverHttp) {
  const std::string port = std::to_string(free_port());
  auto tried = try_properties({"--tests", "10", "http://127.0.0.1:" + port + "/", "--",
                               reference_program(), "--http", port});
  EXPECT_EQ(tried.program.exit_code, 0) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["pass"], 19) << tried.program.output;
  const auto* one_write = find_case(tried.judgement, "properties/one-write");
  ASSERT_NE(one_write, nullptr);
  EXPECT_EQ(one_write->reason, "does not apply to http");
}

TEST(PropertiesProgram, ARefusalForLengthBreaksNone) {
  auto tried =
      try_properties(Words{"--tests", "60"} + reference({"--variant", "length-limited-to-1-kib"}));
  EXPECT_EQ(tried.program.exit_code, 0) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["fail"], 0) << tried.program.output;
}

TEST(PropertiesProgram, CallsBehindTheLastThatAConnectionServesAreNotLost) {
  const std::string port = std::to_string(free_port());
  auto tried = try_properties({"--tests", "40", "--only", "one-write", "tcp://127.0.0.1:" + port,
                               "--", reference_program(), "--tcp", port, "--variant",
                               "socket-three-calls-a-connection"});
  EXPECT_EQ(tried.program.exit_code, 0) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["pass"], 1) << tried.program.output;
}

const Words kNested = {"--fault", "batch-nested-executed"};
const Words kBatches = {"--only", "batch-answered", "--seed", "7"};

TEST(PropertiesProgram, AFaultIsFoundShrunkAndReproducedByItsLine) {
  auto tried = try_properties(kBatches + reference(kNested));
  EXPECT_EQ(tried.program.exit_code, 1) << tried.program.error;
  EXPECT_TRUE(contains(tried.program.output, "FAIL  properties/batch-answered"));
  EXPECT_TRUE(contains(tried.program.output, "\n  bat-nested: ")) << tried.program.output;
  EXPECT_TRUE(contains(tried.program.output, " broke it, the first in exchange"))
      << tried.program.output;
  EXPECT_TRUE(contains(tried.program.output, " exchanges in all.")) << tried.program.output;
  const auto* one = find_case(tried.judgement, "properties/batch-answered");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->verdict, "fail");
  EXPECT_TRUE(contains(tried.program.output,
                       R"(sent      [[{"jsonrpc":"2.0","method":"jrpcheck","id":1}]])"))
      << "not shrunk: " << tried.program.output;
  ASSERT_FALSE(one->replies.empty());
  const auto again = run_program({"/bin/sh", "-c", one->reproduce});
  EXPECT_EQ(again.output, one->replies.front() + "\n") << one->reproduce << again.error;
}

class PropertiesDoor : public ::testing::TestWithParam<std::string> {
 protected:
  Tried try_behind(const Words& words, const Words& more = {}) const {
    const TemporaryFolder folder;
    auto tried = try_properties(words + reference_behind(door_, folder, more));
    EXPECT_EQ(tried.judgement.target["transport"], door_.scheme);
    EXPECT_EQ(tried.judgement.target["framing"], door_.framing);
    return tried;
  }

  const Door door_ = door_named(GetParam());
};

TEST_P(PropertiesDoor, AllHoldForTheReferenceBehindIt) {
  auto tried = try_behind({"--tests", "10"});
  EXPECT_EQ(tried.program.exit_code, 0) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["pass"], door_.framing == "http" ? 19 : 22)
      << tried.program.output;
}

TEST_P(PropertiesDoor, AFaultBehindItBreaksThePropertyAndTheReportNamesTheDoor) {
  auto tried = try_behind(kBatches, kNested);
  EXPECT_EQ(tried.program.exit_code, 1) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.failing().count("bat-nested"), 1U) << tried.program.output;
  EXPECT_TRUE(contains(tried.program.output, "FAIL  properties/batch-answered"));
}

TEST_P(PropertiesDoor, AnswersThatComeOnlyWhenMoreIsSentBreakOne) {
  if (door_.framing == "http") return;
  auto tried = try_behind({"--tests", "10", "--only", "answered-alone", "--only", "call-answered"},
                          {"--fault", "successes-held-until-more-comes"});
  EXPECT_EQ(tried.program.exit_code, 1) << tried.program.output << tried.program.error;
  EXPECT_TRUE(contains(tried.program.output, "FAIL  properties/answered-alone"))
      << tried.program.output;
  EXPECT_EQ(tried.judgement.counts["fail"], 1) << tried.program.output;
}

INSTANTIATE_TEST_SUITE_P(, PropertiesDoor, ::testing::Values("tcp", "ws", "https", "unix"),
                         [](const auto& each) { return each.param; });

TEST(PropertiesProgram, TheSameSeedGivesTheSameCounterexample) {
  const auto words = properties(kBatches + reference(kNested));
  const auto first = run_program(words);
  EXPECT_EQ(first.exit_code, 1) << first.error;
  EXPECT_EQ(first.output, run_program(words).output);
}

TEST(PropertiesProgram, AreTriedByTheNamesThatTheOutputGivesThem) {
  auto tried = try_properties(
      Words{"--tests", "5", "--only", "properties/white-space", "--only", "escapes"} + reference());
  EXPECT_EQ(tried.program.exit_code, 0) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["pass"], 2) << tried.program.output;
}

TEST(PropertiesProgram, AServerThatDiesBreaksWhatItDiesOf) {
  auto tried = try_properties(Words{"--only", "broken-refused", "--only", "white-space"} +
                              on_stdio("dies-on-not-json"));
  EXPECT_EQ(tried.program.exit_code, 1) << tried.program.error;
  EXPECT_EQ(tried.judgement.failing(), std::set<std::string>{"rob-survives"});
  const auto* held = find_case(tried.judgement, "properties/white-space");
  ASSERT_NE(held, nullptr);
  EXPECT_EQ(held->verdict, "pass") << held->reason << tried.program.output;
}

TEST(PropertiesProgram, AServerThatHangsOnAMessageBreaksWhatItHangsOn) {
  auto tried = try_properties(Words{"--timeout", "0.2", "--only", "broken-refused"} +
                              on_stdio("deaf-after-not-json"));
  EXPECT_EQ(tried.program.exit_code, 1) << tried.program.output << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["fail"], 1) << tried.program.output;
}

TEST(PropertiesProgram, AServerThatHangsAgainAndAgainIsGivenUpAndNothingIsSaidToHold) {
  auto tried = try_properties(Words{"--timeout", "0.1", "--only", "white-space"} +
                              server_that_hangs_after(30));
  EXPECT_EQ(tried.program.exit_code, 3) << tried.program.output;
  EXPECT_TRUE(contains(tried.program.error, "not tested enough: the server left calls unanswered"))
      << tried.program.error;
  EXPECT_TRUE(contains(tried.program.output, "waited in vain for answers: given up after"))
      << tried.program.output;
  EXPECT_EQ(tried.judgement.counts["pass"], 0) << tried.program.output;
  EXPECT_EQ(tried.judgement.counts["fail"], 0) << tried.program.output;
}

TEST(PropertiesProgram, AServerThatAnswersNothingCannotBeJudged) {
  auto tried =
      try_properties(Words{"--timeout", "0.2", "--framing", "lines", "--start-timeout", "0.2"} +
                     on_stdio("never-answers"));
  EXPECT_EQ(tried.program.exit_code, 3) << tried.program.error;
  EXPECT_TRUE(contains(tried.program.error, "nothing can be tested")) << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["not-exercised"], 22);
}

TEST(PropertiesProgram, WhatCannotBeStartedIsToldAsByRun) {
  const Words nowhere = {"--", "/nonexistent/program"};
  auto tried = try_properties(nowhere);
  const auto run = run_program(Words{jrpcheck_program(), "run"} + nowhere);
  EXPECT_EQ(tried.program.exit_code, 3);
  EXPECT_EQ(tried.program.exit_code, run.exit_code);
  EXPECT_EQ(tried.program.error, run.error);
  EXPECT_EQ(tried.judgement.counts["not-exercised"], 22);
}

// The wait alone would be ten minutes.
TEST(PropertiesProgram, TheTimeCutsOffATestThatWaits) {
  const auto begin = std::chrono::steady_clock::now();
  auto tried = try_properties(Words{"--timeout", "600", "--max-time", "6", "--framing", "lines"} +
                              server_that_hangs_after(112));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_EQ(tried.program.exit_code, 1) << tried.program.output << tried.program.error;
  EXPECT_TRUE(contains(tried.program.error, "no property was tested enough: nothing was shown"))
      << tried.program.error;
  EXPECT_TRUE(contains(tried.program.output, "the time was up")) << tried.program.output;
  EXPECT_EQ(tried.judgement.counts["not-exercised"], 22) << tried.program.output;
}

TEST(PropertiesProgram, ATimeThatIsUpBeforeTheServerAnswersSaysNothingOfTheServer) {
  auto tried = try_properties(Words{"--max-time", "0.3"} + on_stdio("never-answers"));
  EXPECT_NE(tried.program.exit_code, 0);
  EXPECT_TRUE(contains(tried.program.error, "the time was up before")) << tried.program.error;
  EXPECT_EQ(tried.judgement.counts["not-exercised"], 22);
}

class InterruptedProperties : public ::testing::TestWithParam<int> {};

TEST_P(InterruptedProperties, TellWhatHasBeenTriedAndWhatHasNot) {
  const TemporaryFolder folder;
  const std::string report = folder.file("properties.json");
  RunningProgram program(
      properties({"--timeout", "60", "--tests", "1000000", "--max-time", "0", "--only",
                  "broken-refused", "--only", "white-space", "--report", "json=" + report}) +
      on_stdio("dies-on-not-json"));
  ASSERT_TRUE(program.await_output("FAIL  properties/broken-refused"));
  program.send_signal(GetParam());
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + GetParam()) << result.output << result.error;
  EXPECT_FALSE(result.left_processes);
  const std::string name = GetParam() == SIGINT ? "SIGINT" : "SIGTERM";
  EXPECT_TRUE(contains(result.output, "partial: interrupted by " + name + " after 1 of 2"))
      << result.output;
  auto judgement = read_consistent_report(read_file(report));
  EXPECT_EQ(judgement.failing(), std::set<std::string>{"rob-survives"});
  EXPECT_TRUE(contains(judgement.json, "\"interrupted\": \"interrupted by " + name));
}

INSTANTIATE_TEST_SUITE_P(, InterruptedProperties, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& one) {
                           return one.param == SIGINT ? "BySigint" : "BySigterm";
                         });

// The signal comes while an answer is waited for that will not come.
TEST(PropertiesProgram, AnInterruptionOfAWaitBreaksNothing) {
  const TemporaryFolder folder;
  const std::string report = folder.file("properties.json");
  RunningProgram program(
      properties({"--timeout", "600", "--framing", "lines", "--report", "json=" + report}) +
      Words{"--", "/bin/sh", "-c",
            "sed -u 60q | " + misbehaving_program() +
                " --ordinary; read -r line || exit 0; echo enough >&9; exec sleep 600"});
  ASSERT_TRUE(program.await_word());
  program.send_signal(SIGTERM);
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + SIGTERM) << result.output << result.error;
  EXPECT_FALSE(result.left_processes);
  auto judgement = read_consistent_report(read_file(report));
  EXPECT_EQ(judgement.counts["fail"] + judgement.counts["warn"], 0) << result.output;
  EXPECT_EQ(judgement.verdict, "partial");
}

TEST(PropertiesProgram, AnInterruptionBeforeTheServerAnswersIsToldAsSuch) {
  RunningProgram program(properties({"--", "/bin/sh", "-c", "echo started >&9; exec sleep 600"}));
  ASSERT_TRUE(program.await_word());
  program.send_signal(SIGINT);
  const auto result = program.finish();
  EXPECT_EQ(result.exit_code, 128 + SIGINT) << result.output << result.error;
  EXPECT_TRUE(contains(result.error, "interrupted by SIGINT before")) << result.error;
  EXPECT_FALSE(result.left_processes);
}

TEST(PropertiesProgram, UsageErrorsSayWhatIsWrong) {
  EXPECT_EQ(run_program(properties({})).exit_code, 2);
  EXPECT_EQ(run_program(properties(Words{"--max-time", "-1"} + reference())).exit_code, 2);
  EXPECT_EQ(run_program(properties(Words{"--report", "nonsense=x"} + reference())).exit_code, 2);
  const auto unknown = run_program(properties(Words{"--only", "nonsense"} + reference()));
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.error, "there is no property 'nonsense'")) << unknown.error;
}

}  // namespace properties_test
}  // namespace jrpcheck::testing
