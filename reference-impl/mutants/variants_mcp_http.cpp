// Odd behaviours of an MCP server over HTTP that no rule forbids.
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <thread>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/mcp_http_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using wire::HttpMessage;

/// Streams whose text is edited once it has been made.
Behaviour streams_as(std::function<std::string(const std::string& text)> edit) {
  return mcp_http_response([edit](HttpMessage& response) {
    const auto type = response.field("Content-Type");
    if (type == "text/event-stream") response.body = edit(response.body);
  });
}

bool tells_what_nobody_knows(const HttpMessage& request) {
  const std::string method = mcp_method_of(request);
  return !method.empty() && !method.starts_with("notifications/");
}

void refuse_what_is_accepted(HttpMessage& response, const std::string& id) {
  if (response.status != 202) return;
  response.status = 400;
  response.body =
      R"({"jsonrpc":"2.0",)" + id + R"("error":{"code":-32601,"message":"Method not found"}})";
  set_field(response, "Content-Type", "application/json");
}

bool is_no_message(const HttpMessage& request) {
  const auto body = nlohmann::json::parse(request.body, nullptr, false);
  return body.is_object() && !body.contains("method") && !body.contains("result") &&
         !body.contains("error");
}

bool comes_from_a_page(const HttpMessage& request) { return request.field("Origin").has_value(); }

void refuse_as_json_rpc(HttpMessage& response) {
  if (response.status != 403) return;
  response.status = 200;
  response.body = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Origin"}})";
  set_field(response, "Content-Type", "application/json");
}

/// Who names no version may be of 2025-03-26, where there is no server/discover (2026-07-28,
/// Streamable HTTP § Protocol Version Header).
void take_for_client_of_old(HttpMessage& request) {
  if (request.field("MCP-Protocol-Version")) return;
  constexpr std::string_view kDiscover = "server/discover";
  constexpr std::string_view kUnknown = "discover-of-old";
  const auto found = request.body.find(kDiscover);
  if (found == request.body.npos) return;
  request.body.replace(found, kDiscover.size(), kUnknown);
  set_field(request, "MCP-Protocol-Version", std::string(kJuly));
  set_field(request, "Mcp-Method", std::string(kUnknown));
}

HttpAnswer json_answer(int status, const HttpMessage& request, const std::string& body) {
  return respond(status, request, {{"Content-Type", "application/json"}}, body);
}

/// The head says something of which the body has nothing.
bool lacks_what_the_head_says(const HttpMessage& request, const nlohmann::json& call) {
  using Pointer = nlohmann::json::json_pointer;
  const Pointer version("/params/_meta/io.modelcontextprotocol~1protocolVersion");
  const Pointer tool("/params/name");
  const std::string method = mcp_method_of(request);
  if (method.empty() || !call.contains("id")) return false;
  if (call.contains("params") && !call["params"].is_object()) return false;
  return (request.field("MCP-Protocol-Version") && !call.contains(version)) ||
         (method == "tools/call" && !call.contains(tool));
}

/// It is refused as another head than the body has (2026-07-28, Streamable HTTP § Server
/// Validation).
Behaviour refusing_what_the_body_lacks() {
  return on_http_request([](const HttpMessage& request, const ProperAnswer& proper) {
    const auto call = nlohmann::json::parse(request.body, nullptr, false);
    if (request.method != "POST" || !lacks_what_the_head_says(request, call)) {
      return proper(request);
    }
    return json_answer(400, request,
                       R"({"jsonrpc":"2.0","error":{"code":-32020,"message":"Header mismatch"},)"
                       R"("id":)" +
                           call["id"].dump() + "}");
  });
}

/// A server may end a session at any time (transports § Session Management).
Behaviour ending_sessions_at_garbage() {
  struct Ended {
    std::mutex mutex;
    std::set<std::string> sessions;
  };
  const auto ended = std::make_shared<Ended>();
  return on_http_request([ended](const HttpMessage& request, const ProperAnswer& proper) {
    const std::string session(request.field("Mcp-Session-Id").value_or(""));
    const std::lock_guard lock(ended->mutex);
    if (ended->sessions.contains(session)) {
      return json_answer(
          404, request,
          R"({"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null})");
    }
    const bool is_garbage =
        request.method == "POST" && !nlohmann::json::accept(request.body) && !session.empty();
    if (is_garbage) ended->sessions.insert(session);
    return proper(request);
  });
}

