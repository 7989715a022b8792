#include "judge/observe.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "json/parse.hpp"
#include "judge/code.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Exchange;
using json::Kind;

// A request that is odd as HTTP is answered by the HTTP layer, which tells nothing about JSON-RPC.
bool is_plain_post(const corpus::Step& step) {
  return step.http.method == "POST" && step.http.headers.empty() && !step.http.chunked;
}

std::string kind_of(const dialogue::Reply& reply) {
  const auto parsed = json::parse(reply.text);
  if (!parsed) return "text that is not JSON";
  if (parsed.value->is(Kind::array)) return "a batch";
  const json::Value* error = parsed.value->find("error");
  if (error != nullptr && !error->is(Kind::null)) {
    const auto code = error->is(Kind::object) ? code_of(*error) : std::nullopt;
    return code ? "error " + std::to_string(*code) : "an error without a code";
  }
  return parsed.value->find("result") != nullptr ? "a result" : "JSON that is no Response";
}

void observe_status(const Exchange& exchange, Judgement& judgement) {
  const auto observe = [&](const std::string& kind, int status) {
    judgement.observations.push_back({std::string(kHttpStatusOf) + kind, std::to_string(status)});
  };
  for (const auto& reply : exchange.replies) observe(kind_of(reply), reply.http_status);
  if (exchange.replies.empty()) observe("no answer", exchange.http_status);
}

bool begins_with_bracket(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[';
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
  const auto& reply = exchange.replies.front().text;
  if (!begins_with_bracket(step.messages.front()) || !begins_with_bracket(reply)) return;
  const auto order = places(session::id_keys_of(step.messages.front()), session::id_keys_of(reply));
  if (!order || order->size() < 2) return;
  const bool kept = std::is_sorted(order->begin(), order->end());
  judgement.observations.push_back({std::string(kBatchOrder), kept ? "in order" : "reordered"});
}

}  // namespace

void observe_exchange(const corpus::Step& step, const Exchange& exchange, Judgement& judgement) {
  if (exchange.http_status != 0 && is_plain_post(step)) observe_status(exchange, judgement);
  observe_order(step, exchange, judgement);
}

}  // namespace jrpcheck::judge
