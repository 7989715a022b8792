#include "judge/charger.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/contains.hpp"
#include "dialogue/transcript.hpp"
#include "judge/envelope_1_0.hpp"

namespace jrpcheck::judge {
namespace {

// Of one kind in what is judged at once: an answer may hold a hundred thousand.
constexpr std::ptrdiff_t kMostAlike = 100;
constexpr std::size_t kMostObservations = 1000;

std::string shortened(std::string_view text) {
  return dialogue::excerpt(text, dialogue::kOfFinding).bytes;
}

}  // namespace

std::string name_of(const Place& place) {
  const std::string element = place.element ? "element " + std::to_string(*place.element) : "";
  return element + (element.empty() || place.pointer.empty() ? "" : ", ") + place.pointer;
}

corpus::Verdict Judgement::worst() const {
  auto worst = corpus::Verdict::pass;
  for (const auto& finding : findings) worst = std::max(worst, finding.severity);
  return worst;
}

void Judgement::observe(std::string_view name, std::string_view value) {
  Observation one{shortened(name), shortened(value)};
  if (observations.size() >= kMostObservations || contains(observations, one)) return;
  const auto alike = std::ranges::count(observations, one.name, &Observation::name);
  if (alike < kMostAlike) observations.push_back(std::move(one));
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
    judgement_.observe(requirement,
                       sentence_of(fault.symptom, fault.particulars) + " " + fault.actual);
    return;
  }
  charge_as(level == corpus::Level::must ? corpus::Verdict::fail : corpus::Verdict::warn,
            requirement, std::move(fault));
}

void Charger::charge_as(corpus::Verdict severity, std::string_view requirement, Fault fault) {
  requirement = in_dialect(requirement);
  exercise(requirement);
  if (has_enough(severity, requirement, fault)) return;
  judgement_.findings.push_back({std::string(requirement), severity, fault.symptom,
                                 Place{std::nullopt, shortened(fault.pointer)},
                                 shortened(fault.expected), shortened(fault.actual),
                                 shortened(fault.particulars), step_, std::move(fault.habits),
                                 fault.rest_counts});
}

// What is worse, or may not be laid to a habit of the server's, is no more of the same.
bool Charger::has_enough(corpus::Verdict severity, std::string_view requirement,
                         const Fault& fault) const {
  const auto is_alike = [&](const Finding& each) {
    return each.symptom == fault.symptom && each.severity == severity &&
           each.habits.empty() == fault.habits.empty() && each.requirement == requirement;
  };
  return std::ranges::count_if(judgement_.findings, is_alike) >= kMostAlike;
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
