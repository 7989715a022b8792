#include "calculator.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace calculator {
namespace {

using Json = nlohmann::json;

// JSON-RPC 2.0 §4.1 forbids it.
#ifdef ANSWER_NOTIFICATIONS
constexpr bool kAnswersNotifications = true;
#else
constexpr bool kAnswersNotifications = false;
#endif

struct Refusal {
  int code;
  const char* message;
};

Json response(const Json& id) { return {{"jsonrpc", "2.0"}, {"id", id}}; }

Json error(Refusal refusal, const Json& id) {
  Json reply = response(id);
  reply["error"] = {{"code", refusal.code}, {"message", refusal.message}};
  return reply;
}

Json subtract(const Json& params) {
  const bool by_name = params.is_object();
  const bool complete = params.size() == 2 &&
                        (!by_name || (params.contains("minuend") && params.contains("subtrahend")));
  if (!complete) throw Refusal{-32602, "Invalid params"};
  const Json& minuend = by_name ? params["minuend"] : params[0];
  const Json& subtrahend = by_name ? params["subtrahend"] : params[1];
  if (!minuend.is_number() || !subtrahend.is_number()) throw Refusal{-32602, "Invalid params"};
  if (minuend.is_number_integer() && subtrahend.is_number_integer()) {
    return minuend.get<long long>() - subtrahend.get<long long>();
  }
  return minuend.get<double>() - subtrahend.get<double>();
}

Json call(const Json& request) {
  if (request["method"] == "subtract") return subtract(request.value("params", Json::array()));
  throw Refusal{-32601, "Method not found"};
}

bool may_be_id(const Json& id) { return id.is_string() || id.is_number() || id.is_null(); }

bool is_request(const Json& request) {
  return request.is_object() && request.value("jsonrpc", Json()) == "2.0" &&
         request.value("method", Json()).is_string() &&
         (!request.contains("id") || may_be_id(request["id"])) &&
         (!request.contains("params") || request["params"].is_structured());
}

std::optional<Json> answer(const Json& request) {
  if (!is_request(request)) return error({-32600, "Invalid Request"}, nullptr);
  const bool is_notification = !request.contains("id");
  const Json id = request.value("id", Json());
  Json reply;
  try {
    reply = response(id);
    reply["result"] = call(request);
  } catch (const Refusal& refusal) {
    reply = error(refusal, id);
  }
  if (is_notification && !kAnswersNotifications) return std::nullopt;
  return reply;
}

std::optional<Json> answer_batch(const Json& batch) {
  if (batch.empty()) return error({-32600, "Invalid Request"}, nullptr);
  Json replies = Json::array();
  for (const auto& request : batch) {
    if (auto reply = answer(request)) replies.push_back(*std::move(reply));
  }
  if (replies.empty()) return std::nullopt;
  return replies;
}

}  // namespace

std::optional<std::string> handle(std::string_view message) {
  const Json request = Json::parse(message, nullptr, false);
  std::optional<Json> reply;
  if (request.is_discarded()) {
    reply = error({-32700, "Parse error"}, nullptr);
  } else {
    reply = request.is_array() ? answer_batch(request) : answer(request);
  }
  if (!reply) return std::nullopt;
  return reply->dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace calculator
