#include "fuzz/growth_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/interruption.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kCandidates = 64;
constexpr std::size_t kLookedAtClosely = 4;
constexpr int kSearches = 3;
constexpr milliseconds kShortLooks{15'000};
constexpr milliseconds kCloseLooks{40'000};

}  // namespace

bool GrowthSearch::is_due(const Executor& executor) {
  return searches_ < kSearches && memory_.has_grown(executor);
}

std::optional<GrowthSearch::Cause> GrowthSearch::find_cause(const History& history,
                                                            const Traits& traits,
                                                            Executor& executor) {
  ++searches_;
  std::vector<std::pair<double, std::string>> candidates;
  Deadline deadline = Deadline::in(kShortLooks);
  for (auto& message : one_of_each_kind(history.latest(), traits, kCandidates)) {
    if (deadline.passed()) break;
    const auto expectation = expectation_of(message, traits);
    const double growth = growth_with_each(executor, expectation.expected.steps.front(), deadline);
    if (growth > 0) candidates.emplace_back(growth, std::move(message));
  }
  std::sort(candidates.rbegin(), candidates.rend());
  candidates.resize(std::min(candidates.size(), kLookedAtClosely));
  deadline = Deadline::in(kCloseLooks);
  for (const auto& [growth, message] : candidates) {
    const auto expectation = expectation_of(message, traits);
    auto steady = find_steady_growth(executor, expectation.expected.steps.front(), deadline);
    if (!steady) continue;
    searches_ = kSearches;  // it would be the same again
    is_unexplained_ = false;
    return Cause{message, *std::move(steady)};
  }
  // One that was cut short has not tried them all.
  if (!is_interrupted()) is_unexplained_ = true;
  return std::nullopt;
}

Finding GrowthSearch::finding_of(const Cause& cause, Finding about) const {
  about.requirement = kMemoryRequirement;
  about.shape = "The server grows with each message.";
  // A collector that puts its work off looks the same for a while.
  about.severity = corpus::Verdict::warn;
  about.symptom = judge::Symptom::memory_grows;
  about.expected = "memory that a message took is given back, or kept within a bound";
  about.actual = fmt::format("{}; from {} to {} in this campaign", cause.growth.text(),
                             in_mebibytes(held()->at_first), in_mebibytes(held()->now));
  about.shown = about.tries = cause.growth.rounds.size();
  for (const auto& round : cause.growth.rounds) about.reduced_in += round.messages;
  return about;
}

}  // namespace jrpcheck::fuzz
