#include "result/baseline.hpp"

#include <algorithm>
#include <utility>

#include "base/contains.hpp"
#include "result/attribution.hpp"
#include "result/conclude.hpp"

namespace jrpcheck::result {
namespace {

using judge::Finding;
using judge::Symptom;

bool counts(corpus::Verdict severity, bool strict) {
  return severity == corpus::Verdict::fail || (strict && severity == corpus::Verdict::warn);
}

// What has a name of its own by now was listed under a wider one.
bool is_same(Symptom known, Symptom found) {
  return known == found || (known == Symptom::unanswered && found == Symptom::handshake_refused);
}

bool matches(const KnownFinding& known, const Finding& finding) {
  return known.requirement == finding.requirement && known.severity == finding.severity &&
         (!known.symptom ||
          (is_same(*known.symptom, finding.symptom) && known.place == finding.place));
}

const KnownFinding* find_match(const std::vector<KnownFinding>& known, const Finding& finding) {
  const auto found =
      std::ranges::find_if(known, [&](const KnownFinding& each) { return matches(each, finding); });
  return found == known.end() ? nullptr : &*found;
}

bool fails(const CaseResult& one, bool strict) {
  return std::ranges::any_of(
      one.findings, [strict](const Finding& each) { return counts(each.severity, strict); });
}

void append(std::string& list, const std::string& text) {
  if (list.find(text) == std::string::npos) list += (list.empty() ? "" : "; ") + text;
}

std::string in_words(const KnownFinding& finding) {
  std::string text = finding.requirement;
  if (!finding.symptom) return text;
  const std::string place = name_of(finding.place);
  return text + " (" + std::string(name_of(*finding.symptom)) +
         (place.empty() ? "" : " at " + place) + ")";
}

KnownFinding as_known(const Finding& finding) {
  return {finding.requirement, finding.severity, finding.symptom, finding.place};
}

// What the case shows that is not listed, in words.
std::string unlisted(const CaseResult& one, const KnownCase& known, bool strict) {
  std::string text;
  if (known.findings.empty()) return text;
  for (const auto& finding : one.findings) {
    if (!counts(finding.severity, strict) || find_match(known.findings, finding) != nullptr)
      continue;
    append(text, in_words(as_known(finding)));
  }
  return text;
}

// What is listed and the case does not show.
std::string missing(const CaseResult& one, const KnownCase& known, bool strict) {
  if (!fails(one, strict)) return "does not fail any more";
  std::string text;
  for (const auto& each : known.findings) {
    const bool there = !counts(each.severity, strict) ||
                       std::ranges::any_of(one.findings, [&](const Finding& finding) {
                         return matches(each, finding);
                       });
    if (!there) append(text, in_words(each));
  }
  return text.empty() ? text : "is not found any more: " + text;
}

// Warnings that are listed for strict runs alone ask nothing of another.
bool is_about_this_run(const KnownCase& known, bool strict) {
  return known.findings.empty() ||
         std::ranges::any_of(known.findings, [strict](const KnownFinding& each) {
           return counts(each.severity, strict);
         });
}

Expected expect_steady(const CaseResult& one, const KnownCase& known, bool strict) {
  if (const auto text = unlisted(one, known, strict); !text.empty()) {
    return {Expectation::unexpected, known.reason, "fails otherwise than listed: " + text};
  }
  if (const auto text = missing(one, known, strict); !text.empty()) {
    return {Expectation::stale, known.reason, text};
  }
  return {Expectation::known, known.reason, ""};
}

// What the case showed in all its tries, each kind of finding once.
void take_over_findings(CaseResult& one, const CaseResult& other) {
  for (const auto& finding : other.findings) {
    const bool known = std::ranges::any_of(
        one.findings, [&](const Finding& each) { return as_known(each) == as_known(finding); });
    if (!known) one.findings.push_back(finding);
  }
  one.verdict = std::max(one.verdict, other.verdict,
                         [](Verdict a, Verdict b) { return badness(a) < badness(b); });
}

// It is shown by the first try, with what the others found besides. Gives how many failed.
std::size_t take_over_tries(CaseResult& one, bool strict) {
  const std::vector<CaseResult> others = std::exchange(one.tries, {});
  std::size_t failed = fails(one, strict) ? 1 : 0;
  for (const auto& each : others) {
    failed += fails(each, strict) ? 1 : 0;
    take_over_findings(one, each);
  }
  return failed;
}

Expected expect_flaky(CaseResult& one, const KnownCase& known, bool strict) {
  const std::size_t tries = one.tries.size() + 1;
  const std::size_t failed = take_over_tries(one, strict);
  if (const auto text = unlisted(one, known, strict); !text.empty()) {
    return {Expectation::unexpected, known.reason, "fails otherwise than listed: " + text};
  }
  return {Expectation::flaky, known.reason,
          "failed in " + std::to_string(failed) + " of " + std::to_string(tries) +
              (tries == 1 ? " try" : " tries")};
}

std::optional<Expected> expect(CaseResult& one, const KnownCase* known, bool strict) {
  const bool was_tried = was_exercised(one.verdict) || !one.tries.empty();
  if (known == nullptr || !is_about_this_run(*known, strict)) {
    if (take_over_tries(one, strict) == 0) return std::nullopt;
    return Expected{Expectation::unexpected, "", "is not listed"};
  }
  if (!was_tried) return Expected{Expectation::unchecked, known->reason, ""};
  return known->flaky ? expect_flaky(one, *known, strict) : expect_steady(one, *known, strict);
}

// What an older version told by its words alone gives way to what the same requirement shows now.
void drop_replaced(std::vector<KnownFinding>& findings) {
  const auto all = findings;
  std::erase_if(findings, [&](const KnownFinding& old) {
    return old.is_outdated && std::ranges::any_of(all, [&](const KnownFinding& each) {
             return each.symptom && each.requirement == old.requirement &&
                    each.severity == old.severity;
           });
  });
}

void add_findings(const CaseResult& one, const KnownCase& before, bool strict,
                  std::vector<KnownFinding>& findings) {
  for (const auto& finding : one.findings) {
    if (!counts(finding.severity, strict)) continue;
    const KnownFinding* known = find_match(before.findings, finding);
    const KnownFinding fresh = as_known(finding);
    const KnownFinding& each = known != nullptr && !known->is_outdated ? *known : fresh;
    if (!contains(findings, each)) findings.push_back(each);
  }
  drop_replaced(findings);
}

bool is_whole(const Run& run) {
  return run.conditions && run.conditions->select.empty() && run.conditions->skip.empty() &&
         !run.shard && run.interrupted.empty() && was_judged(run.verdict);
}

// Of what passes in any run nothing is stored where it was right.
bool was_held(const Conditions& conditions, std::string_view id) {
  if (id == "dialogue/unasked" || id == "dialogue/endings") return true;
  return std::ranges::any_of(conditions.dialogues, [id](const StoredDialogue& each) {
    return each.id == id && !each.exchanges.empty();
  });
}

// A side dialogue in which all was right is no case of a run. Of a whole run it is one all the same
// where the baseline lists it, of what it lists.
std::vector<CaseResult> silent_dialogues(const Baseline& baseline, const Run& run) {
  std::vector<CaseResult> silent;
  if (!is_whole(run)) return silent;
  for (const auto& [id, known] : baseline.cases) {
    if (!is_side_dialogue(id) || !was_held(*run.conditions, id)) continue;
    if (std::ranges::find(run.cases, id, &CaseResult::id) != run.cases.end()) continue;
    CaseResult one;
    one.id = id;
    one.title = "What passed outside of cases was right";
    one.verdict = Verdict::pass;
    for (const auto& each : known.findings) {
      if (!contains(one.requirements, each.requirement))
        one.requirements.push_back(each.requirement);
    }
    if (one.requirements.empty()) continue;  // whatever it shows: that nothing does is as listed
    silent.push_back(std::move(one));
  }
  return silent;
}

void update_case(const CaseResult& one, bool strict, Baseline& baseline) {
  if (!was_exercised(one.verdict) && one.tries.empty()) return;
  const auto found = baseline.cases.find(one.id);
  const bool listed = found != baseline.cases.end();
  KnownCase known = listed ? found->second : KnownCase{};
  const bool whatever = listed && known.findings.empty();
  std::vector<KnownFinding> findings;
  if (known.flaky) findings = known.findings;
  // What only strict runs ask for, another run can say nothing about.
  for (const auto& each : known.findings) {
    if (!known.flaky && !counts(each.severity, strict)) findings.push_back(each);
  }
  add_findings(one, known, strict, findings);
  for (const auto& each : one.tries) add_findings(each, known, strict, findings);
  if (findings.empty() && !known.flaky) {
    if (listed) baseline.cases.erase(found);
    return;
  }
  if (!whatever) known.findings = std::move(findings);
  baseline.cases[one.id] = std::move(known);
}

}  // namespace

void hold_against(const Baseline& baseline, const std::string& file, bool strict, Run& run) {
  run.baseline = BaselineSummary{file};
  if (baseline.is_outdated) {
    run.notes.push_back("The baseline " + file +
                        " is of an older version. It was held against requirements alone; "
                        "--update-baseline rewrites it.");
  }
  for (auto& one : silent_dialogues(baseline, run)) run.cases.push_back(std::move(one));
  for (auto& one : run.cases) {
    const auto found = baseline.cases.find(one.id);
    one.expected = expect(one, found == baseline.cases.end() ? nullptr : &found->second, strict);
  }
  count_expectations(run);
  // The tries of flaky cases may have shown worse than was counted.
  run.counts = {};
  for (const auto& one : run.cases) run.counts.add(one.verdict);
  if (run.counts.fail > 0) run.verdict = RunVerdict::fails;
}

Baseline updated_by(const Run& run, bool strict, Baseline baseline) {
  baseline.is_outdated = false;
  for (const auto& one : silent_dialogues(baseline, run)) update_case(one, strict, baseline);
  for (const auto& one : run.cases) update_case(one, strict, baseline);
  return baseline;
}

}  // namespace jrpcheck::result
