#include "fuzz/executor.hpp"

#include "base/interruption.hpp"
#include "fuzz/expectation.hpp"

namespace jrpcheck::fuzz {

Result<Observed> Executor::execute(const corpus::Step& step) {
  if (is_interrupted()) return Error{interruption_text()};
  auto observed = do_execute(step);
  if (is_interrupted()) return Error{interruption_text()};
  return observed;
}

corpus::Step call_after_a_moment() {
  constexpr std::size_t kMomentMs = 100;
  auto step = corpus::step_sending(R"({"jsonrpc":"2.0","method":"jrpcheckThere","id":"jrpcheck"})");
  step.listen_first_ms = kMomentMs;
  return step;
}

void await_end(Executor& executor, Observed& observed) {
  if (observed.survival.survival == dialogue::Survival::dead) return;
  const auto behind = executor.execute(call_after_a_moment());
  if (!behind) return;
  if (behind->survival.survival == dialogue::Survival::dead) {
    observed.survival = behind->survival;
  } else if (!behind->ended_before.empty()) {
    observed.survival = {dialogue::Survival::dead, behind->ended_before, {}};
  }
}

Result<Observed> execute_in_company(Executor& executor, const std::string& message,
                                    const Company& company, const Traits& traits) {
  const bool comes_up = executor.begin_connection();
  if (company.cut || comes_up) {
    const auto first = expectation_of(first_call(), traits);
    if (auto greeted = executor.execute(first.expected.steps.front()); !greeted) return greeted;
  }
  return executor.execute(step_in_company(message, company, traits));
}

bool Executor::send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut> cut) {
  return !is_interrupted() && do_send_all(steps, cut);
}

std::optional<std::vector<Observed>> Executor::take_all() {
  auto all = do_take_all();
  if (is_interrupted()) return std::nullopt;
  return all;
}

bool Executor::do_send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut> cut) {
  static_cast<void>(steps);
  static_cast<void>(cut);
  return false;
}

}  // namespace jrpcheck::fuzz
