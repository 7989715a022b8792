#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "base/bytes.hpp"
#include "base/number_of.hpp"
#include "cli/commands.hpp"
#include "cli/parse_words.hpp"
#include "corpus/lint_files.hpp"
#include "corpus/read_file.hpp"
#include "selftest/mutant_list.hpp"
#include "targets/lint_targets.hpp"
#include "targets/target.hpp"

namespace jrpcheck::cli {
namespace {

namespace fs = std::filesystem;
using corpus::CorpusFile;

// Files by their path in the corpus, and where the user has them.
struct Named {
  std::vector<CorpusFile> files;
  std::map<std::string, std::string> places;
  bool whole_corpus = false;        ///< with a ledger of its own, so that it stands alone
  std::vector<CorpusFile> targets;  ///< descriptions of targets, which are no part of a corpus
};

// cases/core/batch.json is core/batch.json to the corpus: it takes the place of the built-in file
// whose path its own ends in, and any other file is a new one.
std::string path_in_corpus(const std::string& file, const std::vector<CorpusFile>& embedded) {
  const std::string full = "/" + fs::path(file).lexically_normal().generic_string();
  for (const auto& each : embedded) {
    const std::string end = "/" + each.path;
    const bool ends_so =
        full.size() >= end.size() && full.compare(full.size() - end.size(), end.size(), end) == 0;
    if (ends_so) return each.path;
  }
  return file;
}

Result<bool> add_file(const std::string& file, const std::vector<CorpusFile>& embedded,
                      Named& named) {
  auto text = corpus::read_file(file);
  if (!text) return Error{"'" + file + "' " + text.error().message};
  if (targets::is_target_file(file, *text)) {
    named.targets.push_back({file, *std::move(text)});
    return true;
  }
  const auto path = path_in_corpus(file, embedded);
  named.files.push_back({path, *std::move(text)});
  named.places[path] = file;
  return true;
}

Result<bool> add_folder(const std::string& folder, Named& named) {
  auto files = corpus::read_folder(folder);
  if (!files) return files.error();
  for (auto& file : *files) {
    const auto place = (fs::path(folder) / file.path).lexically_normal().generic_string();
    if (targets::is_target_file(place, file.text)) {
      named.targets.push_back({place, std::move(file.text)});
      continue;
    }
    named.whole_corpus = named.whole_corpus || file.path == corpus::kLedgerPath;
    named.places[file.path] = place;
    named.files.push_back(std::move(file));
  }
  return true;
}

Result<Named> read_named(const std::vector<std::string>& paths,
                         const std::vector<CorpusFile>& embedded) {
  Named named;
  for (const auto& path : paths) {
    std::error_code error;
    const bool is_folder = fs::is_directory(path, error);
    const auto ok = is_folder ? add_folder(path, named) : add_file(path, embedded, named);
    if (!ok) return ok.error();
  }
  return named;
}

std::optional<std::set<std::string>> known_faults() {
  const auto mutants = selftest::read_mutants(selftest::reference_program_beside_this_one());
  if (!mutants) {
    complain(ExitCode::ok, "\"kills\" is not checked: " + mutants.error().message);
    return std::nullopt;
  }
  std::set<std::string> names;
  for (const auto& each : *mutants) {
    if (each.kind == selftest::Mutant::Kind::fault) names.insert(each.name);
  }
  return names;
}

// A file may hold a word of megabytes in a place where a name is expected.
constexpr std::size_t kLongestProblem = 4000;

void print(std::vector<corpus::Problem> problems, const Named& named) {
  for (auto& problem : problems) {
    const auto place = named.places.find(problem.file);
    if (place != named.places.end()) problem.file = place->second;
    std::cout << without_log_commands(to_visible(problem.text(), kLongestProblem)) << "\n";
  }
}

std::vector<corpus::Problem> problems_of_targets(std::vector<CorpusFile> files) {
  std::ranges::sort(files,
                    [](const CorpusFile& a, const CorpusFile& b) { return a.path < b.path; });
  targets::TargetReference reference;
  for (const auto& profile : corpus::embedded_profiles()) reference.profiles.insert(profile.name);
  reference.file_exists = [](const std::string& description, const std::string& file) {
    std::error_code unknown;
    return fs::exists(fs::path(description).parent_path() / file, unknown);
  };
  return targets::lint_targets(files, reference);
}

// Tells how many there are.
ExitCode conclude(std::size_t problems, std::string_view place) {
  if (problems == 0) return complain(ExitCode::ok, "no problem in " + std::string(place));
  return complain(ExitCode::usage, number_of(problems, "problem") + " in " + std::string(place));
}

struct LintOptions {
  std::vector<std::string> paths;
  bool every_id_released = false;
};

ExitCode lint(const LintOptions& options) {
  const auto embedded = corpus::embedded_files();
  const auto named = read_named(options.paths, embedded);
  if (!named) return complain(ExitCode::usage, named.error().message);
  auto of_targets = problems_of_targets(named->targets);
  const std::size_t in_targets = of_targets.size();
  print(std::move(of_targets), *named);
  if (!named->targets.empty() && named->files.empty()) {
    return conclude(in_targets, std::to_string(named->targets.size()) + " targets");
  }
  corpus::LintReference reference;
  reference.every_id_released = options.every_id_released;
  reference.known_faults = known_faults();
  const auto base = named->whole_corpus ? std::vector<CorpusFile>() : embedded;
  const auto problems = corpus::lint_files(base, named->files, std::move(reference));
  print(problems, *named);
  return conclude(in_targets + problems.size(), "the corpus");
}

}  // namespace

Action declare_lint(CLI::App& app) {
  auto options = std::make_shared<LintOptions>();
  app.description(
      "Checks corpus files: form, ids, titles, requirements, derivations, faults; and targets.");
  app.footer(
      "Without FILE or DIR the built-in corpus is checked. Files are checked together with it: "
      "each\n"
      "replaces the built-in file of the same path, or is added. A folder with a ledger.json is a\n"
      "corpus of its own and is checked alone.\n\n"
      "  jrpcheck lint                         the built-in corpus\n"
      "  jrpcheck lint cases                   a folder laid out like cases/\n"
      "  jrpcheck lint my-cases/slow.json      one file\n"
      "  jrpcheck lint targets                 descriptions of targets, for scripts/targets\n\n"
      "Each problem is one line: file, line, case, member and what is wrong.\n"
      "Exit codes: 0 no problem, 2 a problem, or a file that cannot be read.");
  app.add_option("FILE|DIR", options->paths, "case files, or folders of them");
  app.add_flag("--all-released", options->every_id_released,
               "also report ids that are not in released-ids.txt");
  return [options](const CommandLine&) { return lint(*options); };
}

}  // namespace jrpcheck::cli
