#include "run/call_limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "dialogue/message.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::run {
namespace {

// JSON-RPC 2.0 §5.1: what each of them says is about the call.
constexpr std::array<long long, 5> kAboutTheCall = {-32700, -32600, -32601, -32602, -32603};

constexpr std::uint64_t kLongestWait = 60;  // seconds

// Whatever its code, such an error says what is wrong with the call, and not that it comes too
// often.
bool is_about_the_method(const json::Value& error) {
  constexpr std::array<std::string_view, 4> kPhrases = {"method not found", "unknown method",
                                                        "no such method", "method does not exist"};
  const std::string words = in_lower_case(json::text_of(error.find("message")));
  return std::ranges::any_of(kPhrases,
                             [&](std::string_view each) { return words.find(each) != words.npos; });
}

// What the error says, whatever it counts meanwhile: "-32000 Try again in  s". Empty where it is
// about the call.
std::string error_of_its_own(const json::Value& reply) {
  const json::Value* error = reply.find("error");
  if (error == nullptr || !error->is(json::Kind::object)) return {};
  const auto code = judge::code_of(*error);
  if (!code || contains(kAboutTheCall, *code) || is_about_the_method(*error)) return {};
  const json::Value* message = error->find("message");
  std::string said = message == nullptr ? std::string() : message->text();
  std::erase_if(said, [](char c) { return is_digit(c) || c == '.'; });
  return std::to_string(*code) + " " + said;
}

std::optional<std::uint64_t> seconds_until_retry(const json::Value& reply) {
  const json::Value* error = reply.find("error");
  const json::Value* data = error == nullptr ? nullptr : error->find("data");
  if (data == nullptr) return std::nullopt;
  for (const std::string_view name : {"retryAfter", "retry_after"}) {
    const json::Value* wait = data->find(name);
    if (wait != nullptr && wait->is(json::Kind::number)) return wire::decimal(wait->text());
  }
  return std::nullopt;
}

}  // namespace

bool says_when_to_retry(const json::Value& reply) {
  return !error_of_its_own(reply).empty() && seconds_until_retry(reply).has_value();
}

void CallLimits::note(const std::string& answer) {
  const dialogue::Message message(answer);
  if (message.value() == nullptr) return;
  std::string refusal = error_of_its_own(*message.value());
  if (refusal.empty()) return;
  const auto seconds = seconds_until_retry(*message.value()).value_or(0);
  const std::lock_guard lock(mutex_);
  refusals_.insert(std::move(refusal));
  if (seconds <= kLongestWait) wait_ = std::max<microseconds>(wait_, std::chrono::seconds(seconds));
}

// In a batch each call may be refused.
bool CallLimits::holds_refusal(const json::Value& reply) const {
  const auto is_one = [this](const json::Value& one) {
    return refusals_.count(error_of_its_own(one)) != 0;
  };
  return reply.is(json::Kind::array) ? std::ranges::any_of(reply.children(), is_one)
                                     : is_one(reply);
}

CallLimits::Met CallLimits::met_in(const std::vector<dialogue::Exchange>& exchanges) const {
  const std::lock_guard lock(mutex_);
  if (refusals_.empty()) return Met::nowhere;
  bool is_first = true;
  for (const auto& exchange : exchanges) {
    for (const auto& reply : exchange.replies) {
      const bool is_met = reply.value() != nullptr && holds_refusal(*reply.value());
      if (is_met) return is_first ? Met::at_first : Met::later;
      is_first = false;
    }
  }
  return Met::nowhere;
}

bool CallLimits::have_been_met() const {
  const std::lock_guard lock(mutex_);
  return !refusals_.empty();
}

microseconds CallLimits::wait() const {
  const std::lock_guard lock(mutex_);
  return wait_;
}

}  // namespace jrpcheck::run
