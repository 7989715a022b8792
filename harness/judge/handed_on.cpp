#include "judge/handed_on.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "judge/code.hpp"
#include "judge/protocol.hpp"

namespace jrpcheck::judge {
namespace {

bool is_about_a_code(const Finding& finding) {
  return finding.symptom == Symptom::wrong_code || finding.symptom == Symptom::outcome_of_case;
}

// By step: what the server asks of its own before it answers as that was answered.
std::map<std::size_t, std::string> asked_in_vain(const std::vector<dialogue::Event>& events) {
  std::vector<dialogue::Event> of_steps;
  std::ranges::copy_if(events, std::back_inserter(of_steps), [](const dialogue::Event& event) {
    return event.step.has_value() && !event.is_control;
  });
  const Heard heard(of_steps);
  std::map<std::pair<std::size_t, long long>, std::string> refused;  // by step and code
  std::map<std::size_t, std::string> found;
  for (const auto& each : heard.all()) {
    const auto code = each.call != nullptr ? error_code_of(*each.value) : std::nullopt;
    if (!code) continue;
    if (!each.by_server) {
      refused[{each.step, *code}] = std::string(each.called());
    } else if (const auto ours = refused.find({each.step, *code}); ours != refused.end()) {
      found[each.step] = ours->second;
    }
  }
  return found;
}

}  // namespace

void withdraw_what_was_handed_on(const std::vector<dialogue::Event>& events, Judgement& judgement) {
  auto& findings = judgement.findings;
  if (std::ranges::none_of(findings, is_about_a_code)) return;
  const auto asked = asked_in_vain(events);
  const auto withdrawn = std::stable_partition(
      findings.begin(), findings.end(),
      [&](const Finding& each) { return !is_about_a_code(each) || asked.count(each.step) == 0; });
  for (auto each = withdrawn; each != findings.end(); ++each) {
    judgement.exercised.erase(each->requirement);
    if (judgement.unjudged) continue;
    judgement.unjudged = "the server asks " + to_visible(asked.at(each->step), 80) +
                         " of its client for this, and hands on how that is refused";
  }
  findings.erase(withdrawn, findings.end());
}

}  // namespace jrpcheck::judge
