#include "reference-impl/request.hpp"

#include <utility>

#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

bool is_response(const json& object) {
  return !object.contains("method") && (object.contains("result") || object.contains("error"));
}

bool is_legal_id(const json& id) { return id.is_string() || id.is_number() || id.is_null(); }

/// What keeps `object` from being a Request; empty when nothing does.
std::string violation_of(const json& object) {
  const auto end = object.end();
  const auto version = object.find("jsonrpc");
  if (version == end || *version != "2.0") return R"(jsonrpc must be "2.0")";

  const auto method = object.find("method");
  if (method == end || !method->is_string()) return "method must be a String";

  const auto params = object.find("params");
  if (params != end && !params->is_structured()) return "params must be an Array or an Object";

  const auto id = object.find("id");
  if (id != end && !is_legal_id(*id)) return "id must be a String, a Number or null";

  return {};
}

}  // namespace

Request read_request(Element element) {
  Request request;
  json& object = element.value;
  if (!object.is_object()) {
    request.violation = "a Request must be an Object";
    return request;
  }
  if (is_response(object)) {
    request.kind = Request::Kind::response;
    return request;
  }

  const auto id = object.find("id");
  const bool has_id = id != object.end();
  if (has_id && is_legal_id(*id)) {
    request.id = element.exact_id.empty() ? json_text(*id) : std::move(element.exact_id);
  }

  request.violation = violation_of(object);
  if (!request.violation.empty()) return request;

  request.kind = has_id ? Request::Kind::call : Request::Kind::notification;
  request.method = std::move(object["method"].get_ref<std::string&>());
  if (const auto params = object.find("params"); params != object.end()) {
    request.params = std::move(*params);
  }
  request.params_obstacle = std::move(element.params_obstacle);
  return request;
}

}  // namespace jrpcheck::reference
