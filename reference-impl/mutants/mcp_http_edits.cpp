#include "reference-impl/mutants/mcp_http_edits.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reference-impl/http_answer.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

using nlohmann::json;
using wire::HttpMessage;

std::string mcp_method_of(const HttpMessage& request) {
  const json body = json::parse(request.body, nullptr, false);
  const bool is_call = body.is_object() && body.contains("method") && body["method"].is_string();
  return is_call ? body["method"].get<std::string>() : std::string();
}

std::string mcp_http_text_of(HttpMessage response) {
  if (response.field("Transfer-Encoding")) {
    response.body = wire::http_chunk(response.body) +
                    (response.body.empty() ? std::string() : wire::http_chunk(""));
  } else {
    set_field(response, "Content-Length", std::to_string(response.body.size()));
  }
  return http_text_of(response);
}

Behaviour mcp_http_response(std::function<void(HttpMessage&)> edit) {
  return mcp_http_response([](const HttpMessage&) { return true; }, std::move(edit));
}

Behaviour mcp_http_response(HttpCondition applies, std::function<void(HttpMessage&)> edit) {
  return on_http_request([applies = std::move(applies), edit = std::move(edit)](
                             const HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    if (request.method != "POST" || !applies(request)) return answer;
    HttpMessage response = http_message_of(answer);
    edit(response);
    answer.bytes = mcp_http_text_of(std::move(response));
    return answer;
  });
}

Behaviour mcp_http_status(HttpCondition applies, int status) {
  return mcp_http_response(std::move(applies),
                           [status](HttpMessage& response) { response.status = status; });
}

Behaviour mcp_http_refusing(int status, HttpCondition applies) {
  return on_http_request([status, applies = std::move(applies)](const HttpMessage& request,
                                                                const ProperAnswer& proper) {
    if (!applies(request)) return proper(request);
    return refuse(status, request.keep_alive);
  });
}

Behaviour mcp_http_events(std::function<bool(wire::ServerSentEvent&)> edit) {
  const auto is_stream = [](const HttpMessage& response) {
    return response.field("Content-Type") == "text/event-stream";
  };
  return mcp_http_response([=](HttpMessage& response) {
    if (!is_stream(response)) return;
    wire::SseReader reader;
    reader.feed(response.body);
    response.body.clear();
    while (auto event = reader.next()) {
      if (edit(*event)) response.body += event_text(*event);
    }
  });
}

}  // namespace jrpcheck::reference
