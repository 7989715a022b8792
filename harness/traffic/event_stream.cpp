#include "traffic/event_stream.hpp"

#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "traffic/endpoints.hpp"

namespace jrpcheck::traffic {
using dialogue::EventStream;
using dialogue::Message;
using dialogue::TrafficEvent;

TrafficEvent EventStreamSide::event(microseconds at) const {
  TrafficEvent event{TrafficEvent::Kind::message, dialogue::Side::server, at, connection_};
  event.exchange = exchange_;
  event.stream = kind_;
  return event;
}

// A stream that answers a POST brings messages; what a GET asks for may be anything. Events of
// other types are for those who know them, such as where messages are to be sent.
bool EventStreamSide::is_message(const wire::ServerSentEvent& block, const Message& message) {
  if (is_blank(message.text())) return false;
  if (kind_ == EventStream::answer && block.is_of_messages()) return true;
  is_of_json_rpc_ = is_of_json_rpc_ || is_of_json_rpc(message);
  return is_of_json_rpc_ && is_like_json_rpc(message);
}

void EventStreamSide::feed(std::string_view body, microseconds at, const Sink& sink) {
  reader_.feed(body);
  while (auto block = reader_.next()) {
    may_go_on_ = may_go_on_ || block->id;
    auto told = event(at);
    if (!block->violation.empty()) {
      told.kind = TrafficEvent::Kind::lost;
      told.note = block->violation;
      sink(std::move(told));
      continue;
    }
    told.message = std::move(block->data).value_or("");
    if (is_message(*block, told.message)) sink(std::move(told));
  }
}

void EventStreamSide::end(std::size_t http_status, bool is_whole, microseconds at,
                          const Sink& sink) {
  auto told = event(at);
  told.http_status = http_status;
  const bool is_over = is_whole && !may_go_on_;
  if (kind_ == EventStream::answer && !is_over) told.stream = EventStream::broken_off;
  sink(std::move(told));
}

}  // namespace jrpcheck::traffic
