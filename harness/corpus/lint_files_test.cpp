#include "corpus/lint_files.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::corpus {
namespace {

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

}  // namespace
}  // namespace jrpcheck::corpus
