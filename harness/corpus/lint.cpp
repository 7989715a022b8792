#include "corpus/lint.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "base/contains.hpp"
#include "corpus/bindings.hpp"

namespace jrpcheck::corpus {
namespace {

// One line of a report; the longest title that explains itself has about a hundred characters.
constexpr std::size_t kLongestTitle = 160;

// Where the problems of one case are collected.
class CaseProblems {
 public:
  CaseProblems(const Case& one, std::vector<Problem>& problems) : case_(one), problems_(problems) {}

  void add(const std::string& member, const std::string& message) {
    problems_.push_back({case_.file, case_.line, case_.id, member, message});
  }

  void refuse_repetitions(const std::string& member, const std::vector<std::string>& words) {
    std::set<std::string> seen;
    for (const auto& word : words) {
      if (!seen.insert(word).second) add(member, "'" + word + "' is there twice");
    }
  }

 private:
  const Case& case_;
  std::vector<Problem>& problems_;
};

std::string place_of(const Case& one) { return one.file + ":" + std::to_string(one.line); }

std::string quoted(const std::string& text) { return "'" + text + "'"; }

// The first case with each id, and with each title.
struct Index {
  std::map<std::string, const Case*> by_id;
  std::map<std::string, const Case*> by_title;

  explicit Index(const std::vector<Case>& cases) {
    for (const auto& one : cases) {
      by_id.emplace(one.id, &one);
      by_title.emplace(one.title, &one);
    }
  }
};

void check_id(const Case& one, const Index& index, CaseProblems& problems) {
  const Case& first = *index.by_id.at(one.id);
  if (&first != &one) problems.add("id", "is also that of the case at " + place_of(first));
}

void check_title(const Case& one, const Index& index, CaseProblems& problems) {
  const std::string& title = one.title;
  if (title.empty()) return problems.add("title", "is empty");
  const Case& first = *index.by_title.at(title);
  if (&first != &one) problems.add("title", "is also that of " + quoted(first.id));
  if (title.back() == '.') problems.add("title", "stands without a full stop");
  if (title.front() == ' ' || title.back() == ' ') {
    problems.add("title", "begins or ends with a space");
  }
  if (title.find('\n') != std::string::npos) problems.add("title", "must be one line");
  if (title.size() > kLongestTitle) {
    problems.add("title", "is longer than " + std::to_string(kLongestTitle) + " bytes");
  }
}

void check_requirements(const Case& one, const Ledger& ledger, CaseProblems& problems) {
  const auto check = [&](const std::string& member, const std::string& id) {
    if (ledger.find(id) == nullptr) {
      problems.add(member, "no requirement " + quoted(id) + " is in the ledger");
    }
  };
  for (const auto& id : one.requirements) check("requirements", id);
  const auto is_named = [&](const std::string& id) { return contains(one.requirements, id); };
  // The first requirement of the case is what an outcome is charged to when nothing is said.
  for (const auto& step : one.steps) {
    for (const auto& [part, id] : step.charge) {
      if (!is_named(id)) check("charge", id);
    }
    for (const auto& outcome : step.accept) {
      if (!is_named(outcome.charge)) check("accept", outcome.charge);
    }
  }
}

// The parts of a reply that are charged to the first requirement where the case names none.
std::vector<std::string> parts_left_to_the_subject(const Step& step) {
  const bool foresees_response = std::ranges::any_of(
      step.accept, [](const Outcome& outcome) { return !outcome.responses.empty(); });
  return foresees_response ? std::vector<std::string>{"kind", "code"}
                           : std::vector<std::string>{"reply"};
}

// What a requirement of level info is charged with is only recorded: no difference may end there.
void check_nothing_vanishes(const Case& one, const Ledger& ledger, CaseProblems& problems) {
  const auto is_info = [&](const std::string& id) {
    const auto* known = ledger.find(id);
    return known != nullptr && known->level == Level::info;
  };
  for (const auto& step : one.steps) {
    for (const auto& [part, id] : step.charge) {
      if (is_info(id)) {
        problems.add("charge", quoted(part) + " goes to " + quoted(id) +
                                   ", whose level is info: a difference vanishes there");
      }
    }
    for (const auto& outcome : step.accept) {
      if (outcome.verdict != Verdict::pass && is_info(outcome.charge)) {
        problems.add("accept", "a " + std::string(name_of(outcome.verdict)) + " is charged to " +
                                   quoted(outcome.charge) + ", whose level is info");
      }
    }
    if (!is_info(one.requirements.front())) continue;
    for (const auto& part : parts_left_to_the_subject(step)) {
      if (step.charge.count(part) != 0) continue;
      problems.add("charge", "names no requirement for " + quoted(part) + ", and " +
                                 quoted(one.requirements.front()) +
                                 ", the first, is of level info: a difference vanishes there");
    }
  }
}

void check_roles(const Case& one, CaseProblems& problems) {
  problems.refuse_repetitions("roles", one.roles);
  for (const auto& role : one.roles) {
    const bool used = one.source.find("${method:" + role + "}") != std::string::npos ||
                      one.source.find("${method-in-other-case:" + role + "}") != std::string::npos;
    if (!used) {
      problems.add("roles",
                   quoted(role) + " is asked for, and ${method:" + role + "} is used nowhere");
    }
  }
}

void check_placeholder_names(const Case& one, CaseProblems& problems) {
  const auto ok = check_placeholders(one);
  if (ok) return;
  // That message begins with the place of the case, which is told anyway.
  const std::string& message = ok.error().message;
  const std::string subject = "case '" + one.id + "': ";
  const auto at = message.find(subject);
  problems.add("steps", at == std::string::npos ? message : message.substr(at + subject.size()));
}

void check_kills(const Case& one, const LintReference& reference, CaseProblems& problems) {
  problems.refuse_repetitions("kills", one.kills);
  if (!reference.known_faults) return;
  for (const auto& name : one.kills) {
    if (reference.known_faults->count(name) == 0) {
      problems.add("kills", "the reference server has no fault " + quoted(name) +
                                "; jrpcheck list faults has the names");
    }
  }
}

std::string first_message(const Case& one) {
  const bool sends = !one.steps.empty() && !one.steps[0].messages.empty();
  return sends ? one.steps[0].messages[0].text() : "";
}

// A negative case is one edit away from what is right, so that it carries one fault and no second.
void check_derivation(const Case& one, const Index& index, const LintReference& reference,
                      CaseProblems& problems) {
  if (!one.derived_from) return;
  const auto complain = [&](const std::string& message) { problems.add("derived-from", message); };
  const Derivation& derivation = *one.derived_from;
  const auto found = index.by_id.find(derivation.from);
  if (found == index.by_id.end()) {
    if (reference.all_cases_read) complain("there is no case " + quoted(derivation.from));
    return;
  }
  const Case& origin = *found->second;
  if (origin.derived_from) {
    return complain(quoted(origin.id) + " is itself derived: name the positive case");
  }
  std::string text = first_message(origin);
  const auto at = text.find(derivation.replace);
  if (at == std::string::npos) {
    return complain("edit.replace is not in the first message of " + quoted(origin.id) + ": " +
                    text);
  }
  if (text.find(derivation.replace, at + 1) != std::string::npos) {
    return complain("edit.replace is more than once in the first message of " + quoted(origin.id) +
                    ": " + text);
  }
  text.replace(at, derivation.replace.size(), derivation.with);
  if (text != first_message(one)) {
    complain("the edit gives " + text + ", and the case sends " + first_message(one));
  }
}

using Ids = std::set<std::string>;

void check_nothing_is_gone(const Corpus& corpus, const Index& scenarios, const Ids& released,
                           std::vector<Problem>& problems) {
  for (const auto& id : released) {
    if (corpus.find(id) == nullptr && corpus.ledger.find(id) == nullptr &&
        scenarios.by_id.count(id) == 0) {
      problems.push_back({std::string(kReleasedIdsPath), 0, "", "",
                          quoted(id) + " was released, and is renamed or removed; users and "
                                       "baselines name it"});
    }
  }
}

void check_nothing_is_new(const Corpus& corpus, const Ids& released,
                          std::vector<Problem>& problems) {
  const std::string file(kReleasedIdsPath);
  const auto complain_if_new = [&](const std::string& where, std::size_t line,
                                   const std::string& id, const std::string& case_id) {
    if (released.count(id) != 0) return;
    problems.push_back({where, line, case_id, "id", quoted(id) + " is new: add it to " + file});
  };
  for (const auto& one : corpus.cases) complain_if_new(one.file, one.line, one.id, one.id);
  for (const auto& one : corpus.scenarios) complain_if_new(one.file, one.line, one.id, one.id);
  for (const auto& requirement : corpus.ledger.requirements()) {
    complain_if_new(std::string(kLedgerPath), 0, requirement.id, "");
  }
}

// A door that is none would leave the scenario out everywhere, in silence.
void check_doors(const Scenario& one, CaseProblems& problems) {
  problems.refuse_repetitions("doors", one.doors);
  for (const auto& door : one.doors) {
    if (!contains(kDoorNames, door)) {
      problems.add("doors", "there is no door " + quoted(door));
    }
  }
}

void check_class(const Case& one, const Ledger& ledger, CaseProblems& problems) {
  for (const auto& id : one.requirements) {
    const auto* known = ledger.find(id);
    if (known != nullptr && known->class_name != "client") {
      problems.add("requirements", quoted(id) + " is not one of clients");
    }
  }
}

// Cases of scenarios: what is asked of both.
void lint_scenarios(const Corpus& corpus, const std::vector<Case>& cases, const Index& index,
                    const LintReference& reference, std::vector<Problem>& found) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    CaseProblems problems(one, found);
    check_id(one, index, problems);
    check_title(one, index, problems);
    problems.refuse_repetitions("requirements", one.requirements);
    if (reference.whole_ledger_read) check_requirements(one, corpus.ledger, problems);
    check_class(one, corpus.ledger, problems);
    check_doors(corpus.scenarios[i], problems);
    check_kills(one, reference, problems);
  }
}

