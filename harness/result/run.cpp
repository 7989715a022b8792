#include "result/run.hpp"

#include <algorithm>
#include <map>

#include "base/contains.hpp"
#include "base/names.hpp"
#include "corpus/case.hpp"
#include "result/conclude.hpp"

namespace jrpcheck::result {
namespace {

constexpr std::string_view kAnotherFault = "what is asked about it shows another fault: see ";
constexpr std::string_view kNothingShown = "what is asked about it came to nothing: see ";

bool is_taken_back(const RequirementResult& one) {
  return one.reason.starts_with(kAnotherFault) || one.reason.starts_with(kNothingShown);
}

Verdict verdict_of(corpus::Verdict severity) {
  return severity == corpus::Verdict::fail ? Verdict::fail : Verdict::warn;
}

// The worst that all cases together say about each requirement.
using Worst = std::map<std::string, Verdict>;

void worsen(Worst& worst, const std::string& requirement, Verdict verdict) {
  auto& known = worst.emplace(requirement, Verdict::not_exercised).first->second;
  if (badness(verdict) > badness(known)) known = verdict;
}

void take_into_account(const CaseResult& one, Worst& worst) {
  for (const auto& id : one.exercised) worsen(worst, id, Verdict::pass);
  for (const auto& finding : one.findings) {
    worsen(worst, finding.requirement, verdict_of(finding.severity));
  }
  for (const auto& each : one.tries) take_into_account(each, worst);
}

bool is_about(const CaseResult& one, const std::string& requirement) {
  return !one.requirements.empty() && one.requirements.front() == requirement;
}

bool shows(const CaseResult& one, const std::string& requirement) {
  return contains(one.exercised, requirement) ||
         std::ranges::any_of(one.tries,
                             [&](const CaseResult& each) { return shows(each, requirement); });
}

void fill_requirements(Run& run, const corpus::Ledger& ledger, const Scope& scope) {
  Worst worst;
  for (const auto& each : run.cases) take_into_account(each, worst);
  for (const auto& requirement : ledger.requirements()) {
    const auto found = worst.find(requirement.id);
    const bool of_class = contains(scope.classes, requirement.class_name);
    const bool charged = found != worst.end() && badness(found->second) > badness(Verdict::pass);
    if (!of_class && !charged) continue;
    RequirementResult result{
        requirement, found != worst.end() ? found->second : Verdict::not_exercised, {}};
    const auto why = scope.inapplicable.find(requirement.id);
    if (why != scope.inapplicable.end() && !charged) {
      result.verdict = Verdict::not_applicable;
      result.reason = why->second;
    } else {
      const bool is_shown = std::ranges::any_of(run.cases, [&](const CaseResult& each) {
        return is_about(each, requirement.id) && shows(each, requirement.id);
      });
      // What is judged of whatever comes needs no case about it.
      const bool is_shown_by_others = std::ranges::any_of(run.cases, [&](const CaseResult& each) {
        return !contains(each.requirements, requirement.id) && shows(each, requirement.id);
      });
      if (!is_shown) take_back_what_twins_show(result, run.cases, is_shown_by_others);
      explain_what_was_not_exercised(result, run.cases);
    }
    run.requirements.push_back(std::move(result));
  }
}

bool is_testable_must(const RequirementResult& one) {
  return one.requirement.level == corpus::Level::must && one.requirement.status.empty();
}

// What one requirement allows the verdict of its class to be at best. The order of RunVerdict is
// from best to worst.
RunVerdict verdict_of(const RequirementResult& one) {
  if (one.verdict == Verdict::fail) return RunVerdict::fails;
  return is_testable_must(one) && one.verdict == Verdict::not_exercised ? RunVerdict::partial
                                                                        : RunVerdict::conforms;
}

// Like a run, a class never conforms for less than all that applies, nor for nothing at all.
void fill_classes(Run& run, bool all_selected) {
  const RunVerdict best = all_selected ? RunVerdict::conforms : RunVerdict::partial;
  for (const auto& each : run.requirements) {
    const auto& name = each.requirement.class_name;
    // A class of which nothing applies has no verdict.
    const bool applies = std::ranges::any_of(run.requirements, [&](const RequirementResult& other) {
      return other.requirement.class_name == name && other.verdict != Verdict::not_applicable;
    });
    if (!applies) continue;
    auto found = std::ranges::find_if(run.classes,
                                      [&](const ClassResult& known) { return known.name == name; });
    if (found == run.classes.end()) {
      run.classes.push_back({name, best, {}});
      found = std::prev(run.classes.end());
    }
    found->counts.add(each.verdict);
    found->verdict = std::max(found->verdict, verdict_of(each));
  }
  for (auto& each : run.classes) {
    const bool nothing = each.counts.pass + each.counts.warn + each.counts.fail == 0;
    if (nothing) each.verdict = RunVerdict::partial;
  }
}

RunVerdict verdict_of(const Run& run, bool all_selected) {
  const bool failed = std::ranges::any_of(
      run.cases, [](const CaseResult& each) { return each.verdict == Verdict::fail; });
  if (failed) return RunVerdict::fails;
  const bool complete = std::ranges::all_of(run.requirements, [](const RequirementResult& each) {
    return verdict_of(each) != RunVerdict::partial;
  });
  return complete && all_selected && !run.cases.empty() ? RunVerdict::conforms
                                                        : RunVerdict::partial;
}

}  // namespace

const corpus::Requirement* Run::find_requirement(std::string_view id) const {
  const auto found = std::ranges::find_if(
      requirements, [id](const auto& each) { return each.requirement.id == id; });
  return found == requirements.end() ? nullptr : &found->requirement;
}

Verdict worst_of(const std::vector<judge::Finding>& findings) {
  Verdict worst = Verdict::pass;
  for (const auto& each : findings) {
    const bool fails = each.severity == corpus::Verdict::fail;
    worst = std::max(worst, fails ? Verdict::fail : Verdict::warn);
  }
  return worst;
}

std::map<Verdict, std::string> first_tried_about(const std::string& requirement,
                                                 const std::vector<CaseResult>& cases) {
  std::map<Verdict, std::string> first;
  for (const auto& each : cases) {
    const bool was_left_out = each.verdict == Verdict::not_exercised && each.transcript.empty();
    if (!is_about(each, requirement) || was_left_out) continue;
    auto& id = first.try_emplace(each.verdict, each.id).first->second;
    id = std::min(id, each.id);
  }
  return first;
}

void take_back_what_twins_show(RequirementResult& one, const std::vector<CaseResult>& cases,
                               bool is_shown_by_others) {
  if (one.verdict != Verdict::pass) return;
  const auto first = first_tried_about(one.requirement.id, cases);
  const auto failed = first.find(Verdict::fail);
  const auto untried = first.find(Verdict::not_exercised);
  const bool was_tried = first.contains(Verdict::pass) || first.contains(Verdict::warn);
  if (failed != first.end()) {
    one.reason = std::string(kAnotherFault) + failed->second;
  } else if (untried != first.end() && !was_tried && !is_shown_by_others) {
    one.reason = std::string(kNothingShown) + untried->second;
  } else {
    return;
  }
  one.verdict = Verdict::not_exercised;
}

void give_back_what_twins_show(RequirementResult& one) {
  if (!is_taken_back(one)) return;
  one.verdict = Verdict::pass;
  one.reason.clear();
}

void explain_what_was_not_exercised(RequirementResult& one, const std::vector<CaseResult>& cases) {
  if (one.verdict != Verdict::not_exercised || is_taken_back(one)) return;
  one.reason = one.requirement.status;
  if (!one.reason.empty()) return;
  bool is_tested = false;
  bool is_applicable = false;
  for (const auto& each : cases) {
    if (!contains(each.requirements, one.requirement.id)) continue;
    is_tested = true;
    // What does not apply says nothing about why the rest was not exercised.
    const bool applies = each.verdict != Verdict::not_applicable;
    if (applies && !is_applicable) one.reason.clear();
    is_applicable = is_applicable || applies;
    if (applies == is_applicable && one.reason.empty()) one.reason = each.reason;
  }
  if (is_tested && !is_applicable) one.verdict = Verdict::not_applicable;
  if (one.reason.empty()) {
    one.reason = is_tested ? "nothing came back that shows it" : "no case that ran tests it";
  }
}

int badness(Verdict verdict) {
  constexpr int kBadness[] = {2, 3, 4, 1, 0};  // in the order of Verdict
  return kBadness[static_cast<std::size_t>(verdict)];
}

bool was_exercised(Verdict verdict) {
  return verdict != Verdict::not_exercised && verdict != Verdict::not_applicable;
}

std::string_view name_of(Verdict verdict) {
  return name_at({"pass", "warn", "fail", "not-exercised", "not-applicable"}, verdict);
}

std::string_view name_of(RunVerdict verdict) {
  return name_at({"conforms", "partial", "fails", "unreachable", "not-json-rpc"}, verdict);
}

std::string_view name_of(Expectation expectation) {
  return name_at({"known", "flaky", "unexpected", "stale", "unchecked"}, expectation);
}

void Counts::add(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      ++pass;
      break;
    case Verdict::warn:
      ++warn;
      break;
    case Verdict::fail:
      ++fail;
      break;
    case Verdict::not_exercised:
      ++not_exercised;
      break;
    case Verdict::not_applicable:
      ++not_applicable;
      break;
  }
}

