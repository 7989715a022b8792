#include "traffic/websocket_side.hpp"

#include <utility>

#include "base/letter_case.hpp"
#include "traffic/framed_side.hpp"

namespace jrpcheck::traffic {

using dialogue::Side;
using dialogue::TrafficEvent;
using wire::WebSocketReader;

std::string handshake_head(const wire::HttpMessage& message) {
  wire::HttpFields fields = message.fields;
  std::erase_if(
      fields, [](const auto& each) { return !begins_ignoring_case(each.first, "sec-websocket-"); });
  return message.status != 0 ? wire::http_response(message.status, fields, "")
                             : wire::http_request(message.method, "/", fields, "");
}

WebSocketSide::WebSocketSide(Side side, std::size_t connection)
    : side_(side),
      connection_(connection),
      reader_(side == Side::client ? WebSocketReader::Role::server : WebSocketReader::Role::client,
              kTapLimits) {}

void WebSocketSide::feed(std::string_view bytes, microseconds at, const Sink& sink) {
  reader_.feed(bytes);
  drain(at, sink);
}

void WebSocketSide::end(microseconds at, const Sink& sink) {
  reader_.end_of_input();
  drain(at, sink);
}

void WebSocketSide::drain(microseconds at, const Sink& sink) {
  using Kind = wire::WebSocketItem::Kind;
  while (auto item = reader_.next()) {
    TrafficEvent event{TrafficEvent::Kind::message, side_, at, connection_};
    if (item->kind == Kind::ping || item->kind == Kind::pong) continue;
    event.is_binary = item->is_binary;
    if (item->kind == Kind::message && interrupted_ > 0) --interrupted_;
    const bool is_late = item->kind == Kind::message && has_closed_;
    if (is_late && tell_late(event, item->payload, sink)) continue;
    if (item->kind == Kind::close) {
      has_closed_ = true;
      event.kind = TrafficEvent::Kind::closed;
      event.note = "closed the connection with " + std::to_string(item->close_code);
    } else if (item->kind == Kind::fault) {
      // That a text is not UTF-8 is told by whoever reads it as JSON.
      if (item->fault == wire::WebSocketFault::not_utf8) continue;
      // Told with the whole message (tell_late).
      if (item->fault == wire::WebSocketFault::behind_close) continue;
      if (is_rest(item->fault)) continue;
      event.kind = item->fault == wire::WebSocketFault::too_long ? TrafficEvent::Kind::lost
                                                                 : TrafficEvent::Kind::violation;
      event.note = wire::name_of(item->fault);
    }
    if (event.kind != TrafficEvent::Kind::closed) event.message = std::move(item->payload);
    sink(std::move(event));
  }
}

// Of a message that another has interrupted (RFC 6455 §5.4), which is what is wrong: what goes on
// behind that one is of the first.
bool WebSocketSide::is_rest(wire::WebSocketFault fault) {
  constexpr int kUntilTheNext = 2;
  if (fault == wire::WebSocketFault::message_interrupted) interrupted_ = kUntilTheNext;
  return fault == wire::WebSocketFault::nothing_to_continue && interrupted_ > 0;
}

// RFC 6455 §5.5.1: no data frames behind one's own Close. True where that is all: what a server
// says there answers nothing; a message of the client's is told, for who takes it may answer it.
bool WebSocketSide::tell_late(TrafficEvent event, const std::string& payload,
                              const Sink& sink) const {
  const bool is_all = side_ == Side::server;
  event.kind = TrafficEvent::Kind::violation;
  event.note = "a message behind a Close";
  event.message = payload;
  sink(std::move(event));
  return is_all;
}

}  // namespace jrpcheck::traffic
