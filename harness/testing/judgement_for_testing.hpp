// The real jrpcheck run against a server, and its JSON report as a test wants to ask it.
#pragma once

#include <iosfwd>
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
  std::vector<std::string> replies;  ///< as they came; over HTTP with their head
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

/// The same, and it goes through a consistency check; a failure of the test where it is no report.
Judgement read_consistent_report(const std::string& json);

/// `jrpcheck run --report json=- WORDS`. The report goes through a consistency check.
Judgement judge(const Words& words, const Words& environment = {});

/// The words that name `misbehaving-server --MODE` as a target.
Words on_stdio(const std::string& mode);
Words over_http(const std::string& mode);

/// `a` and then `b`.
Words operator+(Words a, const Words& b);

/// The report without what may differ between two runs of one seed: times, and control calls.
std::string normalised(const std::string& json);

/// What stands around the first difference in both; empty where there is none.
std::string first_difference(const std::string& a, const std::string& b);

/// What a mode of misbehaving-server breaks, and what that brings with it where one fault shows in
/// several ways.
struct Fault {
  std::string mode;
  std::set<std::string> failing;
  std::set<std::string> may_fail = {};
  std::set<std::string> may_warn = {};
  Words options = {};
};

void PrintTo(const Fault& fault, std::ostream* out);

/// The fault is charged to its requirements and to no other, by a run that ends with exit code 1.
void expect_charged(const Fault& fault, Judgement judgement);

/// `dies-on-fault` as GoogleTest wants to name a case.
std::string test_name(std::string mode);

/// "a, b": for messages.
std::string listed(const std::set<std::string>& ids);
/// Those of `a` that are not in `b`.
std::set<std::string> minus(const std::set<std::string>& a, const std::set<std::string>& b);

}  // namespace jrpcheck::testing
