#include "client/shared_way.hpp"

#include <algorithm>
#include <utility>

#include "base/contains.hpp"
#include "client/shared_script.hpp"
#include "client/trial_judge.hpp"

namespace jrpcheck::client {
namespace {

// Fewer are as soon tried alone.
constexpr std::size_t kFew = 4;
// The good results of more calls would come near to those that are wrong.
constexpr std::size_t kMost = 200;
// A client that stops again and again is quicker alone.
constexpr std::size_t kMostProcesses = 12;
// All that are tried alone take so many times as long as one process with good answers may, which
// need not be faster than this.
constexpr int kGain = 4;
constexpr std::chrono::seconds kAlways{1};
constexpr std::chrono::hours kNoLimit{1};  // a process has its own

}  // namespace

bool SharedWay::has_good_control(std::size_t scenarios, Settled& settled) {
  // It pays where to start takes longer than to call.
  const auto most = std::max<microseconds>(kAlways, of_one_ * static_cast<long>(scenarios) / kGain);
  const auto trial = try_together_(Scenarios(scenarios, &control_), most);
  if (!trial) {
    settled.hindrance = trial.error().message;
  } else if (trial->duration > most) {
    settled.hindrance = "its calls take longer than its start";
  } else if (!trial->broken_form.empty()) {
    settled.hindrance = "what it sends breaks a rule";
  } else if (!trial->is_clean() || trial->was_killed) {
    const auto calls = std::to_string(SharedScript::calls_for(scenarios));
    settled.hindrance = "of " + calls + " good answers in one process not all reached their calls";
    if (trial->stopped_at) {
      settled.hindrance += ", and call " + std::to_string(*trial->stopped_at) + " was not told of";
    }
  } else {
    ends_ = trial->has_ended;
  }
  return settled.hindrance.empty();
}

// Who has waited may do so under that requirement again; who has done so for as long as can be,
// wherever that is right.
bool SharedWay::may_be_waited_for(const corpus::Scenario& scenario) const {
  const bool has_waited_so = contains(waits_, scenario.requirements.front());
  return contains(scenario.accept, corpus::CallOutcome::waits) && (has_waited_so || hangs_);
}

Scenarios SharedWay::worth_trying(const Scenarios& scenarios, const SharedTrial& trial) {
  Scenarios again;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const auto& one = *scenarios[i];
    const auto subject = SharedScript::first_call(i) + 1;
    const bool waits = trial.stopped_at == subject && !trial.has_failed &&
                       contains(one.accept, corpus::CallOutcome::waits);
    if (waits) waits_.push_back(one.requirements.front());
    hangs_ = hangs_ || (waits && !trial.has_ended);
    const bool came_to_it = !trial.stopped_at || *trial.stopped_at >= subject;
    // Who has died may have died of the one before.
    const bool stopped_behind_it = trial.stopped_at == subject + 2 && !trial.has_failed;
    if (trial.passed[i] || !came_to_it || stopped_behind_it) again.push_back(&one);
  }
  std::erase_if(again, [this](const auto* each) { return may_be_waited_for(*each); });
  for (const auto* each : scenarios) {
    if (!contains(again, each)) leave_(*each);
  }
  return again;
}

void SharedWay::try_once(const Scenarios& scenarios, std::vector<Scenarios>& left,
                         Settled& settled) {
  auto trial = try_together_(scenarios, kNoLimit);
  if (!trial || trial->was_cut_off) return leave_all(scenarios);
  if (trial->is_clean() && !trial->was_killed && trial->has_ended == ends_) {
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      auto& result = trial->passed[i];
      result->duration = trial->duration / static_cast<long>(scenarios.size());
      settled.passed.emplace(scenarios[i]->id, *std::move(result));
    }
    settled.traffic.push_back(std::move(trial->traffic));
    return;
  }
  Scenarios again = worth_trying(scenarios, *trial);
  if (again.size() < scenarios.size()) {
    left.push_back(std::move(again));
  } else {
    // Nobody can say which of them it was.
    const auto middle = scenarios.begin() + static_cast<std::ptrdiff_t>(scenarios.size() / 2);
    left.emplace_back(scenarios.begin(), middle);
    left.emplace_back(middle, scenarios.end());
  }
}

void SharedWay::leave_all(const Scenarios& scenarios) const {
  for (const auto* each : scenarios) leave_(*each);
}

Settled SharedWay::settle(const Scenarios& scenarios) {
  Settled settled;
  const auto most =
      scenarios.begin() + static_cast<std::ptrdiff_t>(std::min(scenarios.size(), kMost));
  std::vector<Scenarios> left = {{scenarios.begin(), most}, {most, scenarios.end()}};
  std::swap(left.front(), left.back());
  bool may_be_tried = scenarios.size() >= kFew && has_good_control(left.back().size(), settled);
  for (std::size_t tried = 0; !left.empty();) {
    const Scenarios next = std::move(left.back());
    left.pop_back();
    if (next.size() < kFew || !may_be_tried) {
      leave_all(next);
      continue;
    }
    try_once(next, left, settled);
    may_be_tried = ++tried < kMostProcesses && !is_interrupted();
  }
  return settled;
}

}  // namespace jrpcheck::client
