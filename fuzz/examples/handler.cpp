// A complete example: a handler in C++, and what makes it a fuzz target. It is about the smallest
// that is right; your own handler takes the place of everything above jrpcheck_fuzz_init.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/jrpcheck_fuzz.h"

namespace {

using nlohmann::json;

json error(int code, const char* message, json id) {
  return {{"jsonrpc", "2.0"}, {"error", {{"code", code}, {"message", message}}}, {"id", id}};
}

bool is_request(const json& request) {
  if (!request.is_object() || request.value("jsonrpc", json()) != "2.0") return false;
  const auto method = request.find("method");
  if (method == request.end() || !method->is_string()) return false;
  const auto params = request.find("params");
  if (params != request.end() && !params->is_structured()) return false;
  const auto id = request.find("id");
  return id == request.end() || id->is_string() || id->is_number() || id->is_null();
}

std::optional<json> answer(const json& request) {
  if (!is_request(request)) return error(-32600, "Invalid Request", nullptr);
  if (!request.contains("id")) return std::nullopt;  // a Notification
  const json& id = request["id"];
  if (request["method"] == "echo") {
    return json{{"jsonrpc", "2.0"}, {"result", request.value("params", json())}, {"id", id}};
  }
  return error(-32601, "Method not found", id);
}

std::optional<json> answer_all(const json& batch) {
  if (batch.empty()) return error(-32600, "Invalid Request", nullptr);
  json replies = json::array();
  for (const json& each : batch) {
    if (auto reply = answer(each)) replies.push_back(*std::move(reply));
  }
  if (replies.empty()) return std::nullopt;
  return replies;
}

std::optional<std::string> handle(std::string_view message) {
  const json request = json::parse(message, nullptr, false);
  const auto reply = request.is_discarded() ? error(-32700, "Parse error", nullptr)
                     : request.is_array()   ? answer_all(request)
                                            : answer(request);
  if (!reply) return std::nullopt;
  return reply->dump();
}

}  // namespace

int jrpcheck_fuzz_init(void) { return 0; }

void jrpcheck_fuzz_handle(const uint8_t* bytes, size_t size, jrpcheck_fuzz_sink sink,
                          void* context) {
  const auto reply = handle({reinterpret_cast<const char*>(bytes), size});
  if (reply) sink(context, reinterpret_cast<const uint8_t*>(reply->data()), reply->size());
}

void jrpcheck_fuzz_reset(void) {}  // this handler keeps nothing

const char* const* jrpcheck_fuzz_methods(void) {
  static const char* const methods[] = {"echo", nullptr};
  return methods;
}
