#include "run/joined_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

using session::Conversation;
using session::IncomingSorter;

constexpr long long kFirstJoined = 4'300'001;
constexpr int kJoined = 2;

// How many of the calls with these ids are answered where they leave together.
std::size_t answered(Conversation& conversation, const session::ControlCall& control,
                     const std::vector<long long>& ids) {
  corpus::Step step;
  auto& outcome = step.accept.emplace_back();
  outcome.shape = corpus::Outcome::Shape::responses;
  outcome.responses = std::vector<corpus::ResponsePattern>(ids.size());
  for (const long long id : ids) step.messages.emplace_back(control.text(id));
  dialogue::Transcript aside;
  const auto exchange = conversation.exchange(step, aside);
  return static_cast<std::size_t>(std::ranges::count_if(ids, [&](long long id) {
    return std::ranges::any_of(
        exchange.replies, [id](const auto& reply) { return IncomingSorter::answers(reply, id); });
  }));
}

}  // namespace

bool loses_joined_calls(Conversation& conversation, const session::ControlCall& control) {
  dialogue::Transcript aside;
  long long id = kFirstJoined;
  for (int i = 0; i < kJoined; ++i, id += 4) {
    if (!conversation.usable() || answered(conversation, control, {id, id + 1}) == 2) return false;
    // What is left of the former goes with their connection.
    if (!conversation.open(aside)) return false;
    if (answered(conversation, control, {id + 2}) != 1) return false;
    if (answered(conversation, control, {id + 3}) != 1) return false;
  }
  return true;
}

}  // namespace jrpcheck::run
