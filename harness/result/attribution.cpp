#include "result/attribution.hpp"

#include <algorithm>
#include <map>

#include "base/contains.hpp"
#include "judge/observe.hpp"

namespace jrpcheck::result {
namespace {

struct Origin {
  std::string case_id;
  std::string requirement;
  corpus::Verdict severity = corpus::Verdict::fail;
};

using Habits = std::map<std::string, Origin>;

Habits charged_habits(const std::vector<CaseResult>& cases, const std::set<std::string>& typical) {
  Habits habits;
  for (const auto& one : cases) {
    if (typical.count(one.id) == 0) continue;
    for (const auto& finding : one.findings) {
      for (const auto& habit : finding.habits) {
        const Origin origin{one.id, finding.requirement, finding.severity};
        const auto [known, is_new] = habits.emplace(habit, origin);
        if (!is_new && known->second.severity < origin.severity) known->second = origin;
      }
    }
  }
  return habits;
}

// A must is not hidden behind a should: what fails is reported elsewhere only where it fails as
// well.
const Origin* origin_of(const judge::Finding& finding, const std::string& subject,
                        const Habits& habits) {
  for (const auto& habit : finding.habits) {
    const auto known = habits.find(habit);
    if (known == habits.end() || known->second.requirement == subject) continue;
    if (known->second.severity >= finding.severity) return &known->second;
  }
  return nullptr;
}

// Takes the result that is left after findings were dropped from a case.
void settle(CaseResult& one, std::vector<judge::Finding> kept, const std::string& reason,
            bool shows_subject = false) {
  const bool as_before = kept.size() == one.findings.size();
  one.findings = std::move(kept);
  if (as_before) return;
  if (one.findings.empty() && !reason.empty()) {
    one.verdict = Verdict::not_exercised;
    one.reason = reason;
    if (!shows_subject) std::erase(one.exercised, one.requirements.front());
    // What was missed for a fault charged elsewhere was no limit.
    std::erase_if(one.observations,
                  [](const auto& each) { return each.value.starts_with(judge::kMissed); });
  } else {
    one.verdict = worst_of(one.findings);
  }
}

// Whether the case asks for what the finding denies: one that asks for an id of null has not
// passed where another came, whatever else it has shown.
bool asks_for_it(const CaseResult& one, const judge::Finding& finding, const Origin& origin) {
  const std::string& subject = one.requirements.front();
  return contains(one.requirements, origin.requirement) ||
         (finding.requirement != subject && contains(one.requirements, finding.requirement));
}

void drop_from(CaseResult& one, const Habits& habits) {
  std::vector<judge::Finding> kept;
  std::string reason;
  bool shows_subject = true;
  for (auto& finding : one.findings) {
    const Origin* origin = origin_of(finding, one.requirements.front(), habits);
    if (origin == nullptr) {
      kept.push_back(std::move(finding));
      continue;
    }
    if (finding.rest_counts && !asks_for_it(one, finding, *origin)) continue;
    if (!finding.rest_counts) {
      shows_subject = false;
      std::erase(one.exercised, finding.requirement);
    }
    reason = "same symptom as " + origin->case_id + ", reported under " + origin->requirement;
  }
  settle(one, std::move(kept), reason, shows_subject);
}

std::set<std::string> habits_of(const CaseResult& one) {
  std::set<std::string> names;
  for (const auto& finding : one.findings) {
    names.insert(finding.habits.begin(), finding.habits.end());
  }
  return names;
}

void drop_unfounded_from(CaseResult& one, const std::string& foundation,
                         const std::set<std::string>& shown) {
  one.observations.clear();
  std::vector<judge::Finding> kept;
  for (auto& finding : one.findings) {
    const bool is_shown = std::ranges::any_of(
        finding.habits, [&](const std::string& habit) { return shown.count(habit) != 0; });
    if (is_shown) {
      std::erase(one.exercised, finding.requirement);
    } else {
      kept.push_back(std::move(finding));
    }
  }
  settle(one, std::move(kept),
         "what came back says nothing about this: in " + foundation + " it is the same");
}

std::set<std::string> typical_cases(const corpus::Corpus& corpus) {
  std::set<std::string> ids;
  for (const auto& one : corpus.cases) {
    if (one.calibration || one.typical) ids.insert(one.id);
  }
  return ids;
}

// Which case rests on which.
std::map<std::string, std::string> foundations(const corpus::Corpus& corpus) {
  std::map<std::string, std::string> rests_on;
  for (const auto& one : corpus.cases) {
    if (!one.rests_on.empty()) rests_on[one.id] = one.rests_on;
  }
  return rests_on;
}

void drop_habits(std::vector<CaseResult>& cases, const std::set<std::string>& typical) {
  const Habits habits = charged_habits(cases, typical);
  if (habits.empty()) return;
  for (auto& one : cases) {
    if (typical.count(one.id) != 0) continue;
    drop_from(one, habits);
    for (auto& each : one.tries) drop_from(each, habits);
  }
}

void join_findings(std::vector<CaseResult>& cases) {
  for (auto& one : cases) {
    join_findings(one.tries);
    std::vector<judge::Finding> joined;
    for (auto& finding : one.findings) {
      const auto same = std::ranges::find_if(joined, [&](const auto& other) {
        return other.requirement == finding.requirement && other.severity == finding.severity &&
               other.actual == finding.actual && other.step == finding.step;
      });
      if (same == joined.end()) joined.push_back(std::move(finding));
    }
    one.findings = std::move(joined);
  }
}

void drop_unfounded(std::vector<CaseResult>& cases,
                    const std::map<std::string, std::string>& rests_on) {
  std::map<std::string, std::set<std::string>> shown;
  for (const auto& [id, foundation] : rests_on) shown[foundation];
  for (const auto& one : cases) {
    if (const auto found = shown.find(one.id); found != shown.end()) found->second = habits_of(one);
  }
  for (auto& one : cases) {
    const auto found = rests_on.find(one.id);
    if (found == rests_on.end() || shown[found->second].empty()) continue;
    drop_unfounded_from(one, found->second, shown[found->second]);
    for (auto& each : one.tries) drop_unfounded_from(each, found->second, shown[found->second]);
  }
}

}  // namespace

std::set<std::string> telling_cases(const corpus::Corpus& corpus) {
  auto ids = typical_cases(corpus);
  for (const auto& [id, foundation] : foundations(corpus)) ids.insert(foundation);
  return ids;
}

void attribute(std::vector<CaseResult>& cases, const corpus::Corpus& corpus) {
  drop_unfounded(cases, foundations(corpus));
  drop_habits(cases, typical_cases(corpus));
  join_findings(cases);
}

}  // namespace jrpcheck::result
