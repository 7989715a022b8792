#include "fuzz/repeater.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/blame.hpp"
#include "fuzz/judge_company.hpp"
#include "fuzz/second_answer.hpp"

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
  if (awaits_second(like)) executor.begin_connection();
  for (const auto& each : before) {
    const Expectation expectation = expectation_of(each, oracle_.traits());
    if (!executor.execute(expectation.expected.steps.front())) return std::nullopt;
  }
  const Expectation expectation = expectation_of(message, oracle_.traits());
  Expectation asked = expectation_of(message, oracle_.traits());
  auto& step = asked.expected.steps.front();
  // Behind others it might be a late answer to one of them.
  const bool is_surplus = like != nullptr && like->symptom == judge::Symptom::several_messages;
  if (is_surplus && before.empty()) wait_for_another(step);
  auto observed = executor.execute(step);
  if (!observed) return std::nullopt;
  const bool may_come_late = like != nullptr && like->symptom == judge::Symptom::died_later;
  const bool is_answered = observed->survival.survival != dialogue::Survival::dead;
  if (may_come_late) await_end(executor, *observed);
  if (awaits_second(like)) await_second_answer(executor, *observed);
  auto judgement =
      oracle_.judge_exchange(expectation, observed->exchange, observed->survival, observed->events);
  if (awaits_second(like)) judge_second_answer(expectation, *observed, judgement);
  const judge::Finding* best = closest(judgement, like);
  if (best == nullptr) return std::nullopt;
  Suspicion suspicion{message, *best, *std::move(observed), before};
  if (may_come_late && is_answered && best->symptom == judge::Symptom::died) {
    suspicion.finding.symptom = judge::Symptom::died_later;
  }
  return suspicion;
}

const judge::Finding* Repeater::closest(const judge::Judgement& judgement,
                                        const judge::Finding* like) const {
  const judge::Finding* best = nullptr;
  int closest = 0;
  for (const auto& each : judgement.findings) {
    const int likeness = like == nullptr ? 1 : likeness_of(each, *like);
    if (!findings_.counts(each) || likeness <= closest) continue;
    closest = likeness;
    best = &each;
  }
  return best;
}

std::optional<Suspicion> Repeater::repeat_in_company(const std::string& message,
                                                     const Company& company,
                                                     const judge::Finding* like) {
  const auto observed = execute_together(message, company);
  Suits suits;
  return observed ? wrong_in_company(message, company, *observed, like, suits) : std::nullopt;
}

std::optional<std::vector<Suspicion>> Repeater::wrong_ones_of(const Messages& together,
                                                              const std::optional<Cut>& cut) {
  std::vector<Suspicion> all;
  if (together.empty()) return all;
  const auto observed = execute_together(together.front(), company_around(together, 0, cut));
  if (!observed) return all;
  const bool is_closed = cut && observed->exchange.ending == dialogue::Ending::closed;
  if (!observed->exchange.control_answered && !is_closed) return std::nullopt;
  Suits suits;
  for (std::size_t i = 0; i < together.size(); ++i) {
    auto wrong =
        wrong_in_company(together[i], company_around(together, i, cut), *observed, nullptr, suits);
    if (wrong) all.push_back(*std::move(wrong));
  }
  return all;
}

std::optional<Observed> Repeater::execute_together(const std::string& message,
                                                   const Company& company) {
  const Messages all = written(message, company);
  if (!std::all_of(all.begin(), all.end(), [this](const auto& each) { return can_send(each); })) {
    return std::nullopt;
  }
  exchanges_ += all.size();
  auto observed = execute_in_company(careful_, message, company, oracle_.traits());
  if (!observed) return std::nullopt;
  return *std::move(observed);
}

std::optional<Suspicion> Repeater::wrong_in_company(const std::string& message,
                                                    const Company& company,
                                                    const Observed& observed,
                                                    const judge::Finding* like,
                                                    Suits& suits) const {
  const auto judgement =
      judge_in_company(oracle_, message, company, observed.exchange, observed.survival, suits);
  const judge::Finding* best = closest(judgement, like);
  if (best == nullptr) return std::nullopt;
  return Suspicion{message, *best, observed, {}, company};
}

Company Repeater::without_open_ones(Company company) const {
  const Company plain = with_plain_calls(company);
  const auto replace = [this](Messages& list, const Messages& others) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (expectation_of(list[i], oracle_.traits()).open) list[i] = others[i];
    }
  };
  replace(company.ahead, plain.ahead);
  replace(company.behind, plain.behind);
  return company;
}

bool Repeater::is_faulty(const std::string& message) const {
  return expectation_of(message, oracle_.traits()).is_faulty;
}

Identity Repeater::identity_of(const Suspicion& suspicion) const {
  const Expectation expectation = expectation_of(suspicion.sent, oracle_.traits());
  return {suspicion.finding.requirement, shape_of(expectation, suspicion.finding)};
}

}  // namespace jrpcheck::fuzz
