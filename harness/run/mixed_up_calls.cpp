#include "run/mixed_up_calls.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/deadline.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

using session::Conversation;
using session::IncomingSorter;

// A server that mixes calls up does so soon. One that is slow is not asked for long.
constexpr long long kFirst = 4'200'001;
constexpr long long kLast = 4'200'012;
constexpr milliseconds kLongest{400};

// The reply to a call of this id that answers one of an earlier id.
std::string stale_reply(Conversation& conversation, const session::ControlCall& control,
                        long long id) {
  session::Transcript aside;
  corpus::Step call;
  call.messages.push_back(control.text(id));
  const auto exchange = conversation.exchange(call, aside);
  for (const auto& reply : exchange.replies) {
    for (long long earlier = kFirst; earlier < id; ++earlier) {
      if (IncomingSorter::answers(reply.text, earlier)) return reply.text;
    }
  }
  return {};
}

}  // namespace

std::string find_mixed_up_calls(const std::function<std::unique_ptr<Conversation>()>& converse,
                                const session::ControlCall& control) {
  session::Transcript aside;
  const auto conversation = converse();
  if (!conversation->open(aside)) return {};
  const Deadline deadline = Deadline::in(kLongest);
  std::string stale;
  long long id = kFirst;
  for (; id <= kLast && stale.empty() && !deadline.passed(); ++id) {
    stale = stale_reply(*conversation, control, id);
  }
  if (stale.empty()) return {};
  // A server that counts ids, or is late by one, does so on every connection.
  for (const long long later : {id, id + 1}) {
    const auto other = converse();
    if (!other->open(aside) || !stale_reply(*other, control, later).empty()) return {};
  }
  return to_visible(stale);
}

}  // namespace jrpcheck::run
