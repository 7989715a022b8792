// The baseline: failures that are known, so that only what differs from them is an alarm.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "result/run.hpp"

namespace jrpcheck::result {

struct KnownFinding {
  std::string requirement;
  corpus::Verdict severity = corpus::Verdict::fail;
  /// Nothing: whatever is wrong, wherever.
  std::optional<judge::Symptom> symptom = {};
  judge::Place place = {};
  /// It was told by the words of an older version, which nothing compares any more: it stands for
  /// whatever breaks the requirement until the file is written anew.
  bool is_outdated = false;

  bool operator==(const KnownFinding&) const = default;
};

struct KnownCase {
  std::string reason;  ///< that people wrote
  bool flaky = false;
  /// Empty: whatever is found. Otherwise nothing else may be.
  std::vector<KnownFinding> findings;
  std::string where;  ///< FILE:LINE:COLUMN, for messages
};

struct Baseline {
  std::string about;         ///< that people wrote
  bool is_outdated = false;  ///< some of its findings are
  std::map<std::string, KnownCase> cases;
};

/// Reads a baseline. The error names file, line and column, and the member that is wrong.
Result<Baseline> read_baseline(const std::string& file, std::string_view text);

/// The text of a baseline: sorted, a finding a line, so that changes of it read well.
std::string write_baseline(const Baseline& baseline);

/// Says of each case of the run that the baseline lists, or should list, what became of it. Cases
/// that did not run are not looked for; in a whole run a side dialogue that shows nothing is a case
/// that passes. `strict`: a warning is a failure. A flaky case takes over what its tries have
/// found.
void hold_against(const Baseline& baseline, const std::string& file, bool strict, Run& run);

/// The baseline by which this run is as expected. What people wrote stays, and so does what the run
/// did not exercise. `run` has not been held against any baseline yet.
Baseline updated_by(const Run& run, bool strict, Baseline baseline);

}  // namespace jrpcheck::result
