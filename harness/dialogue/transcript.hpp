// Transcript: everything that passed between jrpcheck and a server, as data.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"

namespace jrpcheck::dialogue {

enum class Direction {
  sent,            ///< bytes of ours, framing included
  received,        ///< one message of the server; over HTTP with its head
  aside,           ///< one message that answers something asked before: late, or twice
  unasked,         ///< one message that nobody asked for: the server's own, or an answer to nothing
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
  std::optional<std::size_t> step = {};  ///< of the case, from 0, during which it happened
  std::size_t left_out = 0;  ///< so many bytes in the middle are not kept; `bytes` says where
};

/// `bytes` without their middle where they are long, and how many were left out. What is built to
/// be large repeats itself; both ends are the evidence.
struct Excerpt {
  std::string bytes;
  std::size_t left_out = 0;
};
Excerpt excerpt(std::string bytes);

/// The events of one case, in order. What it holds is bounded, whatever a server sends: long
/// messages are kept as excerpts, and beyond a limit events are counted and not kept.
class Transcript {
 public:
  Transcript() : begin_(Clock::now()) {}

  void begin_step(std::size_t step) { step_ = step; }
  /// What follows belongs to the case as a whole.
  void end_steps() { step_.reset(); }

  void add(Direction direction, std::string bytes, std::string note = {});

  /// What was added last is something else after all, once more is known.
  void put_right(std::size_t event, Direction direction, std::string note = {});

  const std::vector<Event>& events() const { return events_; }
  microseconds duration() const {
    return std::chrono::duration_cast<microseconds>(Clock::now() - begin_);
  }

 private:
  Clock::time_point begin_;
  std::optional<std::size_t> step_;
  std::vector<Event> events_;
  std::size_t kept_bytes_ = 0;
  bool dropped_ = false;
};

}  // namespace jrpcheck::dialogue
