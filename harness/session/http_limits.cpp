#include "session/http_limits.hpp"

#include <algorithm>
#include <string>

#include "wire/header_text.hpp"

namespace jrpcheck::session {
namespace {

constexpr microseconds kLongestLimit = milliseconds(2'000);
constexpr microseconds kShortestLimit = milliseconds(100);
constexpr int kTooManyRequests = 429;
constexpr int kUnavailable = 503;

}  // namespace

bool is_limit(int status, bool has_object) {
  return status == kTooManyRequests || (status == kUnavailable && !has_object);
}

bool is_limit(const dialogue::Exchange& exchange) {
  const auto& replies = exchange.replies;
  const bool has_object = std::any_of(replies.begin(), replies.end(), [](const auto& reply) {
    return reply.value() != nullptr && reply.value()->is(json::Kind::object);
  });
  return exchange.ending == dialogue::Ending::settled && is_limit(exchange.http_status, has_object);
}

bool has_429(const dialogue::Exchange& exchange) {
  return exchange.http_status == kTooManyRequests ||
         std::any_of(exchange.replies.begin(), exchange.replies.end(),
                     [](const auto& reply) { return reply.http_status == kTooManyRequests; });
}

std::optional<microseconds> HttpLimits::wait_after(const wire::HttpMessage& refusal) {
  const std::string wanted(refusal.field("Retry-After").value_or(""));
  const auto seconds = wire::decimal(wanted);
  const microseconds wait =
      seconds
          ? std::clamp<microseconds>(std::chrono::seconds(std::min<std::uint64_t>(*seconds, 60)),
                                     kShortestLimit, kLongestLimit)
          : kShortestLimit * (1 << refused_in_a_row_);
  if (++refused_in_a_row_ > kTriesWithinLimits || wait > left_) return std::nullopt;
  left_ -= wait;
  return wait;
}

}  // namespace jrpcheck::session
