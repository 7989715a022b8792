// Defects in carrying JSON-RPC over HTTP (RFC 9110, RFC 9112).
#include <atomic>
#include <memory>
#include <string>

#include "base/utf8.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using wire::HttpMessage;

constexpr const char* kPageOf500 = "<html><body><h1>500 Internal Server Error</h1></body></html>";

bool holds_error(const HttpMessage& response) {
  const auto object = object_of(response.body);
  return object && object->has("error");
}

bool holds_invalid_params(const HttpMessage& response) {
  const auto object = object_of(response.body);
  return object && code_of(*object) == "-32602";
}

bool is_silence(const HttpMessage& response) { return response.status == 204; }

/// Responses for which `applies` are never sent: the connection stays open, or is closed.
Behaviour losing(bool (*applies)(const HttpMessage& response), bool keep_alive) {
  return on_http_request([=](const HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    return applies(http_message_of(answer)) ? HttpAnswer{"", keep_alive} : answer;
  });
}

/// Responses for which `applies` are followed by the end of the connection.
Behaviour closing_after(bool (*applies)(const HttpMessage& response)) {
  return on_http_request([=](const HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    if (applies(http_message_of(answer))) answer.keep_alive = false;
    return answer;
  });
}

/// What is carried out comes under a status that says the opposite.
Behaviour results_under(int status) {
  return on_http_response([status](const HttpMessage&, HttpMessage& response) {
    if (response.body.find("\"result\"") != response.body.npos) response.status = status;
  });
}

Behaviour silence_under(int status, const std::string& page) {
  return on_http_response([=](const HttpMessage&, HttpMessage& response) {
    if (!is_silence(response)) return;
    response.status = status;
    response.body = page;
    set_field(response, "Content-Length", std::to_string(page.size()));
  });
}

/// Puts a body into the response to a Notification.
Behaviour silence_with(const std::string& type, const std::string& body) {
  return on_http_response([=](const HttpMessage&, HttpMessage& response) {
    if (!is_silence(response)) return;
    response.status = 200;
    set_field(response, "Content-Type", type);
    response.body = body;
  });
}

void become_page(HttpMessage& response) {
  response.status = 500;
  set_field(response, "Content-Type", "text/html");
  response.body = kPageOf500;
}

void write_error_page(const HttpMessage&, HttpMessage& response) {
  if (holds_error(response)) become_page(response);
}

bool type_is_not_exact(const HttpMessage& request) {
  const auto type = request.field("Content-Type");
  return type && *type != "application/json";
}

bool type_has_capitals(const HttpMessage& request) {
  const auto type = request.field("Content-Type").value_or("");
  return type.find_first_of("AJS") != type.npos;
}

/// Miscounts the bytes of results.
Behaviour with_content_length(std::ptrdiff_t difference) {
  return on_http_response([difference](const HttpMessage&, HttpMessage& response) {
    if (response.body.find("\"result\"") == response.body.npos) return;
    const auto size = static_cast<std::ptrdiff_t>(response.body.size()) + difference;
    set_field(response, "Content-Length", std::to_string(size));
  });
}

/// Ends the process at a request for which `applies`.
Behaviour dying_of(bool (*applies)(const HttpMessage& request)) {
  return edit_http_request([applies](const HttpMessage& request) {
    if (applies(request)) throw Catastrophe{Catastrophe::Manner::exit};
  });
}

bool is_empty_post(const HttpMessage& request) {
  return request.method == "POST" && request.body.empty();
}

bool is_chunked(const HttpMessage& request) { return bool(request.field("Transfer-Encoding")); }

/// The head of a request whose body has not come with it is taken for nonsense.
std::string needing_one_segment(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (!bytes.starts_with("POST ")) return std::string(bytes);
  const bool body_is_missing = end == bytes.npos || end + 4 == bytes.size();
  return body_is_missing && bytes.find("Content-Length: 0\r\n") == bytes.npos ? "x\r\n\r\n"
                                                                              : std::string(bytes);
}

/// As php -S has it. One that is longer may be cut by the network.
std::string needing_the_head_in_one_segment(std::string_view bytes) {
  constexpr std::size_t kShort = 100;
  const bool is_beginning = bytes.starts_with("POST ") && bytes.find("\r\n\r\n") == bytes.npos;
  return is_beginning && bytes.size() < kShort ? "x\r\n\r\n" : std::string(bytes);
}

/// Each byte of a character that is cut by the network becomes a question mark.
std::string decoding_pieces(std::string_view bytes) {
  std::string text(bytes);
  while (const auto at = find_invalid_utf8(text)) text[*at] = '?';
  return text;
}

