// Transcript: everything that passed between jrpcheck and a server, as data.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"

namespace jrpcheck::session {

enum class Direction {
  sent,            ///< bytes of ours, framing included
  received,        ///< one message of the server; over HTTP with its head
  aside,           ///< one message that answers nothing we asked here: unasked, or late
  violation,       ///< bytes that break the framing, or output that is no message
  quiet,           ///< nothing came until we stopped waiting
  closed,          ///< the server closed the connection, or could not be reached
  exited,          ///< the server's process ended
  standard_error,  ///< the end of what the process wrote to standard error
};

std::string_view name_of(Direction direction);

/// One thing that happened. Timeouts, closes and framing breaks are events like any other.
struct Event {
  Direction direction = Direction::sent;
  microseconds at{0};  ///< since the transcript began
  std::string bytes;
  std::string note;  ///< in words, where bytes do not say it: "control call", "no answer in 5 s"
};

/// The events of one case, in order.
class Transcript {
 public:
  Transcript() : begin_(Clock::now()) {}

  void add(Direction direction, std::string bytes, std::string note = {});

  const std::vector<Event>& events() const { return events_; }
  microseconds duration() const {
    return std::chrono::duration_cast<microseconds>(Clock::now() - begin_);
  }

 private:
  Clock::time_point begin_;
  std::vector<Event> events_;
};

}  // namespace jrpcheck::session
