// Defects of an MCP server in what streamable HTTP adds.
#include <algorithm>
#include <memory>
#include <mutex>

#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/mcp_http_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;
using wire::HttpMessage;

constexpr const char* kSessionField = "Mcp-Session-Id";
constexpr const char* kVersionHeader = "MCP-Protocol-Version";

bool is_unknown_session(const HttpMessage& request) {
  return request.field(kSessionField).value_or("").starts_with("jrpcheck");
}

bool is_cancellation(const HttpMessage& request) {
  return mcp_method_of(request) == "notifications/cancelled";
}

bool is_told(const HttpMessage& request) {
  return mcp_method_of(request).starts_with("notifications/");
}

/// What accepts notifications has this status.
Behaviour accepting_by(int status, HttpCondition applies) {
  return mcp_http_response(std::move(applies), [status](HttpMessage& response) {
    if (response.status == 202) response.status = status;
  });
}

bool has_no_json(const HttpMessage& request) {
  return request.method == "POST" && json::parse(request.body, nullptr, false).is_discarded();
}

bool has_no_method(const HttpMessage& request) {
  const json body = json::parse(request.body, nullptr, false);
  return request.method == "POST" && body.is_object() && !body.contains("method") &&
         !body.contains("result") && !body.contains("error");
}

bool lacks_session(const HttpMessage& request) {
  const std::string method = mcp_method_of(request);
  return !method.empty() && method != "initialize" && !request.field(kSessionField);
}

bool gets(const HttpMessage& request) { return request.method == "GET"; }
bool deletes(const HttpMessage& request) { return request.method == "DELETE"; }
bool has_origin(const HttpMessage& request) { return request.field("Origin").has_value(); }
bool has_bad_version(const HttpMessage& request) {
  const auto version = request.field(kVersionHeader);
  return version && !version->starts_with("2025-");
}

/// A session that is missing, or for which `stands_in` is true, is taken for the one begun last.
Behaviour any_session(std::function<bool(const HttpMessage& request)> stands_in) {
  const auto last = std::make_shared<std::string>();
  const auto mutex = std::make_shared<std::mutex>();
  return on_http_request([=](const HttpMessage& request, const ProperAnswer& proper) {
    HttpMessage edited = request;
    const bool begins = mcp_method_of(request) == "initialize";
    if (request.method == "POST" && !begins && stands_in(request)) {
      const std::lock_guard lock(*mutex);
      set_field(edited, kSessionField, *last);
    }
    HttpAnswer answer = proper(edited);
    if (begins) {
      const std::lock_guard lock(*mutex);
      *last = std::string(http_message_of(answer).field(kSessionField).value_or(*last));
    }
    return answer;
  });
}

/// Session ids get this at their end.
Behaviour session_ids_with(const std::string& end) {
  return on_http_request([end](const HttpMessage& request, const ProperAnswer& proper) {
    HttpMessage edited = request;
    const std::string id(request.field(kSessionField).value_or(""));
    if (id.ends_with(end)) set_field(edited, kSessionField, id.substr(0, id.size() - end.size()));
    HttpAnswer answer = proper(edited);
    if (mcp_method_of(request) != "initialize") return answer;
    HttpMessage response = http_message_of(answer);
    const std::string given(response.field(kSessionField).value_or(""));
    if (!given.empty()) set_field(response, kSessionField, given + end);
    answer.bytes = mcp_http_text_of(response);
    return answer;
  });
}

Behaviour version_demanded() {
  return mcp_http_refusing(400, [](const HttpMessage& request) {
    return request.method == "POST" && !request.field(kVersionHeader) &&
           mcp_method_of(request) != "initialize" && !has_no_method(request);
  });
}

/// The stream in answer to one method, as its text is edited.
Behaviour stream_of(const std::string& method, std::function<std::string(std::string text)> edit) {
  return mcp_http_response(
      [method](const HttpMessage& request) { return mcp_method_of(request) == method; },
      [edit](HttpMessage& response) { response.body = edit(response.body); });
}

Behaviour left_open() {
  return on_http_request([](const HttpMessage& request, const ProperAnswer& proper) {
    constexpr std::string_view kEnd = "0\r\n\r\n";
    HttpAnswer answer = proper(request);
    const bool is_stream = answer.bytes.find("text/event-stream") != answer.bytes.npos;
    if (is_stream && request.method == "POST" && answer.bytes.ends_with(kEnd)) {
      answer.bytes.resize(answer.bytes.size() - kEnd.size());
    }
    return answer;
  });
}

Behaviour response_on_get() {
  return on_http_request([](const HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    if (request.method == "GET") {
      answer.bytes += wire::http_chunk("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n");
    }
    return answer;
  });
}

Behaviour without_streams(Behaviour behaviour) {
  behaviour.mcp_http.streams = false;
  return behaviour;
}

