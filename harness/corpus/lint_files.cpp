#include "corpus/lint_files.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "corpus/load_case.hpp"
#include "corpus/profile.hpp"
#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace {

// The text with everything from `begin` to `end` made white space; line breaks stay, so that
// whatever is left is still reported at its own line.
std::string blanked(std::string text, std::size_t begin, std::size_t end) {
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = text.begin() + static_cast<std::ptrdiff_t>(end);
  std::replace_if(
      first, last, [](char c) { return c != '\n'; }, ' ');
  return text;
}

std::string take_case(std::string& message) {
  constexpr std::string_view kSubject = "case '";
  const auto end = message.find("': ");
  if (message.rfind(kSubject, 0) != 0 || end == std::string::npos) return "";
  std::string id = message.substr(kSubject.size(), end - kSubject.size());
  message.erase(0, end + 3);
  return id;
}

// The loaders complain as "file:line:column: case 'id': what".
Problem problem_from(const Error& error, const std::string& file) {
  Problem problem{file, 0, "", "", error.message};
  std::string& message = problem.message;
  if (message.rfind(file + ":", 0) != 0) return problem;
  message.erase(0, file.size() + 1);
  const auto end = message.find(": ");
  if (end == std::string::npos) return problem;
  std::from_chars(message.data(), message.data() + end, problem.line);
  message.erase(0, end + 2);
  problem.case_id = take_case(message);
  return problem;
}

// The elements of a file's list of entries, or null where it has none.
const json::Value* entries_of(const json::ParseResult& parsed, std::string_view member) {
  const json::Value* list = parsed ? parsed.value->find(member) : nullptr;
  return list != nullptr && list->is(json::Kind::array) ? list : nullptr;
}

class LenientReader {
 public:
  explicit LenientReader(std::vector<Problem>& problems) : problems_(problems) {}

  void read_cases(const CorpusFile& file) {
    if (auto all = load_cases(file.path, file.text)) return keep(*std::move(all));
    const auto parsed = json::parse(file.text);
    const json::Value* list = entries_of(parsed, "cases");
    if (list == nullptr) return complain(load_cases(file.path, file.text).error(), file.path);
    const auto frame = blanked(file.text, list->begin() + 1, list->end() - 1);
    if (auto ok = load_cases(file.path, frame); !ok) complain(ok.error(), file.path);
    for (const auto& entry : list->children()) {
      const auto before = blanked(file.text, 0, entry.begin());
      auto one = load_case(file.path, blanked(before, entry.end(), before.size()));
      if (!one) {
        complain(one.error(), file.path);
      } else {
        corpus_.cases.push_back(*std::move(one));
      }
    }
  }

  void read_ledger(const CorpusFile& file) {
    auto ledger = Ledger::load(file.path, file.text);
    if (ledger) {
      corpus_.ledger = *std::move(ledger);
    } else {
      read_entries_of_ledger(file, ledger.error());
    }
  }

  void read_profile(const CorpusFile& file) {
    if (auto ok = load_profile(file.path, file.text); !ok) complain(ok.error(), file.path);
  }

  const Corpus& corpus() const { return corpus_; }

 private:
  void complain(const Error& error, const std::string& file) {
    problems_.push_back(problem_from(error, file));
  }

  void keep(std::vector<Case> cases) {
    std::move(cases.begin(), cases.end(), std::back_inserter(corpus_.cases));
  }

  // Each entry alone, then those that are right together.
  void read_entries_of_ledger(const CorpusFile& file, const Error& first) {
    const auto parsed = json::parse(file.text);
    const json::Value* list = entries_of(parsed, "requirements");
    if (list == nullptr) return complain(first, file.path);
    const std::size_t begin = list->begin() + 1;
    const std::size_t end = list->end() - 1;
    if (auto ok = Ledger::load(file.path, blanked(file.text, begin, end)); !ok) {
      return complain(ok.error(), file.path);
    }
    std::string right;
    std::size_t bad = 0;
    for (const auto& entry : list->children()) {
      const auto before = blanked(file.text, begin, entry.begin());
      if (auto ok = Ledger::load(file.path, blanked(before, entry.end(), end)); !ok) {
        complain(ok.error(), file.path);
        ++bad;
      } else {
        right += (right.empty() ? "" : ",") + json::write(entry);
      }
    }
    if (bad == 0) complain(first, file.path);  // an id that is there twice
    auto rest = Ledger::load(file.path, "{\"requirements\": [" + right + "]}");
    if (rest) corpus_.ledger = *std::move(rest);
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

}  // namespace

std::vector<Problem> lint_files(const std::vector<CorpusFile>& base,
                                const std::vector<CorpusFile>& added, LintReference reference) {
  std::vector<Problem> problems;
  LenientReader reader(problems);
  for (const auto& [path, file] : by_path(base, added)) {
    if (path == kReleasedIdsPath) {
      reference.released_ids = read_released_ids(file->text);
    } else if (path == kLedgerPath) {
      const auto before = problems.size();
      reader.read_ledger(*file);
      reference.whole_ledger_read = problems.size() == before;
    } else if (path.rfind(kProfilesPath, 0) == 0) {
      reader.read_profile(*file);
    } else {
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
