#include "run/joined_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

using session::Conversation;
using session::IncomingSorter;

constexpr long long kFirstJoined = 4'300'001;
constexpr int kJoined = 2;
constexpr long long kFirstOfOrder = 4'310'001;
constexpr long long kInOrder = 8;

enum class Wait { whole, brief };

// What comes back where calls with these ids leave together.
std::vector<dialogue::Reply> replies_to(Conversation& conversation,
                                        const session::ControlCall& control,
                                        const std::vector<long long>& ids, Wait wait) {
  corpus::Step step;
  step.slow = wait == Wait::brief;
  auto& outcome = step.accept.emplace_back();
  outcome.shape = corpus::Outcome::Shape::responses;
  outcome.responses = std::vector<corpus::ResponsePattern>(ids.size());
  for (const long long id : ids) step.messages.emplace_back(control.text(id));
  dialogue::Transcript aside;
  return conversation.exchange(step, aside).replies;
}

// How many of them are answered.
std::size_t answered(Conversation& conversation, const session::ControlCall& control,
                     const std::vector<long long>& ids) {
  const auto replies = replies_to(conversation, control, ids, Wait::whole);
  return static_cast<std::size_t>(std::ranges::count_if(ids, [&](long long id) {
    return std::ranges::any_of(
        replies, [id](const auto& reply) { return IncomingSorter::answers(reply, id); });
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
    // While a program comes up, what is sent behind a call is read together with it.
    if (conversation.check_survival(aside).survival != dialogue::Survival::alive) return false;
    if (answered(conversation, control, {id + 2}) != 1) return false;
    if (answered(conversation, control, {id + 3}) != 1) return false;
  }
  return true;
}

bool answers_in_order(Conversation& conversation, const session::ControlCall& control) {
  if (!conversation.usable()) return false;
  std::vector<long long> ids(kInOrder);
  std::iota(ids.begin(), ids.end(), kFirstOfOrder);
  const auto replies = replies_to(conversation, control, ids, Wait::brief);
  return std::ranges::equal(replies, ids, [](const auto& reply, long long id) {
    return IncomingSorter::answers(reply, id);
  });
}

}  // namespace jrpcheck::run
