#include "session/http_intake.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace jrpcheck::session {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

dialogue::Event event_of(const wire::HttpMessage& response, const dialogue::Message& body) {
  dialogue::Event event{
      dialogue::Direction::received, {}, response.head + response.body, response.violation};
  event.message = body;
  event.http = dialogue::HttpHead{static_cast<std::size_t>(response.status),
                                  response.start_line.substr(0, response.start_line.find(' ')),
                                  std::string(response.field("Content-Type").value_or("")),
                                  response.head.size(), !response.violation.empty()};
  return event;
}

void take_in(const wire::HttpMessage& response, dialogue::Exchange& exchange,
             dialogue::Transcript& transcript, std::optional<std::size_t> call) {
  const dialogue::Message body(response.body);
  dialogue::Event event = event_of(response, body);
  event.call = call;
  const dialogue::HttpHead head = *event.http;
  const bool is_taken = transcript.add(std::move(event));
  if (!is_taken) exchange.beyond_limit = dialogue::kMoreThanTaken;
  if (response.beyond_limit) exchange.beyond_limit = response.violation;
  if (head.is_broken) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail = "the response breaks HTTP/1.1: " + response.violation;
    return;
  }
  exchange.http_status = response.status;
  exchange.http_version = head.version;
  exchange.http_content_type = head.content_type;
  if (is_taken && !is_blank(body.text())) exchange.replies.push_back({body, response.status});
}

}  // namespace jrpcheck::session
