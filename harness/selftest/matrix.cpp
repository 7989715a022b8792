#include "selftest/matrix.hpp"

#include <algorithm>
#include <utility>

#include "result/attribution.hpp"

#include "base/contains.hpp"
#include "base/names.hpp"
#include "selftest/way.hpp"

namespace jrpcheck::selftest {
namespace {

using Kind = Problem::Kind;

std::string first_few(const std::set<std::string>& texts, std::size_t limit = 6) {
  std::string text;
  std::size_t count = 0;
  for (const auto& each : texts) {
    if (count++ == limit) return text + " and " + std::to_string(texts.size() - limit) + " more";
    text += (text.empty() ? "" : ", ") + each;
  }
  return text;
}

bool is_consequence(const Mutant& fault, const std::string& requirement) {
  return std::ranges::any_of(fault.consequences, [&](const std::string& pattern) {
    return corpus::matches_glob(pattern, requirement);
  });
}

class Auditor {
 public:
  Auditor(const corpus::Corpus& corpus, const std::vector<Mutant>& mutants) : corpus_(corpus) {
    for (const auto& each : mutants) matrix_.rows.push_back({each, {}});
    for (const auto& one : corpus.cases) {
      for (const auto& fault : one.kills) claims_[fault].insert(one.id);
    }
  }

  void take_in(const Trial& trial) {
    for (const auto& difference : trial.judged_otherwise) {
      complain(Kind::judged_otherwise, name(trial),
               over(trial) + "the stored run says otherwise: " + difference);
    }
    if (is_refusal(trial)) {
      if (trial.error.empty()) complain(Kind::let_in, name(trial), over(trial) + "it was judged");
    } else if (!trial.error.empty()) {
      complain(Kind::not_run, name(trial), over(trial) + "it did not run: " + trial.error);
    } else if (!trial.mutant) {
      said_[{trial.profile, trial.transport}] = trial.said;
      audit_baseline(trial);
    } else if (matrix_.rows[*trial.mutant].mutant.kind == Mutant::Kind::variant) {
      add_cell(trial);
      audit_variant(trial);
    } else if (matrix_.rows[*trial.mutant].mutant.kind == Mutant::Kind::deep) {
      add_cell(trial);
      audit_deep(trial);
    } else if (trial.is_unaided) {
      audit_unaided(trial);
    } else {
      add_cell(trial);
      audit_fault(trial);
    }
  }

  std::size_t problems() const { return matrix_.problems.size(); }
  const Problem& problem(std::size_t number) const { return matrix_.problems[number]; }

  /// Something that the mutant breaks is charged over none of its transports.
  bool is_undercharged(std::size_t mutant) const {
    return !uncharged(matrix_.rows[mutant]).empty();
  }

  Matrix finish() {
    for (const auto& row : matrix_.rows) audit_charges(row);
    for (const auto& one : corpus_.cases) audit_case(one);
    return std::move(matrix_);
  }

 private:
  void complain(Kind kind, const std::string& about, std::string text) {
    matrix_.problems.push_back({kind, about, std::move(text)});
  }

  bool is_refusal(const Trial& trial) const {
    return trial.mutant && matrix_.rows[*trial.mutant].mutant.kind == Mutant::Kind::refusal;
  }

  std::string name(const Trial& trial) const {
    return trial.mutant ? matrix_.rows[*trial.mutant].mutant.name : "no mutant";
  }
  static std::string over(const Trial& trial) { return "over " + trial.transport + ", "; }

  void add_cell(const Trial& trial) {
    Row& row = matrix_.rows[*trial.mutant];
    Cell cell{trial.transport, trial.charges, {}, trial.caught_by.size()};
    for (const auto& id : claims_[row.mutant.name]) {
      if (trial.caught_by.count(id) != 0) cell.claimed.insert(id);
    }
    row.cells.push_back(std::move(cell));
  }

  void audit_baseline(const Trial& trial) {
    for (const auto& [requirement, charge] : trial.charges) {
      complain(Kind::baseline, requirement,
               over(trial) + "the server as it is was charged by " + first_few(charge.cases));
    }
  }

  void audit_variant(const Trial& trial) {
    for (const auto& [requirement, charge] : trial.charges) {
      if (!charge.fails) continue;
      complain(Kind::accused_variant, name(trial),
               over(trial) + "it fails " + requirement + " in " + first_few(charge.cases));
    }
  }

  void audit_deep(const Trial& trial) {
    std::set<std::string> cases = claims_[name(trial)];
    for (const auto& [id, requirements] : trial.caught_by) cases.insert(id);
    if (cases.empty()) return;
    complain(Kind::shallow, name(trial), over(trial) + "noticed or claimed by " + first_few(cases));
  }

  void audit_fault(const Trial& trial) {
    const Mutant& fault = matrix_.rows[*trial.mutant].mutant;
    for (const auto& [id, requirements] : trial.caught_by) matrix_.kills[id].insert(fault.name);
    if (trial.caught_by.empty()) {
      auto said = said_[{trial.profile, trial.transport}];
      for (const auto& id : trial.left_out) said.erase(id);
      const bool changed = trial.said != said;
      complain(changed ? Kind::uncaught : Kind::void_fault, fault.name,
               over(trial) + (changed ? "no case notices it" : "it changes nothing"));
      return;
    }
    if (!fault.strikes_anywhere() && !shows_outside_of_cases(trial) &&
        matrix_.rows[*trial.mutant].cells.back().claimed.empty()) {
      std::set<std::string> noticing;
      for (const auto& [id, requirements] : trial.caught_by) noticing.insert(id);
      complain(Kind::unclaimed, fault.name,
               over(trial) + "noticed only by cases that do not claim it: " + first_few(noticing));
    }
    audit_charges_of(trial, fault);
    audit_claims(trial, fault);
  }

