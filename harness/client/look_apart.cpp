#include "client/look_apart.hpp"

#include <algorithm>
#include <utility>

#include "client/trial_judge.hpp"

namespace jrpcheck::client {
namespace {

using corpus::Scenario;
using result::CaseResult;

constexpr std::string_view kFraming = "cl-framing";

const judge::Finding* finding_of(const CaseResult& result, const std::string& requirement) {
  const auto found = std::ranges::find(result.findings, requirement, &judge::Finding::requirement);
  return found == result.findings.end() ? nullptr : &*found;
}

}  // namespace

CaseResult looked_at_apart(const Scenario& scenario, CaseResult charged, const TryAgain& try_again,
                           const corpus::Ledger& ledger) {
  const bool has_several = scenario.answer.size() > 1 || scenario.is_of_notification;
  if (!has_several || charged.findings.empty() || ledger.find(kFraming) == nullptr) return charged;
  const std::string requirement = charged.findings.front().requirement;
  if (requirement == "cl-survives") return charged;
  Scenario one = scenario;
  one.in_one_write = false;
  one.are_apart = true;
  auto apart = try_again(one);
  if (!apart) return charged;
  if (finding_of(*apart, requirement) != nullptr) {
    if (requirement != kFraming) return charged;
    auto open = blank(scenario);
    open.reason = "the client fails over the same messages where each comes by itself";
    return open;
  }
  // The answers to a Notification and to the call behind it are never in one write for sure.
  if (scenario.is_of_notification) return *std::move(apart);
  one.are_apart = false;
  one.in_one_write = true;
  auto together = try_again(one);
  const auto* fault = together ? finding_of(*together, requirement) : nullptr;
  if (fault == nullptr) return charged;
  apart->exercised.emplace_back(kFraming);
  charge(kFraming,
         {"Messages that come in one read are not told apart. " + fault->particulars,
          "what comes of them one by one: " + fault->expected, fault->actual},
         ledger, *apart);
  apart->verdict = result::worst_of(apart->findings);
  apart->transcript = std::move(together->transcript);
  apart->reproduce = std::move(together->reproduce);
  return *std::move(apart);
}

}  // namespace jrpcheck::client
