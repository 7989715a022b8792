#include "corpus/corpus.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

namespace jrpcheck::corpus {
namespace corpus_test {

namespace fs = std::filesystem;

// A ledger of two requirements.
CorpusFile small_ledger() {
  return {"ledger.json", R"({"requirements": [
    {"id": "one-thing", "clause": "4", "level": "must", "class": "core", "text": "One thing."},
    {"id": "other-thing", "clause": "-", "level": "should", "class": "core", "text": "Another."}]})"};
}

// A file with one case that names this requirement; `more` are further members of it.
CorpusFile case_file(const std::string& path, const std::string& id,
                     const std::string& requirement = "one-thing", const std::string& more = "") {
  return {path, "{\"cases\": [\n{\"id\": \"" + id + "\", \"title\": \"T\", \"requirements\": [\"" +
                    requirement + "\"], " + more +
                    R"("steps": [{"send": {"text": "1"}, "accept": [{"silence": true}]}]}]})"};
}

std::string error_of(const std::vector<CorpusFile>& files) {
  const auto corpus = assemble(files, {});
  return corpus ? "no error" : corpus.error().message;
}

Case case_named(const std::string& id, std::vector<std::string> requirements) {
  Case one;
  one.id = id;
  one.requirements = std::move(requirements);
  return one;
}

TEST(Corpus, FilesAreAssembled) {
  const auto corpus =
      assemble({small_ledger(), case_file("b.json", "b/b"), case_file("a/a.json", "a/a")}, {});
  ASSERT_TRUE(corpus) << corpus.error().message;
  ASSERT_EQ(corpus->cases.size(), 2U);
  EXPECT_EQ(corpus->cases[0].id, "a/a") << "cases stand in the order of their files' paths";
  EXPECT_EQ(corpus->ledger.requirements().size(), 2U);
  EXPECT_NE(corpus->find("b/b"), nullptr);
  EXPECT_EQ(corpus->find("c/c"), nullptr);
}

TEST(Corpus, AnAddedFileReplacesTheOneOfTheSamePath) {
  const std::vector<CorpusFile> base = {small_ledger(), case_file("a.json", "a/old"),
                                        case_file("b.json", "b/kept")};
  const auto corpus =
      assemble(base, {case_file("a.json", "a/new"), case_file("c.json", "c/added")});
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_EQ(corpus->find("a/old"), nullptr);
  EXPECT_NE(corpus->find("a/new"), nullptr);
  EXPECT_NE(corpus->find("b/kept"), nullptr);
  EXPECT_NE(corpus->find("c/added"), nullptr);
}

TEST(Corpus, TheHashTellsCorporaApart) {
  const auto one = assemble({small_ledger(), case_file("a.json", "a/a")}, {});
  const auto same = assemble({case_file("a.json", "a/a"), small_ledger()}, {});
  const auto other = assemble({small_ledger(), case_file("a.json", "a/b")}, {});
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->hash, same->hash);
  EXPECT_NE(one->hash, other->hash);
}

TEST(Corpus, TwoScenariosOfOneIdAreAMistake) {
  const auto scenario_file = [](const std::string& path) {
    return CorpusFile{path, R"({"role": "client", "scenarios": [
      {"id": "client/a", "title": "T", "requirements": ["one-thing"], "accept": ["value"]}]})"};
  };
  const std::vector<CorpusFile> base = {small_ledger(), case_file("a.json", "a/a"),
                                        scenario_file("client/a.json")};
  EXPECT_TRUE(assemble(base, {scenario_file("client/a.json")}))
      << "it takes the place of the other";
  const auto both = assemble(base, {scenario_file("mine.json")});
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().message,
            "mine.json:2: case 'client/a': this id is also at client/a.json:2");
}

TEST(Corpus, MistakesAcrossFilesNameTheCase) {
  EXPECT_EQ(error_of({small_ledger(), case_file("a.json", "a/a"), case_file("b.json", "a/a")}),
            "b.json:2: case 'a/a': this id is also at a.json:2");
  EXPECT_EQ(error_of({small_ledger(), case_file("a.json", "a/a", "no-thing")}),
            "a.json:2: case 'a/a': no requirement 'no-thing' is in the ledger");
  EXPECT_EQ(error_of({small_ledger(),
                      case_file("a.json", "a/a", "one-thing",
                                R"("derived-from": {"case": "a/z", "edit": {"replace": "1",
                                   "with": "2"}}, )")}),
            "a.json:2: case 'a/a': is derived from 'a/z', which does not exist");
  EXPECT_EQ(
      error_of({small_ledger(), case_file("a.json", "a/a", "one-thing", R"("rests-on": "a/z", )")}),
      "a.json:2: case 'a/a': rests on 'a/z', which does not exist");
  EXPECT_EQ(error_of({small_ledger(), {"a.json", R"({"cases": []})"}}), "the corpus holds no case");
  EXPECT_EQ(error_of({small_ledger(), {"a.json", "{"}}).substr(0, 20), "a.json:1:2: not JSON");
}

