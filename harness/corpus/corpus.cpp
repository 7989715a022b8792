#include "corpus/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "base/join.hpp"
#include "corpus/bindings.hpp"
#include "corpus/client_dialogue.hpp"
#include "corpus/load_case.hpp"
#include "corpus/read_file.hpp"
#include "corpus/vectors.hpp"

namespace jrpcheck::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchemaSuffix = ".schema.json";

bool is_corpus_file(const std::string& path) {
  if (path.ends_with(".io") || path.ends_with(".js")) return true;
  return path == kReleasedIdsPath || (path.ends_with(".json") && !path.ends_with(kSchemaSuffix));
}

// FNV-1a: tells corpora apart; nothing relies on it being hard to forge.
std::string hash_of(const std::map<std::string, const CorpusFile*>& files) {
  std::uint64_t hash = 14695981039346656037U;
  const auto mix = [&hash](std::string_view text) {
    for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211U;
  };
  for (const auto& [path, file] : files) {
    mix(path);
    mix(file->text);
  }
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

template <typename CaseOrScenario>
std::string where(const CaseOrScenario& one) {
  return one.file + ":" + std::to_string(one.line) + ": case '" + one.id + "': ";
}

// Every requirement that is named anywhere in the case.
std::vector<std::string> charged_requirements(const Case& one) {
  std::vector<std::string> ids = one.requirements;
  for (const auto& step : one.steps) {
    for (const auto& [part, id] : step.charge) ids.push_back(id);
    for (const auto& outcome : step.accept) ids.push_back(outcome.charge);
  }
  return ids;
}

Result<bool> check_references(const Corpus& corpus) {
  for (const auto& one : corpus.cases) {
    for (const auto& id : charged_requirements(one)) {
      if (corpus.ledger.find(id) == nullptr) {
        return Error{where(one) + "no requirement '" + id + "' is in the ledger"};
      }
    }
    if (one.derived_from && corpus.find(one.derived_from->from) == nullptr) {
      return Error{where(one) + "is derived from '" + one.derived_from->from +
                   "', which does not exist"};
    }
    if (!one.rests_on.empty() && corpus.find(one.rests_on) == nullptr) {
      return Error{where(one) + "rests on '" + one.rests_on + "', which does not exist"};
    }
    if (auto ok = check_placeholders(one); !ok) return ok;
  }
  return true;
}

Result<bool> add_cases(Corpus& corpus, std::vector<Case> loaded) {
  for (auto& one : loaded) {
    if (const Case* other = corpus.find(one.id)) {
      return Error{where(one) + "this id is also at " + other->file + ":" +
                   std::to_string(other->line)};
    }
    corpus.cases.push_back(std::move(one));
  }
  return true;
}

Result<bool> add_scenarios(Corpus& corpus, std::vector<Scenario> loaded) {
  for (auto& one : loaded) {
    const auto other = std::ranges::find(corpus.scenarios, one.id, &Scenario::id);
    if (other != corpus.scenarios.end()) {
      return Error{where(one) + "this id is also at " + other->file + ":" +
                   std::to_string(other->line)};
    }
    corpus.scenarios.push_back(std::move(one));
  }
  return true;
}

Result<bool> add_profile(Corpus& corpus, Profile profile) {
  for (const auto& other : corpus.profiles) {
    if (other.name == profile.name) return Error{"the profile '" + other.name + "' is there twice"};
  }
  corpus.profiles.push_back(std::move(profile));
  return true;
}

Result<bool> add_ledger(Corpus& corpus, const std::string& path, const std::string& text) {
  auto ledger = Ledger::load(path, text);
  if (!ledger) return ledger.error();
  return corpus.ledger.append(*std::move(ledger));
}

Result<bool> add_case_file(Corpus& corpus, const std::string& path, const std::string& text) {
  auto loaded = load_cases(path, text);
  if (!loaded) return loaded.error();
  return add_cases(corpus, *std::move(loaded));
}

Result<bool> add_profile_file(Corpus& corpus, const std::string& path, const std::string& text) {
  switch (kind_of_profile_file(path)) {
    case ProfileFile::ledger:
      return add_ledger(corpus, path, text);
    case ProfileFile::schema:
      corpus.schemas[path] = text;
      return true;
    case ProfileFile::cases:
      return add_case_file(corpus, path, text);
    case ProfileFile::profile:
      break;
  }
  auto profiles = load_profiles(path, text);
  if (!profiles) return profiles.error();
  for (auto& each : *profiles) {
    // Its other files stand beside it.
    if (!each.schemas.empty()) {
      each.schemas = path.substr(0, path.rfind('/') + 1) + each.schemas;
    }
    if (auto ok = add_profile(corpus, std::move(each)); !ok) return ok;
  }
  return true;
}

Result<bool> add_vectors(Corpus& corpus, const std::string& path, const std::string& text) {
  auto loaded = load_vectors(path, text);
  if (!loaded) return loaded.error();
  if (corpus.ledger.find(kVectorRequirement) == nullptr) {
    auto ledger = vector_ledger();
    if (!ledger) return ledger.error();
    if (auto ok = corpus.ledger.append(*std::move(ledger)); !ok) return ok;
  }
  std::vector<Case> cases;
  cases.push_back(*std::move(loaded));
  return add_cases(corpus, std::move(cases));
}

Result<bool> add_file(Corpus& corpus, const std::string& path, const std::string& text) {
  if (path == kLedgerPath) return add_ledger(corpus, path, text);
  if (holds_dialogues(path)) return true;  // dialogues_of reads them, for whoever plays them
  if (path.starts_with(kProfilesPath)) return add_profile_file(corpus, path, text);
  if (holds_vectors(path, text)) return add_vectors(corpus, path, text);
  if (holds_scenarios(path, text))
    return true;  // they name requirements: the ledger may come later
  return add_case_file(corpus, path, text);
}

}  // namespace