MustCoverage must_coverage(const Run& run) {
  MustCoverage coverage;
  for (const auto& each : run.requirements) {
    if (!is_testable_must(each) || each.verdict == Verdict::not_applicable) continue;
    ++coverage.applicable;
    if (each.verdict != Verdict::not_exercised) ++coverage.exercised;
  }
  return coverage;
}

void count_expectations(Run& run) {
  BaselineSummary counted{run.baseline->file};
  for (const auto& one : run.cases) {
    if (!one.expected) continue;
    switch (one.expected->expectation) {
      case Expectation::known:
        ++counted.known;
        break;
      case Expectation::flaky:
        ++counted.flaky;
        break;
      case Expectation::unexpected:
        ++counted.unexpected;
        break;
      case Expectation::stale:
        ++counted.stale;
        break;
      case Expectation::unchecked:
        ++counted.unchecked;
        break;
    }
  }
  run.baseline = std::move(counted);
}

void conclude(Run& run, bool all_selected) {
  run.counts = {};
  for (const auto& each : run.cases) run.counts.add(each.verdict);
  if (run.baseline) count_expectations(run);
  run.classes.clear();
  fill_classes(run, all_selected);
  // Of several shards one that was reached speaks for all.
  if (was_judged(run.verdict) || run.was_reached()) run.verdict = verdict_of(run, all_selected);
}

void summarise(Run& run, const corpus::Ledger& ledger, const Scope& scope) {
  for (const auto& each : run.cases) {
    for (const auto& observation : each.observations) {
      run.observations.push_back({observation.name, observation.value, each.id});
    }
  }
  fill_requirements(run, ledger, scope);
  conclude(run, scope.all_selected);
}

}  // namespace jrpcheck::result