TEST(Corpus, RequirementsOfChargesMustBeKnownToo) {
  const auto with_step = [](const std::string& accept, const std::string& charge) {
    return CorpusFile{"a.json",
                      R"({"cases": [{"id": "a/a", "title": "T", "requirements": ["one-thing"],
      "steps": [{"send": {"text": "1"}, "accept": [)" +
                          accept + "], \"charge\": {" + charge + "}}]}]}"};
  };
  EXPECT_EQ(error_of({small_ledger(), with_step(R"({"silence": true})", R"("id": "no-id")")}),
            "a.json:1: case 'a/a': no requirement 'no-id' is in the ledger");
  EXPECT_EQ(error_of({small_ledger(),
                      with_step(R"({"silence": true, "verdict": "warn", "charge": "no-warning",
                                    "because": "It is odd."})",
                                "")}),
            "a.json:1: case 'a/a': no requirement 'no-warning' is in the ledger");
}

// At run time they would leave the case without a run, and look like a lack of the server's.
TEST(Corpus, PlaceholdersThatCannotBeBoundAreMistakes) {
  const auto with_text = [](const std::string& text, const std::string& roles) {
    return CorpusFile{"a.json",
                      R"({"cases": [{"id": "a/a", "title": "T", "requirements": ["one-thing"], )" +
                          roles + R"("steps": [{"send": {"text": ")" + text +
                          R"("}, "accept": [{"silence": true}]}]}]})"};
  };
  EXPECT_EQ(error_of({small_ledger(), with_text("${unknwon}", "")}),
            "a.json:1: case 'a/a': unknown placeholder ${unknwon}");
  EXPECT_EQ(error_of({small_ledger(), with_text("${method:echo}", "")}),
            "a.json:1: case 'a/a': no method is bound to the role 'echo'; \"roles\" must name it");
  EXPECT_EQ(error_of({small_ledger(), with_text("${method:echo}", R"("roles": ["echo"], )")}),
            "no error");
}

TEST(Ledger, MistakesNameTheirPlace) {
  const auto error = [](const std::string& members) {
    const auto ledger = Ledger::load("l.json", R"({"requirements": [{)" + members + "}]}");
    return ledger ? "no error" : ledger.error().message;
  };
  const std::string good =
      R"("id": "a-b", "clause": "4", "level": "must", "class": "core", "text": "T")";
  EXPECT_EQ(error(good), "no error");
  EXPECT_EQ(error(R"("id": "a-b", "clause": "4", "level": "may", "class": "core", "text": "T")"),
            "l.json:1:19: requirement 'a-b': unknown level \"may\"");
  EXPECT_EQ(error(R"("clause": "4", "level": "must", "class": "core", "text": "T")"),
            "l.json:1:19: a requirement without id: member \"id\" is missing");
  EXPECT_EQ(error(good + R"(, "colour": "red")"),
            "l.json:1:105: requirement 'a-b': unknown member \"colour\"");
  EXPECT_EQ(error(good + "}, {" + good), "l.json:1:96: requirement 'a-b': this id is there twice");
}

TEST(Ledger, AClauseIsCitedWithItsDocument) {
  const auto cited = [](const std::string& clause) {
    Requirement requirement;
    requirement.clause = clause;
    return requirement.cited_clause();
  };
  EXPECT_EQ(cited("4.1"), "JSON-RPC 2.0 §4.1");
  EXPECT_EQ(cited("RFC 8259 8.1"), "RFC 8259 8.1");
  EXPECT_EQ(cited("-"), "");
}

TEST(Corpus, AFolderGivesItsCaseFilesByTheirPaths) {
  const fs::path folder = fs::path(testing::TempDir()) / ("cases" + std::to_string(::getpid()));
  fs::create_directories(folder / "core");
  const auto write = [&](const std::string& path) { std::ofstream(folder / path) << "{}"; };
  write("core/a.json");
  write("case.schema.json");
  write("README.md");
  const auto files = read_folder(folder.string());
  fs::remove_all(folder);
  ASSERT_TRUE(files) << files.error().message;
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ(files->front().path, "core/a.json");
  EXPECT_EQ(files->front().text, "{}");
}

