// jrpcheck fuzz, replay and promote as programs, against the reference server.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "testing/fuzz_for_testing.hpp"
#include "testing/secret_for_testing.hpp"

namespace jrpcheck::testing {
namespace fuzz_test {

TEST(Fuzz, NothingIsFoundInTheReference) {
  const auto result = jrpcheck({"fuzz", "--max-time", "3", "--keep-going"}, reference());
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "0 findings")) << result.output;
  EXPECT_FALSE(contains(result.output, " 0 valid calls")) << result.output;
  EXPECT_FALSE(result.left_processes);
}

TEST(Fuzz, NothingIsFoundInTheReferenceOverHttp) {
  const std::string port = std::to_string(free_port());
  const auto result =
      jrpcheck({"fuzz", "--max-time", "3", "--keep-going", "http://127.0.0.1:" + port + "/"},
               {"--", REFERENCE_PROGRAM, "--http", port});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_FALSE(result.left_processes);
}

TEST(Fuzz, ARefusalForLengthIsNoFinding) {
  const auto result = jrpcheck({"fuzz", "--max-time", "3", "--keep-going"},
                               reference({"--variant", "length-limited-to-1-kib"}));
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
}

struct Fault {
  std::string name;
  std::string requirement;
};

class FuzzFault : public ::testing::TestWithParam<Fault> {};

TEST_P(FuzzFault, IsFoundAndReduced) {
  const auto result =
      jrpcheck({"fuzz", "--max-time", "20"}, reference({"--fault", GetParam().name}));
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "FAIL  " + GetParam().requirement)) << result.output;
  EXPECT_FALSE(result.left_processes);
}

INSTANTIATE_TEST_SUITE_P(
    OfTheReference, FuzzFault,
    ::testing::Values(Fault{"batch-nested-executed", "bat-nested"},
                      Fault{"unknown-method-internal-error", "err-code-method"},
                      Fault{"successes-held-until-more-comes", "res-always"},
                      Fault{"params-errors-held-until-more-comes", "res-always"},
                      Fault{"batches-held-until-more-comes", "res-always"},
                      Fault{"byte-order-mark-fatal", "rob-survives"}),
    [](const auto& each) {
      std::string name = each.param.name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

class FuzzConversation : public ::testing::TestWithParam<std::string> {};

// What a server remembers from one try is still there in the next, unless it is started anew.
TEST_P(FuzzConversation, IsFoundWithTheMessageThatHasToComeBefore) {
  const auto result = jrpcheck({"fuzz", "--max-time", "60", "--timeout", "0.5", "--seed", "1"},
                               reference({"--fault", GetParam()}));
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "\n    after     ")) << result.output;
  EXPECT_FALSE(contains(result.output, "flaky")) << result.output;
}

INSTANTIATE_TEST_SUITE_P(OfTheReference, FuzzConversation,
                         ::testing::Values("deep-null-after-nested-batch", "deep-error-left-behind",
                                           "deep-notification-again"),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(Fuzz, WhatCannotBeTakenIsWrongUsage) {
  const TemporaryFolder folder;
  const std::string file = folder.file("file");
  std::ofstream(file) << "x";
  const std::vector<std::pair<Words, std::string>> wrong = {
      {{"fuzz", "--engine", "foo"}, "'foo' is no flag of libFuzzer: one begins with -"},
      {{"fuzz", "--engine", "-jobs=2"}, "--engine: -jobs is not for campaigns"},
      {{"fuzz", "--allow", "x"}, "--allow: in the profile 'jsonrpc-2.0' nothing is called"},
      {{"fuzz", "--corpus", file},
       "--corpus: the folder '" + file + "' cannot be made: it is a file"},
      {{"fuzz", "--findings", file},
       "--findings: the folder '" + file + "' cannot be made: it is a file"}};
  for (const auto& [words, message] : wrong) {
    const auto result = jrpcheck(words, reference());
    EXPECT_EQ(result.exit_code, 2) << result.error;
    EXPECT_TRUE(contains(result.error, message)) << result.error;
  }
}

TEST(Fuzz, TheNumberOfRunsIsKept) {
  const auto result = jrpcheck({"fuzz", "--runs", "500", "--seed", "7"}, reference());
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "500 exchanges")) << result.output;
  EXPECT_TRUE(contains(result.output, " µs of processor time each)")) << result.output;
}

TEST(Fuzz, AServerThatAnswersNoCallCannotBeJudged) {
  const auto result =
      jrpcheck({"fuzz", "--timeout", "0.3", "--framing", "lines", "--max-time", "20"},
               {"--", "/bin/sleep", "30"});
  EXPECT_EQ(result.exit_code, 3) << result.output << result.error;
  EXPECT_TRUE(contains(result.error, "nothing can be tested")) << result.error;
}

