#include <algorithm>
#include <set>
#include <utility>

#include "base/contains.hpp"
#include "base/join.hpp"
#include "client/dialogue_judge.hpp"

namespace jrpcheck::client {

using result::CaseResult;

bool holds_finding(const std::vector<judge::Finding>& known, const judge::Finding& one) {
  return std::ranges::any_of(known, [&](const auto& each) {
    return each.requirement == one.requirement && each.particulars == one.particulars;
  });
}

CaseResult seen_twice(const CaseResult& first, CaseResult again) {
  std::set<std::string> charged;
  std::set<std::string> seen_once;
  const auto found = std::exchange(again.findings, {});
  for (const auto& each : found) {
    if (holds_finding(first.findings, each)) {
      charged.insert(each.requirement);
      again.findings.push_back(each);
    } else {
      seen_once.insert(each.requirement);
    }
  }
  for (const auto& each : first.findings) {
    if (!holds_finding(found, each)) seen_once.insert(each.requirement);
  }
  std::erase_if(seen_once, [&](const auto& each) { return charged.contains(each); });
  std::erase_if(again.exercised, [&](const auto& each) { return seen_once.contains(each); });
  if (!seen_once.empty()) {
    again.reason = "a breach of " + joined(seen_once) + " was seen in one of two runs alone";
  }
  conclude_dialogue(again);
  return again;
}

void conclude_dialogue(CaseResult& result) {
  const bool is_shown = contains(result.exercised, result.requirements.front());
  result.verdict = !result.findings.empty() || is_shown ? result::worst_of(result.findings)
                                                        : result::Verdict::not_exercised;
}

}  // namespace jrpcheck::client
