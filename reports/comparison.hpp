// Several runs beside each other: what became of each requirement with each server, or of each case
// before and after.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/cause.hpp"
#include "result/run.hpp"

namespace jrpcheck::reports {

/// One requirement; `results` has one entry for each run, null where it was not asked of that one.
struct ComparedRequirement {
  const corpus::Requirement* requirement = nullptr;
  std::vector<const result::RequirementResult*> results;

  /// How many of the servers, in their cases, do so.
  std::size_t count(result::Verdict verdict) const;
  /// Whether every run that it was asked of, and to which it applies, says the same.
  bool agrees() const;
};

enum class Change {
  broken,   ///< worse than before
  fixed,    ///< better than before
  changed,  ///< exercised in one of the two alone, or wrong in another way
  added,    ///< a case that the run before did not have, though it was asked for all of its kind
  removed,  ///< a case that the run after does not have, though it was
};

/// "broken", "fixed", "changed", "new", "gone".
std::string_view name_of(Change change);

struct CaseChange {
  std::string id;
  Change change = Change::changed;
  const result::CaseResult* before = nullptr;
  const result::CaseResult* after = nullptr;
};

struct Comparison {
  /// Of several servers the one with the fewest failures first.
  std::vector<const result::Run*> runs;
  std::vector<std::string> names;    ///< of the runs, each its own
  std::string_view noun = "server";  ///< what one of them is called
  /// In the order of the ledger.
  std::vector<ComparedRequirement> requirements;
  /// Two runs of one server: the first is before, the second after.
  bool is_difference = false;
  std::vector<CaseChange> changes;  ///< of a difference: broken ones first, unchanged ones left out
};

/// `runs` must outlive what is returned.
Comparison compare(const std::vector<result::Run>& runs);

/// Several servers, the one with the fewest failures first; or in the order in which they are
/// given.
Comparison league_of(std::vector<const result::Run*> runs);
Comparison side_by_side(std::vector<const result::Run*> runs);

/// The requirements that most of them fail first, then those of which most are warned.
std::vector<const ComparedRequirement*> worst_first(const Comparison& comparison);

/// The cases that differ, the broken ones first.
std::vector<CaseChange> changes_between(const result::Run& before, const result::Run& after);

/// One format of a comparison.
struct ComparisonFormat {
  std::string_view name;
  std::string (*render)(const Comparison& comparison);
};

const std::vector<ComparisonFormat>& comparison_formats();
const ComparisonFormat* find_comparison_format(std::string_view name);

std::string render_comparison_html(const Comparison& comparison);
std::string render_comparison_markdown(const Comparison& comparison);
std::string render_comparison_json(const Comparison& comparison);
/// The same on one line.
std::string render_compact_comparison_json(const Comparison& comparison);

/// "Nobody conforms; two die of a message; id-echo fails in 11 of 13: ...".
std::string summary_of(const Comparison& comparison);

/// What a case says beside its verdict: its first finding, or why it was not exercised.
std::string short_account(const result::CaseResult& one);

/// The gravest finding of a requirement in a run, and its case; or null.
std::optional<result::Charge> gravest_charge(const result::Run& run, std::string_view requirement);

}  // namespace jrpcheck::reports
