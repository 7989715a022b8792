// What a user types, and what comes back: exit codes, messages, files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace command_line_test {

ProgramResult jrpcheck(const Words& words, const Words& environment = {}) {
  return run_program(Words{jrpcheck_program()} + words, environment);
}

const Words kFew = {"--select", "calibration/*"};

Words reference() { return {"--", reference_program(), "--stdio"}; }

std::string url(int port) { return "http://127.0.0.1:" + std::to_string(port) + "/"; }

TEST(Help, GoesToStandardOutput) {
  for (const Words& words : {Words{"--help"}, Words{"-h"}, Words{"help"}, Words{"run", "--help"},
                             Words{"help", "run"}}) {
    const auto result = jrpcheck(words);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.output, "jrpcheck run")) << result.output;
    EXPECT_EQ(result.error, "");
  }
}

TEST(Help, NamesEveryOptionThatScriptsRelyOn) {
  const auto help = jrpcheck({"run", "--help"}).output;
  for (const std::string option : {"--framing", "--report", "--select", "--skip", "--strict",
                                   "--timeout", "--jobs", "--methods", "--opening", "--header",
                                   "--cases", "--seed", "--color", "--quiet", "--verbose"}) {
    EXPECT_TRUE(contains(help, option)) << option;
  }
}

TEST(Help, OfACommandIsWhatTheCommandPrints) {
  EXPECT_EQ(jrpcheck({"help", "fuzz"}).output, jrpcheck({"fuzz", "--help"}).output);
  EXPECT_TRUE(contains(jrpcheck({"help"}).output, "--version"));
}

TEST(Version, IsOneLine) {
  const auto result = jrpcheck({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output.rfind("jrpcheck ", 0), 0U);
  EXPECT_EQ(result.output.find('\n'), result.output.size() - 1);
}

TEST(Misuse, OfATargetWithoutACommandNoKeyIsRepeated) {
  const std::string key = "0123456789abcdef0123456789abcdef";
  const auto result = jrpcheck({"https://node.example/v3/" + key});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.error, "did you mean jrpcheck run https://node.example/v3/"))
      << result.error;
  EXPECT_FALSE(contains(result.error, key)) << result.error;
}

struct Misuse {
  Words words;
  std::string complaint;  // part of the one line on standard error
};

TEST(Misuse, IsExitCode2AndOneLineThatNamesIt) {
  const Words target = reference();
  const Misuse misuses[] = {
      {{"try"}, "unknown command 'try'"},
      {{"rnu"}, "did you mean 'run'?"},
      {{"help", "nosuch"}, "unknown command 'nosuch'"},
      {{"http://127.0.0.1:8545/"}, "did you mean jrpcheck run http://127.0.0.1:8545/"},
      {{"run", "localhost:8545"}, "did you mean http://localhost:8545/"},
      {{"run", "node", "server.js"}, "jrpcheck run -- node server.js"},
      {Words{"run", "--timout", "3"} + target, "did you mean '--timeout'?"},
      {{"judge"}, "what is to be judged?"},
      {{"run", "--bogus", "x"}, "--bogus"},
      {{"run"}, "what is to be judged?"},
      {{"run", "--"}, "no program after --"},
      {{"run", "ftp://127.0.0.1/"}, "ftp://"},
      {{"run", "server.js"}, "'server.js' is no target"},
      {Words{"run", "--framing", "morse"} + target, "'morse'"},
      {{"run", "--framing", "lines", "http://127.0.0.1/"}, "--framing"},
      {Words{"run", "--report", "xls=a"} + target, "unknown format 'xls'"},
      {Words{"run", "--report", "json"} + target, "json="},
      {Words{"run", "--timeout", "0"} + target, "--timeout"},
      {Words{"run", "--timeout", "soon"} + target, "--timeout"},
      {Words{"run", "--jobs", "65"} + target, "--jobs"},
      {Words{"run", "--color", "mauve"} + target, "'mauve'"},
      {Words{"run", "--quiet", "--verbose"} + target, "exclude each other"},
      {Words{"run", "--header", "X-Key: 1"} + target, "--header"},
      {{"run", "--header", "no colon", "http://127.0.0.1/"}, "--header"},
      {Words{"run", "--select", "no-such-*"} + target, "'no-such-*' matches no case"},
      {Words{"run", "--skip", "no-such-*"} + target, "'no-such-*' matches no case"},
      {Words{"run", "--select", "mcp/*"} + target, "add --profile mcp"},
      {Words{"run", "--select", "batch/empty", "--skip", "batch/*"} + target, "leave no case"},
      {Words{"run", "--methods", "/nowhere/methods.json"} + target, "/nowhere/methods.json"},
      {Words{"run", "--opening", "/nowhere/opening.json"} + target, "/nowhere/opening.json"},
      {Words{"run", "--cases", "/nowhere"} + target, "/nowhere"},
  };
  for (const auto& misuse : misuses) {
    const auto result = jrpcheck(misuse.words);
    EXPECT_EQ(result.exit_code, 2) << misuse.complaint;
    EXPECT_EQ(result.output, "") << misuse.complaint;
    EXPECT_EQ(result.error.rfind("jrpcheck: ", 0), 0U) << result.error;
    EXPECT_TRUE(contains(result.error, misuse.complaint)) << result.error;
    EXPECT_EQ(result.error.find('\n'), result.error.size() - 1) << result.error;
  }
}

