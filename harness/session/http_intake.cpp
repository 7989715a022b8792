#include "session/http_intake.hpp"

#include <string_view>
#include <utility>

namespace jrpcheck::session {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

void take_in(wire::HttpMessage response, dialogue::Exchange& exchange,
             dialogue::Transcript& transcript) {
  transcript.add(dialogue::Direction::received, response.head + response.body, response.violation);
  if (response.beyond_limit) exchange.beyond_limit = response.violation;
  if (!response.violation.empty()) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail = "the response breaks HTTP/1.1: " + response.violation;
    return;
  }
  exchange.http_status = response.status;
  exchange.http_version = response.start_line.substr(0, response.start_line.find(' '));
  exchange.http_content_type = response.field("Content-Type").value_or("");
  if (!is_blank(response.body)) {
    exchange.replies.push_back({std::move(response.body), response.status});
  }
}

bool has_json_object(const wire::HttpMessage& response) {
  const dialogue::Message message(response.body);
  return message.value() != nullptr && message.value()->is(json::Kind::object);
}

}  // namespace jrpcheck::session
