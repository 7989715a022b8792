#include "judge/charger.hpp"

#include <algorithm>
#include <utility>

#include "dialogue/transcript.hpp"
#include "judge/envelope_1_0.hpp"

namespace jrpcheck::judge {

std::string name_of(const Place& place) {
  const std::string element = place.element ? "element " + std::to_string(*place.element) : "";
  return element + (element.empty() || place.pointer.empty() ? "" : ", ") + place.pointer;
}

corpus::Verdict Judgement::worst() const {
  auto worst = corpus::Verdict::pass;
  for (const auto& finding : findings) worst = std::max(worst, finding.severity);
  return worst;
}

std::string_view Charger::in_dialect(std::string_view requirement) const {
  return judges_1_0() ? requirement_in_1_0(requirement) : requirement;
}

void Charger::charge(std::string_view requirement, Fault fault) {
  requirement = in_dialect(requirement);
  const auto* known = ledger_.find(requirement);
  const auto level = known != nullptr ? known->level : corpus::Level::must;
  if (level == corpus::Level::info) {
    exercise(requirement);
    judgement_.observations.push_back(
        {std::string(requirement),
         sentence_of(fault.symptom, fault.particulars) + " " + fault.actual});
    return;
  }
  charge_as(level == corpus::Level::must ? corpus::Verdict::fail : corpus::Verdict::warn,
            requirement, std::move(fault));
}

void Charger::charge_as(corpus::Verdict severity, std::string_view requirement, Fault fault) {
  requirement = in_dialect(requirement);
  exercise(requirement);
  const auto shown = [](const std::string& text) {
    return dialogue::excerpt(text, dialogue::kOfFinding).bytes;
  };
  judgement_.findings.push_back({std::string(requirement), severity, fault.symptom,
                                 Place{std::nullopt, std::move(fault.pointer)},
                                 shown(fault.expected), shown(fault.actual),
                                 std::move(fault.particulars), step_});
}

void Charger::add_habits(std::vector<std::string> habits, bool rest_counts) {
  if (judgement_.findings.empty()) return;  // what is only observed is no finding
  judgement_.findings.back().habits = std::move(habits);
  judgement_.findings.back().rest_counts = rest_counts;
}

// One requirement of 1.0 stands for several of 2.0.
void Charger::drop(std::string_view requirement, std::initializer_list<Symptom> symptoms) {
  requirement = in_dialect(requirement);
  std::erase_if(judgement_.findings, [&](const Finding& each) {
    return each.requirement == requirement && each.step == step_ &&
           std::ranges::find(symptoms, each.symptom) != symptoms.end();
  });
}

}  // namespace jrpcheck::judge
