// What a campaign does about a server that has grown: looks for a message that makes it grow.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "fuzz/campaign.hpp"
#include "fuzz/memory_growth.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kCandidates = 64;
constexpr std::size_t kLookedAtClosely = 4;
constexpr int kInvestigations = 3;
constexpr milliseconds kShortLooks{15'000};
constexpr milliseconds kCloseLooks{40'000};

}  // namespace

// The latest messages, one of each kind.
std::vector<std::string> Campaign::candidates_for_growth() const {
  std::vector<std::string> candidates;
  std::set<std::string> kinds;
  for (auto& message : history_.latest()) {
    if (candidates.size() == kCandidates) break;
    const bool is_new = kinds.insert(expectation_of(message, oracle_.traits()).kind).second;
    if (is_new) candidates.push_back(std::move(message));
  }
  return candidates;
}

void Campaign::look_at_memory() {
  if (over_ || growth_investigations_ >= kInvestigations || !memory_.has_grown(fast_)) return;
  ++growth_investigations_;
  Group sent = take_sent();
  find_what_grows();
  judge_group(std::move(sent));
}

void Campaign::find_what_grows() {
  std::vector<std::pair<double, std::string>> candidates;
  Deadline deadline = Deadline::in(kShortLooks);
  for (auto& message : candidates_for_growth()) {
    if (deadline.passed()) break;
    const auto expectation = expectation_of(message, oracle_.traits());
    const double growth = growth_with_each(fast_, expectation.expected.steps.front(), deadline);
    if (growth > 0) candidates.emplace_back(growth, std::move(message));
  }
  std::sort(candidates.rbegin(), candidates.rend());
  candidates.resize(std::min(candidates.size(), kLookedAtClosely));
  deadline = Deadline::in(kCloseLooks);
  for (const auto& [growth, message] : candidates) {
    const auto expectation = expectation_of(message, oracle_.traits());
    const auto steady = find_steady_growth(fast_, expectation.expected.steps.front(), deadline);
    if (!steady) continue;
    growth_investigations_ = kInvestigations;  // it would be the same again
    has_grown_unexplained_ = false;
    return record_growth(message, *steady);
  }
  has_grown_unexplained_ = true;
}

void Campaign::record_growth(const std::string& message, const SteadyGrowth& growth) {
  Finding finding;
  finding.requirement = kMemoryRequirement;
  finding.shape = "The server grows with each message.";
  // A collector that puts its work off looks the same for a while.
  finding.severity = corpus::Verdict::warn;
  finding.message = "The server's memory grows with each message like this.";
  finding.expected = "memory that a message took is given back, or kept within a bound";
  finding.actual =
      fmt::format("{}; from {} to {} in this campaign", growth.text(),
                  in_mebibytes(memory_.held()->at_first), in_mebibytes(memory_.held()->now));
  finding.sent = message;
  finding.transport = std::string(endpoint_.binding().name);
  finding.traits = oracle_.traits();
  finding.seed = seed_;
  finding.shown = finding.tries = growth.rounds.size();
  corpus::Case played;
  played.steps.push_back(step_sending(message));
  finding.reproduce = endpoint_.reproduce(played);
  for (const auto& round : growth.rounds) finding.reduced_in += round.messages;
  add(std::move(finding));
}

}  // namespace jrpcheck::fuzz
