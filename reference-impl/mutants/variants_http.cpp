// Legal ways of carrying JSON-RPC over HTTP that differ from the usual ones.
#include <string>

#include "base/letter_case.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using wire::HttpMessage;

constexpr std::size_t kChunk = 7;

Behaviour silence_as(int status) {
  return on_http_response([status](const HttpMessage&, HttpMessage& response) {
    if (response.status != 204) return;
    response.status = status;
    set_field(response, "Content-Length", "0");
  });
}

/// The status that the draft of 2008 has for an error.
int status_of(const std::string& code) {
  if (code == "-32700" || code == "-32600") return 400;
  return code == "-32601" ? 404 : 500;
}

void map_errors(const HttpMessage&, HttpMessage& response) {
  const auto object = object_of(response.body);
  if (object && object->has("error")) response.status = status_of(code_of(*object));
}

Behaviour with_type(std::string type) {
  return on_http_response([type = std::move(type)](const HttpMessage&, HttpMessage& response) {
    if (response.field("Content-Type")) set_field(response, "Content-Type", type);
  });
}

void send_in_chunks(const HttpMessage&, HttpMessage& response) {
  if (response.body.empty()) return;
  remove_field(response, "Content-Length");
  set_field(response, "Transfer-Encoding", "chunked");
  response.body = wire::http_chunked(response.body, kChunk);
}

void add_fields(const HttpMessage&, HttpMessage& response) {
  response.fields.insert(response.fields.begin(), {"Server", "odd/1.0 (legal; very)"});
  response.fields.emplace_back("Set-Cookie", "a=1; Path=/");
  response.fields.emplace_back("Set-Cookie", "b=2; Path=/");
  response.fields.emplace_back("X-Empty", "");
  response.fields.emplace_back("Vary", "Origin, Accept-Encoding");
}

void lower_field_names(const HttpMessage&, HttpMessage& response) {
  for (auto& field : response.fields) field.first = in_lower_case(field.first);
}

/// Closes after the response, as its Connection field says.
HttpAnswer closing_at_once(const HttpMessage& request, const ProperAnswer& proper) {
  HttpMessage last = request;
  last.keep_alive = false;
  HttpAnswer answer = proper(last);
  answer.keep_alive = false;
  return answer;
}

HttpAnswer ended_by_close(const HttpMessage& request, const ProperAnswer& proper) {
  HttpAnswer answer = closing_at_once(request, proper);
  HttpMessage response = http_message_of(answer);
  if (response.status != 204) remove_field(response, "Content-Length");
  answer.bytes = http_text_of(response);
  return answer;
}

HttpAnswer as_http_1_0(const HttpMessage& request, const ProperAnswer& proper) {
  HttpAnswer answer = closing_at_once(request, proper);
  answer.bytes.replace(0, 8, "HTTP/1.0");
  return answer;
}

HttpAnswer without_reason(const HttpMessage& request, const ProperAnswer& proper) {
  HttpAnswer answer = proper(request);
  constexpr std::size_t kReason = 13;  // behind "HTTP/1.1 200 "
  answer.bytes.erase(kReason, answer.bytes.find("\r\n") - kReason);
  return answer;
}

HttpAnswer after_early_hints(const HttpMessage& request, const ProperAnswer& proper) {
  HttpAnswer answer = proper(request);
  answer.bytes.insert(0, "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n");
  return answer;
}

HttpAnswer greeting_get(const HttpMessage& request, const ProperAnswer& proper) {
  if (request.method != "GET") return proper(request);
  return respond(200, request, {{"Content-Type", "text/plain"}}, "up\n");
}

/// As web frameworks do that write every text as JSON for a client that takes JSON alone.
HttpAnswer refusing_types_in_json(const HttpMessage& request, const ProperAnswer& proper) {
  if (request.method != "POST" || request.field("Content-Type")) return proper(request);
  return respond(415, request, {{"Content-Type", "application/json"}},
                 R"("Unsupported Media Type")");
}

/// A Host of another name asks for another resource (RFC 9110 §7.2).
HttpAnswer moving_other_hosts(const HttpMessage& request, const ProperAnswer& proper) {
  if (request.field("Host") != "foreign.example") return proper(request);
  return respond(301, request, {{"Content-Type", "text/html"}, {"Location", "http://localhost/"}},
                 "<p>Moved.</p>\n");
}

