#include "reference-impl/dialect_1_0.hpp"

#include <nlohmann/json.hpp>

#include "reference-impl/error.hpp"
#include "reference-impl/message.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

/// Both members are there, and one of them is null.
std::string response(const std::string& result, const std::string& error, const std::string& id) {
  return R"({"result":)" + result + R"(,"error":)" + error + R"(,"id":)" + id + "}";
}

std::string failure(int code, const std::string& message, const std::string& id = "null") {
  return response("null", json_text({{"code", code}, {"message", message}}), id);
}

/// What keeps `request` from being a request of 1.0; empty when nothing does.
std::string violation_of_1_0(const json& request) {
  if (!request.is_object()) return "a request must be an Object";
  const auto method = request.find("method");
  if (method == request.end() || !method->is_string()) return "method must be a String";
  const auto params = request.find("params");
  if (params == request.end() || !params->is_array()) return "params must be an Array";
  if (!request.contains("id")) return "id must be there";
  return {};
}

std::string id_of(const Element& element) {
  const json& request = element.value;
  if (!request.is_object() || !request.contains("id")) return "null";
  return element.exact_id.empty() ? json_text(request["id"]) : element.exact_id;
}

}  // namespace

std::optional<std::string> HandlerOf10::handle(std::string_view message) const {
  if (message.size() > limits().max_bytes) {
    return failure(kInvalidRequest, "the message is too long");
  }
  const Result<Message> read = read_message(message, limits());
  if (!read) return failure(kParseError, read.error().message);
  if (read->is_batch) return failure(kInvalidRequest, "1.0 has no batches");

  const Element& element = read->elements.front();
  const std::string id = id_of(element);
  const std::string violation = violation_of_1_0(element.value);
  if (!violation.empty()) return failure(kInvalidRequest, violation, id);

  const bool is_notification = id == "null";
  if (!element.params_obstacle.empty()) {
    if (is_notification) return std::nullopt;
    return failure(kInvalidParams, element.params_obstacle, id);
  }
  std::string reply =
      carry_out(json_text(element.value["method"]), json_text(element.value["params"]), id);
  if (is_notification) return std::nullopt;
  return reply;
}

std::string HandlerOf10::carry_out(const std::string& method, const std::string& params,
                                   const std::string& id) const {
  const std::string call =
      R"({"jsonrpc":"2.0","method":)" + method + R"(,"params":)" + params + R"(,"id":0})";
  const json reply = json::parse(methods_.handle(call).value());
  const auto error = reply.find("error");
  if (error != reply.end()) return response("null", json_text(*error), id);
  return response(json_text(reply["result"]), "null", id);
}

}  // namespace jrpcheck::reference
