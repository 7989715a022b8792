// Defects in which HTTP response answers what, and how often.
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/letter_case.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using wire::HttpMessage;

constexpr std::size_t kVeryDeep = 1000;

bool holds_result(const HttpMessage& response) {
  const auto object = object_of(response.body);
  return object && object->has("result");
}

/// A response with a result is sent twice.
HttpAnswer answering_twice(const HttpMessage& request, const ProperAnswer& proper) {
  HttpAnswer answer = proper(request);
  if (holds_result(http_message_of(answer))) answer.bytes += answer.bytes;
  return answer;
}

/// A response with a result is sent again until nobody reads any more.
Behaviour without_end() {
  return {.writing = [](std::string_view bytes, const ProperWrite& write) {
    const bool is_result = bytes.find(R"("result")") != bytes.npos;
    while (write(bytes)) {
      if (!is_result) return true;
    }
    return false;
  }};
}

/// What the head of a GET says of its body goes unread, so that the body is the next request.
std::string forgetting_the_body_of_get(std::string_view bytes) {
  std::string text(bytes);
  if (!text.starts_with("GET ")) return text;
  const std::size_t end = text.find("\r\n\r\n");
  const std::string head = in_lower_case(text.substr(0, end));
  const std::size_t length = head.find("\r\ncontent-length:");
  if (end == text.npos || length == head.npos) return text;
  return text.erase(length, std::min(head.find("\r\n", length + 2), end) - length);
}

HttpAnswer hanging_on_get_with_body(const HttpMessage& request, const ProperAnswer& proper) {
  if (request.method == "GET" && !request.body.empty()) {
    throw Catastrophe{Catastrophe::Manner::hang};
  }
  return proper(request);
}

/// An exception got out.
HttpAnswer error_page(const HttpMessage& request) {
  constexpr std::string_view kPage = "<html><body><h1>500 Internal Server Error</h1></body></html>";
  return respond(500, request, {{"Content-Type", "text/html"}}, kPage);
}

Behaviour failing_over(bool (*applies)(std::string_view body)) {
  return on_http_request([applies](const HttpMessage& request, const ProperAnswer& proper) {
    const bool fails = request.method == "POST" && applies(request.body);
    return fails ? error_page(request) : proper(request);
  });
}

bool is_deep(std::string_view body) { return body.find(std::string(kVeryDeep, '[')) != body.npos; }

bool body_has_foreign_bytes(std::string_view body) {
  return body.find_first_of("\xC0\xF5\xF8\xFE\xFF") != body.npos;
}

bool body_is_malformed(const HttpMessage& request) {
  return !request.body.empty() && !is_json(request.body);
}

/// Line feeds end the lines of heads, without a carriage return.
HttpAnswer with_bare_line_feeds(const HttpMessage& request, const ProperAnswer& proper) {
  HttpAnswer answer = proper(request);
  const std::size_t size = answer.bytes.find("\r\n\r\n") + 4;
  answer.bytes.replace(0, size, replaced(answer.bytes.substr(0, size), "\r\n", "\n"));
  return answer;
}

/// Responses come in one chunk, and say their length as well.
HttpAnswer with_length_of_chunks(const HttpMessage& request, const ProperAnswer& proper) {
  HttpAnswer answer = proper(request);
  HttpMessage response = http_message_of(answer);
  if (response.body.empty()) return answer;
  response.body = wire::http_chunked(response.body, response.body.size());
  set_field(response, "Content-Length", std::to_string(response.body.size()));
  set_field(response, "Transfer-Encoding", "chunked");
  return {http_text_of(response), answer.keep_alive};
}

/// A field more stands at the end of each head, as it is written here.
std::function<HttpAnswer(const HttpMessage&, const ProperAnswer&)> with_field_text(
    std::string field, bool (*applies)(std::string_view head)) {
  return
      [field = std::move(field), applies](const HttpMessage& request, const ProperAnswer& proper) {
        HttpAnswer answer = proper(request);
        const std::size_t end = answer.bytes.find("\r\n\r\n");
        if (applies(std::string_view(answer.bytes).substr(0, end)))
          answer.bytes.insert(end, "\r\n" + field);
        return answer;
      };
}

bool is_without_content(std::string_view head) { return head.starts_with("HTTP/1.1 204"); }
bool is_with_content(std::string_view head) { return !is_without_content(head); }

}  // namespace

std::span<const Mutant> http_answer_faults() {
  static const Mutant all[] = {
      {"http-two-responses", breaks("res-once").perhaps("http-keep-alive"), kHttp,
       "A call that succeeds is answered by two HTTP responses.", on_http_request(answering_twice)},
      {"http-endless-responses", breaks("res-once").perhaps("http-keep-alive", "rob-survives"),
       kHttp, "A call that succeeds is answered by HTTP responses without end.", without_end()},
      {"http-get-body-unread", breaks("http-get").perhaps("http-keep-alive"), kHttp,
       "The body of a GET is taken for the next request.",
       Behaviour{.arriving = forgetting_the_body_of_get}},
      {"http-get-with-body-hangs", breaks("http-get"), kHttp,
       "A GET with a body is never answered.", on_http_request(hanging_on_get_with_body)},
      {"http-depth-page", breaks("rob-depth"), kHttp,
       "Deep nesting is answered by a page of status 500.", failing_over(is_deep)},
      {"http-foreign-bytes-page", breaks("json-utf8"), kHttp,
       "Bytes that UTF-8 never has are answered by a page of status 500.",
       failing_over(body_has_foreign_bytes)},
      {"http-parse-error-bare-400",
       breaks("err-code-parse")
           .perhaps("json-invalid", "json-extensions", "json-trailing", "json-utf8",
                    "bat-parse-error", "id-null-undetectable"),
       kHttp, "What is not JSON is answered by status 400 without body.",
       refuse_http_posts(400, body_is_malformed)},
      {"http-bare-line-feeds", breaks("http-response-head"), kHttp,
       "The lines of heads end in bare line feeds.", on_http_request(with_bare_line_feeds)},
      {"http-length-of-chunks", breaks("http-response-head").perhaps("http-keep-alive"), kHttp,
       "Responses have Content-Length and Transfer-Encoding both.",
       on_http_request(with_length_of_chunks)},
      {"http-length-of-204", breaks("http-response-head"), kHttp,
       "Responses without content have Content-Length.",
       on_http_request(with_field_text("Content-Length: 0", is_without_content))},
      {"http-type-twice", breaks("http-response-head"), kHttp, "Responses have Content-Type twice.",
       on_http_request(with_field_text("Content-Type: application/json", is_with_content))},
      {"http-folded-field", breaks("http-response-head"), kHttp,
       "A field of the heads of responses goes on in the next line.",
       on_http_request(with_field_text("X-Note: one\r\n and one", is_with_content))},
  };
  return all;
}

}  // namespace jrpcheck::reference
