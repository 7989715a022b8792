// The commands that read no server: list, explain and lint.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace knowledge_test {

using Json = nlohmann::json;

ProgramResult jrpcheck(const Words& words) {
  Words all = {jrpcheck_program()};
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all);
}

Json listed(const std::string& topic) {
  const auto result = jrpcheck({"list", topic, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  return Json::parse(result.output);
}

Words column(const Json& rows, const std::string& name) {
  Words values;
  for (const auto& row : rows) values.push_back(row.at(name).get<std::string>());
  return values;
}

bool holds(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string case_file(const std::string& id, const std::string& more = "") {
  return R"({"cases": [{"id": ")" + id + R"(", "title": "Shows )" + id +
         R"(", "requirements": ["res-always"],)" + more +
         R"( "steps": [{"send": {"text": "1"}, "accept": [{"silence": true}]}]}]})";
}

TEST(Knowledge, EveryCommandHasHelpWithAnExample) {
  for (const std::string command : {"list", "explain", "lint"}) {
    const auto result = jrpcheck({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.output, "  jrpcheck " + command + " ")) << result.output;
    EXPECT_EQ(result.error, "");
  }
}

TEST(Knowledge, AnUnknownOptionIsRefusedWithThoseThatThereAre) {
  for (const std::string command : {"list", "explain", "lint"}) {
    const auto result = jrpcheck({command, "--nonsense"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(contains(result.error, "'--nonsense'")) << result.error;
    EXPECT_TRUE(contains(result.error, "--help")) << result.error;
  }
}

TEST(List, CasesAndRequirementsNameEachOther) {
  const Json cases = listed("cases");
  const Json requirements = listed("requirements");
  EXPECT_TRUE(holds(column(cases, "id"), "batch/empty"));
  const auto ids = column(requirements, "id");
  for (const auto& one : cases) {
    for (const auto& id : one.at("requirements")) EXPECT_TRUE(holds(ids, id)) << one;
  }
  for (const auto& requirement : requirements) {
    if (requirement.at("id") != "bat-empty") continue;
    EXPECT_TRUE(holds(requirement.at("cases").get<Words>(), "batch/empty"));
  }
}

TEST(List, EveryRequirementSaysWhyItMatters) {
  for (const auto& requirement : listed("requirements")) {
    EXPECT_NE(requirement.at("why"), "") << requirement.at("id");
  }
}

TEST(List, FormatsAndProfilesAreThoseThatRunTakes) {
  const auto help = jrpcheck({"run", "--help"}).output;
  for (const auto& name : column(listed("formats"), "name")) EXPECT_TRUE(contains(help, name));
  EXPECT_TRUE(holds(column(listed("profiles"), "name"), "jsonrpc-2.0"));
}

TEST(List, FaultsAreThoseOfTheReferenceServer) {
  const auto names = column(listed("faults"), "name");
  ASSERT_FALSE(names.empty());
  std::vector<Words> languages = {{},           {"--dialect", "1.0"}, {"--lsp"}, {"--ethereum"},
                                  {"--client"}, {"--client", "--lsp"}};
  for (const char* version : {"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}) {
    languages.push_back({"--mcp", version});
  }
  for (const char* version : {"2025-03-26", "2025-11-25", "2026-07-28"}) {
    languages.push_back({"--client", "--mcp", version});
  }
  for (const char* version : {"1.1", "2.0"}) languages.push_back({"--bitcoin", version});
  std::string server;
  for (auto words : languages) {
    words.insert(words.begin(), reference_program());
    words.push_back("--list");
    server += run_program(words).output;
  }
  for (const auto& name : names) EXPECT_TRUE(contains(server, "fault\t" + name + "\t")) << name;
}

TEST(List, WithoutTheReferenceServerFaultsAreRefused) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(jrpcheck_program(), folder.file("jrpcheck"));
  const auto faults = run_program({folder.file("jrpcheck"), "list", "faults"});
  EXPECT_EQ(faults.exit_code, 2);
  EXPECT_TRUE(contains(faults.error, "jrpcheck-reference")) << faults.error;
  const auto lint = run_program({folder.file("jrpcheck"), "lint"});
  EXPECT_EQ(lint.exit_code, 0);
  EXPECT_TRUE(contains(lint.error, "\"kills\" is not checked")) << lint.error;
}

TEST(List, PeopleGetAlignedColumns) {
  const auto text = jrpcheck({"list", "requirements"}).output;
  const auto heading = text.substr(0, text.find('\n'));
  const auto line = text.substr(text.find("\nbat-empty ") + 1);
  EXPECT_EQ(heading.find("LEVEL"), line.find("must"));
  EXPECT_EQ(heading.find("CLASS"), line.find("core"));
}

TEST(List, OfAProfileTheRequirementsOfEachClassAreCounted) {
  const auto text = jrpcheck({"list", "requirements", "--profile", "lsp"}).output;
  const auto counts = text.find("\n\nCLASS ");
  ASSERT_NE(counts, std::string::npos) << text;
  std::size_t servers = 0;
  std::size_t tested = 0;
  for (const auto& each :
       Json::parse(jrpcheck({"list", "requirements", "--profile", "lsp", "--json"}).output)) {
    if (each.at("class") != "language-server") continue;
    ++servers;
    if (each.at("status") == "") ++tested;
  }
  std::istringstream line(text.substr(text.find("\nlanguage-server ", counts) + 1));
  std::string name;
  std::size_t counted = 0;
  std::size_t counted_tested = 0;
  line >> name >> counted >> counted_tested;
  EXPECT_GT(tested, 0U);
  EXPECT_EQ(counted, servers);
  EXPECT_EQ(counted_tested, tested);
}

TEST(List, ScenariosOfClientsHaveIdsThatCanBeExplained) {
  const auto ids = [](const Words& more) {
    std::set<std::string> found;
    const auto listed = jrpcheck(Words{"list", "scenarios", "--json"} + more);
    for (const auto& each : Json::parse(listed.output)) found.insert(each.at("id"));
    return found;
  };
  const auto all = ids({});
  const auto plain = ids({"--profile", "jsonrpc-2.0"});
  const auto of_lsp = ids({"--profile", "lsp"});
  EXPECT_EQ(plain.count("client/id-foreign"), 1U);
  EXPECT_FALSE(of_lsp.empty());
  for (const auto& id : of_lsp) {
    EXPECT_EQ(all.count(id), 1U) << id;
    EXPECT_EQ(plain.count(id), 0U) << id;
  }
  EXPECT_EQ(jrpcheck({"explain", *of_lsp.begin()}).exit_code, 0);
}

TEST(List, AnUnknownTopicIsRefusedWithThoseThatThereAre) {
  for (const Words& words : {Words{"list"}, Words{"list", "nonsense"}}) {
    const auto result = jrpcheck(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(
        contains(result.error, "cases, scenarios, requirements, profiles, formats, faults"));
  }
}

TEST(Explain, ARequirementTellsWhatWhyAndWhere) {
  const auto page = jrpcheck({"explain", "id-zero-and-empty"}).output;
  EXPECT_TRUE(contains(page, "The ids 0, -0 and \"\" are ids: answered and echoed.")) << page;
  EXPECT_TRUE(contains(page, "JSON-RPC 2.0 §4, 5")) << page;
  EXPECT_TRUE(contains(page, "must: a violation fails")) << page;
  EXPECT_TRUE(contains(page, "Why          Counters often start at 0.")) << page;
  EXPECT_TRUE(contains(page, "koorchik/node-mole-rpc #17: id 0 gets no response")) << page;
  EXPECT_TRUE(contains(page, "id/zero-on-error ")) << page;
}

TEST(Explain, ARequirementWithoutCaseSaysWhy) {
  EXPECT_TRUE(
      contains(jrpcheck({"explain", "mcp-c-sampling-max-tokens"}).output, "a model to count"));
  EXPECT_TRUE(contains(jrpcheck({"explain", "xx-stateless"}).output, "only an application shows"));
}

TEST(Explain, WhatItShowsFailingDoesFail) {
  const auto page = jrpcheck({"explain", "id-echo"}).output;
  const std::string option = "--stdio --fault ";
  const auto at = page.find(option);
  ASSERT_NE(at, std::string::npos) << page;
  const auto begin = at + option.size();
  const auto fault = page.substr(begin, page.find('\n', begin) - begin);
  const auto result = jrpcheck(
      {"run", "--select", "id-echo", "--", reference_program(), "--stdio", "--fault", fault});
  EXPECT_EQ(result.exit_code, 1) << fault << "\n" << result.output;
}

TEST(Explain, ACaseTellsWhatIsSentAndWhatMayComeBack) {
  const auto page = jrpcheck({"explain", "request/version-wrong"}).output;
  EXPECT_TRUE(contains(page, R"(Sends        {"jsonrpc":"2.1","method":"no.such.method","id":1})"))
      << page;
  EXPECT_TRUE(contains(page, "pass  error -32600 with id null; recorded as \"null\"")) << page;
  EXPECT_TRUE(contains(page, "fail  anything else")) << page;
  EXPECT_TRUE(contains(page, "request/unknown-method: \"2.0\" became \"2.1\"")) << page;
  EXPECT_TRUE(contains(page, "req-version (must)")) << page;
  EXPECT_TRUE(contains(page, "| curl -sS -i -X POST")) << page;
}

TEST(Explain, ACaseOfAProtocolIsRepeatedInASession) {
  const auto page = jrpcheck({"explain", "mcp/prompts-listed"}).output;
  EXPECT_TRUE(contains(page, "-H 'Accept: application/json, text/event-stream'")) << page;
  const auto of_lsp = jrpcheck({"explain", "lsp/serves-hover"}).output;
  EXPECT_TRUE(contains(of_lsp, "\"method\":\"initialize\"")) << of_lsp;
  EXPECT_TRUE(contains(of_lsp, "By hand      { printf 'Content-Length: ")) << of_lsp;
  EXPECT_TRUE(contains(of_lsp, "'; sleep 1; printf 'Content-Length: ")) << of_lsp;
  EXPECT_FALSE(contains(of_lsp, "curl ")) << "no language server speaks HTTP\n" << of_lsp;
}

TEST(Explain, EveryCaseAndRequirementHasAPage) {
  for (const std::string topic : {"cases", "requirements"}) {
    const auto ids = column(listed(topic), "id");
    Words words = {"explain"};
    words.insert(words.end(), ids.begin(), ids.end());
    const auto result = jrpcheck(words);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(result.output.find(ids.front()), 0U);
    for (const auto& id : ids) {
      EXPECT_TRUE(id == ids.front() || contains(result.output, "\n\n" + id + " ")) << id;
    }
    EXPECT_FALSE(contains(result.output, "Sends        ${"));
  }
}

// A report tells them under an id of their own, and whoever reads it asks what that is.
TEST(Explain, WhatPassesOutsideOfCasesHasAPage) {
  for (const std::string id : {"dialogue/opening", "dialogue/unasked", "dialogue/endings"}) {
    const auto result = jrpcheck({"explain", id});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(result.output.find(id + "\n"), 0U) << result.output;
  }
}

TEST(Explain, AnUnknownIdIsRefusedWithTheClosest) {
  const auto result = jrpcheck({"explain", "batch/emtpy"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(contains(result.error, "did you mean batch/empty")) << result.error;
}

TEST(Explain, CasesOfOnesOwnAreExplained) {
  const TemporaryFolder folder;
  write_file(folder.file("own.json"), case_file("own/thing"));
  const auto result = jrpcheck({"explain", "own/thing", "--cases", folder.path()});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_TRUE(contains(result.output, "Shows own/thing")) << result.output;
}

TEST(Lint, TheBuiltInCorpusHasNoProblem) {
  const auto result = jrpcheck({"lint"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output, "");
}

TEST(Lint, EveryProblemIsALineWithTheUsersFile) {
  const TemporaryFolder folder;
  write_file(folder.file("one.json"), case_file("own/one", R"("kills": ["no-such-fault"],)"));
  write_file(folder.file("two.json"), case_file("own/two", R"("nonsense": 1,)"));
  const auto result = jrpcheck({"lint", folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, folder.file("one.json") + ":1: case 'own/one': kills: "))
      << result.output;
  EXPECT_TRUE(contains(result.output,
                       folder.file("two.json") + ":1: case 'own/two': unknown member \"nonsense\""))
      << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 2);
  EXPECT_TRUE(contains(result.error, "2 problems")) << result.error;
}

TEST(Lint, ACaseOfOnesOwnNeedsNoRelease) {
  const TemporaryFolder folder;
  write_file(folder.file("own.json"), case_file("own/one"));
  EXPECT_EQ(jrpcheck({"lint", folder.file("own.json")}).exit_code, 0);
  EXPECT_EQ(jrpcheck({"lint", folder.file("own.json"), "--all-released"}).exit_code, 2);
}

TEST(Lint, ARenamedCaseIsReported) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("core"));
  write_file(folder.file("core/calibration.json"), case_file("calibration/renamed"));
  const auto result = jrpcheck({"lint", folder.file("core/calibration.json")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "'calibration/number-id' was released")) << result.output;
}

TEST(Lint, AFolderWithALedgerIsACorpusOfItsOwn) {
  const TemporaryFolder folder;
  write_file(folder.file("ledger.json"),
             R"({"requirements": [{"id": "res-always", "clause": "5", "level": "must",)"
             R"( "class": "core", "text": "Answer."}]})");
  write_file(folder.file("own.json"), case_file("own/one"));
  write_file(folder.file("released-ids.txt"), "res-always\nown/one\nown/gone\n");
  const auto result = jrpcheck({"lint", folder.path(), "--all-released"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, folder.file("released-ids.txt") +
                               ": 'own/gone' was released, and is renamed or removed; users and "
                               "baselines name it\n");
}

TEST(Lint, AFileThatIsNotThereIsNamed) {
  const auto result = jrpcheck({"lint", "/nowhere/case.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.error, "/nowhere/case.json")) << result.error;
}

}  // namespace knowledge_test
}  // namespace jrpcheck::testing
