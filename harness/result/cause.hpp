// Causes: findings that are one fault, and how much it hurts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

/// What it means for whoever calls the server, the worst first.
enum class Harm { dies, hangs, deaf, loses_answers, wrong_answers, warning };

/// "dies", "hangs", "deaf", "loses-answers", "wrong-answers", "warning".
std::string_view name_of(Harm harm);

Harm harm_of(const judge::Finding& finding);

/// One finding and the case that brought it.
struct Charge {
  const CaseResult* one;
  const judge::Finding* finding;
};

/// Findings that one change may mend: they have requirement and symptom in common, or the failure
/// over HTTP that they all got instead of an answer. A baseline knows all of them or none.
struct Cause {
  Harm harm = Harm::warning;
  /// "HTTP 500", "HTTP 500 without a body"; empty: what the first of the findings says.
  std::string failure = {};
  /// The gravest first.
  std::vector<Charge> charges;

  const judge::Finding& first() const { return *charges.front().finding; }
  std::size_t case_count() const;
  /// "8 cases"; "1 case, 7 more warn" where it does not fail in all of them.
  std::string cases_in_words() const;
  /// What they are charged to, each once.
  std::vector<std::string> requirements() const;
  /// A baseline knows them.
  bool is_known() const;
};

/// All findings of the run by their cause: what no baseline knows first, then in order of harm,
/// then of the number of cases.
std::vector<Cause> causes_of(const Run& run);

/// "48 of 65 cases that fail or warn are one HTTP 500: fix this first", "... break id-echo in one
/// way"; empty where no one cause is behind a good part of several findings.
std::string leading_cause(const Run& run, const std::vector<Cause>& causes);

/// Fails or warns, and the baseline knows it.
bool is_known(const CaseResult& one);

}  // namespace jrpcheck::result