TEST(Corpus, AFileOfCasesIsTakenAloneAndAnotherIsRefused) {
  const fs::path folder = fs::path(testing::TempDir()) / ("file" + std::to_string(::getpid()));
  fs::create_directories(folder);
  for (const char* name : {"a.json", "README.md"}) std::ofstream(folder / name) << "{}";
  const auto files = read_folder((folder / "a.json").string());
  const auto refused = read_folder((folder / "README.md").string());
  fs::remove_all(folder);
  ASSERT_TRUE(files) << files.error().message;
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ(files->front().path, "a.json");
  EXPECT_FALSE(refused);
}

TEST(Corpus, AFolderWithoutCasesIsAnError) {
  const auto missing = read_folder("/nonexistent/cases");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "cannot read the folder of cases '/nonexistent/cases': No such file or directory");
  const fs::path empty = fs::path(testing::TempDir()) / ("empty" + std::to_string(::getpid()));
  fs::create_directories(empty);
  const auto files = read_folder(empty.string());
  fs::remove_all(empty);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().message,
            "the folder of cases '" + empty.string() + "' holds neither *.json files nor vectors");
}

TEST(Glob, StarStandsForAnyTextAndQuestionMarkForOneCharacter) {
  const std::vector<std::tuple<std::string, std::string, bool>> table = {
      {"batch/empty", "batch/empty", true},
      {"batch/empty", "batch/empty2", false},
      {"batch/empty", "batch/empt", false},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "a/b", true},
      {"batch/*", "batch/empty", true},
      {"batch/*", "batch/", true},
      {"batch/*", "batc/empty", false},
      {"*/empty", "batch/empty", true},
      {"*empty*", "batch/nested-empty-array", true},
      {"b*h/e*y", "batch/empty", true},
      {"b*h/e*x", "batch/empty", false},
      {"a*a", "a", false},
      {"a*a", "aa", true},
      {"*ab*ab", "abab", true},
      {"*ab*ab", "aab", false},
      {"**", "x", true},
      {"?", "x", true},
      {"?", "", false},
      {"?", "xy", false},
      {"id-?ull-*", "id-null-request", true},
      {"a?", "a", false},
      {"*?", "x", true},
      {"[a]", "a", false},
      {"a.b", "axb", false},
  };
  for (const auto& [pattern, text, expected] : table) {
    EXPECT_EQ(matches_glob(pattern, text), expected) << pattern << " against " << text;
  }
}

TEST(Glob, ManyStarsCostNoMoreThanALongText) {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "*a";
  EXPECT_FALSE(matches_glob(pattern + "b", std::string(5000, 'a')));
}

TEST(Selection, WithoutPatternsEverythingIsIncluded) {
  EXPECT_TRUE(Selection{}.includes(case_named("a/b", {"one-thing"})));
}

TEST(Selection, CasesAreSelectedByTheirIdOrARequirement) {
  const Case one = case_named("batch/empty", {"bat-empty", "id-null-undetectable"});
  EXPECT_TRUE((Selection{{"batch/*"}, {}}.includes(one)));
  EXPECT_TRUE((Selection{{"id-null-undetectable"}, {}}.includes(one)));
  EXPECT_FALSE((Selection{{"id/*"}, {}}.includes(one)));
  EXPECT_TRUE((Selection{{"id/*", "bat-*"}, {}}.includes(one)));
}

TEST(Selection, SkippingWinsOverSelecting) {
  const Case one = case_named("batch/empty", {"bat-empty"});
  EXPECT_FALSE((Selection{{}, {"bat-empty"}}.includes(one)));
  EXPECT_FALSE((Selection{{"batch/*"}, {"*/empty"}}.includes(one)));
}

TEST(Selection, APatternThatMatchesNothingIsAnError) {
  std::vector<Case> cases;
  cases.push_back(case_named("batch/empty", {"bat-empty"}));
  cases.push_back(case_named("id/null", {"id-echo"}));
  EXPECT_TRUE(check_selection({}, cases));
  EXPECT_TRUE(check_selection({{"batch/*"}, {"id-*"}}, cases));
  const auto nothing = check_selection({{"batch/*", "bach/*"}, {}}, cases);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message,
            "the selector 'bach/*' matches no case and no requirement; patterns are ids such as "
            "batch/empty or ntf-*");
  const auto skipped = check_selection({{}, {"nope"}}, cases);
  ASSERT_FALSE(skipped);
  EXPECT_NE(skipped.error().message.find("'nope'"), std::string::npos);
  const auto both = check_selection({{"batch/*"}, {"bat-empty"}}, cases);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().message, "--select and --skip together leave no case to run");
}

}  // namespace corpus_test
}  // namespace jrpcheck::corpus