/// Every other error comes with another status.
Behaviour unstable_status() {
  const auto count = std::make_shared<std::atomic<int>>(0);
  return on_http_response([count](const HttpMessage&, HttpMessage& response) {
    if (holds_error(response) && ++*count % 2 == 0) response.status = 500;
  });
}

}  // namespace

std::span<const Mutant> http_faults() {
  static const Mutant all[] = {
      {"http-error-page", breaks("res-always").wherever_it_strikes(), kHttp,
       "Errors come as an HTML page with status 500.", on_http_response(write_error_page)},
      {"http-result-under-404", breaks("http-error-status-of-result"), kHttp,
       "Results come with status 404.", results_under(404)},
      {"http-result-under-500", breaks("http-error-status-of-result"), kHttp,
       "Results come with status 500.", results_under(500)},
      {"http-notification-under-500", breaks("http-notification-5xx"), kHttp,
       "Notifications are answered by status 500.", silence_under(500, "")},
      {"http-notification-page-500", breaks("http-notification-5xx"), kHttp,
       "Notifications are answered by a page of status 500.", silence_under(500, kPageOf500)},
      {"http-notification-closes", breaks("http-response-always"), kHttp,
       "The connection is closed where a Notification should have its status.",
       losing(is_silence, /*keep_alive=*/false)},
      {"http-notification-hangs", breaks("http-response-always"), kHttp,
       "A Notification never has a response.", losing(is_silence, /*keep_alive=*/true)},
      {"http-error-text-as-json", breaks("res-json"), kHttp,
       "Errors are plain text under the type of JSON.",
       on_http_response([](const HttpMessage&, HttpMessage& response) {
         if (holds_error(response)) response.body = "invalid host specified";
       })},
      {"http-error-without-body", breaks("res-always").wherever_it_strikes(), kHttp,
       "Errors come as a status 200 without body.",
       on_http_response([](const HttpMessage&, HttpMessage& response) {
         if (holds_error(response)) response.body.clear();
       })},
      {"http-error-hangs", breaks("res-always").perhaps("id-null-request", "id-zero-and-empty"),
       kHttp, "The response that says that params are invalid is never sent.",
       losing(holds_invalid_params, /*keep_alive=*/true)},
      {"http-error-closes", breaks("res-always").perhaps("id-null-request", "id-zero-and-empty"),
       kHttp, "The connection is closed where it should be said that params are invalid.",
       losing(holds_invalid_params, /*keep_alive=*/false)},
      {"http-closes-after-error", breaks("http-keep-alive"), kHttp,
       "The connection is closed after an error, without notice.", closing_after(holds_error)},
      {"http-closes-after-notification", breaks("http-keep-alive"), kHttp,
       "The connection is closed after a Notification, without notice.", closing_after(is_silence)},
      {"http-bytes-after-body", breaks("http-keep-alive").perhaps("http-get"), kHttp,
       "Bytes that the length does not count follow the body.",
       on_http_request([](const HttpMessage& request, const ProperAnswer& proper) {
         HttpAnswer answer = proper(request);
         answer.bytes += "\r\n0\r\n\r\n";
         return answer;
       })},
      {"http-length-too-small", breaks("res-json"), kHttp,
       "Content-Length of results is two bytes short.", with_content_length(-2)},
      {"http-length-too-large",
       breaks("res-always")
           .perhaps("rob-concurrent", "req-params-omitted")
           .perhaps_any_of("id-", "bat-"),
       kHttp, "Content-Length of results is two bytes too large.", with_content_length(2)},
      {"http-status-changes", breaks("http-status-stable"), kHttp,
       "Every other error comes with status 500 in place of 200.", unstable_status},
      {"http-type-text", breaks("http-response-type"), kHttp, "Responses are of type text/plain.",
       on_http_response([](const HttpMessage&, HttpMessage& response) {
         if (response.field("Content-Type")) set_field(response, "Content-Type", "text/plain");
       })},
      {"http-result-type-text", breaks("http-response-type"), kHttp,
       "Results are of type text/plain.",
       on_http_response([](const HttpMessage&, HttpMessage& response) {
         const auto object = object_of(response.body);
         if (object && object->has("result")) set_field(response, "Content-Type", "text/plain");
       })},
      {"http-type-missing", breaks("http-response-type"), kHttp, "Responses have no Content-Type.",
       on_http_response([](const HttpMessage&, HttpMessage& response) {
         remove_field(response, "Content-Type");
       })},
      {"http-charset-refused", breaks("http-charset"), kHttp,
       "A Content-Type with a charset parameter is refused with 415.",
       refuse_http_posts(415, type_is_not_exact)},
      {"http-type-with-case", breaks("http-charset"), kHttp,
       "A Content-Type in capitals is refused with 415.",
       refuse_http_posts(415, type_has_capitals)},
      {"http-type-with-case-unanswered", breaks("res-always"), kHttp,
       "A Content-Type in capitals is answered 204.", refuse_http_posts(204, type_has_capitals)},
      {"http-chunked-unread", breaks("http-chunked"), kHttp,
       "A chunked body is taken for an empty one.", edit_http_request([](HttpMessage& request) {
         if (is_chunked(request)) request.body.clear();
       })},
      {"http-accept-needed", breaks("http-accept"), kHttp,
       "A request without Accept is refused with 406.",
       refuse_http_posts(406, [](const HttpMessage& request) { return !request.field("Accept"); })},
      {"http-accept-exact", breaks("http-accept"), kHttp,
       "A request that accepts anything is refused with 406.",
       refuse_http_posts(
           406, [](const HttpMessage& request) { return request.field("Accept") == "*/*"; })},
      {"http-empty-body-accepted", breaks("http-empty-body"), kHttp,
       "An empty body is answered 200 without body.", refuse_http_posts(200, is_empty_post)},
      {"http-empty-body-page", breaks("http-empty-body"), kHttp,
       "An empty body is answered 500 with an HTML page.",
       on_http_response([](const HttpMessage& request, HttpMessage& response) {
         if (is_empty_post(request)) write_error_page(request, response);
       })},
      {"http-one-segment-only", breaks("http-head-split").perhaps("rob-split"), kHttp,
       "A body that does not come together with the head is not read.",
       Behaviour{.arriving = needing_one_segment}},
      {"http-head-in-one-segment-only", breaks("http-head-split"), kHttp,
       "A head that comes in pieces is taken for nonsense.",
       Behaviour{.arriving = needing_the_head_in_one_segment}},
      {"http-pieces-decoded-alone", breaks("rob-split").perhaps("json-utf8"), kHttp,
       "A character whose bytes come in two pieces is damaged.",
       Behaviour{.arriving = decoding_pieces}},
      {"http-get-fails", breaks("http-get"), kHttp, "GET is answered 500 with an HTML page.",
       on_http_response([](const HttpMessage& request, HttpMessage& response) {
         if (request.method == "GET") become_page(response);
       })},
      {"http-get-carried-out", breaks("http-get"), kHttp,
       "The call in the body of a GET is carried out.", edit_http_request([](HttpMessage& request) {
         if (request.method == "GET") request.method = "POST";
       })},
      {"http-foreign-type-fatal", breaks("rob-survives"), kHttp,
       "A Content-Type that is none of JSON ends the process.",
       dying_of([](const HttpMessage& request) {
         return request.field("Content-Type") == "text/plain";
       })},
      {"http-origin-fatal", breaks("rob-survives"), kHttp,
       "A request with an Origin ends the process.",
       dying_of([](const HttpMessage& request) { return bool(request.field("Origin")); })},
      {"http-foreign-host-fatal", breaks("rob-survives"), kHttp,
       "A request with a Host of another name ends the process.",
       dying_of(
           [](const HttpMessage& request) { return request.field("Host") == "foreign.example"; })},
      {"http-notification-null",
       breaks("ntf-silent")
           .perhaps("bat-all-notifications", "ntf-silent-application-error",
                    "ntf-silent-invalid-params", "ntf-silent-unknown-method", "res-object"),
       kHttp, "A Notification is answered 200 and null.", silence_with("application/json", "null")},
      {"http-notification-text",
       breaks("ntf-silent")
           .perhaps("bat-all-notifications", "ntf-silent-application-error",
                    "ntf-silent-invalid-params", "ntf-silent-unknown-method", "res-json"),
       kHttp, "A Notification is answered 200 and the text \"No response\".",
       silence_with("text/plain", "No response")},
      {"http-notification-refused",
       breaks("ntf-silent")
           .perhaps("bat-all-notifications", "ntf-silent-application-error",
                    "ntf-silent-invalid-params", "ntf-silent-unknown-method"),
       kHttp, "A Notification is refused with 400 and a text.",
       on_http_response([](const HttpMessage&, HttpMessage& response) {
         if (!is_silence(response)) return;
         response.status = 400;
         set_field(response, "Content-Type", "text/plain");
         response.body = "id is missing";
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
