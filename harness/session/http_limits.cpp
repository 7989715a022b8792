#include "session/http_limits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>

#include "wire/header_text.hpp"

namespace jrpcheck::session {
namespace {

constexpr microseconds kLongestLimit = milliseconds(2'000);
constexpr microseconds kShortestLimit = milliseconds(100);
constexpr int kTooManyRequests = 429;
constexpr int kUnavailable = 503;
constexpr int kForbidden = 403;

// A date as HTTP writes it (RFC 9110 §5.6.7, IMF-fixdate), in seconds since the epoch.
std::optional<std::time_t> seconds_of_date(const std::string& date) {
  std::tm parts{};
  const char* end = ::strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return ::timegm(&parts);
}

// A number of seconds, or a date (RFC 9110 §10.2.3): that one by the clock of the server, if it
// tells it.
std::optional<std::uint64_t> seconds_until_retry(const wire::HttpMessage& refusal) {
  const std::string wanted(refusal.field("Retry-After").value_or(""));
  if (const auto seconds = wire::decimal(wanted)) return seconds;
  const auto then = seconds_of_date(wanted);
  if (!then) return std::nullopt;
  const auto told = seconds_of_date(std::string(refusal.field("Date").value_or("")));
  const std::time_t now = told.value_or(std::time(nullptr));
  return static_cast<std::uint64_t>(std::max<std::time_t>(*then - now, 0));
}

}  // namespace

bool is_limit(int status, bool has_object) {
  return status == kTooManyRequests || (status == kUnavailable && !has_object);
}

bool holds_object(const dialogue::Exchange& exchange, std::size_t known) {
  const auto& replies = exchange.replies;
  return std::any_of(replies.begin() + static_cast<std::ptrdiff_t>(known), replies.end(),
                     [](const auto& reply) {
                       return reply.value() != nullptr && reply.value()->is(json::Kind::object);
                     });
}

bool is_limit(const dialogue::Exchange& exchange) {
  return exchange.ending == dialogue::Ending::settled &&
         is_limit(exchange.http_status, holds_object(exchange));
}

bool has_429(const dialogue::Exchange& exchange) {
  return exchange.http_status == kTooManyRequests ||
         std::any_of(exchange.replies.begin(), exchange.replies.end(),
                     [](const auto& reply) { return reply.http_status == kTooManyRequests; });
}

bool keeps_out(const dialogue::Exchange& exchange) {
  return exchange.ending == dialogue::Ending::settled && exchange.http_status >= kUnauthorized &&
         exchange.http_status <= kForbidden &&
         std::none_of(exchange.replies.begin(), exchange.replies.end(), [](const auto& reply) {
           return reply.find("jsonrpc") != nullptr || reply.find("id") != nullptr;
         });
}

std::optional<microseconds> HttpLimits::wait_after(const wire::HttpMessage& refusal) {
  have_been_met_ = true;
  if (refused_in_a_row_ == kTriesWithinLimits) return std::nullopt;
  const auto seconds = seconds_until_retry(refusal);
  const microseconds wait =
      seconds
          ? std::clamp<microseconds>(std::chrono::seconds(std::min<std::uint64_t>(*seconds, 60)),
                                     kShortestLimit, kLongestLimit)
          : kShortestLimit * (1 << refused_in_a_row_);
  ++refused_in_a_row_;
  microseconds& left = seconds ? left_of_what_is_told_ : left_;
  if (wait > left) return std::nullopt;
  left -= wait;
  return wait;
}

microseconds HttpLimits::pause(int round) {
  const microseconds wait = std::min<microseconds>(kShortestLimit * (1 << round), left_);
  left_ -= wait;
  return wait;
}

}  // namespace jrpcheck::session
