#include "reports/comparison.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/names.hpp"
#include "corpus/corpus.hpp"
#include "result/attribution.hpp"
#include "result/shard.hpp"

namespace jrpcheck::reports {
namespace {

using result::CaseResult;
using result::Run;
using result::Verdict;

// The order of Verdict among those that were exercised is from best to worst.
bool exercised(const CaseResult& one) { return result::was_exercised(one.verdict); }

bool is_told(const CaseResult& one) {
  return std::ranges::none_of(one.findings, [](const judge::Finding& each) {
    return each.symptom == judge::Symptom::untold;
  });
}

// Runs of older versions tell requirements and no symptoms.
std::set<judge::Identity> charged(const CaseResult& one, bool with_symptoms) {
  std::set<judge::Identity> identities;
  for (const auto& finding : one.findings) {
    identities.insert(with_symptoms ? judge::identity_of(finding)
                                    : judge::Identity{finding.requirement, {}, {}});
  }
  return identities;
}

bool is_asked_for(const Run& run, const CaseResult& one) {
  if (run.shard && !result::is_in_shard(one.id, *run.shard)) return false;
  if (!run.conditions) return true;
  corpus::Case named;
  named.id = one.id;
  named.requirements = one.requirements;
  return corpus::Selection{run.conditions->select, run.conditions->skip}.includes(named);
}

// A side dialogue in which all was right is no case of its run.
bool was_right_without_a_case(const Run& run, const std::string& id) {
  return result::is_side_dialogue(id) && result::was_judged(run.verdict) && run.interrupted.empty();
}

// Of a case that only the other run has. `otherwise`: what that is to a run that was asked for it.
std::optional<Change> change_where_absent(const CaseResult& one, const Run& run, Change otherwise) {
  if (!is_asked_for(run, one)) return std::nullopt;
  if (!was_right_without_a_case(run, one.id)) return otherwise;
  if (!exercised(one) || one.verdict == Verdict::pass) return std::nullopt;
  return otherwise == Change::added ? Change::broken : Change::fixed;
}

std::optional<Change> change_between(const CaseResult& before, const CaseResult& after) {
  if (exercised(before) != exercised(after)) return Change::changed;
  if (!exercised(before)) return std::nullopt;
  if (after.verdict > before.verdict) return Change::broken;
  if (after.verdict < before.verdict) return Change::fixed;
  const bool told = is_told(before) && is_told(after);
  if (charged(before, told) != charged(after, told)) return Change::changed;
  return std::nullopt;
}

std::optional<Change> change_of(const CaseChange& pair, const Run& before, const Run& after) {
  if (pair.before == nullptr) return change_where_absent(*pair.after, before, Change::added);
  if (pair.after == nullptr) return change_where_absent(*pair.before, after, Change::removed);
  return change_between(*pair.before, *pair.after);
}

using RunPointers = std::vector<const Run*>;

std::vector<ComparedRequirement> compare_requirements(const RunPointers& runs) {
  std::vector<ComparedRequirement> rows;
  std::map<std::string, std::size_t> index;
  for (std::size_t column = 0; column < runs.size(); ++column) {
    for (const auto& each : runs[column]->requirements) {
      const auto [found, fresh] = index.emplace(each.requirement.id, rows.size());
      if (fresh) {
        rows.push_back({&each.requirement, {}});
        rows.back().results.resize(runs.size());
      }
      rows[found->second].results[column] = &each;
    }
  }
  return rows;
}

// Whoever was not judged has no failures, and is not the best for it.
void sort_as_a_league(RunPointers& runs) {
  std::ranges::stable_sort(runs, [](const Run* a, const Run* b) {
    const auto place = [](const Run& run) {
      return std::tuple(!result::was_judged(run.verdict), run.counts.fail, run.counts.warn,
                        run.counts.not_exercised);
    };
    return place(*a) < place(*b);
  });
}

// The names of their files where these tell them apart.
std::vector<std::string> names_of(const RunPointers& runs, bool is_difference) {
  if (is_difference) return {"before", "after"};
  std::map<std::string, std::size_t> times;
  for (const auto* run : runs) ++times[run->name];
  std::vector<std::string> names;
  for (const auto* run : runs) {
    const bool is_own = !run->name.empty() && times[run->name] == 1;
    names.push_back(is_own ? run->name : run->target.text);
  }
  return names;
}

}  // namespace

std::vector<CaseChange> changes_between(const Run& before, const Run& after) {
  std::map<std::string, CaseChange> pairs;
  for (const auto& one : before.cases) pairs[one.id].before = &one;
  for (const auto& one : after.cases) pairs[one.id].after = &one;
  std::vector<CaseChange> changes;
  for (auto& [id, pair] : pairs) {
    const auto change = change_of(pair, before, after);
    if (!change) continue;
    changes.push_back({id, *change, pair.before, pair.after});
  }
  std::ranges::stable_sort(
      changes, [](const CaseChange& a, const CaseChange& b) { return a.change < b.change; });
  return changes;
}

std::size_t ComparedRequirement::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count_if(results, [verdict](const auto* each) {
    return each != nullptr && each->verdict == verdict;
  }));
}

