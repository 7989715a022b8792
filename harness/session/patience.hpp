// Patience: how long to wait for what, learned from the server itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/deadline.hpp"
#include "session/greeting.hpp"
#include "session/held_answers.hpp"

namespace jrpcheck::session {

/// Shared by all conversations of a run. Every wait ends early when what is awaited arrives; these
/// are upper bounds. A server that answers is always given the whole timeout. One that has left
/// something unanswered is given it no more for the same kind of thing, but a multiple of the
/// longest that it has taken for an answer so far: that also tells how loaded the machine is.
class Patience {
 public:
  /// Programs on a virtual machine, or with a lot to load on a busy one, take many seconds to come
  /// up; those that take longer are rarer than those that never say a word.
  static constexpr milliseconds kStartUp{20'000};

  /// What may take longer than anybody waits is not waited for as long as what may not.
  static constexpr milliseconds kForSlow{1500};

  explicit Patience(microseconds timeout, microseconds start_up = kStartUp)
      : timeout_(timeout), start_up_(start_up) {}

  /// --timeout: the longest that any one answer is waited for.
  microseconds timeout() const { return timeout_; }

  microseconds round_trip() const { return microseconds(round_trip_us_.load()); }
  void learn_round_trip(microseconds measured) { round_trip_us_ = measured.count(); }

  /// An answer came after so long to a message of so many bytes.
  void note_answer(microseconds waited, std::size_t sent_bytes);

  /// The same; but the first answer of a program tells how long it takes to come up.
  void note_answer(bool was_up, microseconds waited, std::size_t sent_bytes) {
    was_up ? note_answer(waited, sent_bytes) : note_first_answer();
  }

  /// After so long without an answer it is worth asking whether the server still serves.
  microseconds before_control() const;

  /// How long late answers are waited for once a control call that was sent after the message has
  /// been answered: a few round trips, and some milliseconds for servers faster than a scheduler.
  /// A server that answers out of order may still be reading a large message then.
  microseconds tail(std::size_t bytes_sent = 0) const {
    constexpr std::size_t kBytesPerMicrosecond = 5;
    return within(3 * round_trip() + microseconds(bytes_sent / kBytesPerMicrosecond),
                  may_overtake() ? std::max(least_tail_, kLeastTailOnceOvertaken) : least_tail_);
  }
  /// An answer to a control call has overtaken one that was due before it. What else is due may
  /// come as late as a scheduler lets it.
  void note_overtaking() { has_overtaken_ = true; }
  bool has_overtaken() const { return has_overtaken_; }
  /// So may it before some tails have shown that none is overtaken, or calls at once.
  void suspect_overtaking() { suspects_overtaking_ = true; }
  void note_order() { suspects_overtaking_ = false; }
  /// For a server whose answers come later than that. To be set before there are conversations.
  void use_tail(microseconds least) { least_tail_ = least; }

  /// How long an answer to a message of so many bytes is waited for. The first of a kind that does
  /// not come costs the whole timeout, those after it a shorter bound.
  microseconds for_answer(bool well_formed, std::size_t sent_bytes = 0) const;
  /// The same where one that took so long came only behind a control call, and is asked for again
  /// without one.
  microseconds for_answer_alone(microseconds took) const;
  /// The same over HTTP, where no later call shows that this one was dropped and not only held up.
  microseconds for_response(bool well_formed, std::size_t sent_bytes) const;
  /// The same for a control call, which is short and known to be answered at once; but first what
  /// was sent before it is to be read. Over HTTP it goes out when an answer has been waited for in
  /// vain: the silence has lasted for so long then.
  microseconds for_control(std::size_t bytes_before = 0) const;

  /// A server that takes what it reads at once for one message is sent nothing before it has read
  /// what was sent last: nothing else shows that where no answer comes.
  void keep_messages_apart() { keeps_apart_ = true; }
  /// Nor is a server that serves one call a connection sent anything behind a call that is to be
  /// answered: it closes with that unread, and the reset which this is cuts off what it answers
  /// (RFC 1122 §4.2.2.13).
  void note_one_call() { keeps_apart_ = serves_one_call_ = true; }
  bool serves_one_call() const { return serves_one_call_; }
  /// What goes to a program that comes up is read at once by the time it has.
  microseconds between_messages(bool is_up = true) const {
    if (!keeps_apart_) return microseconds(0);
    return is_up ? microseconds(kBetweenMessages) : kBetweenMessages + kStartUpsUnread * start_up();
  }

  /// How long a server is given to end a connection behind both Closes: the whole timeout, until it
  /// has held one open for that long.
  microseconds for_end() const {
    return holds_open_ ? std::min<microseconds>(kOnceHeldOpen, timeout_) : timeout_;
  }
  void note_held_open() { holds_open_ = true; }

  /// What the server says to each new connection.
  Greeting& greeting() { return greeting_; }

  /// The same behind a call whose answer may take long: who works on one call at a time answers it
  /// first. Waited for in vain once, no longer than usual.
  microseconds for_control_behind_work() const;
  void note_endless_work() { works_endlessly_ = true; }

  void note_missing_answer(bool well_formed);
  void note_missing_control();
  /// It may answer all else.
  void note_missing_pong();
  /// Nothing at all has come in the time for coming up: the same silence is not waited for again.
  void note_silence();

  /// Before a server is said to answer no more it is given the whole timeout, whatever was missed
  /// before: another message may have hung, and this one be slow. So many hangs cost that, those of
  /// conversations side by side as well; one that has never answered has been waited for by then.
  bool doubts_silence() const {
    return answered_once_ && hangs_ + doubted_ < kHangsInFull && !returned_in_vain_;
  }
  /// Between these its silence is waited for, and counts with the hangs.
  void begin_doubt() { ++doubted_; }
  void end_doubt() { --doubted_; }
  void note_hang() { ++hangs_; }
  /// One that the same message did not bring about again: no message is slow there, and the next
  /// silence is doubted less.
  void note_causeless_hang() { ++hangs_; }
  /// A server that was started anew has answered no call in its time. Until it answers one, neither
  /// its silence is doubted nor another start waited for as long.
  void note_return_in_vain() { returned_in_vain_ = true; }

  /// A program that is at work is waited for beyond a shorter bound: it may be about to answer, or
  /// die. One that has worked in vain for the whole timeout is not waited for so again.
  bool waits_for_work() const { return !worked_in_vain_; }
  void note_work_in_vain() { worked_in_vain_ = true; }

  /// Forgets what was missed, so that what is tried again gets the whole timeout.
  void forgive();

  /// Until anything at all has come from the server, or has been waited for in vain, a wait is also
  /// one for a program that comes up. That is paid once.
  bool is_starting() const { return starting_; }
  void note_first_sign() { starting_ = false; }
  /// Another program is started that nobody has heard yet: what one before it has missed says
  /// nothing of it.
  void expect_start() {
    forgive();
    starting_ = true;
  }
  /// An answer has come, so that one may be expected of a program that is started anew.
  void note_first_answer() {
    starting_ = false;
    answered_once_ = true;
    returned_in_vain_ = false;
    // What was missed before it was up says nothing of what it does now.
    if (was_silent_.exchange(false)) forgive();
  }
  bool has_answered() const { return answered_once_; }

  /// A program that was started needed so long until something came from it.
  void learn_start_up(microseconds measured);
  /// The longest of them; 0: none was measured.
  microseconds start_up() const { return microseconds(started_in_us_.load()); }
  /// What a program that is started is given until it answers: a multiple of what it needed before.
  microseconds for_start() const;
  /// The same, less what has been waited in vain for the first answer of all.
  microseconds for_first_answer() const;
  /// The user has said how long it may take to come up: until its first answer, also where it
  /// listens sooner.
  void give_whole_start() { gives_whole_start_ = true; }
  void note_waited(microseconds in_vain) { waited_us_ += in_vain.count(); }
  bool has_waited_in_vain() const { return !answered_once_ && waited_us_ > 0; }

  /// Since when there is somebody to wait for.
  microseconds age() const { return time_since(begin_); }

  HeldAnswers& held_answers() { return held_answers_; }

  /// Waits that ended because time ran out, and not by what was awaited. A server that answers
  /// everything causes none.
  std::size_t waits_in_vain() const { return waits_in_vain_; }
  void note_wait_in_vain() { ++waits_in_vain_; }
  /// Tails (above) that were waited for. Nothing comes in them where all is well: they are the
  /// price of a silence, and a few milliseconds each.
  std::size_t tails() const { return tails_; }
  void note_tail() { ++tails_; }

 private:
  static constexpr std::size_t kHangsInFull = 3;
  static constexpr microseconds kLeastTailOnceOvertaken = milliseconds(50);
  static constexpr std::size_t kTailsInDoubt = 10;
  static constexpr milliseconds kBetweenMessages{100};
  static constexpr int kStartUpsUnread = 3;  // on a busy machine one takes longer than before

  bool may_overtake() const {
    return has_overtaken_ || (suspects_overtaking_ && tails_ < kTailsInDoubt);
  }

  microseconds within(microseconds wanted, microseconds least) const;
  /// A multiple of what answers have taken so far.
  microseconds shortened(microseconds least) const;
  bool has_missed_any() const {
    return missed_well_formed_ || missed_malformed_ || missed_control_;
  }

  microseconds timeout_;
  microseconds start_up_;
  microseconds least_tail_ = milliseconds(3);
  std::atomic<long long> round_trip_us_{0};
  std::atomic<bool> works_endlessly_{false};
  std::atomic<long long> slowest_us_{0};
  std::atomic<long long> started_in_us_{0};
  std::atomic<long long> waited_us_{0};
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> missed_well_formed_{false};
  std::atomic<bool> missed_malformed_{false};
  std::atomic<bool> missed_control_{false};
  std::atomic<bool> starting_{true};
  std::atomic<bool> answered_once_{false};
  std::atomic<bool> was_silent_{false};
  std::atomic<bool> returned_in_vain_{false};
  std::atomic<bool> worked_in_vain_{false};
  std::atomic<bool> has_overtaken_{false};
  std::atomic<bool> suspects_overtaking_{false};
  std::atomic<bool> keeps_apart_{false};
  std::atomic<bool> serves_one_call_{false};
  static constexpr milliseconds kOnceHeldOpen{500};
  std::atomic<bool> holds_open_{false};
  Greeting greeting_;
  std::atomic<bool> gives_whole_start_{false};
  std::atomic<std::size_t> waits_in_vain_{0};
  std::atomic<std::size_t> tails_{0};
  std::atomic<std::size_t> hangs_{0};
  std::atomic<std::size_t> doubted_{0};
  HeldAnswers held_answers_;
};

}  // namespace jrpcheck::session