void ignore_type(HttpMessage& request) { remove_field(request, "Content-Type"); }

}  // namespace

std::span<const Mutant> http_variants() {
  static const Mutant all[] = {
      {"http-silence-200", kLegal, kHttp, "Silence is status 200 without body.", silence_as(200)},
      {"http-silence-202", kLegal, kHttp, "Silence is status 202 without body.", silence_as(202)},
      {"http-errors-mapped", kLegal, kHttp,
       "Errors come with status 400, 404 or 500 and the Response as body.",
       on_http_response(map_errors)},
      {"http-type-json-rpc", kLegal, kHttp, "Responses are of type application/json-rpc.",
       with_type("application/json-rpc")},
      {"http-type-jsonrequest", kLegal, kHttp, "Responses are of type application/jsonrequest.",
       with_type("application/jsonrequest")},
      {"http-type-with-charset", kLegal, kHttp, "The type of Responses has a charset, in capitals.",
       with_type("Application/JSON; Charset=UTF-8")},
      {"http-chunked-responses", kLegal, kHttp, "Responses come in chunks of seven bytes.",
       on_http_response(send_in_chunks)},
      {"http-closes-after-reply", kLegal, kHttp, "The connection is closed after each response.",
       on_http_request(closing_at_once)},
      {"http-ended-by-close", kLegal, kHttp, "The end of a body is the end of the connection.",
       on_http_request(ended_by_close)},
      {"http-1.0", kLegal, kHttp, "Responses are of HTTP/1.0.", on_http_request(as_http_1_0)},
      {"http-without-reason", kLegal, kHttp, "The status has no reason phrase.",
       on_http_request(without_reason)},
      {"http-early-hints", kLegal, kHttp, "An interim response comes first.",
       on_http_request(after_early_hints)},
      {"http-extra-fields", kLegal, kHttp, "Responses have fields that JSON-RPC has no use for.",
       on_http_response(add_fields)},
      {"http-lower-case-fields", kLegal, kHttp, "Names of fields are in lower case.",
       on_http_response(lower_field_names)},
      {"http-body-with-line-end", kLegal, kHttp, "A line end stands at the end of bodies.",
       on_http_response([](const HttpMessage&, HttpMessage& response) {
         if (!response.body.empty()) response.body += "\r\n";
       })},
      {"http-chunked-refused", kLegal, kHttp, "Chunked bodies are refused with 411.",
       refuse_http_posts(
           411,
           [](const HttpMessage& request) { return bool(request.field("Transfer-Encoding")); })},
      {"http-empty-body-refused", kLegal, kHttp, "An empty body is refused with 400.",
       refuse_http_posts(400, [](const HttpMessage& request) { return request.body.empty(); })},
      {"http-type-needed", kLegal, kHttp, "A request without Content-Type is refused with 415.",
       refuse_http_posts(
           415, [](const HttpMessage& request) { return !request.field("Content-Type"); })},
      {"http-batches-refused", kLegal, kHttp, "Batches are refused with 400 and no Response.",
       refuse_http_posts(400,
                         [](const HttpMessage& request) { return request.body.starts_with('['); })},
      {"http-batches-not-implemented", kLegal, kHttp,
       "Batches are refused with 501 and no Response.",
       refuse_http_posts(501,
                         [](const HttpMessage& request) { return request.body.starts_with('['); })},
      {"http-type-needed-in-json", kLegal, kHttp,
       "A request without Content-Type is refused with 415 and a text that is a JSON String.",
       on_http_request(refusing_types_in_json)},
      {"http-other-host-moved", kLegal, kHttp,
       "A request with a Host of another name is redirected, with a page.",
       on_http_request(moving_other_hosts)},
      {"http-any-type", kLegal, kHttp, "The Content-Type of requests is ignored.",
       edit_http_request(ignore_type)},
      {"http-get-greeted", kLegal, kHttp, "GET is answered by a text.",
       on_http_request(greeting_get)},
  };
  return all;
}

}  // namespace jrpcheck::reference
