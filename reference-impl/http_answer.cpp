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

std::string respond(int status, bool keep_alive, wire::HttpFields fields, std::string_view body) {
  // Said either way, for an HTTP/1.0 client closes unless it is told (RFC 9112 §9.3).
  fields.emplace_back("Connection", keep_alive ? "keep-alive" : "close");
  return wire::http_response(status, fields, body);
}

}  // namespace

std::optional<int> refusal_of(const wire::HttpMessage& head, const Limits& limits) {
  if (announces_more_than(limits.max_bytes, head)) return 413;
  if (!head.violation.empty() || lacks_its_host(head)) return 400;
  if (head.method != "POST") return 405;
  if (!may_hold_json(head)) return 415;
  return std::nullopt;
}

std::string refuse(int status, bool keep_alive) {
  wire::HttpFields fields = {{"Content-Length", "0"}};
  if (status == 405) fields.emplace_back("Allow", "POST");  // RFC 9110 §15.5.6
  return respond(status, keep_alive, std::move(fields), "");
}

std::string answer(const Handler& handler, const wire::HttpMessage& request) {
  if (const auto status = refusal_of(request, handler.limits())) {
    return refuse(*status, request.keep_alive);
  }
  const auto reply = handler.handle(request.body);
  if (!reply) return respond(204, request.keep_alive, {}, "");
  return respond(
      200, request.keep_alive,
      {{"Content-Type", "application/json"}, {"Content-Length", std::to_string(reply->size())}},
      *reply);
}

}  // namespace jrpcheck::reference
