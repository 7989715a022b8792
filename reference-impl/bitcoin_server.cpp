#include "reference-impl/bitcoin_server.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reference-impl/batch.hpp"
#include "reference-impl/bitcoin_calls.hpp"
#include "reference-impl/error.hpp"
#include "reference-impl/message.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

/// The version belongs to the request: "2.0" is the new dialect, and without it, with null or "1.0"
/// the old one is spoken.
struct Asked {
  bool is_2_0 = false;
  std::optional<std::string> id = "null";  ///< nothing where the request has none
  std::string method;
  json params = json::array();

  bool is_notification() const { return is_2_0 && !id; }
};

std::string reply_of(const Asked& asked, const std::string& result, const std::string& error) {
  std::string members;
  const auto add = [&members](const std::string& name, const std::string& value) {
    members += (members.empty() ? "\"" : ",\"") + name + "\":" + value;
  };
  if (asked.is_2_0) add("jsonrpc", R"("2.0")");
  if (!asked.is_2_0 || error.empty()) add("result", error.empty() ? result : "null");
  if (!asked.is_2_0 || !error.empty()) add("error", error.empty() ? "null" : error);
  if (asked.id) add("id", *asked.id);
  return "{" + members + "}";
}

std::string refusal(const Asked& asked, int code, const std::string& message) {
  return reply_of(asked, "", json_text({{"code", code}, {"message", message}}));
}

/// What keeps the element from being a request; empty where nothing does. What has been read of it
/// by then says how it is answered.
std::string read_asked(Element element, bool knows_2_0, Asked& asked) {
  if (!element.value.is_object()) return "Invalid Request object";
  json& request = element.value;
  if (request.contains("id")) {
    asked.id = element.exact_id.empty() ? json_text(request["id"]) : element.exact_id;
  } else if (knows_2_0) {
    asked.id.reset();
  }
  const json version = knows_2_0 ? request.value("jsonrpc", json()) : json();
  if (!version.is_null() && !version.is_string()) return "jsonrpc field must be a string";
  if (version.is_string() && version != "1.0" && version != "2.0") {
    return "JSON-RPC version not supported";
  }
  asked.is_2_0 = version == "2.0";
  const json method = request.value("method", json());
  if (method.is_null()) return "Missing method";
  if (!method.is_string()) return "Method must be a string";
  asked.method = method;
  json params = request.value("params", json());
  if (!element.params_obstacle.empty()) return element.params_obstacle;
  if (!params.is_null() && !params.is_structured()) return "Params must be an array or object";
  if (!params.is_null()) asked.params = std::move(params);
  return {};
}

}  // namespace

std::optional<std::string> BitcoinServer::handle(std::string_view message) const {
  if (message.size() > limits_.max_bytes) return refusal({}, kInvalidRequest, "too long");
  auto read = read_message(message, limits_);
  if (!read) return refusal({}, kParseError, "Parse error");
  if (!read->is_batch) {
    const bool is_object = read->elements.front().value.is_object();
    if (!is_object) return refusal({}, kParseError, "Top-level object parse error");
    return answer(std::move(read->elements.front()), false);
  }
  if (read->elements.empty()) return "[]";  // as older clients expect
  return answer_each(std::move(read->elements),
                     [this](Element element) { return answer(std::move(element), true); });
}

std::optional<std::string> BitcoinServer::answer(Element element, bool is_in_batch) const {
  Asked asked;
  const std::string violation = read_asked(std::move(element), knows_2_0_, asked);
  if (!violation.empty()) {
    // Alone, what cannot be read as a request is told of even so.
    if (is_in_batch && asked.is_notification()) return std::nullopt;
    return refusal(asked, kInvalidRequest, violation);
  }
  std::string reply;
  try {
    reply = reply_of(asked, carry_out_for_bitcoin(asked.method, asked.params), "");
  } catch (const RpcError& error) {
    reply = refusal(asked, error.code(), error.what());
  }
  if (asked.is_notification()) return std::nullopt;
  return reply;
}

}  // namespace jrpcheck::reference