ProfileFile kind_of_profile_file(std::string_view path) {
  if (path.starts_with(kProfilesPath)) path.remove_prefix(kProfilesPath.size());
  const auto slash = path.find('/');
  if (slash == path.npos) return ProfileFile::profile;
  path.remove_prefix(slash + 1);
  if (path == "profile.json") return ProfileFile::profile;
  if (path == kLedgerPath) return ProfileFile::ledger;
  return path.starts_with("schemas/") ? ProfileFile::schema : ProfileFile::cases;
}

bool Corpus::applies(const Case& one, const wire::Binding& binding) const {
  if (!one.applies_to(binding.name) || profile.exempts_case(one.id) != nullptr) return false;
  const Requirement* subject =
      one.requirements.empty() ? nullptr : ledger.find(one.requirements.front());
  if (subject != nullptr && !wire::applies_cases_of(binding, subject->class_name)) return false;
  if (subject != nullptr && profile.places.count(subject->class_name) != 0 &&
      !profile.applies_class(&binding, subject->class_name)) {
    return false;
  }
  return !binding.on_sockets || std::ranges::none_of(one.steps, [](const auto& step) {
    return step.accepts(Outcome::Shape::exited);
  });
}

bool Corpus::is_common(const Requirement& requirement) const {
  return std::ranges::any_of(profiles, [&](const Profile& each) {
    return each.name == kDefaultProfile && each.has_class(requirement.class_name);
  });
}

bool Corpus::is_common(const Case& one) const {
  const auto* subject = ledger.find(one.requirements.front());
  return subject != nullptr && is_common(*subject);
}

const Case* Corpus::find(std::string_view id) const {
  const auto found = std::ranges::find_if(cases, [id](const Case& one) { return one.id == id; });
  return found == cases.end() ? nullptr : &*found;
}

Result<std::vector<CorpusFile>> read_folder(const std::string& folder) {
  std::error_code error;
  std::vector<CorpusFile> files;
  if (fs::is_regular_file(folder, error)) {
    auto text = read_file(folder);
    if (!text) return Error{"'" + folder + "' " + text.error().message};
    const std::string name = fs::path(folder).filename().generic_string();
    if (!name.ends_with(".json") && !holds_vectors(name, *text)) {
      return Error{"'" + folder + "' is neither a folder or a file of cases nor one of vectors"};
    }
    return std::vector<CorpusFile>{{name, *std::move(text)}};
  }
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const std::string path = entry->path().lexically_relative(folder).generic_string();
    std::error_code gone;
    if (!entry->is_regular_file(gone) || !is_corpus_file(path)) continue;
    auto text = read_file(entry->path().string());
    if (!text) return Error{"'" + entry->path().string() + "' " + text.error().message};
    if (path.ends_with(".js") && !holds_vectors(path, *text)) continue;  // it is a program
    files.push_back({path, *std::move(text)});
  }
  if (error) return Error{"cannot read the folder of cases '" + folder + "': " + error.message()};
  if (files.empty()) {
    return Error{"the folder of cases '" + folder + "' holds neither *.json files nor vectors"};
  }
  return files;
}

