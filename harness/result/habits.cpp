#include "result/habits.hpp"

#include <algorithm>
#include <map>

namespace jrpcheck::result {
namespace {

struct Origin {
  std::string case_id;
  std::string requirement;
};

using Habits = std::map<std::string, Origin>;

Habits charged_habits(const std::vector<CaseResult>& cases, const std::set<std::string>& typical) {
  Habits habits;
  for (const auto& one : cases) {
    if (typical.count(one.id) == 0) continue;
    for (const auto& finding : one.findings) {
      for (const auto& habit : finding.habits) {
        habits.emplace(habit, Origin{one.id, finding.requirement});
      }
    }
  }
  return habits;
}

const Origin* origin_of(const judge::Finding& finding, const std::string& subject,
                        const Habits& habits) {
  for (const auto& habit : finding.habits) {
    const auto known = habits.find(habit);
    if (known != habits.end() && known->second.requirement != subject) return &known->second;
  }
  return nullptr;
}

void erase(std::vector<std::string>& texts, const std::string& text) {
  texts.erase(std::remove(texts.begin(), texts.end(), text), texts.end());
}

Verdict worst_of(const std::vector<judge::Finding>& findings) {
  Verdict worst = Verdict::pass;
  for (const auto& each : findings) {
    const bool fails = each.severity == corpus::Verdict::fail;
    worst = std::max(worst, fails ? Verdict::fail : Verdict::warn);
  }
  return worst;
}

void drop_from(CaseResult& one, const Habits& habits) {
  std::vector<judge::Finding> kept;
  std::string reason;
  for (auto& finding : one.findings) {
    const Origin* origin = origin_of(finding, one.requirements.front(), habits);
    if (origin == nullptr) {
      kept.push_back(std::move(finding));
      continue;
    }
    if (finding.rest_counts) continue;
    erase(one.exercised, finding.requirement);
    reason =
        "what came back says nothing about this: the server does so wherever it comes to it, "
        "which " +
        origin->case_id + " has charged to " + origin->requirement;
  }
  const bool as_before = kept.size() == one.findings.size();
  one.findings = std::move(kept);
  if (as_before) return;
  if (one.findings.empty() && !reason.empty()) {
    one.verdict = Verdict::not_exercised;
    one.reason = std::move(reason);
    erase(one.exercised, one.requirements.front());
  } else {
    one.verdict = worst_of(one.findings);
  }
}

}  // namespace

void drop_habits(std::vector<CaseResult>& cases, const std::set<std::string>& typical) {
  const Habits habits = charged_habits(cases, typical);
  if (habits.empty()) return;
  for (auto& one : cases) {
    if (typical.count(one.id) == 0) drop_from(one, habits);
  }
}

}  // namespace jrpcheck::result
