// The real jrpcheck run against a server, and its JSON report as a test wants to ask it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {

using Words = std::vector<std::string>;

/// Where the build put the programs.
const std::string& jrpcheck_program();
const std::string& reference_program();
const std::string& misbehaving_program();

struct JudgedFinding {
  std::string requirement;
  std::string severity;
  std::string message;
  std::string actual;
};

struct JudgedCase {
  std::string id;
  std::string verdict;
  std::string reason;
  std::string reproduce;
  std::vector<JudgedFinding> findings;
  std::set<std::string> directions;  ///< of the events of its transcript
};

struct Judgement {
  ProgramResult program;
  std::string verdict;
  std::map<std::string, int> counts;
  std::map<std::string, std::set<std::string>> requirements;  ///< their ids by verdict
  std::vector<JudgedCase> cases;
  std::map<std::string, std::string> target;
  std::vector<std::string> notes;
  std::string json;

  const std::set<std::string>& failing() { return requirements["fail"]; }
  const std::set<std::string>& warned() { return requirements["warn"]; }
  /// The cases with a finding against that requirement.
  std::vector<const JudgedCase*> charged(const std::string& requirement) const;
};

/// Reads a report; throws where it is no report.
Judgement read_report(const std::string& json);

/// `jrpcheck run --report json=- WORDS`. The report goes through a consistency check.
Judgement judge(const Words& words, const Words& environment = {});

/// The words that name `misbehaving-server --MODE` as a target.
Words on_stdio(const std::string& mode);
Words over_http(const std::string& mode);

/// `a` and then `b`.
Words operator+(Words a, const Words& b);

/// The report without what may differ between two runs of one seed: times, and control calls.
std::string normalised(const std::string& json);

/// "a, b": for messages.
std::string listed(const std::set<std::string>& ids);

}  // namespace jrpcheck::testing
