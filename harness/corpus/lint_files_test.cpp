#include "corpus/lint_files.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::corpus {
namespace lint_files_test {

using Texts = std::vector<std::string>;

CorpusFile ledger() {
  return {"ledger.json", R"({"requirements": [
{"id": "one-thing", "clause": "4", "level": "must", "class": "core", "text": "One thing."}]})"};
}

std::string one_case(const std::string& id, const std::string& more = "") {
  return R"({"id": ")" + id + R"(", "title": "Shows )" + id +
         R"(", "requirements": ["one-thing"],)" + more +
         R"( "steps": [{"send": {"text": "1"}, "accept": [{"silence": true}]}]})";
}

CorpusFile file_of(const std::string& path, const Texts& cases) {
  std::string text = "{\"cases\": [";
  for (const auto& each : cases) text += (text.back() == '[' ? "\n" : ",\n") + each;
  return {path, text + "]}"};
}

Texts problems_of(const std::vector<CorpusFile>& files) {
  Texts texts;
  for (const auto& problem : lint_files(files, {}, {})) texts.push_back(problem.text());
  return texts;
}

TEST(LintFiles, FilesThatAreRightHaveNoProblem) {
  EXPECT_EQ(problems_of({ledger(), file_of("a.json", {one_case("a/one"), one_case("a/two")})}),
            Texts{});
}

TEST(LintFiles, EveryBrokenCaseIsReportedAtItsLine) {
  const auto file =
      file_of("a.json", {one_case("a/one", R"("needs": ["nothing"],)"), one_case("a/two"),
                         one_case("Wrong"), one_case("a/four", R"("kills": ["f", "f"],)")});
  EXPECT_EQ(problems_of({ledger(), file}),
            (Texts{"a.json:2: case 'a/one': unknown need \"nothing\"",
                   "a.json:4: case 'Wrong': the id must read group/name in lower case, digits and "
                   "hyphens",
                   "a.json:5: case 'a/four': kills: 'f' is there twice"}));
}

TEST(LintFiles, AFileThatIsNotJsonDoesNotHideTheOthers) {
  const auto problems = problems_of(
      {ledger(),
       {"a.json", "{\n\"cases\": [nonsense"},
       file_of("b.json", {one_case("b/one", R"("observes": "x",)"), one_case("b/two")})});
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].find("a.json:2: not JSON: "), 0U) << problems[0];
  EXPECT_EQ(problems[1].find("b.json:2: case 'b/one': \"observes\""), 0U) << problems[1];
}

TEST(LintFiles, AMemberOfTheFileThatNobodyKnowsIsReportedBesideItsCases) {
  CorpusFile file = file_of("a.json", {one_case("a/one", R"("nonsense": 1,)")});
  file.text.insert(1, "\"more\": 1, ");
  const auto problems = problems_of({ledger(), file});
  ASSERT_EQ(problems.size(), 3U);  // no case is left
  EXPECT_EQ(problems[0], "a.json:1: unknown member \"more\"");
  EXPECT_EQ(problems[1], "a.json:2: case 'a/one': unknown member \"nonsense\"");
}

TEST(LintFiles, EveryBrokenEntryOfTheLedgerIsReported) {
  const CorpusFile broken = {"ledger.json", R"({"requirements": [
{"id": "one-thing", "clause": "4", "level": "must", "class": "core", "text": "One thing."},
{"id": "two", "clause": "4", "level": "may", "class": "core", "text": "Two."},
{"id": "three", "clause": "4", "level": "must", "class": "core"}]})"};
  const auto problems = problems_of({broken, file_of("a.json", {one_case("a/one")})});
  EXPECT_EQ(problems, (Texts{"ledger.json:3: requirement 'two': unknown level \"may\"",
                             "ledger.json:4: requirement 'three': member \"text\" is missing"}));
}

TEST(LintFiles, WhatCannotBeReadIsNotCalledMissing) {
  const CorpusFile released = {"released-ids.txt", "one-thing\na/one\na/two\n"};
  const auto derived = one_case(
      "a/two", R"("derived-from": {"case": "a/one", "edit": {"replace": "1", "with": "2"}},)");
  const auto problems = problems_of(
      {ledger(), released, file_of("a.json", {one_case("a/one", R"("x": 1,)"), derived})});
  EXPECT_EQ(problems, Texts{"a.json:2: case 'a/one': unknown member \"x\""});
}

TEST(LintFiles, AReleasedIdThatIsGoneIsReported) {
  const CorpusFile released = {"released-ids.txt", "one-thing\na/one\na/gone\n"};
  EXPECT_EQ(problems_of({ledger(), released, file_of("a.json", {one_case("a/one")})}),
            Texts{"released-ids.txt: 'a/gone' was released, and is renamed or removed; users and "
                  "baselines name it"});
}