TEST(Fuzz, UsageErrorsSayWhatIsWrong) {
  EXPECT_EQ(jrpcheck({"fuzz"}, {}).exit_code, 2);
  EXPECT_EQ(jrpcheck({"fuzz", "--max-time", "-1"}, reference()).exit_code, 2);
  EXPECT_EQ(jrpcheck({"fuzz", "--report", "nonsense=x"}, reference()).exit_code, 2);
  EXPECT_EQ(jrpcheck({"fuzz"}, {"--", "/nonexistent/program"}).exit_code, 3);
}

TEST(Fuzz, ItsReportIsReadAndRenderedLikeThatOfARun) {
  const TemporaryFolder folder;
  const std::string report = folder.file("found.json");
  const auto result = jrpcheck({"fuzz", "--max-time", "20", "--report", "json=" + report},
                               reference({"--fault", "batch-empty-answered-empty"}));
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  const auto tap = jrpcheck({"report", "tap=-", report}, {});
  EXPECT_EQ(tap.exit_code, 0) << tap.error;
  EXPECT_TRUE(contains(tap.output, "fuzz/bat-empty-")) << tap.output;
  EXPECT_TRUE(contains(tap.output, "not ok")) << tap.output;
  const auto html = jrpcheck({"report", "html=-", report}, {});
  EXPECT_TRUE(contains(html.output, "fuzz/bat-empty-"));
}

TEST(Fuzz, AReportOnStandardOutputStandsThereAlone) {
  const auto result = jrpcheck({"fuzz", "--runs", "300", "--report", "json=-"}, reference());
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(result.output.substr(0, 1), "{");
  EXPECT_TRUE(contains(result.output, R"("verdict": "partial")")) << result.output.substr(0, 600);
  EXPECT_TRUE(contains(result.error, "0 findings")) << result.error;
}

Words misbehaving(const std::string& mode) { return {"--", MISBEHAVING_PROGRAM, "--" + mode}; }

TEST(Fuzz, AServerWhoseMemoryGrowsWithAKindOfMessageIsWarnedOf) {
  const TemporaryFolder folder;
  const Words words = {"fuzz", "--max-growth", "16",         "--max-time",
                       "90",   "--findings",   folder.path()};
  Words more = words;
  more.insert(more.end(), {"--runs", "40000"});
  const auto result = jrpcheck(more, misbehaving("keeps-what-is-broken"));
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "WARN  rob-memory")) << result.output;
  ASSERT_EQ(files_in(folder.path()).size(), 1U);
  const auto stored = files_in(folder.path()).front();
  const auto replayed = jrpcheck({"replay", stored}, misbehaving("keeps-what-is-broken"));
  EXPECT_EQ(replayed.exit_code, 1) << replayed.output << replayed.error;
  EXPECT_TRUE(contains(replayed.output, "MiB in ")) << replayed.output;
  EXPECT_EQ(jrpcheck({"replay", stored}, misbehaving("ordinary")).exit_code, 0);
  const auto promoted = jrpcheck({"promote", stored}, {});
  EXPECT_EQ(promoted.exit_code, 2);
  EXPECT_TRUE(contains(promoted.error, "no case can say it")) << promoted.error;

  more = words;
  more.emplace_back("--strict");
  EXPECT_EQ(jrpcheck(more, misbehaving("keeps-what-is-broken")).exit_code, 1);
}

TEST(Fuzz, AServerThatFillsACacheIsNot) {
  const auto result = jrpcheck({"fuzz", "--max-growth", "16", "--runs", "20000", "--strict"},
                               misbehaving("fills-a-cache"));
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "it grew beyond --max-growth")) << result.output;
  EXPECT_TRUE(contains(result.output, "0 findings")) << result.output;
}

TEST(Fuzz, TheEdgesOfAProgramAreSeen) {
  const auto result = jrpcheck({"fuzz", "--runs", "1000"}, {"--", EXAMPLE_PROGRAM});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, " edges,")) << result.output;
  EXPECT_FALSE(contains(jrpcheck({"fuzz", "--runs", "300"}, reference()).output, " edges,"));
}

