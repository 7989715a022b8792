// The architecture as a test: the includes and the link lines held against the table of layers that
// CMake has.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace jrpcheck::testing {
namespace layering_test {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

struct Layer {
  std::string name;    // of its CMake target
  std::string folder;  // where it lies; its headers are included by this path, without harness/
  bool is_pure = false;
  Names uses;
  Names used_by_tests;
  Names links;  // what its target links to itself, whoever said so
};

/// The table, as CMake wrote it (cmake/JrpcheckLayer.cmake).
struct Architecture {
  std::vector<Layer> layers;  // each uses only what stands above it: CMake refuses anything else
  Names sources;              // of all targets, as absolute paths
};

Names words_in(std::istream& line) { return {std::istream_iterator<std::string>(line), {}}; }

Architecture read_architecture() {
  Architecture architecture;
  std::ifstream in(LAYERS_FILE);
  EXPECT_TRUE(in) << LAYERS_FILE;
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text);
    std::string what;
    line >> what >> std::ws;
    if (what == "source") {
      architecture.sources.insert(text.substr(what.size() + 1));
      continue;
    }
    if (what == "layer") architecture.layers.emplace_back();
    Layer& layer = architecture.layers.back();
    if (what == "layer") line >> layer.name;
    if (what == "folder") line >> layer.folder;
    if (what == "pure") layer.is_pure = words_in(line) == Names{"TRUE"};
    if (what == "uses") layer.uses = words_in(line);
    if (what == "test-uses") layer.used_by_tests = words_in(line);
    if (what == "links") layer.links = words_in(line);
  }
  return architecture;
}

const Architecture& architecture() {
  static const Architecture kArchitecture = read_architecture();
  return kArchitecture;
}

const std::vector<Layer>& layers() { return architecture().layers; }

const Layer* layer_named(const std::string& name) {
  const auto found =
      std::ranges::find_if(layers(), [&](const Layer& layer) { return layer.name == name; });
  return found == layers().end() ? nullptr : &*found;
}

// A layer and all that it stands on.
Names reach_of(const Layer& layer) {
  Names reach = {layer.name};
  for (const auto& name : layer.uses) reach.merge(reach_of(*layer_named(name)));
  return reach;
}

// These test the programs from outside and share no code with them.
constexpr const char* kTestingFolder = "harness/testing";

// Programs inside a layer's folder that stand above all layers, as tests do.
const Names& program_folders() {
  static const Names kFolders = {"fuzz/targets", "fuzz/examples"};
  return kFolders;
}

const fs::path& root() {
  static const fs::path kRoot = SOURCE_FOLDER;
  return kRoot;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Include {
  std::string file;  // below the root
  std::string path;  // as it is written
  bool quoted = false;
};

std::vector<Include> includes_of(const fs::path& path) {
  std::vector<Include> includes;
  std::istringstream lines(text_of(path));
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.compare(begin, 8, "#include") != 0) continue;
    const auto open = line.find_first_of("<\"");
    const auto close = line.find_first_of(">\"", open + 1);
    includes.push_back({fs::relative(path, root()).generic_string(),
                        line.substr(open + 1, close - open - 1), line[open] == '"'});
  }
  return includes;
}

std::vector<fs::path> sources_in(const std::string& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".cpp" || extension == ".hpp") sources.push_back(entry.path());
  }
  EXPECT_FALSE(sources.empty()) << folder;
  return sources;
}

std::vector<Include> includes_in(const std::string& folder) {
  std::vector<Include> includes;
  for (const auto& source : sources_in(folder)) {
    const auto more = includes_of(source);
    includes.insert(includes.end(), more.begin(), more.end());
  }
  return includes;
}

bool is_header(const Include& include) { return fs::path(include.file).extension() == ".hpp"; }

// The entry of a program, which stands above the layers of its folder.
bool is_entry(const std::string& file) { return fs::path(file).filename() == "main.cpp"; }

bool serves_tests(const std::string& file) {
  return file.find("_test.cpp") != std::string::npos ||
         file.find("_for_testing.") != std::string::npos ||
         file.find("test_support.") != std::string::npos;
}