TEST(Misuse, NoWordsAtAllShowTheUsage) {
  const auto result = jrpcheck({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(contains(result.error, "jrpcheck run")) << result.error;
}

TEST(CasesFolder, ABrokenFileIsNamedWithLineAndFault) {
  const TemporaryFolder folder;
  const struct {
    std::string text;
    std::string place;
    std::string fault;
  } broken_files[] = {
      {"{\n \"cases\": [\n  {]\n}\n", "own.json:3", "not JSON"},
      {"{\n \"cases\": [\n  {\"id\": \"own/one\",\n   \"titel\": \"x\"}\n ]\n}\n",
       "own.json:", "titel"},
      {"{\"about\": \"x\", \"cases\": [\n {\"id\": \"own/one\", \"title\": \"x\", "
       "\"requirements\": "
       "[\"no-such\"],\n  \"steps\": [{\"send\": {\"json\": 1}, \"accept\": [{\"silence\": "
       "true}]}]}]}",
       "own.json:2", "no-such"},
  };
  for (const auto& broken : broken_files) {
    write_file(folder.file("own.json"), broken.text);
    const auto result = jrpcheck(Words{"run", "--cases", folder.path()} + reference());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.error, broken.place)) << result.error;
    EXPECT_TRUE(contains(result.error, broken.fault)) << result.error;
  }
}

TEST(CasesFolder, AddsItsCases) {
  const TemporaryFolder folder;
  write_file(folder.file("own.json"), R"({"about": "x", "cases": [{
    "id": "own/call", "title": "x", "requirements": ["res-always"],
    "steps": [{"send": {"json": {"jsonrpc": "2.0", "method": "${unknown}", "id": "${id}"}},
               "accept": [{"response": {"error": {"code": -32601}, "id": "${id}"}}]}]}]})");
  auto judgement = judge(Words{"--cases", folder.path(), "--select", "own/*"} + reference());
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  ASSERT_EQ(judgement.cases.size(), 1U);
  EXPECT_EQ(judgement.cases.front().verdict, "pass");
}

TEST(Require, ConformsFailsWhatIsPartial) {
  const Words some = {"--select", "request/unknown-method"};
  EXPECT_EQ(judge(some + reference()).program.exit_code, 0);
  const auto required = judge(Words{"--require", "conforms"} + some + reference());
  EXPECT_EQ(required.verdict, "partial");
  EXPECT_EQ(required.program.exit_code, 1);
}

// A run that never began is told by its exit code and its reports, which pass nothing.
void expect_unreached(Judgement judgement, const std::string& reason) {
  EXPECT_EQ(judgement.program.exit_code, 3);
  EXPECT_TRUE(contains(judgement.program.error, reason)) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "unreachable");
  EXPECT_EQ(judgement.counts["pass"], 0);
  EXPECT_EQ(judgement.counts["fail"], 0);
  EXPECT_GT(judgement.counts["not-exercised"], 200);
  ASSERT_EQ(judgement.notes.size(), 1U);
  EXPECT_TRUE(contains(judgement.notes.front(), reason)) << judgement.notes.front();
}

TEST(Unreached, APortThatRefuses) {
  const auto target = url(free_port());
  expect_unreached(judge({target}), "Is the server running at " + target);
}

TEST(Unreached, AHostThatDoesNotExist) {
  expect_unreached(judge({"http://no-such-host.invalid/"}), "no-such-host.invalid");
}

TEST(Unreached, AProgramThatDoesNotExist) {
  expect_unreached(judge({"--", "/nowhere/server"}), "cannot start '/nowhere/server'");
}

TEST(Unreached, AProgramThatExitsAtOnceShowsItsStandardError) {
  expect_unreached(judge(on_stdio("exits-at-once")), "the file of settings is missing");
}

TEST(Unreached, AServerThatExitsBeforeItListens) {
  expect_unreached(judge(over_http("exits-at-once")), "before it listened");
}

TEST(Allow, ANameWithoutEffectIsTold) {
  const auto result = jrpcheck(Words{"run", "--allow", "x"} + kFew + reference());
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_TRUE(contains(result.output, "--allow x: in the profile 'jsonrpc-2.0' nothing is called"))
      << result.output;
}