// A word that nothing else has would leave rules or cases out without a word.
void lint_profiles(const Corpus& corpus, std::vector<Problem>& problems) {
  Ids classes;
  for (const auto& each : corpus.ledger.requirements()) classes.insert(each.class_name);
  for (const auto& profile : corpus.profiles) {
    const std::string file = "profile " + quoted(profile.name);
    const auto check_charge = [&](const std::string& member, const std::string& id) {
      if (corpus.ledger.find(id) != nullptr) return;
      problems.push_back({file, 0, "", member, quoted(id) + " is in no ledger"});
    };
    for (const auto& rule : profile.rules) check_charge("rules", rule.charges);
    if (profile.silence != kSilence) check_charge("silence", profile.silence);
    for (const auto& each : profile.classes) {
      if (classes.contains(each)) continue;
      problems.push_back({file, 0, "", "classes", "no requirement is of " + quoted(each)});
    }
  }
}

}  // namespace

std::string Problem::text() const {
  std::string text = file;
  if (line != 0) text += ":" + std::to_string(line);
  text += ": ";
  if (!case_id.empty()) text += "case '" + case_id + "': ";
  if (!member.empty()) text += member + ": ";
  return text + message;
}

std::vector<Problem> lint(const Corpus& corpus, const LintReference& reference) {
  std::vector<Problem> found;
  const Index index(corpus.cases);
  std::vector<Case> scenarios;
  for (const auto& each : corpus.scenarios) scenarios.push_back(as_case(each));
  const Index index_of_scenarios(scenarios);
  lint_scenarios(corpus, scenarios, index_of_scenarios, reference, found);
  for (const auto& one : corpus.cases) {
    CaseProblems problems(one, found);
    check_id(one, index, problems);
    check_title(one, index, problems);
    problems.refuse_repetitions("requirements", one.requirements);
    if (reference.whole_ledger_read) check_requirements(one, corpus.ledger, problems);
    if (!one.requirements.empty()) check_nothing_vanishes(one, corpus.ledger, problems);
    problems.refuse_repetitions("transports", one.transports);
    check_roles(one, problems);
    check_placeholder_names(one, problems);
    check_derivation(one, index, reference, problems);
    check_kills(one, reference, problems);
  }
  if (reference.whole_ledger_read) lint_profiles(corpus, found);
  const Ids released(reference.released_ids.begin(), reference.released_ids.end());
  const bool all_read = reference.all_cases_read && reference.whole_ledger_read;
  if (all_read) check_nothing_is_gone(corpus, index_of_scenarios, released, found);
  if (reference.every_id_released) check_nothing_is_new(corpus, released, found);
  return found;
}

std::vector<std::string> read_released_ids(std::string_view text) {
  std::vector<std::string> ids;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty() && line.front() != '#') ids.push_back(line);
  }
  return ids;
}

}  // namespace jrpcheck::corpus
