#include "wire/sse.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/letter_case.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

bool is_event_stream(std::string_view content_type) {
  const auto type = content_type.substr(0, content_type.find(';'));
  return same_ignoring_case(trimmed(type), "text/event-stream");
}

void SseReader::feed(std::string_view bytes) {
  for (const char byte : bytes) {
    if (is_over_) return;
    if (is_begun_) {
      take(byte);
    } else if (byte == kByteOrderMark[mark_]) {
      is_begun_ = ++mark_ == kByteOrderMark.size();
    } else {
      is_begun_ = true;
      for (const char held : kByteOrderMark.substr(0, mark_)) take(held);
      take(byte);
    }
  }
}

std::optional<ServerSentEvent> SseReader::next() {
  if (events_.empty()) return std::nullopt;
  ServerSentEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void SseReader::take(char byte) {
  const bool ends_pair = std::exchange(after_return_, false) && byte == '\n';
  if (ends_pair && std::exchange(block_has_ended_, false)) return;
  block_has_ended_ = false;
  event_.block.push_back(byte);
  const std::size_t limit = limits_.max_message_bytes + limits_.max_head_bytes;
  if (event_.block.size() > limit) return give_up(limit);
  if (ends_pair) return;
  if (byte == '\r' || byte == '\n') {
    after_return_ = byte == '\r';
    return end_line();
  }
  line_.push_back(byte);
}

void SseReader::give_up(std::size_t limit) {
  is_over_ = true;
  event_.block = evidence_of(event_.block, limit);
  event_.violation = "an event is longer than " + std::to_string(limit) + " bytes";
  events_.push_back(std::exchange(event_, {}));
}

// WHATWG HTML §9.2.6: a colon, and one space behind it, stand between name and value; a comment has
// no name.
void SseReader::end_line() {
  const std::string line = std::exchange(line_, {});
  if (line.empty()) return dispatch();
  const auto colon = line.find(':');
  const std::string_view name = std::string_view(line).substr(0, colon);
  std::string_view value;
  if (colon != line.npos) value = std::string_view(line).substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  take_field(name, value);
}

void SseReader::take_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (event_.data) {
      event_.data->append("\n").append(value);
    } else {
      event_.data = std::string(value);
    }
  } else if (name == "event") {
    event_.type = value;
  } else if (name == "id") {
    if (value.find('\0') == value.npos) event_.id = std::string(value);
  } else if (name == "retry") {
    if (are_digits(value)) event_.retry = std::string(value);
    event_.has_retry_garbled = event_.has_retry_garbled || !are_digits(value);
  }
}

void SseReader::dispatch() {
  block_has_ended_ = after_return_;
  ServerSentEvent event = std::exchange(event_, {});
  const bool is_blank = event.block.find_first_not_of("\r\n") == std::string::npos;
  if (!is_blank) events_.push_back(std::move(event));
}

std::string event_text(const ServerSentEvent& event) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\n");
  };
  if (!event.type.empty()) add("event", event.type);
  if (event.id) add("id", *event.id);
  if (event.retry) add("retry", *event.retry);
  std::string_view data = event.data ? std::string_view(*event.data) : std::string_view();
  while (event.data) {
    // Either ends a line, and so no value has one.
    const auto end = std::min(data.find_first_of("\r\n"), data.size());
    add("data", data.substr(0, end));
    if (end == data.size()) break;
    const bool is_pair = data.substr(end, 2) == "\r\n";
    data.remove_prefix(end + (is_pair ? 2 : 1));
  }
  return text + "\n";
}

}  // namespace jrpcheck::wire