TEST(LintFiles, AnEmptyCorpusIsAProblem) {
  EXPECT_EQ(problems_of({ledger()}), Texts{"the corpus: there is no case in it"});
}

TEST(LintFiles, AFileTakesThePlaceOfTheOneOfThatPath) {
  const std::vector<CorpusFile> base = {ledger(), file_of("a.json", {one_case("a/one")})};
  const auto problems = lint_files(base, {file_of("a.json", {one_case("a/two")})}, {});
  EXPECT_TRUE(problems.empty());
}

CorpusFile scenarios_of(const Texts& scenarios) {
  std::string text = R"({"role": "client", "scenarios": [)";
  for (std::size_t i = 0; i < scenarios.size(); ++i) text += (i == 0 ? "\n" : ",\n") + scenarios[i];
  return {"client/a.json", text + "]}"};
}

std::string one_scenario(const std::string& id, const std::string& more = "",
                         const std::string& requirement = "of-client") {
  return R"({"id": ")" + id + R"(", "title": "Tells )" + id + R"(", "requirements": [")" +
         requirement + R"("],)" + more + R"( "accept": ["value"]})";
}

CorpusFile ledger_with_client() {
  return {"ledger.json", R"({"requirements": [
{"id": "one-thing", "clause": "4", "level": "must", "class": "core", "text": "One thing."},
{"id": "of-client", "clause": "5", "level": "must", "class": "client", "text": "Another."}]})"};
}

Texts problems_with(const Texts& scenarios, LintReference reference = {}) {
  Texts texts;
  const std::vector<CorpusFile> files = {
      ledger_with_client(), file_of("a.json", {one_case("a/one")}), scenarios_of(scenarios)};
  for (const auto& problem : lint_files(files, {}, std::move(reference))) {
    texts.push_back(problem.text());
  }
  return texts;
}

TEST(LintFiles, ScenariosOfAFileThatStandsAnywhereAreNoCases) {
  CorpusFile mine = scenarios_of({one_scenario("client/one"), one_scenario("client/two", "", "x")});
  mine.path = "/home/me/mine.json";
  EXPECT_EQ(problems_of({ledger_with_client(), file_of("a.json", {one_case("a/one")}), mine}),
            Texts{"/home/me/mine.json:3: case 'client/two': requirements: no requirement 'x' is in "
                  "the ledger"});
}

TEST(LintFiles, ScenariosAreHeldAsCasesAre) {
  EXPECT_EQ(problems_with({one_scenario("client/one"), one_scenario("client/two")}), Texts{});
  EXPECT_EQ(problems_with({one_scenario("client/one"), one_scenario("client/one")}),
            (Texts{"client/a.json:3: case 'client/one': id: is also that of the case at "
                   "client/a.json:2",
                   "client/a.json:3: case 'client/one': title: is also that of 'client/one'"}));
  EXPECT_EQ(problems_with({one_scenario("client/one", "", "one-thing")}),
            Texts{"client/a.json:2: case 'client/one': requirements: 'one-thing' is not one of "
                  "clients"});
  EXPECT_EQ(
      problems_with({one_scenario("client/one", "", "nothing")}),
      Texts{"client/a.json:2: case 'client/one': requirements: no requirement 'nothing' is in "
            "the ledger"});
  EXPECT_EQ(problems_with({one_scenario("client/one", R"("doors": ["htp"],)")}),
            Texts{"client/a.json:2: case 'client/one': doors: there is no door 'htp'"});
  LintReference reference;
  reference.known_faults = std::set<std::string>{"known"};
  EXPECT_EQ(
      problems_with({one_scenario("client/one", R"("kills": ["known", "other"],)")}, reference),
      Texts{"client/a.json:2: case 'client/one': kills: the reference server has no fault "
            "'other'; jrpcheck list faults has the names"});
}

TEST(LintFiles, ScenarioThatCannotBePlayedIsNamedAndHidesNoOther) {
  EXPECT_EQ(problems_with({one_scenario("client/one", R"("answer": ["${nobody}"],)"),
                           one_scenario("client/two", R"("warn": ["value"],)"),
                           one_scenario("client/three", R"("cut": 4,)"), one_scenario("other/four"),
                           one_scenario("client/five")}),
            (Texts{"client/a.json:2: case 'client/one': \"answer\" has no placeholder ${nobody}",
                   "client/a.json:3: case 'client/two': \"value\" is accepted, and warns as well",
                   "client/a.json:4: case 'client/three': \"cut\" takes an \"answer\", and "
                   "\"then\" to end the connection",
                   "client/a.json:5: case 'other/four': its id does not begin with client/"}));
}

}  // namespace lint_files_test
}  // namespace jrpcheck::corpus
