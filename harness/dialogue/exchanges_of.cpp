#include "dialogue/exchanges_of.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::dialogue {
namespace {

bool asks_for_login(const Event& event, const Message& body) {
  constexpr std::size_t kUnauthorized = 401;
  if (event.http->status != kUnauthorized) return false;
  const std::string head = in_lower_case(event.bytes.substr(0, event.http->size));
  return contains(head, "\r\nwww-authenticate:") && body.find("jsonrpc") == nullptr &&
         body.find("id") == nullptr;
}

// In lower case. That there is none has a name as well (RFC 9110 §12.5.3).
std::string coding_of(const Event& event) {
  constexpr std::string_view kField = "\r\ncontent-encoding:";
  const std::string head = in_lower_case(event.bytes.substr(0, event.http->size));
  const auto found = head.find(kField);
  if (found == head.npos) return {};
  const std::string_view rest = std::string_view(head).substr(found + kField.size());
  const auto coding = wire::trimmed(rest.substr(0, rest.find("\r\n")));
  return coding == "identity" ? std::string() : std::string(coding);
}

void take_response(const Event& event, Exchange& exchange) {
  if (event.http->is_broken) return;
  Message body = message_of(event);
  // Between responses a stream says now and then that it stands.
  if (event.http->is_block() && is_blank(body.text())) return;
  exchange.http_status = static_cast<int>(event.http->status);
  exchange.http_version = event.http->version;
  exchange.http_content_type = event.http->content_type;
  if (!event.http->is_block()) exchange.http_head = event.bytes.substr(0, event.http->size);
  exchange.asks_for_login = exchange.asks_for_login || asks_for_login(event, body);
  if (is_blank(body.text())) return;
  exchange.replies.push_back({std::move(body), exchange.http_status, false, event.call, false,
                              event.http->is_block(), coding_of(event)});
}

// What a stream that stands open brings comes behind the response that has accepted the message.
void take_accepted(const Event& event, Exchange& exchange) {
  exchange.http_status = static_cast<int>(event.http->status);
  exchange.http_version = event.http->version;
  exchange.http_content_type = event.http->content_type;
}

void take_handshake(const Event& event, Exchange& exchange) {
  exchange.http_status = static_cast<int>(event.http->status);
  if (exchange.handshake) exchange.handshake->response = event.bytes;
}

void take_control_frame(const Event& event, Exchange& exchange) {
  // Each connection has its own Close and its own pongs (RFC 6455 §5.5.1, §5.5.3).
  if (!event.frame || event.note.starts_with(kFormerConnectionNote)) return;
  if (event.frame->kind == wire::ControlFrame::Kind::pong) exchange.pongs.push_back(event.bytes);
  if (event.frame->kind == wire::ControlFrame::Kind::close && !exchange.close) {
    exchange.close = Close{event.frame->close_code, event.bytes};
  }
}

void take_received(const Event& event, Exchange& exchange) {
  if (event.http && event.http->is_handshake) {
    take_handshake(event, exchange);
  } else if (event.is_control) {
    exchange.control_answer = message_of(event).text();
  } else if (event.http) {
    take_response(event, exchange);
  } else {
    exchange.replies.push_back(
        {message_of(event), 0, event.in_several_lines, event.call, event.is_binary});
  }
}

void take_end(const Event& event, Exchange& exchange) {
  const StepEnd& end = *event.end;
  exchange.ending = end.ending;
  exchange.detail = event.note;
  exchange.unfinished = event.bytes;
  exchange.endless = end.endless;
  exchange.held_back = end.held_back;
  exchange.control_answered = end.control_answered;
  if (!end.control_answered) exchange.control_answer.clear();
  exchange.on_new_connection = end.on_new_connection;
  exchange.lost_connection = end.lost_connection;
  exchange.beyond_limit = end.beyond_limit;
  exchange.limited = end.limited;
  exchange.not_asked = end.not_asked;
  // It answers the message after.
  if (end.held_back) exchange.replies.clear();
}

// "exited with code 1": the words of the transport, which are all that is stored of it.
std::optional<int> exit_code_in(std::string_view note) {
  constexpr std::string_view kWords = "exited with code ";
  const auto found = note.find(kWords);
  if (found == note.npos) return std::nullopt;
  return std::atoi(std::string(note.substr(found + kWords.size())).c_str());
}

void take(const Event& event, Exchange& exchange) {
  switch (event.direction) {
    case Direction::sent:
      if (event.note == kHandshakeNote) exchange.handshake = Handshake{event.bytes, {}};
      return;
    case Direction::control:
      return take_control_frame(event, exchange);
    case Direction::received:
      return take_received(event, exchange);
    case Direction::aside:
      if (event.http && event.note == kAcceptedNote) take_accepted(event, exchange);
      return;
    case Direction::violation:
      exchange.noise.push_back({event.bytes, event.note});
      return;
    case Direction::noise:
      exchange.noise.push_back({event.bytes, {}});
      return;
    case Direction::exited:
      exchange.exit_code = exit_code_in(event.note);
      return;
    case Direction::ended:
      return take_end(event, exchange);
    default:
      return;
  }
}

// What is no message is charged also where it comes beside a control call, behind the last step.
bool is_out_of_frame(const Event& event) {
  return event.direction == Direction::violation || event.direction == Direction::noise;
}

}  // namespace

std::optional<Exchanges> exchanges_of(const std::vector<Event>& events) {
  Exchanges all;
  Exchange current;
  for (const auto& event : events) {
    if (event.direction == Direction::checked && event.survival) {
      all.survival.survival = *event.survival;
      all.survival.detail = event.note;
      all.survival.standard_error = event.bytes;
      all.survival.answers_next = event.answers_next;
      all.survival.answered_meanwhile = event.answered_meanwhile;
      all.survival.was_slow = event.was_slow;
    }
    if (!event.step && is_out_of_frame(event) && !all.steps.empty()) take(event, all.steps.back());
    if (event.step != all.steps.size()) continue;
    take(event, current);
    if (event.direction == Direction::ended && event.end) {
      all.steps.push_back(std::exchange(current, {}));
    }
  }
  if (all.steps.empty()) return std::nullopt;
  return all;
}

Event end_of(const Exchange& exchange) {
  Event event;
  event.direction = Direction::ended;
  event.bytes = exchange.unfinished;
  event.note = exchange.detail;
  event.end =
      StepEnd{exchange.ending,           exchange.endless,           exchange.held_back,
              exchange.control_answered, exchange.on_new_connection, exchange.lost_connection,
              exchange.beyond_limit,     exchange.limited,           exchange.not_asked};
  return event;
}

Event event_of(const SurvivalCheck& check) {
  Event event;
  event.direction = Direction::checked;
  event.bytes = check.standard_error;
  event.note = check.detail;
  event.survival = check.survival;
  event.answers_next = check.answers_next;
  event.answered_meanwhile = check.answered_meanwhile;
  event.was_slow = check.was_slow;
  return event;
}

}  // namespace jrpcheck::dialogue
