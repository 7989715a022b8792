#include "corpus/lint_files.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

#include "corpus/client_dialogue.hpp"
#include "corpus/load_case.hpp"
#include "corpus/profile.hpp"

namespace jrpcheck::corpus {
namespace {

std::string take_case(std::string& message) {
  for (const std::string_view subject : {"case '", "scenario '"}) {
    const auto end = message.find("': ");
    if (!message.starts_with(subject) || end == std::string::npos) continue;
    std::string id = message.substr(subject.size(), end - subject.size());
    message.erase(0, end + 3);
    return id;
  }
  return "";
}

// The loaders complain as "file:line:column: case 'id': what".
Problem problem_from(const Error& error, const std::string& file) {
  Problem problem{file, 0, "", "", error.message};
  std::string& message = problem.message;
  if (!message.starts_with(file + ":")) return problem;
  message.erase(0, file.size() + 1);
  const auto end = message.find(": ");
  if (end == std::string::npos) return problem;
  std::from_chars(message.data(), message.data() + end, problem.line);
  message.erase(0, end + 2);
  problem.case_id = take_case(message);
  return problem;
}

class LenientReader {
 public:
  explicit LenientReader(std::vector<Problem>& problems) : problems_(problems) {}

  void read_cases(const CorpusFile& file) {
    auto all = load_sound_cases(file.path, file.text);
    for (const auto& error : all.errors) complain(error, file.path);
    std::move(all.cases.begin(), all.cases.end(), std::back_inserter(corpus_.cases));
  }

  void read_ledger(const CorpusFile& file) {
    std::vector<Error> errors;
    auto ledger = Ledger::load_sound(file.path, file.text, errors);
    if (auto ok = corpus_.ledger.append(std::move(ledger)); !ok) errors.push_back(ok.error());
    for (const auto& error : errors) complain(error, file.path);
  }

  bool read_scenarios(const CorpusFile& file) {
    auto all = load_sound_scenarios(file.path, file.text);
    for (const auto& error : all.errors) complain(error, file.path);
    std::move(all.scenarios.begin(), all.scenarios.end(), std::back_inserter(corpus_.scenarios));
    return all.errors.empty();
  }

  void read_profile(const CorpusFile& file) {
    if (auto ok = load_profile(file.path, file.text); !ok) complain(ok.error(), file.path);
  }

  const Corpus& corpus() const { return corpus_; }

 private:
  void complain(const Error& error, const std::string& file) {
    problems_.push_back(problem_from(error, file));
  }

  std::vector<Problem>& problems_;
  Corpus corpus_;
};

std::map<std::string, const CorpusFile*> by_path(const std::vector<CorpusFile>& base,
                                                 const std::vector<CorpusFile>& added) {
  std::map<std::string, const CorpusFile*> files;
  for (const auto* list : {&base, &added}) {
    for (const auto& file : *list) files[file.path] = &file;
  }
  return files;
}

bool is_of_profile(std::string_view path, ProfileFile kind) {
  return path.starts_with(kProfilesPath) && kind_of_profile_file(path) == kind;
}

bool is_ledger(std::string_view path) {
  return path == kLedgerPath || is_of_profile(path, ProfileFile::ledger);
}

}  // namespace

std::vector<Problem> lint_files(const std::vector<CorpusFile>& base,
                                const std::vector<CorpusFile>& added, LintReference reference) {
  std::vector<Problem> problems;
  LenientReader reader(problems);
  for (const auto& [path, file] : by_path(base, added)) {
    if (path == kReleasedIdsPath) {
      reference.released_ids = read_released_ids(file->text);
    } else if (is_ledger(path)) {
      const auto before = problems.size();
      reader.read_ledger(*file);
      reference.whole_ledger_read = reference.whole_ledger_read && problems.size() == before;
    } else if (holds_dialogues(path)) {
      const auto dialogues = load_dialogues(path, file->text, nullptr);
      if (!dialogues) problems.push_back({path, 0, "", "", dialogues.error().message});
    } else if (holds_scenarios(path, file->text)) {
      const bool are_sound = reader.read_scenarios(*file);
      reference.all_cases_read = reference.all_cases_read && are_sound;
    } else if (is_of_profile(path, ProfileFile::profile)) {
      reader.read_profile(*file);
    } else if (!is_of_profile(path, ProfileFile::schema)) {
      const auto before = problems.size();
      reader.read_cases(*file);
      reference.all_cases_read = reference.all_cases_read && problems.size() == before;
    }
  }
  if (reader.corpus().cases.empty()) {
    problems.push_back({"the corpus", 0, "", "", "there is no case in it"});
  }
  const auto found = lint(reader.corpus(), reference);
  problems.insert(problems.end(), found.begin(), found.end());
  return problems;
}

}  // namespace jrpcheck::corpus
