#include "fuzz/largest_message.hpp"

#include <limits>
#include <optional>

#include "dialogue/id_key.hpp"
#include "fuzz/judge_company.hpp"
#include "judge/code.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Exchange;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// The one Response that has come; null: something else has.
const json::Value* only_response(const Exchange& exchange) {
  const json::Value* value =
      exchange.replies.size() == 1 ? exchange.replies.front().value() : nullptr;
  return value != nullptr && dialogue::has_outcome(*value) ? value : nullptr;
}

std::optional<long long> code_of_response(const Exchange& exchange) {
  const json::Value* response = only_response(exchange);
  return response != nullptr ? judge::error_code_of(*response) : std::nullopt;
}

std::size_t largest_taken(std::size_t taken, std::size_t refused,
                          const std::function<bool(std::size_t)>& is_refused) {
  if (!is_refused(refused)) return kNoLimit;
  while (refused - taken > 1) {
    const std::size_t between = taken + (refused - taken) / 2;
    (is_refused(between) ? refused : taken) = between;
  }
  // Who refuses at times, as a limit of calls does, refuses for something else.
  return is_refused(refused) && !is_refused(taken) ? taken : kNoLimit;
}

// No clause says which code goes with a limit of length, but that -32700 is for what is no JSON
// (JSON-RPC 2.0 §5.1). That it is the length that is refused the same call shows where it is
// shorter.
bool is_refusal_of_length(const Exchange& exchange, std::optional<long long> usual) {
  constexpr int kContentTooLarge = 413;      // RFC 9110 §15.5.14
  constexpr unsigned kMessageTooBig = 1009;  // RFC 6455 §7.4.1
  constexpr long long kInvalidRequest = -32600;
  if (exchange.http_status == kContentTooLarge) return true;
  if (exchange.close && exchange.close->code == kMessageTooBig) return true;
  const auto code = code_of_response(exchange);
  return code && code != usual &&
         (code == kInvalidRequest || may_be_too_much(*only_response(exchange)));
}

// As robust/deep-params has it: an error of any code, a status, or a close. An end is none.
bool is_refusal_of_depth(const Exchange& exchange, std::optional<long long> usual) {
  if (exchange.limited) return false;
  if (only_response(exchange) == nullptr) {
    return exchange.http_status >= 400 || exchange.ending == dialogue::Ending::closed;
  }
  const auto code = code_of_response(exchange);
  return code && code != usual;
}

}  // namespace

std::size_t longest_message(std::size_t shortest, const AskOfSize& ask) {
  constexpr std::size_t kLongest = 8192;
  const auto usual = code_of_response(ask(shortest));
  return largest_taken(shortest, kLongest,
                       [&](std::size_t bytes) { return is_refusal_of_length(ask(bytes), usual); });
}

std::size_t deepest_message(const AskOfSize& ask) {
  constexpr std::size_t kMostLevels = 80;
  const Exchange shallow = ask(1);
  if (only_response(shallow) == nullptr) return kNoLimit;
  const auto usual = code_of_response(shallow);
  const std::size_t levels = largest_taken(
      1, kMostLevels, [&](std::size_t each) { return is_refusal_of_depth(ask(each), usual); });
  return levels == kNoLimit ? kNoLimit : levels + 1;  // the call is an Object itself
}

std::string call_nesting(std::size_t levels, long long id) {
  std::string params = "{}";
  for (std::size_t level = 1; level < levels; ++level) params.insert(0, R"({"a":)").append("}");
  return R"({"jsonrpc":"2.0","method":"jrpcheckFuzz","params":)" + params + R"(,"id":)" +
         std::to_string(id) + "}";
}

}  // namespace jrpcheck::fuzz
