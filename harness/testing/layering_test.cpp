// The architecture as a test: what each layer may include, and that CMake links the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace jrpcheck::testing {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

struct Layer {
  std::string name;    // of its CMake target
  std::string folder;  // where it lies; its headers are included by this path, without harness/
  Names uses;
};

// Each layer uses only what stands above it.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers = {
      {"base", "harness/base", {}},
      {"json", "harness/json", {"base"}},
      {"wire", "harness/wire", {"base"}},
      {"transport", "harness/transport", {"base"}},
      {"corpus", "harness/corpus", {"base", "json"}},
      {"session", "harness/session", {"base", "json", "wire", "transport", "corpus"}},
      {"judge", "harness/judge", {"base", "json", "corpus", "session"}},
      {"result", "harness/result", {"base", "json", "corpus", "session", "judge"}},
      {"run",
       "harness/run",
       {"base", "json", "wire", "transport", "session", "corpus", "judge", "result"}},
      {"embed", "harness/embed", {"base", "json", "corpus", "session", "judge", "result", "run"}},
      {"selftest",
       "harness/selftest",
       {"base", "wire", "transport", "session", "corpus", "judge", "result", "run"}},
      {"fuzz",
       "fuzz",
       {"base", "json", "wire", "transport", "corpus", "session", "judge", "result", "run"}},
      {"properties",
       "fuzz/properties",
       {"base", "json", "transport", "corpus", "session", "judge", "result", "run", "fuzz"}},
      {"reports", "reports", {"base", "json", "corpus", "session", "judge", "result"}},
      {"cli",
       "harness/cli",
       {"base", "json", "transport", "corpus", "session", "judge", "result", "run", "selftest",
        "reports", "fuzz", "properties"}},
      {"reference_server", "reference-impl", {"base", "wire"}},
      {"reference_deviations", "reference-impl/deviations", {"base", "wire", "reference_server"}},
  };
  return kLayers;
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
    const bool inside = file.rfind(layer.folder + "/", 0) == 0;
    if (inside && (found == nullptr || found->folder.size() < layer.folder.size())) found = &layer;
  }
  return found;
}

// The layer whose header an include names; none for a system's or a library's.
const Layer* layer_of(const Include& include) {
  const Layer* found = layer_of("harness/" + include.path);
  return found != nullptr ? found : layer_of(include.path);
}

// `jrpcheck_layer(NAME KEYWORD word ... )` as words by keyword; the name is under "".
std::map<std::string, std::vector<std::string>> layer_call_in(const std::string& folder) {
  const std::string text = text_of(root() / folder / "CMakeLists.txt");
  const std::string opening = "jrpcheck_layer(";
  const auto begin = text.find(opening);
  EXPECT_NE(begin, std::string::npos) << folder;
  std::istringstream words(
      text.substr(begin + opening.size(), text.find(')', begin) - begin - opening.size()));
  const Names keywords = {"SOURCES", "USES", "PRIVATE_LINKS", "TESTS", "TEST_USES"};
  std::map<std::string, std::vector<std::string>> call;
  std::string keyword;
  for (std::string word; words >> word;) {
    if (keywords.count(word) != 0) {
      keyword = word;
    } else {
      call[keyword].push_back(word);
    }
  }
  return call;
}

Names names_in(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

TEST(Layering, CMakeLinksWhatTheTableSays) {
  for (const auto& layer : layers()) {
    auto call = layer_call_in(layer.folder);
    ASSERT_EQ(call[""].size(), 1U) << layer.folder;
    EXPECT_EQ(call[""].front(), layer.name);
    EXPECT_EQ(names_in(call["USES"]), layer.uses) << layer.name;
  }
}

TEST(Layering, EveryLayerUsesOnlyWhatStandsAboveIt) {
  Names above;
  for (const auto& layer : layers()) {
    EXPECT_TRUE(std::includes(above.begin(), above.end(), layer.uses.begin(), layer.uses.end()))
        << layer.name;
    above.insert(layer.name);
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
    const Names for_tests = names_in(layer_call_in(layer.folder)["TEST_USES"]);
    for (const auto& include : includes_in(layer.folder)) {
      const Layer* other = layer_of(include);
      if (other == nullptr || other == &layer) continue;
      if (layer_of(include.file) != &layer || is_entry(include.file)) continue;
      const bool allowed = layer.uses.count(other->name) != 0 ||
                           (serves_tests(include.file) && for_tests.count(other->name) != 0);
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
    EXPECT_TRUE(!include.quoted || include.path.rfind("testing/", 0) == 0)
        << include.file << " includes " << include.path;
  }
}

// A header that names nlohmann's types costs every file behind it seconds of compilation.
TEST(Layering, NoHeaderIncludesNlohmann) {
  for (const char* folder : {"harness", "fuzz", "reports"}) {
    for (const auto& include : includes_in(folder)) {
      EXPECT_FALSE(is_header(include) && include.path.rfind("nlohmann/", 0) == 0) << include.file;
    }
  }
}

TEST(Layering, TheJudgesOwnLayersNeverReadWithNlohmann) {
  for (const char* folder : {"harness/json", "harness/corpus", "harness/session", "harness/judge",
                             "harness/result", "harness/run"}) {
    for (const auto& include : includes_in(folder)) {
      const bool uses = include.path.rfind("nlohmann/", 0) == 0;
      EXPECT_TRUE(!uses || serves_tests(include.file)) << include.file;
    }
  }
}

TEST(Layering, EverySourceIsKnownToCMake) {
  for (const auto& layer : layers()) {
    const std::string text = text_of(root() / layer.folder / "CMakeLists.txt");
    for (const auto& source : sources_in(layer.folder)) {
      const auto file = fs::relative(source, root()).generic_string();
      if (source.extension() != ".cpp" || layer_of(file) != &layer) continue;
      EXPECT_NE(text.find(source.filename().string()), std::string::npos) << source;
    }
  }
}

TEST(Layering, EverySourceOfAProgramIsKnownToCMake) {
  std::string text = text_of(root() / "cmake/JrpcheckFuzzer.cmake");
  for (const auto& folder : program_folders()) text += text_of(root() / folder / "CMakeLists.txt");
  for (const auto& folder : program_folders()) {
    for (const auto& source : sources_in(folder)) {
      if (source.extension() != ".cpp") continue;
      EXPECT_NE(text.find(source.filename().string()), std::string::npos) << source;
    }
  }
}

}  // namespace
}  // namespace jrpcheck::testing
