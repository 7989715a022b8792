#include "traffic/framed_side.hpp"

#include <utility>

#include "base/ascii.hpp"

namespace jrpcheck::traffic {

using dialogue::TrafficEvent;

void FramedSide::feed(std::string_view bytes, microseconds at, const Sink& sink) {
  // Line by line, so that an empty one has its place among the messages.
  const bool in_lines = empty_lines_ == EmptyLines::told;
  while (!bytes.empty()) {
    const auto end = in_lines ? bytes.find('\n') : std::string_view::npos;
    const bool has_end = end != std::string_view::npos;
    const auto piece = bytes.substr(0, has_end ? end + 1 : bytes.size());
    bytes.remove_prefix(piece.size());
    framing_->feed(piece);
    drain(at, sink);
    if (!in_lines) continue;
    note_line(piece);
    if (has_end) tell_empty_line(at, sink);
  }
}

void FramedSide::end(microseconds at, const Sink& sink) {
  framing_->end_of_input();
  drain(at, sink);
  // Who reads lines takes what stands behind the last line feed for one, too.
  tell_empty_line(at, sink);
}

void FramedSide::note_line(std::string_view piece) {
  // What is longer the framing tells of.
  const bool has_room = blanks_.size() + piece.size() <= kTapLimits.max_message_bytes;
  is_line_in_use_ = is_line_in_use_ || !is_blank(piece) || !has_room;
  if (!is_line_in_use_) blanks_.append(piece);
}

// Whoever reads each line as a message finds none there, and may say so: the line is part of what
// was said.
void FramedSide::tell_empty_line(microseconds at, const Sink& sink) {
  std::string blanks = std::exchange(blanks_, {});
  if (std::exchange(is_line_in_use_, false) || blanks.empty()) return;
  TrafficEvent event{TrafficEvent::Kind::noise, side_, at, connection_};
  event.message = std::move(blanks);
  event.note = "an empty line";
  sink(std::move(event));
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
