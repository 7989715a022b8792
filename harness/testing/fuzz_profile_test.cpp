// jrpcheck fuzz --profile as a program, against the reference servers of protocols on top.
#include <gtest/gtest.h>

#include <filesystem>
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
  Words words = {JRPCHECK_PROGRAM, "fuzz", "--profile", spoken.profile, "--runs", "3000"};
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
    {"lsp", {"--lsp", "--stdio"}, "lsp-unknown-method-refused"},
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

TEST(FuzzByProfile, AProtocolIsRecognisedAsByRun) {
  for (const Words& server : {Words{"--lsp", "--stdio"}, Words{"--mcp", "2025-11-25", "--stdio"}}) {
    for (const Words& command : {Words{"fuzz", "--runs", "1000"},
                                 Words{"properties", "--tests", "5", "--max-time", "60"}}) {
      Words words = {JRPCHECK_PROGRAM};
      words.insert(words.end(), command.begin(), command.end());
      words.insert(words.end(), {"--", REFERENCE_PROGRAM});
      words.insert(words.end(), server.begin(), server.end());
      const auto result = run_program(words);
      EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
      EXPECT_NE((result.output + result.error).find(" and is judged by it: --profile "),
                std::string::npos)
          << result.output << result.error;
    }
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
}

TEST(FuzzByProfile, ANameThatIsAllowedInVainIsTold) {
  for (const std::string command : {"fuzz", "properties"}) {
    const auto result =
        run_program({JRPCHECK_PROGRAM, command, "--profile", "mcp-2025-06-18", "--allow", "nobody",
                     "--max-time", "5", "--", REFERENCE_PROGRAM, "--mcp", "2025-06-18", "--stdio"});
    EXPECT_NE(result.error.find("--allow nobody: the server lists nothing of that name"),
              std::string::npos)
        << command << result.error;
  }
}

// The files of a folder, the first of them.
std::string first_file_in(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    return entry.path().string();
  }
  return {};
}

TEST(FuzzByProfile, AStoredFindingIsReplayedByTheSameLaw) {
  for (const auto& each : kSpoken) {
    if (each.fault.empty()) continue;
    const TemporaryFolder folder;
    Words fuzz = {JRPCHECK_PROGRAM,
                  "fuzz",
                  "--profile",
                  each.profile,
                  "--max-time",
                  "6",
                  "--findings",
                  folder.file("found"),
                  "--",
                  REFERENCE_PROGRAM};
    fuzz.insert(fuzz.end(), each.server.begin(), each.server.end());
    fuzz.insert(fuzz.end(), {"--fault", each.fault});
    const auto found = run_program(fuzz);
    ASSERT_EQ(found.exit_code, 1) << found.output << found.error;
    const std::string file = first_file_in(folder.file("found"));
    ASSERT_NE(file, "") << found.output;

    Words replay = {JRPCHECK_PROGRAM, "replay", file, "--", REFERENCE_PROGRAM};
    replay.insert(replay.end(), each.server.begin(), each.server.end());
    const auto fixed = run_program(replay);
    EXPECT_EQ(fixed.exit_code, 0) << fixed.output << fixed.error;
    EXPECT_NE(fixed.output.find("FIXED"), std::string::npos) << fixed.output;
    replay.insert(replay.end(), {"--fault", each.fault});
    const auto shown = run_program(replay);
    EXPECT_EQ(shown.exit_code, 1) << shown.output << shown.error;
    EXPECT_NE(shown.output.find("FAILED"), std::string::npos) << shown.output;

    const auto promoted = run_program({JRPCHECK_PROGRAM, "promote", file});
    EXPECT_EQ(promoted.exit_code, 2);
    EXPECT_NE(promoted.error.find("the law of " + each.profile), std::string::npos)
        << promoted.error;
  }
}

TEST(FuzzByProfile, AProgramThatEndsAtOnceIsToldWithItsLastWords) {
  for (const std::string command : {"fuzz", "properties", "run"}) {
    const auto result = run_program({JRPCHECK_PROGRAM, command, "--profile", "mcp", "--", "/bin/sh",
                                     "-c", "echo no such file >&2; exit 3"});
    EXPECT_EQ(result.exit_code, 3) << result.output << result.error;
    EXPECT_NE(result.error.find("ended before it answered a call: it exited with code 3"),
              std::string::npos)
        << result.error;
    EXPECT_NE(result.error.find("no such file"), std::string::npos) << result.error;
  }
}

TEST(FuzzByProfile, TheLineAnswersWhatTheServerAsksAsItIsOpened) {
  const auto result = fuzzed({"lsp", {"--lsp", "--stdio"}, ""}, "lsp-asks-configuration");
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  const auto line = result.output.find("    try ");
  ASSERT_NE(line, std::string::npos) << result.output;
  EXPECT_NE(result.output.find(R"("result":[null])", line), std::string::npos) << result.output;
}

