// Messages that leave together on one stream, each with a control call behind it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/reply_count.hpp"
#include "fuzz/control_answer.hpp"
#include "fuzz/executor.hpp"
#include "session/framed_stream.hpp"
#include "session/intake.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::fuzz {

class PipelinedStream {
 public:
  static constexpr std::size_t kMostTogether = 32;

  PipelinedStream(const wire::Binding& binding, session::ControlCall control)
      : control_(std::move(control)), intake_(binding.delimits_messages) {}

  /// Writes all of them, or what stands before the cut, and waits for nothing. False where not all
  /// of that could be written.
  bool send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut> cut,
                session::FramedStream& stream, Deadline deadline);
  /// How many bytes were sent so.
  std::size_t sent_bytes() const { return sent_.bytes; }
  /// What those have brought; nothing where it cannot be told apart.
  std::optional<std::vector<Observed>> take_all(session::FramedStream& stream, Deadline deadline);

  /// Begins a message that is sent by itself: what is to be written, the control call with it.
  std::string begin_alone(const corpus::Step& step, session::FramedStream& stream);
  /// What it has brought. Behind the answer to the control call no more than `tail` is waited for
  /// what is due, which that answer may have overtaken. Where the control call has been answered
  /// with another id, that answer is the event of what was observed.
  Observed take_alone(session::FramedStream& stream, Deadline deadline, microseconds tail);
  /// An answer to such a message has been overtaken: several that are under way together cannot be
  /// told apart.
  bool is_out_of_order() const { return is_out_of_order_; }

  /// They are all of one length.
  std::size_t bytes_of_control_call() const { return control_.text(kFirstFastControlId).size(); }

 private:
  // What may answer the control call.
  struct Stray {
    std::size_t event = 0;
    std::optional<std::size_t> reply = {};  // where it has been taken for one
    long long next_control_id = 0;          // of the call that tells
    bool serves = false;                    // which has been answered
  };
  struct Alone {
    const corpus::Step* step = nullptr;
    long long control_id = 0;
    session::Volume received_before = {};
    corpus::ReplyCount due = {};
    std::string text = {};  // all that was sent
    std::optional<Stray> stray = {};

    bool has_been_told() const { return !stray || stray->serves; }
    bool has_all(std::size_t replies) const { return due.most > 0 && replies >= due.most; }
  };
  struct Sent {
    long long first_id = 0;  // of the control calls
    std::size_t messages = 0;
    std::size_t bytes = 0;
    std::size_t cut_in = 0;              // the message whose rest has not been written, if any
    std::vector<std::string> rest = {};  // in so many writes
  };

  void ask_behind_stray(session::FramedStream& stream, Deadline deadline,
                        const dialogue::Exchange& exchange, const dialogue::Transcript& aside);
  bool listen(session::FramedStream& stream, long long control_id, Deadline deadline,
              dialogue::Exchange& exchange);

  static constexpr long long kFirstFastControlId = 1'300'000'000;
  static constexpr long long kLastFastControlId = 1'600'000'000;

  session::ControlCall control_;
  session::Intake intake_;
  ControlAnswer control_answer_;
  long long next_id_ = kFirstFastControlId;
  Alone alone_;
  bool is_out_of_order_ = false;
  Sent sent_;
};

}  // namespace jrpcheck::fuzz
