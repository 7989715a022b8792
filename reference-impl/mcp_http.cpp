#include "reference-impl/mcp_http.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "reference-impl/error.hpp"
#include "reference-impl/http_answer.hpp"
#include "reference-impl/message.hpp"
#include "reference-impl/response.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::reference {
namespace {

using nlohmann::json;
using wire::HttpFields;
using wire::HttpMessage;

constexpr const char* kSession = "Mcp-Session-Id";

HttpAnswer respond_json(int status, const HttpMessage& request, const std::string& body,
                        HttpFields fields = {}) {
  fields.emplace_back("Content-Type", "application/json");
  return respond(status, request, std::move(fields), body);
}

HttpAnswer refuse_method(const HttpMessage& request, const std::string& allowed) {
  return respond(405, request, {{"Allow", allowed}});
}

/// Pages of other places may not speak to a server of this machine (§ Security Warning).
bool has_foreign_origin(const HttpMessage& request) {
  const auto origin = request.field("Origin");
  if (!origin) return false;
  const auto scheme = origin->find("://");
  if (scheme == origin->npos) return true;
  std::string_view host = origin->substr(scheme + 3);
  host = host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
  return host != "localhost" && host != "127.0.0.1" && host != "[::1]";
}

bool accepts(const HttpMessage& request, std::string_view type) {
  const std::string accepted = request.list("Accept");
  return accepted.find(type) != accepted.npos || accepted.find("*/*") != accepted.npos;
}

/// What the body says, where nothing is too deep to be copied; discarded where it is no JSON.
json read(const std::string& body, const Limits& limits) {
  auto message = read_message(body, limits);
  if (!message) return json(json::value_t::discarded);
  if (!message->is_batch) return std::move(message->elements.front().value);
  json all = json::array();
  for (auto& each : message->elements) all.push_back(std::move(each.value));
  return all;
}

bool is_call(const json& message) {
  return message.is_object() && message.contains("method") && message.contains("id");
}

/// Notifications and Responses, for which there is no answer but 202.
bool is_owed_nothing(const json& message) {
  if (message.is_array()) {
    return !message.empty() && std::all_of(message.begin(), message.end(), is_owed_nothing);
  }
  if (!message.is_object() || !message.contains("jsonrpc")) return false;
  return message.contains("method") ? !message.contains("id") && message["method"].is_string()
                                    : message.contains("result") || message.contains("error");
}

bool lacks_metadata(const json& message) {
  const json params = message.value("params", json::object());
  const json meta = params.is_object() ? params.value("_meta", json()) : json();
  return !meta.is_object() || !meta.contains("io.modelcontextprotocol/protocolVersion") ||
         !meta.contains("io.modelcontextprotocol/clientCapabilities");
}

/// The status of a Response in 2026-07-28; before that it is always 200.
int status_of(const json& call, const std::string& reply) {
  const json response = json::parse(reply, nullptr, false);
  if (!response.is_object() || !response.contains("error")) return 200;
  const int code = response["error"].value("code", 0);
  if (code == kMethodNotFound) return 404;
  const bool is_about_the_version = code == -32022 || code == -32021;
  return is_about_the_version || (code == kInvalidParams && lacks_metadata(call)) ? 400 : 200;
}

bool opens_subscription(const json& message, const std::vector<std::string>& said) {
  return is_call(message) && message["method"] == "subscriptions/listen" && !said.empty() &&
         json::parse(said.back(), nullptr, false).contains("params");
}

/// A server may end a subscription at any time (basic/patterns/subscriptions § Graceful Closure):
/// as nothing changes here no stream is kept open for it.
std::string end_of_subscription(const json& id) {
  const json meta = {{"io.modelcontextprotocol/subscriptionId", id}};
  const json result = {{"resultType", "complete"}, {"_meta", meta}};
  return json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}.dump();
}

/// Refused before it is a call at all: a body that cannot be read, or that is no message.
std::optional<int> status_of_unreadable(const json& message, bool has_batches) {
  if (message.is_discarded()) return 400;
  if (message.is_array() && has_batches && !message.empty()) return std::nullopt;
  const bool is_message =
      is_owed_nothing(message) || (is_call(message) && message.value("jsonrpc", json()) == "2.0" &&
                                   message["method"].is_string());
  return is_message ? std::nullopt : std::optional(400);
}

}  // namespace

HttpAnswer McpHttp::answer(const HttpMessage& request, const McpReplies& replies) {
  if (!request.violation.empty()) return refuse(400, /*keep_alive=*/false);
  if (has_foreign_origin(request)) return respond(403, request);
  if (request.method == "POST") return post(request, replies);
  if (server_.is_stateless()) return refuse_method(request, "POST");
  if (request.method == "GET" && habits_.listens) return get(request);
  if (request.method == "DELETE" && habits_.sessions) return end_session(request);
  return refuse_method(request, habits_.listens ? "POST, GET, DELETE" : "POST, DELETE");
}

