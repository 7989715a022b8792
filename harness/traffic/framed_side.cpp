#include "traffic/framed_side.hpp"

namespace jrpcheck::traffic {

using dialogue::TrafficEvent;

void FramedSide::feed(std::string_view bytes, microseconds at, const Sink& sink) {
  framing_->feed(bytes);
  drain(at, sink);
}

void FramedSide::end(microseconds at, const Sink& sink) {
  framing_->end_of_input();
  drain(at, sink);
}

void FramedSide::drain(microseconds at, const Sink& sink) {
  while (auto frame = framing_->next()) {
    if (frame->control) continue;
    TrafficEvent event{TrafficEvent::Kind::message, side_, at, connection_};
    if (frame->beyond_limit) {
      event.kind = TrafficEvent::Kind::lost;
      event.note = frame->violation;
    } else if (!frame->violation.empty()) {
      event.kind = TrafficEvent::Kind::violation;
      event.note = frame->violation;
      event.message = std::move(frame->payload);
    } else {
      event.message = std::move(frame->payload);
      event.is_binary = frame->is_binary;
    }
    sink(std::move(event));
  }
}

}  // namespace jrpcheck::traffic
