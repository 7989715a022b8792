#include "run/await_start.hpp"

#include <string>

#include "base/bytes.hpp"
#include "run/first_answers.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

constexpr milliseconds kBetweenCalls{50};
constexpr long long kFirstAwaitingId = 4'700'001;
constexpr std::size_t kMostSaid = 300;
constexpr int kUnavailable = 503;

Result<dialogue::Exchange> exchange_one(session::Conversation& conversation,
                                        const session::ControlCall& call, long long id) {
  dialogue::Transcript aside;
  if (!conversation.usable()) {
    if (auto opened = conversation.open(aside); !opened) return opened.error();
  }
  return conversation.exchange(corpus::step_sending(call.text(id)), aside);
}

void wait_a_little(Deadline deadline) {
  transport::wait_until(Deadline::earlier(deadline, Deadline::in(kBetweenCalls)));
}

}  // namespace

Result<bool> await_start(session::Conversation& conversation, const session::ControlCall& call,
                         Deadline deadline) {
  if (call.not_yet.empty()) return true;
  for (long long id = kFirstAwaitingId;; ++id) {
    const auto exchange = exchange_one(conversation, call, id);
    if (!exchange) return exchange.error();
    const std::string said = exchange->replies.empty() ? "" : exchange->replies.front().text();
    if (!call.says_not_yet(said)) return true;
    if (deadline.passed()) {
      return Error{"the server still starts (" + to_visible(said, kMostSaid) +
                   "); wait for it, or give it longer with --start-timeout"};
    }
    wait_a_little(deadline);
  }
}

bool await_service(session::Conversation& conversation, const session::ControlCall& call,
                   Deadline deadline) {
  for (long long id = kFirstAwaitingId;; ++id) {
    const auto exchange = exchange_one(conversation, call, id);
    if (!exchange) return false;
    const bool is_refused = exchange->limited && exchange->http_status == kUnavailable;
    if (!is_refused) return has_response({*exchange});
    if (deadline.passed()) return false;
    wait_a_little(deadline);
  }
}

}  // namespace jrpcheck::run
