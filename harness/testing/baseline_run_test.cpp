// Known failures: what a run makes of a baseline, and what a baseline makes of a run.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace baseline_run_test {

using Json = nlohmann::json;

class BaselineOfARun : public ::testing::Test {
 protected:
  ProgramResult run(const Words& words, const std::string& mode) const {
    return run_program(Words{jrpcheck_program(), "run", "--select", "calibration/*", "--select",
                             "batch/empty", "--baseline", file()} +
                       words + on_stdio(mode));
  }
  std::string file() const { return folder_.file("known.json"); }
  Json written() const { return Json::parse(read_file(file())); }

  // The baseline of a server that swaps two codes.
  void make() const {
    const auto made = run({"--update-baseline"}, "swaps-codes");
    ASSERT_EQ(made.exit_code, 0) << made.error;
    ASSERT_TRUE(contains(made.error, "added, 0 removed")) << made.error;
  }

  TemporaryFolder folder_;
};

TEST_F(BaselineOfARun, MadeByARunItHoldsForTheNext) {
  make();
  const auto json = written();
  ASSERT_FALSE(json["cases"].empty());
  for (const auto& [id, known] : json["cases"].items()) {
    EXPECT_EQ(known["findings"][0]["requirement"], "err-code-method") << id;
    EXPECT_EQ(known["findings"][0]["symptom"], "wrong-code") << id;
  }
  const auto again = run({}, "swaps-codes");
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_TRUE(contains(again.output, "fails  ")) << "a known failure is one all the same";
  EXPECT_TRUE(contains(again.output, "as the baseline " + file() + " says"));
  EXPECT_TRUE(contains(again.output, "KNOWN  err-code-method"));
}

TEST_F(BaselineOfARun, AFailureThatIsNotListedFails) {
  make();
  auto json = written();
  const std::string id = json["cases"].begin().key();
  json["cases"].erase(id);
  write_file(file(), json.dump());
  const auto result = run({}, "swaps-codes");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "1 unexpected")) << result.output;
  EXPECT_TRUE(contains(result.output, "unexpected: is not listed"));
}

TEST_F(BaselineOfARun, AnotherFailureOfAListedCaseFails) {
  make();
  const auto result = run({"--verbose"}, "omits-version");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "fails otherwise than listed: res-version")) << result.output;
}

TEST_F(BaselineOfARun, AListedCaseThatPassesFailsAsStale) {
  make();
  const auto result = run({}, "ordinary");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "stale")) << result.output;
  EXPECT_TRUE(contains(result.output, "does not fail any more"));
  EXPECT_TRUE(contains(result.output, "0 failed"));
}

TEST_F(BaselineOfARun, CasesThatWereNotRunAreNotStale) {
  make();
  const auto result = run_program(
      Words{jrpcheck_program(), "run", "--select", "batch/empty", "--baseline", file()} +
      on_stdio("ordinary"));
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

TEST_F(BaselineOfARun, UpdatingKeepsWhatPeopleWroteAndDropsWhatIsMended) {
  make();
  auto json = written();
  const std::string kept = json["cases"].begin().key();
  json["about"] = "an old gateway";
  json["cases"][kept]["reason"] = "ticket 7";
  json["cases"]["batch/empty"] = {{"reason", "was wrong once"}};
  json["cases"]["id/null-on-error"] = {{"reason", "of another run"}};
  write_file(file(), json.dump());
  const auto updated = run({"--update-baseline"}, "swaps-codes");
  EXPECT_EQ(updated.exit_code, 0);
  EXPECT_TRUE(contains(updated.error, "0 added, 1 removed")) << updated.error;
  const auto now = written();
  EXPECT_EQ(now["about"], "an old gateway");
  EXPECT_EQ(now["cases"][kept]["reason"], "ticket 7");
  EXPECT_FALSE(now["cases"].contains("batch/empty"));
  EXPECT_EQ(now["cases"]["id/null-on-error"]["reason"], "of another run");
}

TEST_F(BaselineOfARun, IsNotTouchedByARunThatCouldNotBe) {
  make();
  const auto before = read_file(file());
  const auto result = run({"--update-baseline"}, "exits-at-once");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_EQ(read_file(file()), before);
}

TEST_F(BaselineOfARun, WhatIsWrongWithTheFileIsNamed) {
  const struct {
    std::string text;
    std::string complaint;
  } mistakes[] = {
      {"{\n  \"cases\": {\n", "known.json:3:"},
      {R"({"cases": {"batch/emtpy": {}}})",
       "known.json:1:27: there is no case 'batch/emtpy'; did you mean batch/empty"},
      {R"({"cases": {"batch/empty": {"findings": [{"requirement": "id-ehco"}]}}})",
       "there is no requirement 'id-ehco'; did you mean id-echo"},
      {R"({"cases": {"batch/empty": {"resaon": "x"}}})", "unknown member \"resaon\""},
  };
  for (const auto& mistake : mistakes) {
    write_file(file(), mistake.text);
    const auto result = run({}, "ordinary");
    EXPECT_EQ(result.exit_code, 2) << mistake.text;
    EXPECT_TRUE(contains(result.error, mistake.complaint)) << result.error;
  }
  std::filesystem::remove(file());
  const auto missing = run({}, "ordinary");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(contains(missing.error, "--update-baseline makes it")) << missing.error;
}

TEST_F(BaselineOfARun, ThatCannotBeWrittenHidesNoVerdict) {
  const auto result = run_program(Words{jrpcheck_program(), "run", "--select", "batch/empty",
                                        "--baseline", "/nowhere/known.json", "--update-baseline"} +
                                  on_stdio("ordinary"));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.error, "'/nowhere/known.json' cannot be written")) << result.error;
  EXPECT_TRUE(contains(result.output, "1 passed")) << result.output;
}

class FlakyCaseOfARun : public ::testing::Test {
 protected:
  // A call by which the server fails every second time, and may then fail in a new way.
  ProgramResult run(const std::string& mark) const {
    write_file(folder_.file("own.json"), R"({"about": "x", "cases": [{
      "id": "own/call", "title": "x", "requirements": ["err-code-method"],
      "steps": [{"send": {"json": {"jsonrpc": "2.0", "method": "${unknown}", "id": "${id}",
                                   "params": [")" +
                                             mark + R"("]}},
                 "accept": [{"response": {"error": {"code": -32601}, "id": "${id}"}}]}]}]})");
    write_file(baseline_.file("known.json"), R"({"cases": {"own/call": {
      "reason": "ticket 7", "flaky": true, "findings": [{"requirement": "err-code-method"}]}}})");
    return run_program(Words{jrpcheck_program(), "run", "--cases", folder_.path(), "--select",
                             "own/call", "--baseline", baseline_.file("known.json")} +
                       on_stdio("fails-at-times"));
  }

  TemporaryFolder folder_;
  TemporaryFolder baseline_;
};

TEST_F(FlakyCaseOfARun, IsRunAgainAndToldAsFlaky) {
  const auto result = run("at-times");
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "known to be flaky: failed in 2 of 3 tries"))
      << result.output;
  EXPECT_TRUE(contains(result.output, "(ticket")) << "the reason of the baseline";
}

TEST_F(FlakyCaseOfARun, HidesNoNewKindOfFailure) {
  const auto result = run("at-times-worse");
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  EXPECT_TRUE(contains(result.output, "fails otherwise than listed: res-version")) << result.output;
}

}  // namespace baseline_run_test
}  // namespace jrpcheck::testing