// The layer that a file belongs to: that of the innermost folder; none for a program's.
const Layer* layer_of(const std::string& file) {
  if (program_folders().count(fs::path(file).parent_path().generic_string()) != 0) return nullptr;
  const Layer* found = nullptr;
  for (const auto& layer : layers()) {
    const bool inside = file.starts_with(layer.folder + "/");
    if (inside && (found == nullptr || found->folder.size() < layer.folder.size())) found = &layer;
  }
  return found;
}

// The layer whose header an include names; none for a system's or a library's.
const Layer* layer_of(const Include& include) {
  const Layer* found = layer_of("harness/" + include.path);
  return found != nullptr ? found : layer_of(include.path);
}

// Whether a file asks the system for sockets, processes, threads, or to wait.
bool asks_the_system(const Include& include) {
  static const Names kHeaders = {"csignal", "fcntl.h",    "netdb.h", "poll.h",
                                 "spawn.h", "stop_token", "thread",  "unistd.h"};
  const auto& path = include.path;
  return kHeaders.count(path) != 0 || path.starts_with("netinet/") || path.starts_with("arpa/") ||
         (path.starts_with("sys/") && path != "sys/types.h");
}

TEST(Layering, TheTableIsThere) {
  EXPECT_GT(layers().size(), 10U);
  EXPECT_NE(layer_named("judge"), nullptr);
  EXPECT_FALSE(architecture().sources.empty());
}

// CMake links what a layer says that it uses; nothing may be added behind its back.
TEST(Layering, NoLayerLinksToOneThatItDoesNotSayItUses) {
  for (const auto& layer : layers()) {
    Names linked;
    for (const auto& link : layer.links) {
      for (const std::string prefix : {"jrpcheck::", "jrpcheck_"}) {
        const bool is_ours = link.starts_with(prefix);
        if (is_ours && layer_named(link.substr(prefix.size()))) {
          linked.insert(link.substr(prefix.size()));
        }
      }
    }
    EXPECT_EQ(linked, layer.uses) << layer.name;
  }
}

TEST(Layering, NoLayerUsesOneThatItDoesNotInclude) {
  for (const auto& layer : layers()) {
    Names included;
    for (const auto& include : includes_in(layer.folder)) {
      const Layer* other = layer_of(include);
      if (other != nullptr && layer_of(include.file) == &layer) included.insert(other->name);
    }
    for (const auto& name : layer.uses) {
      EXPECT_EQ(included.count(name), 1U) << layer.name << " uses " << name;
    }
  }
}

TEST(Layering, WhatIsPureReachesNoLayerThatAsksTheSystem) {
  for (const auto& layer : layers()) {
    if (!layer.is_pure) continue;
    for (const auto& name : reach_of(layer)) {
      for (const auto& include : includes_in(layer_named(name)->folder)) {
        if (serves_tests(include.file)) continue;
        EXPECT_FALSE(asks_the_system(include))
            << layer.name << " reaches " << include.file << ", which includes " << include.path;
      }
    }
  }
}

TEST(Layering, EveryFolderOfTheHarnessIsInTheTable) {
  Names known = {kTestingFolder};
  for (const auto& layer : layers()) known.insert(layer.folder);
  for (const auto& entry : fs::directory_iterator(root() / "harness")) {
    if (!entry.is_directory()) continue;
    EXPECT_EQ(known.count("harness/" + entry.path().filename().string()), 1U) << entry.path();
  }
}

TEST(Layering, NoSourceIncludesALayerThatItsOwnDoesNotUse) {
  for (const auto& layer : layers()) {
    for (const auto& include : includes_in(layer.folder)) {
      const Layer* other = layer_of(include);
      if (other == nullptr || other == &layer) continue;
      if (layer_of(include.file) != &layer || is_entry(include.file)) continue;
      const bool allowed =
          layer.uses.count(other->name) != 0 ||
          (serves_tests(include.file) && layer.used_by_tests.count(other->name) != 0);
      EXPECT_TRUE(allowed) << include.file << " includes " << include.path;
    }
  }
}

TEST(Layering, QuotedIncludesAreOurOwnAndExist) {
  for (const char* folder : {"harness", "reports", "fuzz", "reference-impl"}) {
    for (const auto& include : includes_in(folder)) {
      const bool exists =
          fs::exists(root() / "harness" / include.path) || fs::exists(root() / include.path);
      EXPECT_EQ(include.quoted, exists) << include.file << " includes " << include.path;
    }
  }
}

