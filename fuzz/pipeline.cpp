#include "fuzz/pipeline.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::fuzz {

void Pipeline::widen() { width_ = std::min(2 * width_, executor_.most_together()); }

void Pipeline::narrow() {
  width_ = std::max<std::size_t>(width_ / 4, 1);
  if (width_ > 1) return;
  left_alone_ = next_alone_;
  next_alone_ *= 2;
}

void Pipeline::note_alone() {
  if (is_for_good_ || left_alone_ == 0 || --left_alone_ > 0) return;
  width_ = std::min<std::size_t>(2, executor_.most_together());
}

bool Pipeline::send(Group& group) {
  std::vector<const corpus::Step*> steps;
  steps.reserve(group.expectations.size());
  for (const auto& each : group.expectations) steps.push_back(&each.expected.steps.front());
  if (!executor_.send_all(steps, group.cut)) return false;
  sent_.push_back(std::exchange(group, {}));
  return true;
}

std::size_t Pipeline::under_way() const {
  std::size_t messages = 0;
  for (const auto& group : sent_) messages += group.messages.size();
  return messages;
}

Group Pipeline::take() {
  if (sent_.empty()) return {};
  Group group = std::move(sent_.front());
  sent_.pop_front();
  group.observed = executor_.take_all();
  group.is_lost = !group.observed;
  if (group.is_lost) group.ended = executor_.how_it_ended();
  return group;
}

std::deque<Group> Pipeline::take_all() {
  std::deque<Group> groups;
  while (!sent_.empty()) groups.push_back(take());
  return groups;
}

}  // namespace jrpcheck::fuzz