/// The answer to what the server asks on a stream is answered like a call.
Behaviour responses_answered_200() {
  Behaviour behaviour =
      say_before("tools/call", {R"({"jsonrpc":"2.0","id":"own-#","method":"ping"})"});
  behaviour.answer = [](const HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    const json body = json::parse(request.body, nullptr, false);
    if (!body.is_object() || !body.contains("result")) return answer;
    HttpMessage response = http_message_of(answer);
    response.status = 200;
    answer.bytes = mcp_http_text_of(response);
    return answer;
  };
  return behaviour;
}

std::string without_last_line(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

std::span<const McpMutant> mcp_http_faults() {
  static const McpMutant all[] = {
      {{"mcp-http-notification-204",
        breaks("mcp-http-notification-202").perhaps("http-response-head"), kHttp,
        "Notifications are accepted by 204.", accepting_by(204, is_told)},
       {kNovember, kJuly}},
      {{"mcp-http-notification-200", breaks("mcp-http-notification-202"), kHttp,
        "Notifications are accepted by 200.", accepting_by(200, is_told)}},
      {{"mcp-http-notification-answered",
        breaks("mcp-http-notification-202")
            .perhaps_any_of("mcp-cancel-", "mcp-msg-notification-silent"),
        kHttp, "The 202 that accepts a notification has a body.",
        mcp_http_response(is_cancellation,
                          [](HttpMessage& response) {
                            response.body = "\"accepted\"";
                            set_field(response, "Content-Type", "application/json");
                          })}},
      {{"mcp-http-notification-500",
        breaks("mcp-http-notification-202")
            .perhaps("http-notification-5xx", "mcp-msg-notification-silent"),
        kHttp, "A notification makes the server fail.", accepting_by(500, is_cancellation)}},
      {{"mcp-http-notification-always-accepted", breaks("mcp-http-notification-4xx"), kHttp,
        "Notifications are accepted whatever session they name.", mcp_http_refusing(202, is_told)}},
      {{"mcp-http-session-never-checked",
        breaks("mcp-http-session-unknown", "mcp-http-notification-4xx"), kHttp,
        "Whatever names no session, or one that does not exist, is served.",
        any_session([](const HttpMessage& request) {
          return !request.field(kSessionField) || is_unknown_session(request);
        })}},
      {{"mcp-http-session-missing-404", breaks("mcp-http-session-required"), kHttp,
        "Whatever names no session is answered by 404.", mcp_http_status(lacks_session, 404)}},
      {{"mcp-http-session-unknown-400", breaks("mcp-http-session-unknown"), kHttp,
        "A session that does not exist is answered by 400.",
        mcp_http_status(is_unknown_session, 400)}},
      {{"mcp-http-session-ended-400", breaks("mcp-http-session-ended"), kHttp,
        "A session that was ended is answered by 400.",
        mcp_http_response([](const HttpMessage& request) { return !is_unknown_session(request); },
                          [](HttpMessage& response) {
                            if (response.status == 404) response.status = 400;
                          })},
       {kMarch, kNovember}},
      {{"mcp-http-session-survives", breaks("mcp-http-session-ended"), kHttp,
        "A session outlives its end.", mcp_http_refusing(200, deletes)}},
      {{"mcp-http-delete-400", breaks("mcp-http-delete"), kHttp, "DELETE is refused by 400.",
        mcp_http_refusing(400, deletes)}},
      {{"mcp-http-get-page", breaks("mcp-http-get"), kHttp, "GET shows a page.",
        on_http_request([](const HttpMessage& request, const ProperAnswer& proper) {
          if (!gets(request)) return proper(request);
          return respond(200, request, {{"Content-Type", "text/html"}}, "<html></html>");
        })}},
      {{"mcp-http-get-400", breaks("mcp-http-get"), kHttp, "GET is refused by 400.",
        mcp_http_refusing(400, gets)},
       {kMarch, kNovember}},
      {{"mcp-http-get-409", breaks("mcp-http-get"), kHttp,
        "GET is refused by 409, though nobody has a stream.", mcp_http_refusing(409, gets)},
       {kMarch, kNovember}},
      {{"mcp-http-get-404", breaks("mcp-http-endpoint"), kHttp, "The path is not there for GET.",
        mcp_http_refusing(404, gets)}},
      {{"mcp-http-response-on-get", breaks("mcp-http-get-no-response"), kHttp,
        "A Response comes on the stream of a GET.", response_on_get()}},
      {{"mcp-http-version-unchecked", breaks("mcp-http-version-bad"), kHttp,
        "Any version is served.",
        edit_http_request([](HttpMessage& request) { remove_field(request, kVersionHeader); })},
       {kJune, kNovember}},
      {{"mcp-http-version-406", breaks("mcp-http-version-bad"), kHttp,
        "A version that does not exist is refused by 406.", mcp_http_status(has_bad_version, 406)}},
      {{"mcp-http-version-demanded", breaks("mcp-http-version-absent"), kHttp,
        "Whoever names no version is refused.", version_demanded()}},
      {{"mcp-http-origin-served-of-old", breaks("mcp-http-origin"), kHttp,
        "Pages of any place are served.",
        edit_http_request([](HttpMessage& request) { remove_field(request, "Origin"); })},
       {kMarch, kJune}},
      {{"mcp-http-origin-served", breaks("mcp-http-origin-403"), kHttp,
        "Pages of any place are served.",
        edit_http_request([](HttpMessage& request) { remove_field(request, "Origin"); })}},
      {{"mcp-http-origin-served-stateless", breaks("mcp-http-origin-403"), kHttp,
        "Pages of any place are served.",
        edit_http_request([](HttpMessage& request) { remove_field(request, "Origin"); })},
       {kJuly}},
      {{"mcp-http-origin-400", breaks("mcp-http-origin-403"), kHttp,
        "Pages of other places are refused by 400.", mcp_http_status(has_origin, 400)}},
      {{"mcp-http-origin-400-stateless", breaks("mcp-http-origin-403"), kHttp,
        "Pages of other places are refused by 400.", mcp_http_status(has_origin, 400)},
       {kJuly}},
      {{"mcp-http-unreadable-500", breaks("mcp-http-unreadable"), kHttp,
        "What is no JSON makes the server fail.", mcp_http_status(has_no_json, 500)},
       {kNovember, kJuly}},
      {{"mcp-http-no-message-500", breaks("mcp-http-invalid-request"), kHttp,
        "What is no message makes the server fail.", mcp_http_status(has_no_method, 500)},
       {kNovember, kJuly}},
      {{"mcp-http-answer-as-text", breaks("mcp-http-content-type").perhaps("http-response-type"),
        kHttp, "Answers are called plain text.",
        without_streams(mcp_http_response(
            [](const HttpMessage& request) { return mcp_method_of(request) == "prompts/list"; },
            [](HttpMessage& response) { set_field(response, "Content-Type", "text/plain"); }))}},
      {{"mcp-http-json-in-array",
        breaks("mcp-http-json-single").perhaps_any_of("mcp-", "res-", "id-"), kHttp,
        "The answer in JSON stands in an Array.",
        without_streams(mcp_http_response(
            [](const HttpMessage& request) { return mcp_method_of(request) == "prompts/list"; },
            [](HttpMessage& response) { response.body = "[" + response.body + "]"; }))}},
      {{"mcp-http-event-is-text",
        breaks("mcp-http-sse-format").perhaps_any_of("mcp-", "res-", "id-"), kHttp,
        "An event has text as its data.",
        stream_of("prompts/list", [](const std::string& text) { return text + "data: done\n\n"; })},
       {kNovember, kJuly}},
      {{"mcp-http-event-unfinished",
        breaks("mcp-http-sse-format").perhaps_any_of("mcp-", "res-", "id-"), kHttp,
        "The last event is not closed by a blank line.",
        stream_of("prompts/list", without_last_line)}},
      {{"mcp-http-stream-without-response",
        breaks("mcp-http-sse-response").perhaps_any_of("mcp-", "res-", "rob-"), kHttp,
        "A stream ends before the Response.",
        stream_of("prompts/list", [](const std::string&) { return ": nothing\n\n"; })},
       {kMarch, kNovember, kJuly}},
      {{"mcp-http-stream-left-open", breaks("mcp-http-sse-close"), kHttp,
        "Streams stay open behind the Response.", left_open()},
       {kMarch, kNovember}},
      {{"mcp-http-stream-left-open-stateless", breaks("mcp-http-sse-close"), kHttp,
        "Streams stay open behind the Response.", left_open()},
       {kJuly}},
      {{"mcp-http-event-ids-repeat", breaks("mcp-http-event-id-unique"), kHttp,
        "Every event has the same id.", mcp_http_events([](wire::ServerSentEvent& event) {
          if (event.id) event.id = "1";
          return true;
        })}},
      {{"mcp-http-not-primed", breaks("mcp-http-sse-prime"), kHttp,
        "Streams do not begin with an id.",
        mcp_http_events([](wire::ServerSentEvent& event) { return event.data != ""; })}},
      {{"mcp-http-session-id-with-space", breaks("mcp-http-session-ascii"), kHttp,
        "A space stands in the id of a session.", session_ids_with(" x")}},
      {{"mcp-http-accept-fatal", breaks("rob-survives"), kHttp,
        "A client that takes JSON alone ends the server.",
        edit_http_request([](HttpMessage& request) {
          if (request.field("Accept") == "application/json") {
            throw Catastrophe{Catastrophe::Manner::exit};
          }
        })}},
      {{"mcp-http-accept-fatal-stateless", breaks("rob-survives"), kHttp,
        "A client that takes JSON alone ends the server.",
        edit_http_request([](HttpMessage& request) {
          if (request.field("Accept") == "application/json") {
            throw Catastrophe{Catastrophe::Manner::exit};
          }
        })},
       {kJuly}},
      {{"mcp-http-response-200", breaks("mcp-http-response-202"), kHttp,
        "What answers the server's own requests is accepted by 200.", responses_answered_200()}},
  };
  return all;
}

}  // namespace jrpcheck::reference