TEST(Fuzz, AFaultThatNeedsTwoMessagesIsFoundWithBoth) {
  const TemporaryFolder folder;
  const std::string fault = "deep-null-after-nested-batch";
  const auto result = jrpcheck({"fuzz", "--max-time", "60", "--findings", folder.path()},
                               reference({"--fault", fault}));
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "FAIL  id-null-request")) << result.output;
  EXPECT_TRUE(contains(result.output, "  after     [")) << result.output;
  const auto files = files_in(folder.path());
  ASSERT_EQ(files.size(), 1U);
  const auto failed = jrpcheck({"replay", files.front()}, reference({"--fault", fault}));
  EXPECT_EQ(failed.output.rfind("FAILED", 0), 0U) << failed.output << failed.error;
  const auto fixed = jrpcheck({"replay", files.front()}, reference());
  EXPECT_EQ(fixed.output.rfind("FIXED", 0), 0U) << fixed.output << fixed.error;
}

struct FaultInCompany {
  std::string name;
  std::string requirement;
  std::string row;  // of what the finding shows beside the message
};

class FuzzInCompany : public ::testing::TestWithParam<FaultInCompany> {
 protected:
  // `words`, and behind them a server on a socket with this fault, or without any.
  static ProgramResult on_a_socket(Words words, const std::string& fault) {
    const std::string port = std::to_string(free_port());
    words.push_back("tcp://127.0.0.1:" + port);
    Words server = {"--", REFERENCE_PROGRAM, "--tcp", port};
    if (!fault.empty()) server.insert(server.end(), {"--fault", fault});
    return jrpcheck(std::move(words), server);
  }
};

// What shows only in what is read together is right when it is sent alone.
TEST_P(FuzzInCompany, IsFoundReplayedAndMadeACase) {
  const TemporaryFolder folder;
  const std::string& fault = GetParam().name;
  const auto result = on_a_socket(
      {"fuzz", "--seed", "1", "--max-time", "60", "--timeout", "1", "--findings", folder.path()},
      fault);
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "FAIL  " + GetParam().requirement)) << result.output;
  EXPECT_TRUE(contains(result.output, "    " + GetParam().row)) << result.output;
  const auto files = files_in(folder.path());
  ASSERT_EQ(files.size(), 1U);
  const auto failed = on_a_socket({"replay", files.front()}, fault);
  EXPECT_EQ(failed.output.rfind("FAILED", 0), 0U) << failed.output << failed.error;
  EXPECT_TRUE(contains(failed.output, "3 of 3 times")) << failed.output;
  const auto fixed = on_a_socket({"replay", files.front()}, {});
  EXPECT_EQ(fixed.output.rfind("FIXED", 0), 0U) << fixed.output << fixed.error;

  const TemporaryFolder cases;
  const std::string promoted = cases.file("of/mine/found.json");
  ASSERT_EQ(jrpcheck({"promote", files.front(), "-o", promoted}, {}).exit_code, 0);
  EXPECT_EQ(jrpcheck({"lint", promoted}, {}).exit_code, 0);
  const Words run = {"run", "--cases", cases.path(), "--select", "found/*"};
  EXPECT_EQ(on_a_socket(run, {}).exit_code, 0);
  EXPECT_EQ(on_a_socket(run, fault).exit_code, 1);
}

INSTANTIATE_TEST_SUITE_P(
    OfTheReference, FuzzInCompany,
    ::testing::Values(FaultInCompany{"deep-batch-behind-another", "tcp-coalesced", "ahead     {"},
                      // Each group loses the calls that tell its answers apart.
                      FaultInCompany{"deep-ninth-of-one-read", "tcp-coalesced", "ahead     {"},
                      FaultInCompany{"deep-character-cut-by-a-read", "rob-split",
                                     "pieces    cut before byte "}),
    [](const auto& each) {
      std::string name = each.param.name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

// There the call behind each message is lost, and so is whatever would tell what came of it.
TEST(Fuzz, WhatIsLostBehindTheFirstOfEachReadIsFoundOnStandardStreams) {
  const auto result = jrpcheck({"fuzz", "--seed", "1", "--max-time", "60", "--timeout", "1"},
                               reference({"--fault", "first-of-piece-only"}));
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "FAIL  rob-pipelined")) << result.output;
}

TEST(Replay, TellsWhetherTheFaultIsStillThere) {
  const TemporaryFolder folder;
  const std::string file = stored_finding(folder, "batch-empty-answered-empty");
  const auto failed =
      jrpcheck({"replay", file}, reference({"--fault", "batch-empty-answered-empty"}));
  EXPECT_EQ(failed.exit_code, 1) << failed.error;
  EXPECT_EQ(failed.output.rfind("FAILED", 0), 0U) << failed.output;
  const auto fixed = jrpcheck({"replay", file}, reference());
  EXPECT_EQ(fixed.exit_code, 0) << fixed.output << fixed.error;
  EXPECT_EQ(fixed.output.rfind("FIXED", 0), 0U) << fixed.output;
  const auto error = jrpcheck({"replay", file}, {"--", "/nonexistent/program"});
  EXPECT_EQ(error.exit_code, 3);
  EXPECT_EQ(error.output.rfind("ERROR", 0), 0U) << error.output;
  EXPECT_EQ(jrpcheck({"replay", "/nonexistent"}, reference()).exit_code, 2);
}

