#include "reference-impl/http_answer.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/letter_case.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::array<std::string_view, 3> kJsonTypes = {"application/json", "application/json-rpc",
                                                        "application/jsonrequest"};

/// Whether the body may be JSON. A request without Content-Type leaves that to the recipient
/// (RFC 9110 §8.3); parameters such as charset change nothing (RFC 8259 §11).
bool may_hold_json(const wire::HttpMessage& request) {
  const auto content_type = request.field("Content-Type");
  if (!content_type) return true;
  const auto type = wire::trimmed(content_type->substr(0, content_type->find(';')));
  return std::any_of(kJsonTypes.begin(), kJsonTypes.end(), [type](std::string_view json_type) {
    return same_ignoring_case(type, json_type);
  });
}

bool announces_more_than(std::size_t max_bytes, const wire::HttpMessage& request) {
  const auto announced = wire::decimal(request.field("Content-Length").value_or("0"));
  return announced && *announced > max_bytes;
}

/// HTTP/1.1 demands one Host, neither more nor less (RFC 9112 §3.2).
bool lacks_its_host(const wire::HttpMessage& request) {
  const auto hosts =
      std::count_if(request.fields.begin(), request.fields.end(),
                    [](const auto& field) { return same_ignoring_case(field.first, "Host"); });
  return hosts > 1 || (hosts == 0 && request.start_line.ends_with("HTTP/1.1"));
}

}  // namespace

std::optional<int> refusal_of(const wire::HttpMessage& head, const Limits& limits) {
  if (announces_more_than(limits.max_bytes, head)) return 413;
  if (!head.violation.empty() || lacks_its_host(head)) return 400;
  if (head.method != "POST") return 405;
  if (!may_hold_json(head)) return 415;
  return std::nullopt;
}

HttpAnswer respond(int status, bool keep_alive, wire::HttpFields fields, std::string_view body) {
  const bool is_chunked = std::any_of(fields.begin(), fields.end(), [](const auto& field) {
    return field.first == "Transfer-Encoding";
  });
  // 204 has no body, and says of none how long it is (RFC 9110 §8.6).
  if (status != 204 && !is_chunked) {
    fields.emplace_back("Content-Length", std::to_string(body.size()));
  }
  // Said either way, for an HTTP/1.0 client closes unless it is told (RFC 9112 §9.3).
  fields.emplace_back("Connection", keep_alive ? "keep-alive" : "close");
  return {wire::http_response(status, fields, body), keep_alive};
}

HttpAnswer refuse(int status, bool keep_alive) {
  wire::HttpFields fields;
  if (status == 405) fields.emplace_back("Allow", "POST");  // RFC 9110 §15.5.6
  return respond(status, keep_alive, std::move(fields));
}

HttpAnswer proper_http_answer(const Handler& handler, const wire::HttpMessage& request) {
  if (const auto status = refusal_of(request, handler.limits())) {
    return refuse(*status, request.keep_alive);
  }
  const auto reply = handler.handle(request.body);
  if (!reply) return respond(204, request);
  return respond(200, request, {{"Content-Type", "application/json"}}, *reply);
}

}  // namespace jrpcheck::reference