Result<Corpus> assemble(const std::vector<CorpusFile>& base, const std::vector<CorpusFile>& added) {
  std::map<std::string, const CorpusFile*> files;
  for (const auto* list : {&base, &added}) {
    for (const auto& file : *list) files[file.path] = &file;
  }
  files.erase(std::string(kReleasedIdsPath));  // asks no server anything
  Corpus corpus;
  corpus.hash = hash_of(files);
  for (const auto& [path, file] : files) {
    if (auto ok = add_file(corpus, path, file->text); !ok) return ok.error();
  }
  if (auto ok = check_references(corpus); !ok) return ok.error();
  for (const auto& [path, file] : files) {
    if (!holds_scenarios(path, file->text)) continue;
    auto scenarios = load_scenarios(path, file->text, corpus.ledger);
    if (!scenarios) return scenarios.error();
    if (auto ok = add_scenarios(corpus, *std::move(scenarios)); !ok) return ok.error();
  }
  if (corpus.cases.empty()) return Error{"the corpus holds no case"};
  return corpus;
}

namespace {

std::vector<Profile> read_embedded_profiles() {
  std::vector<Profile> profiles;
  for (const auto& [path, text] : embedded_files()) {
    const bool is_profile =
        path.starts_with(kProfilesPath) && kind_of_profile_file(path) == ProfileFile::profile;
    if (!is_profile) continue;
    if (auto loaded = load_profiles(path, text)) {
      std::move(loaded->begin(), loaded->end(), std::back_inserter(profiles));
    }
  }
  return profiles;
}

}  // namespace

const std::vector<Profile>& embedded_profiles() {
  static const std::vector<Profile> profiles = read_embedded_profiles();
  return profiles;
}

Result<Corpus> with_profile(Corpus corpus, std::string_view name) {
  const auto& profiles = corpus.profiles;
  const auto found =
      std::ranges::find_if(profiles, [&](const Profile& each) { return each.name == name; });
  if (found == profiles.end()) {
    return Error{"there is no profile '" + std::string(name) + "'; there are " +
                 joined(profiles, ", ", &Profile::name)};
  }
  corpus.profile = *found;
  const auto is_of_another = [&](const Case& one) {
    const auto* requirement = corpus.ledger.find(one.requirements.front());
    if (!corpus.profile.is_of(one.versions) || !corpus.profile.is_of(requirement->versions)) {
      return true;
    }
    const auto& class_name = requirement->class_name;
    return !corpus.profile.has_class(class_name) &&
           std::ranges::any_of(profiles,
                               [&](const Profile& each) { return each.has_class(class_name); });
  };
  auto& cases = corpus.cases;
  std::erase_if(cases, is_of_another);
  for (auto& one : cases) {
    one.errors_without_id = corpus.profile.errors_without_id.has_value();
    if (!corpus.is_common(one)) continue;
    one.other_codes = corpus.profile.other_codes;
    one.params_by_position = corpus.profile.params_by_position;
  }
  corpus.ledger.keep_only([&](const Requirement& each) {
    return corpus.profile.is_of(each.versions) || !corpus.profile.has_class(each.class_name);
  });
  if (cases.empty()) return Error{"no case belongs to the profile '" + std::string(name) + "'"};
  return corpus;
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == text[t] && pattern[p] != '*'))) {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

namespace {

bool matches(const std::string& pattern, const Case& one) {
  return matches_glob(pattern, one.id) ||
         std::ranges::any_of(one.requirements,
                             [&](const std::string& id) { return matches_glob(pattern, id); });
}

}  // namespace

bool Selection::includes(const Case& one) const {
  const auto matching = [&](const std::string& pattern) { return matches(pattern, one); };
  if (skips(one)) return false;
  return select.empty() || std::ranges::any_of(select, matching);
}

bool Selection::skips(const Case& one) const {
  return std::ranges::any_of(skip,
                             [&](const std::string& pattern) { return matches(pattern, one); });
}

Result<bool> check_selection(const Selection& selection, const std::vector<Case>& cases) {
  for (const auto* patterns : {&selection.select, &selection.skip}) {
    for (const auto& pattern : *patterns) {
      const bool found =
          std::ranges::any_of(cases, [&](const Case& one) { return matches(pattern, one); });
      if (!found) {
        return Error{"the selector '" + pattern + "' matches no case and no requirement; " +
                     "patterns are ids such as batch/empty or ntf-*"};
      }
    }
  }
  if (std::ranges::none_of(cases, [&](const Case& one) { return selection.includes(one); })) {
    return Error{"--select and --skip together leave no case to run"};
  }
  return true;
}

}  // namespace jrpcheck::corpus
