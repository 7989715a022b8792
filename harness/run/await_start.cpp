#include "run/await_start.hpp"

#include <string>

#include "base/bytes.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

constexpr milliseconds kBetweenCalls{50};
constexpr long long kFirstAwaitingId = 4'700'001;
constexpr std::size_t kMostSaid = 300;

}  // namespace

Result<bool> await_start(session::Conversation& conversation, const session::ControlCall& call,
                         Deadline deadline) {
  if (call.not_yet.empty()) return true;
  for (long long id = kFirstAwaitingId;; ++id) {
    dialogue::Transcript aside;
    if (!conversation.usable()) {
      if (auto opened = conversation.open(aside); !opened) return opened;
    }
    corpus::Step step;
    step.messages.push_back(call.text(id));
    const auto exchange = conversation.exchange(step, aside);
    const std::string said = exchange.replies.empty() ? "" : exchange.replies.front().text();
    if (!call.says_not_yet(said)) return true;
    if (deadline.passed()) {
      return Error{"the server still starts (" + to_visible(said, kMostSaid) +
                   "); wait for it, or give it longer with --start-timeout"};
    }
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(kBetweenCalls)));
  }
}

}  // namespace jrpcheck::run