bool ComparedRequirement::agrees() const {
  const result::RequirementResult* first = nullptr;
  for (const auto* each : results) {
    if (each == nullptr || each->verdict == Verdict::not_applicable) continue;
    if (first != nullptr && each->verdict != first->verdict) return false;
    first = each;
  }
  return true;
}

std::string_view name_of(Change change) {
  return name_at({"broken", "fixed", "changed", "new", "gone"}, change);
}

Comparison compare(const std::vector<Run>& runs) {
  RunPointers pointers;
  for (const auto& run : runs) pointers.push_back(&run);
  const bool is_difference = runs.size() == 2 && runs[0].target.text == runs[1].target.text;
  if (!is_difference) return league_of(std::move(pointers));
  Comparison comparison = side_by_side(std::move(pointers));
  comparison.is_difference = true;
  comparison.names = names_of(comparison.runs, true);
  comparison.changes = changes_between(runs[0], runs[1]);
  return comparison;
}

Comparison league_of(std::vector<const Run*> runs) {
  sort_as_a_league(runs);
  return side_by_side(std::move(runs));
}

Comparison side_by_side(std::vector<const Run*> runs) {
  Comparison comparison;
  comparison.runs = std::move(runs);
  comparison.names = names_of(comparison.runs, false);
  comparison.requirements = compare_requirements(comparison.runs);
  return comparison;
}

std::vector<const ComparedRequirement*> worst_first(const Comparison& comparison) {
  std::vector<const ComparedRequirement*> rows;
  rows.reserve(comparison.requirements.size());
  for (const auto& row : comparison.requirements) rows.push_back(&row);
  std::ranges::stable_sort(rows, std::ranges::greater(), [](const auto* row) {
    return std::pair(row->count(Verdict::fail), row->count(Verdict::warn));
  });
  return rows;
}

const std::vector<ComparisonFormat>& comparison_formats() {
  static const std::vector<ComparisonFormat> formats = {
      {"html", &render_comparison_html},
      {"markdown", &render_comparison_markdown},
      {"json", &render_comparison_json},
  };
  return formats;
}

const ComparisonFormat* find_comparison_format(std::string_view name) {
  const auto& formats = comparison_formats();
  const auto found = std::ranges::find_if(
      formats, [name](const ComparisonFormat& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

std::string short_account(const CaseResult& one) {
  if (!one.findings.empty()) {
    return one.findings.front().requirement + ": " + judge::sentence_of(one.findings.front());
  }
  return one.reason;
}

std::optional<result::Charge> gravest_charge(const Run& run, std::string_view requirement) {
  std::optional<result::Charge> gravest;
  for (const auto& one : run.cases) {
    for (const auto& finding : one.findings) {
      if (finding.requirement != requirement) continue;
      if (!gravest || finding.severity > gravest->finding->severity) gravest = {&one, &finding};
    }
  }
  return gravest;
}

}  // namespace jrpcheck::reports
