// What one step on a stream waits for, and how far that has come.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/deadline.hpp"
#include "corpus/reply_count.hpp"
#include "session/framed_stream.hpp"

namespace jrpcheck::session {

/// Replies are complete when the most that may come have come, or when the fewest that must come
/// have come and a control call that was sent after them has been answered.
struct Waiting {
  Deadline deadline;
  corpus::ReplyCount due;
  Volume received_before;
  std::size_t sent_bytes = 0;
  bool well_formed = true;
  Volume received_at_last = received_before;  // when a deadline had passed
  bool sent_whole = true;  // else a call sent now would end up within the message
  bool in_pieces = false;  // so that an answer may be to the first of them
  Clock::time_point begin = Clock::now();
  bool is_for_slow = false;  // what comes after that tells nothing
  bool has_waited_for_work = false;
  bool takes_all = true;  // the most that may come is the end of it
  bool comes_up = false;  // the program, which was started for this
  bool awaits_exit = false;
  bool awaits_close = false;     // of the connection, by the server
  bool charges_silence = false;  // which is a warning
  /// The payload of the pong that is due besides.
  std::optional<std::string> pong_due = {};
  std::optional<long long> control_id = {};
  bool prodded = false;  // by the control call, for want of an answer
  /// How long nothing had come when the control call went out behind which the answer came.
  std::optional<microseconds> before_call = {};
  bool came_at_once = false;  // behind it, and sooner than that had been
  bool control_answered = false;
  std::string control_answer = {};
  bool has_met_stray = false;  // which may have been the answer to the control call

  bool enough(std::size_t replies) const { return replies >= due.least; }
  bool all(std::size_t replies) const { return due.most > 0 && replies >= due.most; }
  bool settled(std::size_t replies) const {
    return (takes_all && all(replies)) || (enough(replies) && control_answered);
  }
};

}  // namespace jrpcheck::session
