#include "cli/site_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "cli/stored_runs.hpp"
#include "cli/write_file.hpp"
#include "corpus/read_file.hpp"
#include "reports/run_reader.hpp"
#include "targets/target.hpp"

namespace jrpcheck::cli {
namespace {

namespace fs = std::filesystem;
using reports::SiteRecord;

/// A round, that is a folder, and a name.
using Key = std::pair<std::string, std::string>;

Result<std::vector<std::string>> files_below(const std::string& place) {
  std::error_code error;
  std::vector<std::string> files;
  if (!fs::is_directory(place, error)) {
    files.push_back(place);
    return files;
  }
  fs::recursive_directory_iterator entries(place, error);
  while (!error && entries != fs::recursive_directory_iterator()) {
    const auto& path = entries->path();
    // Findings of the fuzzer are cases, and no runs.
    if (entries->is_directory() && path.extension() == ".findings") {
      entries.disable_recursion_pending();
    } else if (path.extension() == ".json") {
      files.push_back(path.string());
    }
    entries.increment(error);
  }
  // A site without what cannot be read would look as if it were whole.
  if (error) return Error{"the folder '" + place + "' cannot be read: " + error.message()};
  std::ranges::sort(files);
  return files;
}

std::string kind_of(const std::string& file) {
  return fs::path(fs::path(file).stem()).extension().string();
}

Result<bool> read_into(std::map<Key, SiteRecord>& records, const std::string& file) {
  const auto text = corpus::read_file(file);
  if (!text) return Error{"'" + file + "' " + text.error().message};
  const std::string kind = kind_of(file);
  std::string name = targets::target_name(file);
  const bool is_fuzzed = kind == ".fuzz";
  if (is_fuzzed) name = name.substr(0, name.rfind('.'));
  const auto round = fs::absolute(file).parent_path().filename().string();
  auto& record = records[{round, name}];
  record.round = round;
  record.about.name = name;
  if (kind == ".target") {
    auto target = targets::read_target(file, *text);
    if (!target) return target.error();
    record.about = *std::move(target);
    record.is_described = true;
    return true;
  }
  auto run = reports::read_run(file, *text);
  if (!run) return run.error();
  if (auto ok = check_verdict(*run, file); !ok) return ok.error();
  run->name = name;
  (is_fuzzed ? record.fuzzed : record.run) = *std::move(run);
  return true;
}

// Pages of targets and rules that are no more. Whatever else stands in folders of these names is
// somebody's own.
void remove_what_is_gone(const std::string& folder, const std::set<std::string>& written) {
  for (const std::string_view part : {"targets", "requirements"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(folder) / part, error)) {
      const auto kind = entry.path().extension();
      const bool is_ours = entry.is_regular_file(error) && (kind == ".html" || kind == ".svg");
      if (is_ours && !written.contains(entry.path().string())) fs::remove(entry.path(), error);
    }
  }
}

}  // namespace

Result<std::vector<SiteRecord>> read_records(const std::vector<std::string>& places) {
  std::map<Key, SiteRecord> records;
  for (const auto& place : places) {
    const auto files = files_below(place);
    if (!files) return files.error();
    for (const auto& file : *files) {
      if (auto ok = read_into(records, file); !ok) return ok.error();
    }
  }
  std::vector<SiteRecord> all;
  for (auto& [key, record] : records) {
    if (record.run || record.is_described) all.push_back(std::move(record));
  }
  if (all.empty()) return Error{"no run was found: name files that --report json=FILE has written"};
  return all;
}

Result<bool> write_site(const std::string& folder, const std::vector<reports::SiteFile>& files) {
  std::set<std::string> written;
  for (const auto& file : files) {
    const fs::path path = fs::path(folder) / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (auto ok = write_file(path.string(), file.text); !ok) return ok.error();
    written.insert(path.string());
  }
  remove_what_is_gone(folder, written);
  return true;
}

}  // namespace jrpcheck::cli
