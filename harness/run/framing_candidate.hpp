// FramingCandidate: a connection on which it is tried whether the server reads one framing.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "session/framed_stream.hpp"
#include "session/incoming.hpp"
#include "transport/peer.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// How long one candidate is listened to before it is the other's turn.
inline constexpr milliseconds kTurn{5};

/// The same program may come up later behind another framing, which is its own.
inline constexpr milliseconds kForOtherReaders{1000};

class FramingCandidate {
 public:
  FramingCandidate(const wire::Binding& binding, transport::Connection connection)
      : binding_(&binding),
        connection_(std::move(connection)),
        stream_(*connection_.stream, binding),
        sorter_(binding.delimits_messages),
        begin_(Clock::now()) {}

  /// `in_lines`: also where no line feed is needed. What ends by itself needs none: who answers
  /// without one reads no lines.
  void speak(const std::vector<std::string>& messages, Deadline deadline, bool in_lines = false);

  /// What has come in this framing. Values one behind the other may be found in any, so what is
  /// said unasked does not tell that a server reads so.
  enum class Heard { nothing, unasked, answer };
  Heard listen(Deadline deadline);
  /// The same, to be told of later.
  void wait(Deadline deadline) { kept_ = listen(deadline); }
  /// Until so many answers have come.
  void listen_for(std::size_t answers, Deadline deadline);

  /// Whether a message may have come, and waits for a line feed that does not.
  bool holds_unended_message() const;

  /// Whether the call has been read, and for a while nothing else has come of it: who answers it in
  /// no framing that is known answers it all the same. An error that has no id is said of heads
  /// too.
  bool has_been_read() const;

  const std::vector<std::string>& answers() const { return answers_; }

  void close_write() { stream_.close_write(); }
  bool ended() const { return stream_.ended(); }
  microseconds age() const { return time_since(begin_); }
  /// Zero where none has come.
  microseconds until_first_byte() const { return until_first_byte_; }
  const wire::Binding* binding() const { return binding_; }

  /// Of one that has ended: what is told of it.
  std::string obituary(const std::string& name);

 private:
  bool is_of_another(std::string_view payload) const;

  const wire::Binding* binding_;
  transport::Connection connection_;
  session::FramedStream stream_;
  session::IncomingSorter sorter_;
  Clock::time_point begin_;
  microseconds until_first_byte_{0};
  std::vector<std::string> answers_;
  Heard kept_ = Heard::nothing;
  bool is_another_ = false;  // what comes is in another framing
};

}  // namespace jrpcheck::run
