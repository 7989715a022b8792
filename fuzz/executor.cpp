#include "fuzz/executor.hpp"

#include "base/interruption.hpp"

namespace jrpcheck::fuzz {

Result<Observed> Executor::execute(const corpus::Step& step) {
  if (is_interrupted()) return Error{interruption_text()};
  auto observed = do_execute(step);
  if (is_interrupted()) return Error{interruption_text()};
  return observed;
}

bool Executor::send_all(const std::vector<const corpus::Step*>& steps) {
  return !is_interrupted() && do_send_all(steps);
}

std::optional<std::vector<Observed>> Executor::take_all() {
  auto all = do_take_all();
  if (is_interrupted()) return std::nullopt;
  return all;
}

bool Executor::do_send_all(const std::vector<const corpus::Step*>& steps) {
  static_cast<void>(steps);
  return false;
}

}  // namespace jrpcheck::fuzz
