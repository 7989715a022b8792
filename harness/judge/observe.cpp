#include "judge/observe.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "dialogue/id_key.hpp"
#include "judge/code.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Exchange;
using json::Kind;

// A request that is odd as HTTP is answered by the HTTP layer, which tells nothing about JSON-RPC.
bool is_plain_post(const corpus::Step& step) {
  return step.http.method == "POST" && step.http.headers.empty() && !step.http.chunked &&
         !step.handshake;
}

std::string kind_of(const dialogue::Reply& reply) {
  if (reply.value() == nullptr) return "a reply that is not JSON";
  if (reply.value()->is(Kind::array)) return "a batch";
  const json::Value* error = reply.find("error");
  if (error != nullptr && !error->is(Kind::null)) {
    const auto code = code_of(*error);
    return code ? "error " + std::to_string(*code) : "an error without a code";
  }
  return reply.find("result") != nullptr ? "a result" : "JSON that is no Response";
}

void observe_status(const Exchange& exchange, Judgement& judgement) {
  const auto observe = [&](const std::string& kind, int status) {
    judgement.observe(std::string(kHttpStatusOf) + kind, std::to_string(status));
  };
  for (const auto& reply : exchange.replies) observe(kind_of(reply), reply.http_status);
  if (exchange.replies.empty()) observe("no answer", exchange.http_status);
}

bool is_batch(const dialogue::Message& message) {
  return message.value() != nullptr && message.value()->is(Kind::array);
}

// Where the Responses' ids stand among the Requests'; nothing where that cannot be told.
std::optional<std::vector<std::size_t>> places(const std::vector<std::string>& asked,
                                               const std::vector<std::string>& answered) {
  std::vector<std::size_t> places;
  for (const auto& key : answered) {
    if (std::count(asked.begin(), asked.end(), key) != 1) return std::nullopt;
    const auto found = std::find(asked.begin(), asked.end(), key);
    places.push_back(static_cast<std::size_t>(found - asked.begin()));
  }
  return places;
}

void observe_order(const corpus::Step& step, const Exchange& exchange, Judgement& judgement) {
  if (step.messages.size() != 1 || exchange.replies.size() != 1) return;
  const dialogue::Message& reply = exchange.replies.front();
  if (!is_batch(reply)) return;
  const auto& sent = step.messages.front();
  const auto order = places(dialogue::id_keys_of(sent), dialogue::id_keys_of(reply));
  if (!order || order->size() < 2) return;
  const bool kept = std::is_sorted(order->begin(), order->end());
  judgement.observe(kBatchOrder, kept ? "in order" : "reordered");
}

}  // namespace

void observe_exchange(const corpus::Step& step, const Exchange& exchange, Judgement& judgement) {
  if (exchange.http_status != 0 && is_plain_post(step)) observe_status(exchange, judgement);
  observe_order(step, exchange, judgement);
}

}  // namespace jrpcheck::judge
