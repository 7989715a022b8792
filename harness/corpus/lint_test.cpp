#include "corpus/lint.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/contains.hpp"
#include "corpus/lint_files.hpp"
#include "corpus/load_case.hpp"

namespace jrpcheck::corpus {
namespace lint_test {

using Texts = std::vector<std::string>;

constexpr std::string_view kLedger = R"({"requirements": [
  {"id": "one-thing", "clause": "4", "level": "must", "class": "core", "text": "One thing."}]})";

// A positive case and one derived from it, both as they should be, with one edit of their text.
Corpus corpus_with(std::string_view replace = "", std::string_view with = "") {
  std::string text = R"({"cases": [
{"id": "a/right", "title": "A call is answered", "requirements": ["one-thing"],
 "roles": ["echo"], "kills": ["id-lost"],
 "steps": [{"send": {"text": "[1,2]"}, "accept": [{"silence": true}]},
           {"send": {"text": "${method:echo}"}, "accept": [{"silence": true}]}]},
{"id": "a/wrong", "title": "A broken call is refused", "requirements": ["one-thing"],
 "transports": ["lines"],
 "derived-from": {"case": "a/right", "edit": {"replace": "2", "with": "3"}},
 "steps": [{"send": {"text": "[1,3]"}, "accept": [{"silence": true}]}]}]})";
  if (!replace.empty()) {
    const auto at = text.find(replace);
    EXPECT_NE(at, std::string::npos) << replace;
    EXPECT_EQ(text.find(replace, at + 1), std::string::npos) << replace << " is there twice";
    text.replace(at, replace.size(), with);
  }
  Corpus corpus;
  auto ledger = Ledger::load("ledger.json", kLedger);
  auto cases = load_cases("a.json", text);
  EXPECT_TRUE(cases) << cases.error().message;
  if (ledger) corpus.ledger = *std::move(ledger);
  if (cases) corpus.cases = *std::move(cases);
  return corpus;
}

LintReference reference() {
  return {{"one-thing", "a/right", "a/wrong"}, true, {{"id-lost", "id-swapped"}}};
}

Texts problems_of(const Corpus& corpus, const LintReference& with = reference()) {
  Texts texts;
  for (const auto& problem : lint(corpus, with)) texts.push_back(problem.text());
  return texts;
}

Texts problems_after(std::string_view replace, std::string_view with) {
  return problems_of(corpus_with(replace, with));
}

TEST(Lint, AProfileNamesClassesAndRequirementsThatThereAre) {
  Corpus corpus = corpus_with();
  Profile profile;
  profile.name = "house";
  profile.classes = {"core", "huose"};
  profile.rules = {{"own-ids-unique", "one-thing"}, {"own-ids-unique", "one-thnig"}};
  profile.silence = "one-thnig";
  corpus.profiles.push_back(profile);
  LintReference reference;
  reference.whole_ledger_read = true;
  Texts texts;
  for (const auto& each : lint(corpus, reference)) texts.push_back(each.text());
  EXPECT_TRUE(contains(texts, "profile 'house': rules: 'one-thnig' is in no ledger"));
  EXPECT_TRUE(contains(texts, "profile 'house': silence: 'one-thnig' is in no ledger"));
  EXPECT_TRUE(contains(texts, "profile 'house': classes: no requirement is of 'huose'"));
  EXPECT_EQ(std::ranges::count_if(
                texts, [](const std::string& each) { return each.starts_with("profile"); }),
            3);
}

TEST(Lint, AGoodCorpusHasNoProblem) { EXPECT_EQ(problems_of(corpus_with()), Texts{}); }

TEST(Lint, ATitleEndsWithoutAFullStop) {
  EXPECT_EQ(problems_after("A call is answered", "A call is answered."),
            Texts{"a.json:2: case 'a/right': title: stands without a full stop"});
}

TEST(Lint, ATitleIsOneLineWithoutSpaceAroundIt) {
  EXPECT_EQ(problems_after("A call is answered", " A call"),
            Texts{"a.json:2: case 'a/right': title: begins or ends with a space"});
  EXPECT_EQ(problems_after("A call is answered", "A\\ncall"),
            Texts{"a.json:2: case 'a/right': title: must be one line"});
  EXPECT_EQ(problems_after("A call is answered", std::string(161, 'a')),
            Texts{"a.json:2: case 'a/right': title: is longer than 160 bytes"});
}

TEST(Lint, ATitleIsThereOnce) {
  EXPECT_EQ(problems_after("A broken call is refused", "A call is answered"),
            Texts{"a.json:6: case 'a/wrong': title: is also that of 'a/right'"});
}

TEST(Lint, AnIdIsThereOnce) {
  auto corpus = corpus_with();
  corpus.cases[1].id = "a/right";
  corpus.cases[1].derived_from.reset();
  auto with = reference();
  with.released_ids.pop_back();
  EXPECT_EQ(problems_of(corpus, with),
            Texts{"a.json:6: case 'a/right': id: is also that of the case at a.json:2"});
}

TEST(Lint, ARequirementIsNamedOnceAndExists) {
  EXPECT_EQ(problems_after(R"("requirements": ["one-thing"],
 "roles")",
                           R"("requirements": ["one-thing", "one-thing", "none"],
 "roles")"),
            (Texts{"a.json:2: case 'a/right': requirements: 'one-thing' is there twice",
                   "a.json:2: case 'a/right': requirements: no requirement 'none' is in the "
                   "ledger"}));
}

