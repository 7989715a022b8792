#include "fuzz/repeater.hpp"

#include "fuzz/blame.hpp"

namespace jrpcheck::fuzz {
namespace {

// 0: not at all.
int likeness_of(const judge::Finding& finding, const judge::Finding& other) {
  const bool same_requirement = finding.requirement == other.requirement;
  const bool same_symptom = symptom_of(finding) == symptom_of(other);
  if (explains(finding, other)) return same_requirement ? 4 : 3;
  if (same_requirement) return 2;
  return same_symptom ? 1 : 0;
}

}  // namespace

std::optional<Suspicion> Repeater::repeat_with(Executor& executor, const std::string& message,
                                               const judge::Finding* like, const Messages& before) {
  if (!can_send(message)) return std::nullopt;
  exchanges_ += before.size() + 1;
  for (const auto& each : before) {
    const Expectation expectation = expectation_of(each, oracle_.traits());
    if (!executor.execute(expectation.expected.steps.front())) return std::nullopt;
  }
  const Expectation expectation = expectation_of(message, oracle_.traits());
  auto observed = executor.execute(expectation.expected.steps.front());
  if (!observed) return std::nullopt;
  const auto judgement =
      oracle_.judge_exchange(expectation, observed->exchange, observed->survival, observed->events);
  const judge::Finding* best = nullptr;
  int closest = 0;
  for (const auto& each : judgement.findings) {
    const int likeness = like == nullptr ? 1 : likeness_of(each, *like);
    if (!findings_.counts(each) || likeness <= closest) continue;
    closest = likeness;
    best = &each;
  }
  if (best == nullptr) return std::nullopt;
  return Suspicion{message, *best, *std::move(observed), before};
}

bool Repeater::is_faulty(const std::string& message) const {
  return expectation_of(message, oracle_.traits()).is_faulty;
}

Identity Repeater::identity_of(const Suspicion& suspicion) const {
  const Expectation expectation = expectation_of(suspicion.sent, oracle_.traits());
  return {suspicion.finding.requirement, shape_of(expectation, suspicion.finding)};
}

}  // namespace jrpcheck::fuzz
