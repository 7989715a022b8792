// One connection with a server as a step uses it: messages and control calls go out, frames come in
// and are put where they belong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "session/conversation.hpp"
#include "session/framed_stream.hpp"
#include "session/intake.hpp"
#include "session/patience.hpp"
#include "session/stream_conversation.hpp"
#include "session/waiting.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::session {

class Channel {
 public:
  Channel(transport::Peer& peer, StreamSettings of_conversation, Patience& patience)
      : settings(std::move(of_conversation)),
        intake(settings.binding->delimits_messages, settings.opening.answers),
        peer_(peer),
        patience_(patience) {}

  /// Another connection in place of the one before, which has ended by then.
  Result<bool> connect(dialogue::Transcript& transcript);

  /// The program at the other end, where it was started here.
  std::shared_ptr<transport::Program> program() const {
    return connection.program ? connection.program : peer_.program();
  }
  /// The empty folder of the connection's program, where the opening names one.
  const transport::EmptyFolder* own_folder() const {
    const bool has_one = connection.program && settings.opening.folder_place;
    return has_one ? connection.program->folder() : nullptr;
  }

  /// Something has come since the connection was made.
  bool was_heard() const { return heard_; }

  /// For what is due from the other end.
  Deadline due_in(microseconds wait) const;
  /// What is waited for behind so many bytes of a step, and for how long.
  Waiting waiting_for(const corpus::Step& step, std::size_t bytes, bool well_formed) const;
  /// When a control call is due that was due at `ask`: what has come up meanwhile is asked as soon
  /// as any other.
  Deadline until_asked(Deadline ask, Waiting& waiting) const;

  /// Returns the id of the control call that it sends.
  long long send_control(Deadline deadline, dialogue::Transcript& transcript);
  /// A program that has said nothing yet may still be starting, or ignore calls without params: one
  /// with params tells, and shortens the wait.
  long long prod(Deadline deadline, dialogue::Transcript& transcript);
  /// Of the calls of `prod` only the one with params was answered: then it is the control call from
  /// here on.
  void settle_for_params(Waiting& waiting);

  struct Asked {
    bool is_answered = false;
    bool others_came = false;  ///< while the answer was waited for
    std::string answer = {};
    std::vector<dialogue::Reply> others = {};
  };
  /// A control call, and what comes of it.
  Asked ask(Deadline deadline, dialogue::Transcript& transcript);

  /// A server may have asked its client something, and wait for the answer. It gets it only where
  /// it owes one itself: most go on without, and some take a Response for a Request.
  void answer_requests(Deadline deadline, dialogue::Transcript& transcript);

  /// What has come before a step sends anything does not answer it.
  void take_arrived(dialogue::Exchange& exchange, dialogue::Transcript& transcript);

  /// True when a frame was taken in; false also when a first sign made the deadline an earlier one.
  bool await_frame(Deadline deadline, dialogue::Exchange& exchange, Waiting& waiting,
                   dialogue::Transcript& transcript);
  /// Where what came last may be the answer to the control call with another id: the next call
  /// tells, which is answered where the first is not.
  void settle_stray(dialogue::Exchange& exchange, Waiting& waiting,
                    dialogue::Transcript& transcript);
  /// The same of a server that returns no ids, or answers under none.
  void settle_for_other_ids(std::size_t begin, std::size_t calls, dialogue::Exchange& aside,
                            Waiting& waiting, dialogue::Transcript& transcript) const;
  /// A whole answer to the control call has come of which the length says that it goes on: the
  /// server serves, and its length is wrong.
  void settle_unfinished(Waiting& waiting) const;
  /// Behind what must come, what may.
  void await_tail(dialogue::Exchange& exchange, Waiting& waiting, dialogue::Transcript& transcript);
  void await_pong(Deadline deadline, dialogue::Exchange& exchange, Waiting& waiting,
                  dialogue::Transcript& transcript);

  /// A deadline that was shortened has passed, or the time to come up, and the program is at work:
  /// it is waited for a little longer, at most as long as anybody is, or some times what one that
  /// comes up is given. What pours in is read until it stops or is a flood.
  bool waits_longer(Waiting& waiting);

  bool is_flooding(const Waiting& waiting) const {
    return is_flood(waiting.received_before, stream->received());
  }

  StreamSettings settings;
  Intake intake;
  transport::Connection connection = {};
  std::optional<FramedStream> stream = {};  ///< on it
  bool late_by_one = false;                 ///< a message is answered when the next one comes

 private:
  /// A program that was started for this conversation, which serves others, is given the time that
  /// it takes to come up, and asked nothing meanwhile.
  bool comes_up() const {
    return settings.opening.is_withheld && !heard_ && patience_.has_answered();
  }
  Deadline deadline_for(const corpus::Step& step, std::size_t bytes, bool well_formed) const;
  /// The longest that a program at work is waited for.
  microseconds for_work(const Waiting& waiting) const;
  /// Whether much has come since this was last asked.
  bool is_pouring(Waiting& waiting) const;
  void send_control(long long id, const ControlCall& call, Deadline deadline,
                    dialogue::Transcript& transcript);
  bool may_still_answer(const dialogue::Exchange& exchange, const Waiting& waiting) const;
  bool is_first_sign() const { return !heard_ && stream->received().bytes > 0; }
  void note_first_sign(Waiting& waiting);

  transport::Peer& peer_;
  Patience& patience_;
  std::uint64_t connections_ = 0;  // that were made
  Clock::time_point opened_at_;
  bool heard_ = false;
  std::optional<long long> with_params_ = {};  // the id of the call that prods with params
  std::optional<std::string> params_answer_ = {};
};

}  // namespace jrpcheck::session
