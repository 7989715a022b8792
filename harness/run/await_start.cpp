#include "run/await_start.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "base/letter_case.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

constexpr milliseconds kBetweenCalls{50};
constexpr long long kFirstAwaitingId = 4'700'001;
constexpr std::size_t kMostSaid = 300;
constexpr std::array<int, 3> kNobodyServes = {502, 503, 504};

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

bool says_it_starts(const Exchanges& exchanges) {
  // Who says that the message itself is wrong has come up, whatever the words; and who says that
  // it is not initialized waits for a handshake.
  constexpr std::array<long long, 4> kOfMessages = {-32700, -32602, -32601, -32600};
  constexpr std::array<std::string_view, 7> kPhrases = {
      "not connected", "not ready", "not yet", "starting", "loading", "warming up", "initializing"};
  if (exchanges.empty() || exchanges.front().replies.empty()) return false;
  const json::Value* reply = exchanges.front().replies.front().value();
  if (reply == nullptr || !reply->is(json::Kind::object)) return false;
  const auto code = judge::error_code_of(*reply);
  const std::string words = in_lower_case(json::text_of(json::at(*reply, "/error/message")));
  return code && !contains(kOfMessages, *code) &&
         std::ranges::any_of(kPhrases, [&](auto phrase) { return contains(words, phrase); });
}

bool await_service(session::Conversation& conversation, const session::ControlCall& call,
                   const UntilServed& until) {
  for (long long id = kFirstAwaitingId;; ++id) {
    const auto exchange = exchange_one(conversation, call, id);
    if (!exchange) return false;
    if (has_response({*exchange})) return true;
    const bool is_refused = contains(kNobodyServes, exchange->http_status);
    const bool is_closed =
        exchange->ending == dialogue::Ending::closed && exchange->http_status == 0;
    const Deadline& deadline = is_refused ? until.refused : until.closed;
    if ((!is_refused && !is_closed) || deadline.passed() || is_interrupted()) return false;
    wait_a_little(deadline);
    if (until.has_ended()) return false;
  }
}

}  // namespace jrpcheck::run
