#include "run/mixed_up_calls.hpp"

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

// What a call of this id shows, as below.
std::optional<std::string> flaw_of(Conversation& conversation, const session::ControlCall& control,
                                   long long id) {
  dialogue::Transcript aside;
  const auto exchange = conversation.exchange(corpus::step_sending(control.text(id)), aside);
  for (const auto& reply : exchange.replies) {
    for (long long earlier = kFirst; earlier < id; ++earlier) {
      if (IncomingSorter::answers(reply, earlier)) return to_visible(reply.text());
    }
  }
  if (!exchange.lost_connection.empty()) return std::string();
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_mixed_up_calls(
    const std::function<std::unique_ptr<Conversation>()>& converse,
    const session::ControlCall& control) {
  dialogue::Transcript aside;
  const auto conversation = converse();
  if (!conversation->open(aside)) return std::nullopt;
  const Deadline deadline = Deadline::in(kLongest);
  std::optional<std::string> flaw;
  long long id = kFirst;
  for (; id <= kLast && !deadline.passed(); ++id) {
    const auto one = flaw_of(*conversation, control, id);
    if (one && (!flaw || flaw->empty())) flaw = one;
    if (flaw && !flaw->empty()) break;
  }
  if (!flaw) return std::nullopt;
  // A server that counts ids, or is late by one, does so on every connection.
  for (const long long later : {id + 1, id + 2}) {
    const auto other = converse();
    if (!other->open(aside) || flaw_of(*other, control, later)) return std::nullopt;
  }
  return flaw;
}

}  // namespace jrpcheck::run
