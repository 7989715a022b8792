#include "fuzz/properties/report.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "fuzz/finding_log.hpp"
#include "fuzz/to_run.hpp"

namespace jrpcheck::properties {
namespace {

result::Verdict verdict_of(const PropertyResult& result) {
  if (result.does_not_apply) return result::Verdict::not_applicable;
  auto verdict = result.gap().empty() ? result::Verdict::pass : result::Verdict::not_exercised;
  for (const auto& each : result.found) {
    if (each.finding.severity == corpus::Verdict::fail) return result::Verdict::fail;
    verdict = result::Verdict::warn;
  }
  return verdict;
}

}  // namespace

result::CaseResult untried_case(const Property& property, std::string reason) {
  result::CaseResult one;
  one.id = case_id_of(property);
  one.title = property.title;
  one.requirements.assign(property.requirements.begin(), property.requirements.end());
  one.reason = std::move(reason);
  return one;
}

result::CaseResult as_case(const PropertyResult& result, const run::Endpoint& endpoint) {
  result::CaseResult one = untried_case(*result.property, {});
  one.duration = result.duration;
  one.verdict = verdict_of(result);
  const bool is_tested = one.verdict != result::Verdict::not_exercised &&
                         one.verdict != result::Verdict::not_applicable;
  if (!is_tested) {
    one.reason = result.gap();
  } else {
    one.exercised = result.exercised.in_order();
  }
  for (const auto& example : result.found) {
    fuzz::add_finding(example.finding, example.record, example.standard_error, one);
  }
  if (!result.found.empty()) {
    const Counterexample& first = result.found.front();
    auto played = fuzz::case_sending(first.record);
    fuzz::add_call_behind_death(first.finding.symptom, played);
    if (!first.is_at_times) one.reproduce = endpoint.reproduce(played);
  }
  if (!result.observed.empty()) {
    one.observations.push_back({std::string(result.property->observes),
                                fmt::format("{}", fmt::join(result.observed, ", "))});
  }
  return one;
}

std::string note_of(const PropertyResult& result) {
  std::vector<std::string> parts;
  for (const auto& [reason, count] : result.skipped) {
    parts.push_back(fmt::format("{} skipped: {}", count, reason));
  }
  if (result.unsettled > 0) {
    parts.push_back(
        fmt::format("{} broke it once, and there was no time to try again", result.unsettled));
  }
  if (result.unconfirmed > 0) {
    parts.push_back(
        fmt::format("{} broke it once and not again, and are not counted", result.unconfirmed));
  }
  if (result.left_unanswered > 0) {
    parts.push_back(fmt::format("{} left a call unanswered that was answered when sent again",
                                result.left_unanswered));
  }
  if (!result.found.empty()) {
    const Counterexample& example = result.found.front();
    parts.push_back(
        fmt::format("{} broke it, the first in exchange {} of all, reduced in {} exchanges",
                    result.broken, example.found_in, example.reduced_in));
  }
  if (!result.cut_short.empty() && result.tests > 0) {
    parts.push_back(fmt::format("{} before there were {}", result.cut_short, result.asked));
  }
  if (result.hung > 0) {
    parts.push_back(fmt::format("{} waited in vain for answers{}", result.hung,
                                result.given_up ? ", and no more were made" : ""));
  }
  if (!result.lost.empty()) parts.push_back("the server was lost: " + result.lost);
  if (parts.empty()) return {};
  return fmt::format("{}: of {} tests {}.", case_id_of(*result.property), result.tests,
                     fmt::join(parts, "; "));
}

}  // namespace jrpcheck::properties