TEST(Replay, NamesTheFaultThatIsThereWhereItIsAnother) {
  const TemporaryFolder folder;
  const std::string file = stored_finding(folder, "batch-empty-answered-empty");
  const auto other = jrpcheck({"replay", file}, reference({"--fault", "error-message-missing"}));
  EXPECT_EQ(other.exit_code, 1) << other.error;
  EXPECT_EQ(other.output.rfind("FAILED  err-message-string", 0), 0U) << other.output;
  EXPECT_TRUE(contains(other.output, "(another fault; bat-empty")) << other.output;
}

TEST(Replay, TellsNothingOfAServerThatAnswersNothing) {
  const TemporaryFolder folder;
  const std::string file = stored_finding(folder, "batch-empty-answered-empty");
  const auto silent = jrpcheck({"replay", file, "--timeout", "1"}, misbehaving("never-answers"));
  EXPECT_EQ(silent.exit_code, 3) << silent.output << silent.error;
  EXPECT_EQ(silent.output.rfind("ERROR", 0), 0U) << silent.output;
}

TEST(Replay, DoesNotCallFixedWhatShowsAtTimesOrIsNotKnown) {
  const TemporaryFolder folder;
  const std::string file = stored_finding(folder, "batch-empty-answered-empty");
  const std::string text = read_file(file);
  const auto with = [&](const std::string& old, const std::string& replacement) {
    std::string changed = text;
    const auto at = changed.find(old);
    EXPECT_NE(at, std::string::npos) << text;
    write_file(file, changed.replace(at, old.size(), replacement));
    return jrpcheck({"replay", file}, reference());
  };
  const auto unseen = with(R"("shown": 2)", R"("shown": 1)");
  EXPECT_EQ(unseen.exit_code, 0) << unseen.error;
  EXPECT_EQ(unseen.output.rfind("UNSEEN", 0), 0U) << unseen.output;
  EXPECT_TRUE(contains(unseen.output, "none of 3 now")) << unseen.output;
  const auto unknown = with(R"("requirement": "bat-empty")", R"("requirement": "bat-emtpy")");
  EXPECT_EQ(unknown.exit_code, 2) << unknown.output;
}

TEST(Promote, MakesACaseThatLintAcceptsAndTheFaultFails) {
  const TemporaryFolder findings;
  const std::string file = stored_finding(findings, "batch-empty-answered-empty");
  const TemporaryFolder cases;
  const std::string promoted = cases.file("found.json");
  ASSERT_EQ(jrpcheck({"promote", file, "-o", promoted}, {}).exit_code, 0);
  const auto lint = jrpcheck({"lint", promoted}, {});
  EXPECT_EQ(lint.exit_code, 0) << lint.output << lint.error;
  const Words run = {"run", "--cases", cases.path(), "--select", "found/*"};
  EXPECT_EQ(jrpcheck(run, reference()).exit_code, 0);
  EXPECT_EQ(jrpcheck(run, reference({"--fault", "batch-empty-answered-empty"})).exit_code, 1);
}

TEST(Fuzz, WritesNoSecretThatTheServerRepeats) {
  const Secret token;
  const Secret variable;
  const std::vector<std::string> secrets = {token, variable};
  const TemporaryFolder folder;
  const Words server = {"--",
                        "/bin/sh",
                        "-c",
                        "BACKEND_SECRET=" + variable + " exec \"$@\"",
                        "sh",
                        MISBEHAVING_PROGRAM,
                        "--repeats-secrets",
                        "--token",
                        token};
  const auto result =
      jrpcheck({"fuzz", "--max-time", "10", "--keep-going", "--corpus", folder.file("corpus"),
                "--findings", folder.file("found"), "--report", "json=" + folder.file("run.json")},
               server);
  EXPECT_EQ(result.exit_code, 1) << result.error;
  expect_none_in(result.output + result.error, secrets, "fuzz");
  expect_none_in_files(folder.path(), secrets);
  const auto found = files_in(folder.file("found"));
  ASSERT_FALSE(found.empty());
  const auto replayed = jrpcheck({"replay", found.front()}, server);
  expect_none_in(replayed.output + replayed.error, secrets, "replay");
  const auto promoted = run_program({JRPCHECK_PROGRAM, "promote", found.front()});
  expect_none_in(promoted.output + promoted.error, secrets, "promote");
}

}  // namespace fuzz_test
}  // namespace jrpcheck::testing