HttpAnswer McpHttp::post(const HttpMessage& request, const McpReplies& replies) {
  if (const auto status = refusal_of(request, server_.limits())) {
    return refuse(*status, request.keep_alive);
  }
  if (!accepts(request, "application/json") || !accepts(request, kEventStream)) {
    return respond(406, request);
  }
  const json message = read(request.body, server_.limits());
  if (const auto status = status_of_unreadable(message, server_.version() == "2025-03-26")) {
    const auto said = replies(request.body);
    return said.empty() ? respond(*status, request) : respond_json(*status, request, said.back());
  }
  const bool begins = is_call(message) && message["method"] == "initialize";
  std::string session(request.field(kSession).value_or(""));
  if (!server_.is_stateless() && !begins) {
    if (const auto status = refusal_by_session(request)) return respond(*status, request);
  }
  if (server_.is_stateless()) {
    if (const auto refused = refusal_by_head(request, message, server_.version())) {
      const RpcError error(refused->code, refused->reason);
      return respond_json(400, request, error_response(error, message["id"].dump()));
    }
  }
  auto said = replies(request.body);
  const bool listens = opens_subscription(message, said);
  if (listens) said.push_back(end_of_subscription(message["id"]));
  if (is_owed_nothing(message)) return respond(202, request);
  if (begins && habits_.sessions && !server_.is_stateless()) session = begin_session();
  const int status =
      server_.is_stateless() && !said.empty() ? status_of(message, said.back()) : 200;
  if ((habits_.streams || listens) && status == 200) return stream(request, session, said);
  HttpFields fields;
  if (begins && !session.empty()) fields.emplace_back(kSession, session);
  return respond_json(status, request, said.empty() ? std::string() : said.back(), fields);
}

std::string McpHttp::begin_session() {
  constexpr char kDigits[] = "0123456789abcdef";
  std::random_device random;
  std::string id;
  for (int i = 0; i < 32; ++i) id.push_back(kDigits[random() % 16]);
  const std::lock_guard lock(mutex_);
  sessions_.emplace(id, Session{});
  return id;
}

std::optional<int> McpHttp::refusal_by_session(const HttpMessage& request) {
  const auto version = request.field("MCP-Protocol-Version");
  if (version && server_.is_since("2025-06-18") && *version != server_.version()) return 400;
  if (!habits_.sessions) return std::nullopt;
  const auto session = request.field(kSession);
  if (!session) return 400;
  const std::lock_guard lock(mutex_);
  return sessions_.contains(std::string(*session)) ? std::nullopt : std::optional(404);
}

HttpAnswer McpHttp::stream(const HttpMessage& request, const std::string& session,
                           const std::vector<std::string>& replies) {
  Stream events;
  const std::lock_guard lock(mutex_);
  const auto known = sessions_.find(session);
  const bool has_ids = known != sessions_.end();
  const std::string number = has_ids ? std::to_string(known->second.streams.size()) : "";
  const auto add = [&](const std::string& data) {
    wire::ServerSentEvent event{.data = data};
    if (has_ids) event.id = number + "-" + std::to_string(events.size());
    if (!data.empty()) event.type = "message";
    events.push_back(event_text(event));
  };
  // A stream that can be taken up again begins with an id (§ Sending Messages, since 2025-11-25).
  if (has_ids && server_.is_since("2025-11-25")) add("");
  for (const auto& each : replies) add(each);
  std::string body;
  if (!habits_.preamble.empty()) body += wire::http_chunk(habits_.preamble);
  for (const auto& each : events) {
    const std::size_t piece = habits_.piece == 0 ? each.size() : habits_.piece;
    for (std::size_t at = 0; at < each.size(); at += piece) {
      body += wire::http_chunk(each.substr(at, piece));
    }
  }
  if (has_ids) known->second.streams.push_back(std::move(events));
  HttpFields fields = {{"Content-Type", std::string(kEventStream)}, {"Cache-Control", "no-cache"}};
  if (server_.is_stateless()) fields.emplace_back("X-Accel-Buffering", "no");
  const bool begins = has_ids && request.field(kSession) != session;
  if (begins) fields.emplace_back(kSession, session);
  fields.emplace_back("Transfer-Encoding", "chunked");
  return respond(200, request, std::move(fields), body + wire::http_chunk(""));
}

/// A stream for what the server has to say by itself, which is nothing; or what followed an event
/// on another stream (§ Resumability and Redelivery).
HttpAnswer McpHttp::get(const HttpMessage& request) {
  if (!accepts(request, kEventStream)) return respond(406, request);
  if (const auto status = refusal_by_session(request)) return respond(*status, request);
  const std::string last(request.field("Last-Event-ID").value_or(""));
  std::string body;
  if (const auto dash = last.find('-'); dash != last.npos) {
    const std::lock_guard lock(mutex_);
    const auto known = sessions_.find(std::string(request.field(kSession).value_or("")));
    const auto streams = known == sessions_.end() ? std::vector<Stream>() : known->second.streams;
    const auto number = static_cast<std::size_t>(std::atoll(last.c_str()));
    auto event = static_cast<std::size_t>(std::atoll(last.c_str() + dash + 1)) + 1;
    for (; number < streams.size() && event < streams[number].size(); ++event) {
      body += wire::http_chunk(streams[number][event]);
    }
    body += wire::http_chunk("");
  }
  return respond(200, request,
                 {{"Content-Type", std::string(kEventStream)},
                  {"Cache-Control", "no-cache"},
                  {"Transfer-Encoding", "chunked"}},
                 body);
}

HttpAnswer McpHttp::end_session(const HttpMessage& request) {
  if (const auto status = refusal_by_session(request)) return respond(*status, request);
  const std::lock_guard lock(mutex_);
  sessions_.erase(std::string(request.field(kSession).value_or("")));
  return respond(200, request);
}

}  // namespace jrpcheck::reference