/// Grants a session of 2025-03-26 to who asks for it, and holds each session to the version that it
/// agreed on (transports § Protocol Version Header).
Behaviour strict_about_versions() {
  struct Old {
    std::mutex mutex;
    std::set<std::string> sessions;
  };
  const auto old = std::make_shared<Old>();
  return on_http_request([old](const HttpMessage& request, const ProperAnswer& proper) {
    constexpr const char* kVersion = "MCP-Protocol-Version";
    constexpr const char* kSession = "Mcp-Session-Id";
    const auto call = nlohmann::json::parse(request.body, nullptr, false);
    const bool begins = mcp_method_of(request) == "initialize";
    if (begins && at(call, "/params/protocolVersion") == std::string(kMarch)) {
      HttpAnswer answer = proper(request);
      HttpMessage response = http_message_of(answer);
      response.body = replaced(response.body, std::string(kNovember), std::string(kMarch));
      const std::lock_guard lock(old->mutex);
      if (const auto id = response.field(kSession)) old->sessions.emplace(*id);
      answer.bytes = mcp_http_text_of(response);
      return answer;
    }
    {
      const std::lock_guard lock(old->mutex);
      if (!old->sessions.contains(std::string(request.field(kSession).value_or("")))) {
        return proper(request);
      }
    }
    const auto version = request.field(kVersion);
    if (version && *version != kMarch) return respond(400, request);
    HttpMessage edited = request;
    if (version) remove_field(edited, kVersion);
    return proper(edited);
  });
}

Behaviour commenting_on_get() {
  return on_http_request([](const HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    const bool is_left_open = request.method == "GET" && !request.field("Last-Event-ID") &&
                              answer.bytes.starts_with("HTTP/1.1 200");
    if (is_left_open) answer.bytes += wire::http_chunk(": still here\n\n");
    return answer;
  });
}

/// As servers have it whose sessions are one: the connection that holds the stream is that of the
/// thread which serves it.
Behaviour having_one_stream() {
  struct Holder {
    std::mutex mutex;
    std::thread::id thread;  // none where no stream is open
  };
  const auto holder = std::make_shared<Holder>();
  Behaviour behaviour =
      on_http_request([holder](const HttpMessage& request, const ProperAnswer& proper) {
        if (request.method != "GET" || request.field("Last-Event-ID")) return proper(request);
        const std::lock_guard lock(holder->mutex);
        if (holder->thread != std::thread::id()) return respond(409, request);
        HttpAnswer answer = proper(request);
        if (answer.bytes.starts_with("HTTP/1.1 200")) holder->thread = std::this_thread::get_id();
        return answer;
      });
  behaviour.reading_socket = [holder](int socket, std::span<char> buffer) {
    const std::size_t size = read_some(socket, buffer);
    const std::lock_guard lock(holder->mutex);
    const bool ends = size == 0 && holder->thread == std::this_thread::get_id();
    if (ends) holder->thread = std::thread::id();
    return size;
  };
  behaviour.mcp_http.sessions = false;
  return behaviour;
}

}  // namespace