TEST(Lint, WhatAnOutcomeIsChargedToExists) {
  EXPECT_EQ(problems_after(R"("text": "[1,2]"}, "accept": [{"silence": true}])",
                           R"("text": "[1,2]"}, "charge": {"id": "nothing"}, "accept":
                     [{"silence": true, "verdict": "warn", "charge": "none", "because": "x"}])"),
            (Texts{"a.json:2: case 'a/right': charge: no requirement 'nothing' is in the ledger",
                   "a.json:2: case 'a/right': accept: no requirement 'none' is in the ledger"}));
}

TEST(Lint, NoDifferenceFallsToARequirementOfLevelInfo) {
  auto corpus = corpus_with(R"("text": "[1,3]"}, "accept": [{"silence": true}])",
                            R"("text": "[1,3]"}, "charge": {"reply": "one-thing"}, "accept":
                     [{"silence": true, "verdict": "warn", "because": "x"}])");
  std::string ledger(kLedger);
  ledger.replace(ledger.find("must"), 4, "info");
  corpus.ledger = *Ledger::load("ledger.json", ledger);
  const std::string first =
      "a.json:2: case 'a/right': charge: names no requirement for 'reply', and 'one-thing', the "
      "first, is of level info: a difference vanishes there";
  EXPECT_EQ(
      problems_of(corpus),
      (Texts{first, first,
             "a.json:6: case 'a/wrong': charge: 'reply' goes to 'one-thing', whose level is "
             "info: a difference vanishes there",
             "a.json:6: case 'a/wrong': accept: a warn is charged to 'one-thing', whose level "
             "is info"}));
}

TEST(Lint, ATransportIsNamedOnce) {
  EXPECT_EQ(problems_after(R"(["lines"])", R"(["lines", "lines"])"),
            Texts{"a.json:6: case 'a/wrong': transports: 'lines' is there twice"});
}

TEST(Lint, ARoleThatIsAskedForIsUsed) {
  EXPECT_EQ(
      problems_after("${method:echo}", "[]"),
      Texts{"a.json:2: case 'a/right': roles: 'echo' is asked for, and ${method:echo} is used "
            "nowhere"});
}

TEST(Lint, APlaceholderExists) {
  const auto problems = problems_after("[1,2]", "[1,2,${nonsense}]");
  ASSERT_EQ(problems.size(), 2U);  // the derived case differs now as well
  EXPECT_EQ(problems[0].find("a.json:2: case 'a/right': steps: "), 0U) << problems[0];
  EXPECT_NE(problems[0].find("${nonsense}"), std::string::npos) << problems[0];
}

TEST(Lint, AFaultThatIsToBeKilledIsKnown) {
  EXPECT_EQ(problems_after("id-lost", "id-found"),
            Texts{"a.json:2: case 'a/right': kills: the reference server has no fault 'id-found'; "
                  "jrpcheck list faults has the names"});
}

TEST(Lint, WithoutAListOfFaultsKillsIsNotChecked) {
  auto with = reference();
  with.known_faults.reset();
  EXPECT_EQ(problems_of(corpus_with("id-lost", "id-found"), with), Texts{});
}

TEST(Lint, ACaseIsDerivedFromOneThatExists) {
  EXPECT_EQ(problems_after(R"({"case": "a/right")", R"({"case": "a/none")"),
            Texts{"a.json:6: case 'a/wrong': derived-from: there is no case 'a/none'"});
}

TEST(Lint, ACaseIsDerivedFromAPositiveOne) {
  EXPECT_EQ(problems_after(R"({"case": "a/right")", R"({"case": "a/wrong")"),
            Texts{"a.json:6: case 'a/wrong': derived-from: 'a/wrong' is itself derived: name the "
                  "positive case"});
}

TEST(Lint, TheEditOccursOnceInTheOrigin) {
  EXPECT_EQ(
      problems_after(R"("replace": "2")", R"("replace": "7")"),
      Texts{"a.json:6: case 'a/wrong': derived-from: edit.replace is not in the first message "
            "of 'a/right': [1,2]"});
  EXPECT_EQ(problems_after("[1,2]", "[2,2]"),
            Texts{"a.json:6: case 'a/wrong': derived-from: edit.replace is more than once in the "
                  "first message of 'a/right': [2,2]"});
}

TEST(Lint, TheEditGivesExactlyWhatIsSent) {
  EXPECT_EQ(
      problems_after("[1,3]", "[1, 3]"),
      Texts{"a.json:6: case 'a/wrong': derived-from: the edit gives [1,3], and the case sends "
            "[1, 3]"});
}

TEST(Lint, AReleasedIdStays) {
  auto corpus = corpus_with();
  corpus.cases[1].id = "a/renamed";
  auto with = reference();
  with.every_id_released = false;
  EXPECT_EQ(problems_of(corpus, with),
            Texts{"released-ids.txt: 'a/wrong' was released, and is renamed or removed; users and "
                  "baselines name it"});
}

TEST(Lint, ANewIdIsAProblemOnlyWhereEveryIdMustBeReleased) {
  auto with = reference();
  with.released_ids = {"a/right"};
  EXPECT_EQ(problems_of(corpus_with(), with),
            (Texts{"a.json:6: case 'a/wrong': id: 'a/wrong' is new: add it to released-ids.txt",
                   "ledger.json: id: 'one-thing' is new: add it to released-ids.txt"}));
  with.every_id_released = false;
  EXPECT_EQ(problems_of(corpus_with(), with), Texts{});
}

TEST(ReleasedIds, AreOneALineWithComments) {
  EXPECT_EQ(read_released_ids("# ids\na/b\r\n\nreq-x\n"), (Texts{"a/b", "req-x"}));
}

TEST(RealCorpus, HasNoProblem) {
  for (const auto& problem : lint_files(embedded_files(), {}, {})) {
    ADD_FAILURE() << problem.text();
  }
}

}  // namespace lint_test
}  // namespace jrpcheck::corpus