  void audit_charges_of(const Trial& trial, const Mutant& fault) {
    for (const auto& [requirement, charge] : trial.charges) {
      if (contains(fault.requirements, requirement) || is_consequence(fault, requirement)) continue;
      complain(Kind::wrong_charge, fault.name,
               over(trial) + "charged to " + requirement + " by " + first_few(charge.cases));
    }
  }

  // Who knows nothing of the server need not find the cases that claim the fault, and is told of it
  // all the same: by a charge, or by what was asked of methods whose names promised something.
  void audit_unaided(const Trial& trial) {
    const Mutant& fault = matrix_.rows[*trial.mutant].mutant;
    // Which params a method takes by name is its own affair (JSON-RPC 2.0 §4.2).
    const bool may_be_so = contains(fault.requirements, "par-named");
    if (trial.caught_by.empty() && !trial.tells_of_methods && !may_be_so) {
      complain(Kind::uncaught, fault.name,
               over(trial) + "nothing tells of it where nothing is known of the server");
    }
    audit_charges_of(trial, fault);
  }

  // What is said beside the cases of the corpus is judged too, and nobody can claim it.
  static bool shows_outside_of_cases(const Trial& trial) {
    return std::ranges::any_of(trial.caught_by, [](const auto& each) {
      return result::is_side_dialogue(each.first) || each.first.starts_with("traffic/");
    });
  }

  bool applies_in(const Trial& trial, const std::string& id) const {
    if (is_client_transport(trial.transport)) return trial.judged.count(id) != 0;
    const corpus::Case* one = corpus_.find(id);
    if (one == nullptr || !corpus_.applies(*one, binding_of(trial.transport))) return false;
    // Of a version of the protocol that is not spoken here, the proper server has not been asked.
    const auto proper = said_.find({trial.profile, trial.transport});
    return one->versions.empty() || proper == said_.end() || proper->second.count(id) != 0;
  }

  void audit_claims(const Trial& trial, const Mutant& fault) {
    for (const auto& id : claims_[fault.name]) {
      const bool applies = applies_in(trial, id);
      if (!applies || trial.caught_by.count(id) != 0) continue;
      // What brings a server down again and again is shown by some of the cases that could.
      const bool is_spared =
          trial.judged.count(id) == 0 && trial.charges.count("rob-survives") != 0;
      if (is_spared) continue;
      complain(Kind::missed, id, over(trial) + "it does not notice " + fault.name);
    }
  }

  void audit_charges(const Row& row) {
    for (const auto& requirement : uncharged(row)) {
      complain(Kind::not_charged, row.mutant.name,
               "it breaks " + requirement + ", which no case charges");
    }
  }

  static std::vector<std::string> uncharged(const Row& row) {
    std::vector<std::string> left;
    if (row.mutant.kind == Mutant::Kind::deep || row.cells.empty()) return left;
    for (const auto& requirement : row.mutant.requirements) {
      const bool charged = std::ranges::any_of(
          row.cells, [&](const Cell& cell) { return cell.charges.count(requirement) != 0; });
      if (!charged) left.push_back(requirement);
    }
    return left;
  }

  void audit_case(const corpus::Case& one) {
    if (one.kills.empty()) {
      const auto noticed = matrix_.kills.find(one.id);
      complain(Kind::useless_case, one.id,
               noticed == matrix_.kills.end()
                   ? "it notices no fault"
                   : "it claims no fault; it notices " + first_few(noticed->second));
    }
  }

  const corpus::Corpus& corpus_;
  Matrix matrix_;
  std::map<std::string, std::set<std::string>> claims_;  // fault -> cases
  // By profile and transport, without a mutant.
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::size_t>> said_;
};

}  // namespace

std::string_view name_of(Kind kind) {
  return name_at({"not run", "accused reference", "void fault", "uncaught fault", "unclaimed fault",
                  "wrong charge", "not charged", "missed fault", "useless case", "shallow fault",
                  "judged otherwise", "accused variant", "let in"},
                 kind);
}

std::map<std::size_t, std::string> trials_with_problems(const corpus::Corpus& corpus,
                                                        const std::vector<Mutant>& mutants,
                                                        const std::vector<Trial>& trials) {
  std::map<std::size_t, std::string> found;
  Auditor auditor(corpus, mutants);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const std::size_t before = auditor.problems();
    auditor.take_in(trials[i]);
    if (auditor.problems() != before) found.emplace(i, auditor.problem(before).text);
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].mutant && auditor.is_undercharged(*trials[i].mutant)) {
      found.emplace(i, "not each requirement that it breaks is charged");
    }
  }
  return found;
}

Matrix make_matrix(const corpus::Corpus& corpus, const std::vector<Mutant>& mutants,
                   const std::vector<Trial>& trials) {
  Auditor auditor(corpus, mutants);
  for (const auto& trial : trials) auditor.take_in(trial);
  return auditor.finish();
}

}  // namespace jrpcheck::selftest
