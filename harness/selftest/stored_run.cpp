#include "selftest/stored_run.hpp"

#include <map>

#include "base/join.hpp"
#include "reports/report.hpp"
#include "reports/run_reader.hpp"
#include "run/judge_again.hpp"

namespace jrpcheck::selftest {
namespace {

using Lines = std::vector<std::string>;

std::string text_of(const judge::Finding& finding) {
  return finding.requirement + " " + std::string(corpus::name_of(finding.severity)) + " " +
         std::string(judge::name_of(finding.symptom)) + " at " + judge::name_of(finding.place) +
         " in step " + std::to_string(finding.step) + ": expected " + finding.expected +
         ", actual " + finding.actual + " (" + finding.particulars + ")";
}

// What is said of something, by what it is said of.
std::map<std::string, Lines> verdicts_of(const result::Run& run) {
  std::map<std::string, Lines> all;
  all["the run"] = {std::string(name_of(run.verdict))};
  for (const auto& one : run.requirements) {
    all[one.requirement.id] = {std::string(name_of(one.verdict)), one.reason};
  }
  for (const auto& one : run.cases) {
    Lines& lines = all[one.id];
    lines = {std::string(name_of(one.verdict)), one.reason};
    for (const auto& finding : one.findings) lines.push_back(text_of(finding));
  }
  for (const auto& each : run.observations) {
    all[each.case_id].push_back("observed " + each.id + ": " + each.value);
  }
  return all;
}

}  // namespace

Lines differences(const result::Run& run, const result::Run& again) {
  const auto before = verdicts_of(run);
  auto after = verdicts_of(again);
  Lines found;
  for (const auto& [name, lines] : before) {
    const auto same = after.find(name);
    if (same == after.end()) {
      found.push_back(name + " is not there any more");
      continue;
    }
    if (same->second != lines) {
      found.push_back(name + " was: " + joined(lines, "; ") +
                      "  and is: " + joined(same->second, "; "));
    }
    after.erase(same);
  }
  for (const auto& [name, lines] : after) found.push_back(name + " is new: " + joined(lines, "; "));
  return found;
}

Lines differences_when_stored(const result::Run& run, const corpus::Corpus& corpus) {
  const auto stored = reports::read_run("the stored run", reports::render_compact_json(run));
  if (!stored) return {stored.error().message};
  const auto again = run::judge_again(*stored, corpus);
  if (!again) return {again.error().message};
  return differences(run, *again);
}

}  // namespace jrpcheck::selftest