TEST(Strictness, MakesWarningsFail) {
  const Words words = Words{"run"} + kFew;
  EXPECT_EQ(jrpcheck(words + on_stdio("refuses-batches")).exit_code, 0);
  EXPECT_EQ(jrpcheck(words + Words{"--strict"} + on_stdio("refuses-batches")).exit_code, 1);
  EXPECT_EQ(jrpcheck(words + Words{"--strict"} + on_stdio("ordinary")).exit_code, 0);
}

TEST(Console, QuietIsTheVerdictAndTheNumbers) {
  const auto result = jrpcheck(Words{"run", "--quiet"} + on_stdio("omits-version"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 2) << result.output;
  EXPECT_EQ(result.output.rfind("fails ", 0), 0U);
  EXPECT_TRUE(contains(result.output, " failed, ")) << result.output;
  EXPECT_EQ(result.error, "");
}

TEST(Console, NormallyAFindingComesWithItsEvidence) {
  const auto output = jrpcheck(Words{"run"} + kFew + on_stdio("omits-version")).output;
  EXPECT_TRUE(contains(output, "res-version")) << output;
  EXPECT_TRUE(contains(output, "sent")) << output;
  EXPECT_TRUE(contains(output, "try")) << output;
  EXPECT_FALSE(contains(output, "\nnot exercised:\n")) << output;
}

TEST(Console, VerboseTellsWhatWasObservedAndLeftOut) {
  const auto output = jrpcheck(Words{"run", "--verbose"} + on_stdio("ordinary")).output;
  EXPECT_TRUE(contains(output, "\nnot exercised:\n")) << output;
  EXPECT_TRUE(contains(output, "where the specification leaves it open")) << output;
}

TEST(Console, SaysConformsOnlyWhenAllWasExercised) {
  EXPECT_FALSE(contains(jrpcheck(Words{"run"} + kFew + reference()).output, "conforms"));
}

TEST(Console, IsPlainTextUnlessATerminalOrTheUserWantsColour) {
  const Words words = Words{"run"} + kFew;
  const std::string escape = "\033[";
  EXPECT_FALSE(contains(jrpcheck(words + reference()).output, escape));
  EXPECT_TRUE(contains(jrpcheck(words + Words{"--color", "always"} + reference()).output, escape));
  EXPECT_FALSE(contains(jrpcheck(words + Words{"--color", "never"} + reference()).output, escape));
  EXPECT_FALSE(contains(jrpcheck(words + reference(), {"NO_COLOR=1"}).output, escape));
}

TEST(Reports, StandardOutputCarriesNothingElse) {
  const auto result = jrpcheck(Words{"run", "--report", "json=-"} + kFew + reference());
  EXPECT_EQ(result.output.front(), '{');
  EXPECT_EQ(read_report(result.output).cases.size(), 4U);
  EXPECT_TRUE(contains(result.error, "passed")) << result.error;
}

TEST(Reports, AFileIsWrittenWholeAndAlone) {
  const TemporaryFolder folder;
  const auto result =
      jrpcheck(Words{"run", "--report", "json=" + folder.file("run.json")} + kFew + reference());
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(read_report(read_file(folder.file("run.json"))).counts["fail"], 0);
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Reports, AMissingFolderIsExitCode4AndDoesNotHideTheVerdict) {
  const auto result = jrpcheck(Words{"run", "--report", "json=/nowhere/run.json"} + kFew +
                               on_stdio("omits-version"));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.error, "'/nowhere/run.json' cannot be written")) << result.error;
  EXPECT_TRUE(contains(result.output, "fails")) << result.output;
  EXPECT_TRUE(contains(result.output, "res-version")) << result.output;
}

TEST(Reports, TheOthersAreWrittenWhenOneCannotBe) {
  const TemporaryFolder folder;
  const auto result = jrpcheck(Words{"run", "--report", "json=/nowhere/run.json", "--report",
                                     "json=" + folder.file("run.json")} +
                               kFew + reference());
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(read_report(read_file(folder.file("run.json"))).counts["fail"], 0);
}

