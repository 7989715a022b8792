#include "corpus/lint.hpp"

#include <algorithm>
#include <cctype>

namespace jrpcheck::corpus {
namespace {

class Linter {
 public:
  Linter(const Corpus& corpus, const LintReference& reference)
      : corpus_(corpus), reference_(reference) {}

  std::vector<std::string> run() {
    for (const auto& one : corpus_.cases) {
      check_title(one);
      check_duplicate_entries(one);
      check_observations(one);
      check_kills(one);
      if (one.derived_from) check_derivation(one, *one.derived_from);
    }
    for (const auto& id : reference_.released_ids) {
      if (corpus_.find(id) == nullptr) {
        problems_.push_back("released-ids.txt: case '" + id +
                            "' has been released and is gone: ids are stable for ever");
      }
    }
    return std::move(problems_);
  }

 private:
  void complain(const Case& one, const std::string& member, const std::string& what) {
    problems_.push_back(one.file + ":" + std::to_string(one.line) + ": case '" + one.id +
                        "': " + member + ": " + what);
  }

  void check_title(const Case& one) {
    const auto first = static_cast<unsigned char>(one.title.front());
    if (std::islower(first) != 0) complain(one, "title", "a sentence begins with a capital");
    if (one.title.back() == '.' || one.title.find('\n') != std::string::npos) {
      complain(one, "title", "one sentence, without the full stop");
    }
  }

  void check_duplicate_entries(const Case& one) {
    auto ids = one.requirements;
    std::sort(ids.begin(), ids.end());
    if (std::adjacent_find(ids.begin(), ids.end()) != ids.end()) {
      complain(one, "requirements", "names one twice");
    }
  }

  void check_observations(const Case& one) {
    bool observes = false;
    for (const auto& step : one.steps) {
      for (const auto& outcome : step.accept) observes = observes || !outcome.observe.empty();
    }
    if (observes && one.observes.empty()) {
      complain(one, "observes", "is missing, while an outcome says what to \"observe\"");
    }
    if (!observes && !one.observes.empty()) {
      complain(one, "observes", "names an observation that no outcome makes");
    }
  }

  void check_kills(const Case& one) {
    if (reference_.known_faults.empty()) return;
    for (const auto& fault : one.kills) {
      if (reference_.known_faults.count(fault) == 0) {
        complain(one, "kills", "no fault '" + fault + "' is known");
      }
    }
  }

  void check_derivation(const Case& one, const Derivation& derivation) {
    const Case* origin = corpus_.find(derivation.from);  // exists, or the corpus would not load
    if (origin->derived_from) {
      complain(one, "derived-from", "'" + origin->id + "' is itself derived: name a positive case");
    }
    const std::string& text = origin->steps.front().messages.front();
    const auto at = text.find(derivation.replace);
    if (at == std::string::npos) {
      complain(one, "derived-from.edit.replace",
               "does not occur in the first message of '" + origin->id + "': " + text);
      return;
    }
    if (text.find(derivation.replace, at + 1) != std::string::npos) {
      complain(one, "derived-from.edit.replace",
               "occurs more than once in the first message of '" + origin->id + "'");
    }
    const std::string edited =
        text.substr(0, at) + derivation.with + text.substr(at + derivation.replace.size());
    if (edited != one.steps.front().messages.front()) {
      complain(
          one, "derived-from.edit",
          "gives " + edited + ", but the first message is " + one.steps.front().messages.front());
    }
  }

  const Corpus& corpus_;
  const LintReference& reference_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> lint(const Corpus& corpus, const LintReference& reference) {
  return Linter(corpus, reference).run();
}

std::vector<std::string> parse_id_list(std::string_view text) {
  std::vector<std::string> ids;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    if (!line.empty() && line.front() != '#') ids.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

}  // namespace jrpcheck::corpus