std::span<const McpMutant> mcp_http_variants() {
  static const McpMutant all[] = {
      {{"mcp-http-json", kLegal, kHttp, "Answers are JSON, and no event streams.",
        Behaviour{.mcp_http = {.streams = false}}},
       {kMarch, kNovember, kJuly}},
      {{"mcp-http-comments", kLegal, kHttp, "A comment stands first on each stream.",
        Behaviour{.mcp_http = {.preamble = ": still here\n\n:\n\n"}}},
       {kNovember, kJuly}},
      {{"mcp-http-origin-refused-by-200", kLegal, kHttp,
        "Pages of other places are refused by an error, and status 200.",
        mcp_http_response(comes_from_a_page, refuse_as_json_rpc)},
       {kJune}},
      {{"mcp-http-unreadable-200", kLegal, kHttp,
        "What is no JSON is refused by -32700 under 200, as plain JSON-RPC has it.",
        mcp_http_status(
            [](const HttpMessage& request) { return !nlohmann::json::accept(request.body); }, 200)},
       {kNovember, kJuly}},
      {{"mcp-http-no-message-200", kLegal, kHttp,
        "What is no message is refused by an error under 200.",
        mcp_http_status([](const HttpMessage& request) { return is_no_message(request); }, 200)},
       {kNovember, kJuly}},
      {{"mcp-http-discover-of-old", kLegal, kHttp,
        "Who names no version is taken for a client of 2025-03-26.",
        edit_http_request(take_for_client_of_old)},
       {kJuly}},
      {{"mcp-http-method-literal", kLegal, kHttp,
        "Mcp-Method is compared as it stands: of Base64 the specification speaks where names are.",
        edit_http_request([](HttpMessage& request) {
          const bool is_encoded = request.field("Mcp-Method").value_or("").starts_with("=?base64?");
          if (is_encoded) set_field(request, "Mcp-Method", "encoded");
        })},
       {kJuly}},
      {{"mcp-http-notification-refused", kLegal, kHttp,
        "Notifications of unknown methods are refused by 400 and an error without an id.",
        mcp_http_response(tells_what_nobody_knows,
                          [](HttpMessage& response) { refuse_what_is_accepted(response, ""); })},
       {kNovember, kJuly}},
      {{"mcp-http-notification-refused-null", kLegal, kHttp,
        "Notifications of unknown methods are refused by 400 and an error whose id is null.",
        mcp_http_response(
            tells_what_nobody_knows,
            [](HttpMessage& response) { refuse_what_is_accepted(response, "\"id\":null,"); })},
       {kJuly}},
      {{"mcp-http-head-before-types", kLegal, kHttp,
        "That head and body differ is seen before a version that is no String.",
        mcp_http_response(
            [](const HttpMessage& request) {
              return request.body.find("protocolVersion\":20260728") != std::string::npos;
            },
            [](HttpMessage& response) {
              response.status = 400;
              response.body = replaced(response.body, "-32602", "-32020");
            })},
       {kJuly}},
      {{"mcp-http-head-before-body", kLegal, kHttp,
        "What the body lacks and the head says is refused as a head that does not fit.",
        refusing_what_the_body_lacks()},
       {kJuly}},
      {{"mcp-http-retry", kLegal, kHttp, "Streams say how long to wait before coming back.",
        Behaviour{.mcp_http = {.preamble = "retry: 1000\n\n"}}}},
      {{"mcp-http-small-chunks", kLegal, kHttp, "Events come in chunks of three bytes.",
        Behaviour{.mcp_http = {.piece = 3}}},
       {kNovember, kJuly}},
      {{"mcp-http-no-sessions", kLegal, kHttp, "There are no sessions, and DELETE is refused.",
        Behaviour{.mcp_http = {.sessions = false}}},
       {kMarch, kNovember}},
      {{"mcp-http-get-refused", kLegal, kHttp, "GET is refused by 405.",
        Behaviour{.mcp_http = {.listens = false}}},
       {kMarch, kNovember}},
      {{"mcp-http-one-stream", kLegal, kHttp,
        "One GET has a stream at a time, whoever asks, and others are refused by 409.",
        having_one_stream()},
       {kMarch, kNovember}},
      {{"mcp-http-get-comments", kLegal, kHttp, "A comment comes on the stream that a GET opens.",
        commenting_on_get()}},
      {{"mcp-http-session-ended-early", kLegal, kHttp,
        "What is no JSON ends its session, of which 404 and an error tell.",
        ending_sessions_at_garbage()}},
      {{"mcp-http-version-strict", kLegal, kHttp,
        "A session of 2025-03-26 is granted, and each is held to the version that it agreed on.",
        strict_about_versions()}},
      {{"mcp-http-crlf", kLegal, kHttp, "The lines of streams end in CR LF.",
        streams_as([](const std::string& text) { return replaced(text, "\n", "\r\n"); })}},
      {{"mcp-http-cr", kLegal, kHttp, "The lines of streams end in CR.",
        streams_as([](const std::string& text) { return replaced(text, "\n", "\r"); })}},
      {{"mcp-http-data-lines", kLegal, kHttp, "The data of an event stands on several lines.",
        streams_as([](const std::string& text) {
          return replaced(text, "\"jsonrpc\"", "\ndata:\"jsonrpc\"");
        })}},
      {{"mcp-http-byte-order-mark", kLegal, kHttp, "Streams begin with a byte order mark.",
        streams_as([](const std::string& text) { return "\xEF\xBB\xBF" + text; })}},
      {{"mcp-http-heartbeats", kLegal, kHttp,
        "An event of a type of its own, which is no message, stands first on each stream.",
        streams_as(
            [](const std::string& text) { return "event: heartbeat\ndata: 0\n\n" + text; })}},
      {{"mcp-http-no-event-ids", kLegal, kHttp, "Events have neither ids nor types.",
        mcp_http_events([](wire::ServerSentEvent& event) {
          event.id.reset();
          event.type.clear();
          return event.data != "";
        })}},
      {{"mcp-http-log-on-stream", kLegal, kHttp,
        "A log message comes before each answer of a tool.",
        say_before("tools/call", {R"({"jsonrpc":"2.0","method":"notifications/message",)"
                                  R"("params":{"level":"info","data":"x"}})"})}},
      {{"mcp-http-asks-on-stream", kLegal, kHttp, "A ping comes before each answer of a tool.",
        say_before("tools/call", {R"({"jsonrpc":"2.0","id":"own-#","method":"ping"})"})}},
  };
  return all;
}

}  // namespace jrpcheck::reference
