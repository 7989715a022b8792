#include "fuzz/pipeline.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::fuzz {

void Pipeline::widen() { width_ = std::min(2 * width_, executor_.most_together()); }

void Pipeline::narrow() { width_ = std::max<std::size_t>(width_ / 4, 1); }

bool Pipeline::send(Group& group) {
  std::vector<const corpus::Step*> steps;
  steps.reserve(group.expectations.size());
  for (const auto& each : group.expectations) steps.push_back(&each.expected.steps.front());
  if (!executor_.send_all(steps, group.cut)) return false;
  sent_ = std::exchange(group, {});
  return true;
}

Group Pipeline::take() {
  Group group = std::exchange(sent_, {});
  if (group.messages.empty()) return group;
  group.observed = executor_.take_all();
  group.is_lost = !group.observed;
  return group;
}

}  // namespace jrpcheck::fuzz