TEST(FuzzByProfile, AServerOfAnotherFramingIsToldWithWhatToTry) {
  const Words server = {"--", REFERENCE_PROGRAM, "--lsp", "--stdio", "--framing", "lines"};
  for (const std::string command : {"fuzz", "properties", "run"}) {
    Words words = {JRPCHECK_PROGRAM, command, "--profile", "lsp"};
    words.insert(words.end(), server.begin(), server.end());
    const auto result = run_program(words);
    EXPECT_EQ(result.exit_code, 3) << result.output << result.error;
    EXPECT_NE(result.error.find("answered as lines: "), std::string::npos) << result.error;
    EXPECT_NE(result.error.find("--framing lines"), std::string::npos) << result.error;
  }
}

TEST(FuzzByProfile, ATimeThatIsUpTellsWhatWasWaitedFor) {
  const auto result = run_program({JRPCHECK_PROGRAM, "fuzz", "--profile", "lsp", "--max-time", "1",
                                   "--", "/bin/sh", "-c", "exec sleep 600"});
  EXPECT_EQ(result.exit_code, 3) << result.output << result.error;
  EXPECT_NE(result.error.find("stopped by --max-time before the session was open: the opening"),
            std::string::npos)
      << result.error;
}

// socat(1) takes the next connection when the server of the one before has gone.
TEST(RunByProfile, AServerThatServesOneConnectionAtATimeIsGivenEachInTurn) {
  if (run_program({"/bin/sh", "-c", "command -v socat"}).exit_code != 0) {
    GTEST_SKIP() << "socat is needed";
  }
  const std::string port = std::to_string(free_port());
  RunningProgram door({"socat", "-d", "-d",
                       "TCP-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr,fork,max-children=1",
                       std::string("EXEC:") + REFERENCE_PROGRAM + " --lsp --stdio"});
  ASSERT_NE(door.first_error_line().find("listening"), std::string::npos);
  const auto result = run_program({JRPCHECK_PROGRAM, "run", "--profile", "lsp", "--select",
                                   "lsp/initialize*", "--timeout", "3", "tcp://127.0.0.1:" + port});
  door.send_signal(SIGTERM);
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_NE(result.output.find(" 0 failed"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("\n0 passed"), std::string::npos) << result.output;
}

// Its first calls are answered -28, whatever they ask for.
TEST(ByProfile, ANodeThatStillStartsIsRecognisedOnceItHasStarted) {
  const auto port = std::to_string(free_port());
  const auto result = run_program(
      {JRPCHECK_PROGRAM, "run", "http://jrpcheck:jrpcheck@127.0.0.1:" + port, "--",
       REFERENCE_PROGRAM, "--bitcoin", "2.0", "--http", port, "--variant", "btc-starts-up"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_NE(result.error.find("--profile bitcoin-2.0"), std::string::npos) << result.error;
}

// What a server that refuses to open without a folder is given goes when all is done.
TEST(ByProfile, AServerThatNeedsAFolderIsGivenAnEmptyOne) {
  const TemporaryFolder temporary;
  std::filesystem::create_directory(temporary.file("t"));
  const Words env = {"/usr/bin/env", "TMPDIR=" + temporary.file("t"), JRPCHECK_PROGRAM};
  const Words server = {"--",      REFERENCE_PROGRAM, "--lsp",
                        "--stdio", "--fault",         "lsp-folder-needed"};
  const auto with = [&](Words more) {
    Words words = env;
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), server.begin(), server.end());
    return run_program(words);
  };
  const auto run = with({"run", "--jobs", "2"});
  EXPECT_EQ(run.exit_code, 1) << run.output << run.error;
  EXPECT_NE(run.error.find("--profile lsp"), std::string::npos) << "it is recognised" << run.error;
  EXPECT_NE(run.output.find("FAIL  lsp-init-null-root"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find(" 1 failed"), std::string::npos) << run.output;
  const auto plain = with(
      {"run", "--opening", "lsp", "--profile", "jsonrpc-2.0", "--select", "calibration/number-id"});
  EXPECT_EQ(plain.exit_code, 0) << plain.output << plain.error;
  const auto properties = with({"properties", "--profile", "lsp", "--tests", "5"});
  EXPECT_EQ(properties.exit_code, 0) << properties.output << properties.error;
  const std::string said = properties.output + properties.error;
  EXPECT_NE(said.find("empty folder there"), std::string::npos) << said;
  const auto fuzz = with({"fuzz", "--profile", "lsp", "--runs", "200"});
  EXPECT_EQ(fuzz.exit_code, 0) << fuzz.output << fuzz.error;
  EXPECT_TRUE(std::filesystem::is_empty(temporary.file("t")));
}

TEST(PropertiesByProfile, AProtocolOfOneFramingNeedsNoWordOfIt) {
  const auto result = run_program({JRPCHECK_PROGRAM, "properties", "--profile", "lsp", "--tests",
                                   "20", "--", REFERENCE_PROGRAM, "--lsp", "--stdio"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
}

}  // namespace fuzz_profile_test
}  // namespace jrpcheck::testing