// Two readings of JSON that share no code: an error in one is not an error in both.
TEST(Layering, TheReferenceServerSharesNothingWithTheJudge) {
  const Names forbidden = {"json",   "judge",    "corpus",  "session", "run",
                           "result", "selftest", "reports", "cli"};
  for (const auto& include : includes_in("reference-impl")) {
    if (!include.quoted) continue;
    const std::string folder = include.path.substr(0, include.path.find('/'));
    EXPECT_EQ(forbidden.count(folder), 0U) << include.file << " includes " << include.path;
  }
}

TEST(Layering, TheProgramsThatTestFromOutsideShareNoCodeWithThem) {
  for (const auto& include : includes_in(kTestingFolder)) {
    EXPECT_TRUE(!include.quoted || include.path.starts_with("testing/"))
        << include.file << " includes " << include.path;
  }
}

// A header that names nlohmann's types costs every file behind it seconds of compilation.
TEST(Layering, NoHeaderIncludesNlohmann) {
  for (const char* folder : {"harness", "fuzz", "reports"}) {
    for (const auto& include : includes_in(folder)) {
      EXPECT_FALSE(is_header(include) && include.path.starts_with("nlohmann/")) << include.file;
    }
  }
}

TEST(Layering, TheJudgesOwnLayersNeverReadWithNlohmann) {
  for (const char* folder : {"harness/json", "harness/corpus", "harness/session", "harness/judge",
                             "harness/result", "harness/run"}) {
    for (const auto& include : includes_in(folder)) {
      const bool uses = include.path.starts_with("nlohmann/");
      EXPECT_TRUE(!uses || serves_tests(include.file)) << include.file;
    }
  }
}

// What the first group of the pattern is, wherever it is found.
Names words_of(const fs::path& file, const std::regex& pattern) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Names words;
  for (std::sregex_iterator each(text.begin(), text.end(), pattern), end; each != end; ++each) {
    words.insert((*each)[1]);
  }
  return words;
}

// What follows from a binding or a scheme its row says.
TEST(Layering, NobodyAsksForABindingOrASchemeByItsName) {
  std::string names = "stdio";
  for (const char* table : {"harness/wire/binding.cpp", "harness/transport/target.cpp"}) {
    const auto rows = words_of(root() / table, std::regex(R"re(\.name = "([a-z0-9-]+)")re"));
    EXPECT_GT(rows.size(), 5U) << table;
    for (const auto& name : rows) names += "|" + name;
  }
  const std::regex by_name(
      R"re(((?:binding_named|known_binding|scheme_named|door_named)\("[^"]*"|[=!]= "(?:)re" +
      names + R"re()"))re");
  for (const char* folder : {"harness", "reports", "fuzz"}) {
    for (const auto& source : sources_in(folder)) {
      if (serves_tests(source.generic_string())) continue;
      EXPECT_EQ(words_of(source, by_name), Names()) << source;
    }
  }
}

// What no ledger has would fail servers as a must: the charge says no level.
TEST(Layering, EveryRequirementThatCodeChargesIsInALedger) {
  const std::regex id(R"re("id": *"([a-z0-9-]+)")re");
  const std::regex charge(
      R"re((?:charge|charge_as|exercise|drop)\(\s*(?:[\w:]+,\s*)?"([a-z0-9]+(?:-[a-z0-9]+)+)")re");
  Names known;
  for (const auto& each : fs::recursive_directory_iterator(fs::path(SOURCE_FOLDER) / "cases")) {
    if (each.path().filename() == "ledger.json") known.merge(words_of(each.path(), id));
  }
  std::size_t charged = 0;
  for (const auto& source : read_architecture().sources) {
    if (source.ends_with("_test.cpp") || source.find("/harness/") == std::string::npos) continue;
    for (const auto& word : words_of(source, charge)) {
      ++charged;
      EXPECT_TRUE(known.contains(word)) << source << " charges " << word;
    }
  }
  EXPECT_GT(charged, 50U);
}

TEST(Layering, EverySourceIsKnownToCMake) {
  Names unknown;
  for (const char* folder : {"harness", "reports", "fuzz", "reference-impl"}) {
    for (const auto& source : sources_in(folder)) {
      if (source.extension() != ".cpp") continue;
      if (architecture().sources.count(source.string()) == 0) unknown.insert(source.string());
    }
  }
  EXPECT_EQ(unknown, Names());
}

}  // namespace layering_test
}  // namespace jrpcheck::testing
