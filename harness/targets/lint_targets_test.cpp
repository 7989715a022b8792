#include "targets/lint_targets.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "targets/target.hpp"

namespace jrpcheck::targets {
namespace lint_targets_test {

std::string described(const std::string& from = "", const std::string& to = "") {
  std::string text = R"({
    "$schema": "./target.schema.json", "kind": "server", "group": "library",
    "about": "A server", "home": "https://example.org", "licence": "MIT", "version": "5.0.0",
    "install": {"npm": ["jayson@5.0.0"]}, "wrapper": "wrappers/a.js",
    "start": ["node", "{wrapper}", "{port}"], "door": "http",
    "target": "http://127.0.0.1:{port}/", "limits": ["None."]})";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

// What is said of one description whose wrapper is there.
std::string problems_of(const std::string& text) {
  TargetReference reference;
  reference.profiles = {"mcp"};
  reference.file_exists = [](const std::string&, const std::string& named) {
    return named == "wrappers/a.js";
  };
  std::string all;
  for (const auto& each : lint_targets({{"targets/a.json", text}}, reference)) {
    all += each.text() + "\n";
  }
  return all;
}

TEST(LintTargets, FindsNothingInWhatIsRight) { EXPECT_EQ(problems_of(described()), ""); }

struct Mistake {
  const char* from;
  const char* to;
  const char* told;
};

class LintTargetsOf : public testing::TestWithParam<Mistake> {};

TEST_P(LintTargetsOf, TellsOfIt) {
  const auto& mistake = GetParam();
  const auto told = problems_of(described(mistake.from, mistake.to));
  EXPECT_NE(told.find(mistake.told), std::string::npos) << told;
  EXPECT_TRUE(told.starts_with("targets/a.json:")) << told;
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, LintTargetsOf,
    testing::Values(
        Mistake{"https://example", "http://example", "home: begins with https://"},
        Mistake{"jayson@5.0.0", "jayson", "install: jayson has no version"},
        Mistake{"\"5.0.0\"", "\"4.0.0\"", "version: 4.0.0 is not that of jayson@5.0.0"},
        Mistake{"wrappers/a.js", "wrappers/b.js", "wrapper: wrappers/b.js is not there"},
        Mistake{"\"{port}\"", "\"8545\"", "start: does not say {port}"},
        Mistake{"\"{port}\"", "\"{prot}\"", "start: {prot} is no placeholder"},
        Mistake{"\"{port}\"", "\"{url}\"", "start: {url} is for clients"},
        Mistake{"\"{port}\"", "\"{server}\"", "start: {server} is for clients"},
        Mistake{"\"http\"", "\"tcp\"", "target: through the door tcp it begins with tcp://"},
        Mistake{"{port}/\"", "{port//\"", "target: has a brace that is not closed"},
        Mistake{"\"http\"", "\"udp\"", "door: \"udp\" is none"},
        Mistake{"\"http\"", "\"stdio\"", "target: a server on stdio has none"},
        Mistake{"\"server\"", "\"client\"", "group: a client, and no server"},
        Mistake{"None.", "None", "limits: \"None\" is no sentence"},
        Mistake{"A server", "A server.", "about: is a line, without a full stop"},
        Mistake{"\"door\"", "\"profile\": \"mpc\", \"door\"", "profile: mpc is none"},
        Mistake{"\"door\"", "\"found\": \"1\", \"door\"", "found: is what scripts/targets adds"}));

TEST(LintTargets, TellsOfWhatCannotBeReadWithItsPlaceOnce) {
  EXPECT_TRUE(problems_of("{").starts_with("targets/a.json: 1:")) << problems_of("{");
}

TEST(LintTargets, AllOfOursAreRight) {
  const auto files = corpus::read_folder(JRPCHECK_TARGETS_FOLDER);
  ASSERT_TRUE(files) << files.error().message;
  std::vector<corpus::CorpusFile> descriptions;
  for (const auto& each : *files) {
    descriptions.push_back({std::string(JRPCHECK_TARGETS_FOLDER) + "/" + each.path, each.text});
  }
  TargetReference reference;
  for (const auto& each : corpus::embedded_profiles()) reference.profiles.insert(each.name);
  reference.file_exists = [](const std::string& description, const std::string& named) {
    return std::filesystem::exists(std::filesystem::path(description).parent_path() / named);
  };
  for (const auto& each : lint_targets(descriptions, reference)) ADD_FAILURE() << each.text();
  EXPECT_GE(descriptions.size(), 48U);
}

}  // namespace lint_targets_test
}  // namespace jrpcheck::targets