TEST(Secrets, AppearInNoOutput) {
  const auto port = std::to_string(free_port());
  const TemporaryFolder folder;
  // Every reply is wrong, so that everything a report can show is shown.
  const auto result = jrpcheck({"run",
                                "--verbose",
                                "--header",
                                "Authorization: Bearer hush-hush-1",
                                "--header",
                                "X-Api-Key: hush-hush-2",
                                "--report",
                                "json=" + folder.file("run.json"),
                                "--report",
                                "html=" + folder.file("run.html"),
                                "--report",
                                "junit=" + folder.file("run.xml"),
                                "--report",
                                "sarif=" + folder.file("run.sarif"),
                                "http://mallory:hush-hush-3@127.0.0.1:" + port + "/",
                                "--",
                                misbehaving_program(),
                                "--swaps-codes",
                                "--http",
                                port});
  EXPECT_EQ(result.exit_code, 1);
  const std::string report = read_file(folder.file("run.json"));
  const std::string encoded = "bWFsbG9yeTpodXNoLWh1c2gtMw==";  // mallory:hush-hush-3
  for (const auto* text : {&result.output, &result.error, &report}) {
    EXPECT_FALSE(contains(*text, "hush-hush"));
    EXPECT_FALSE(contains(*text, encoded));
  }
  EXPECT_TRUE(contains(report, "X-Api-Key"));
  for (const auto* name : {"run.html", "run.xml", "run.sarif"}) {
    const std::string text = read_file(folder.file(name));
    EXPECT_FALSE(text.empty()) << name;
    EXPECT_FALSE(contains(text, "hush-hush") || contains(text, encoded)) << name;
  }
}

TEST(Secrets, AppearInNoComplaint) {
  const auto refused =
      jrpcheck({"run", "--header", "X-Api-Key: hush-hush-2",
                "http://mallory:hush-hush-3@127.0.0.1:" + std::to_string(free_port()) + "/"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_FALSE(contains(refused.output + refused.error, "hush-hush")) << refused.error;
  const auto misspelt = jrpcheck({"run", "http://mallory:hush-hush-3@127.0.0.1:port/"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_FALSE(contains(misspelt.output + misspelt.error, "hush-hush")) << misspelt.error;
}

class StoredRun : public ::testing::Test {
 protected:
  // Stores a run of the reference server with a fault, and gives what was printed.
  ProgramResult store(const Words& options = {}) const {
    return jrpcheck(Words{"run", "--select", "id/*", "--report", "json=" + file_} + options +
                    reference() + Words{"--fault", "id-string-to-number"});
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("run.json");
};

TEST_F(StoredRun, IsJudgedAgainWithTheSameScreenAndTheSameReport) {
  const auto first = store();
  EXPECT_EQ(first.exit_code, 1);
  const std::string again = folder_.file("again.json");
  const auto judged = jrpcheck({"judge", "--report", "json=" + again, file_});
  EXPECT_EQ(judged.exit_code, 1);
  // But for the reports, which are not written again, and what to type next, where a run may take a
  // baseline.
  const auto without_reports = [](const std::string& screen) {
    const auto begin = screen.find("report  ");
    const auto end = screen.find("next  ");
    const auto verdict = screen.substr(0, end);
    return begin < end ? verdict.substr(0, begin) : verdict;
  };
  EXPECT_EQ(without_reports(judged.output), without_reports(first.output));
  EXPECT_NE(first.output.find("--update-baseline"), std::string::npos);
  EXPECT_EQ(judged.output.find("--update-baseline"), std::string::npos);
  EXPECT_EQ(judged.error, "");
  const auto twice = jrpcheck({"judge", "--report", "json=-", again});
  EXPECT_EQ(twice.output, jrpcheck({"judge", "--report", "json=-", file_}).output);
}

TEST_F(StoredRun, OptionsDecideOnTheExitCode) {
  ASSERT_EQ(
      jrpcheck(Words{"run", "--quiet", "--report", "json=" + file_} + kFew + reference()).exit_code,
      0);
  EXPECT_EQ(jrpcheck({"judge", "--quiet", file_}).exit_code, 0);
  EXPECT_EQ(jrpcheck({"judge", "--require", "conforms", file_}).exit_code, 1) << "it is a part";
  EXPECT_EQ(jrpcheck({"judge", "--require", "all", file_}).exit_code, 2);
  EXPECT_EQ(jrpcheck({"judge", "--report", "html=/none/x.html", file_}).exit_code, 4);
}

TEST_F(StoredRun, WhatCannotBeJudgedIsAnErrorThatSaysWhatToDo) {
  auto result = jrpcheck({"judge"});
  EXPECT_EQ(result.exit_code, 2);
  result = jrpcheck({"judge", folder_.file("none.json")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.error, "cannot be read")) << result.error;
  std::ofstream(file_) << "{\n \"schema\": 5}";
  result = jrpcheck({"judge", file_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.error, "run.json:2:")) << result.error;
  EXPECT_TRUE(contains(result.error, "jrpcheck run --report json=FILE")) << result.error;
  jrpcheck({"run", "--quiet", "--report", "json=" + file_, "http://127.0.0.1:1/"});
  result = jrpcheck({"judge", file_});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.error, "not reached")) << result.error;
}

}  // namespace command_line_test
}  // namespace jrpcheck::testing
