#include "session/collect_answers.hpp"

#include <optional>
#include <string>
#include <utility>

#include "dialogue/id_key.hpp"

namespace jrpcheck::session {
namespace {

// Whether a batch has been met with a message that is no Array: some servers answer its elements
// one by one, and then more is to come.
bool may_be_answered_singly(const dialogue::Exchange& exchange) {
  if (exchange.sent.size() != 1 || exchange.replies.empty()) return false;
  const auto is_array = [](const json::Value* value) {
    return value != nullptr && value->is(json::Kind::array);
  };
  const json::Value* reply = exchange.replies.back().value();
  return reply != nullptr && !is_array(reply) && is_array(exchange.sent.front().value());
}

class AnswerCollector {
 public:
  AnswerCollector(Channel& channel, Patience& patience, Waiting& waiting,
                  dialogue::Exchange& exchange, dialogue::Transcript& transcript)
      : channel_(channel),
        patience_(patience),
        waiting_(waiting),
        exchange_(exchange),
        transcript_(transcript) {}

  microseconds collect();

 private:
  bool has_enough() const { return waiting_.enough(exchange_.replies.size()); }
  bool is_settled() const { return waiting_.settled(exchange_.replies.size()); }
  bool can_ask() const {
    return channel_.stream->can_write() && (has_enough() || !patience_.serves_one_call());
  }
  void answer_requests(bool is_over_time);
  void ask_behind();
  bool is_answer_coming();
  // Whether the server has read all that was sent, so that what follows is read by itself.
  bool is_read() const {
    if (!read_) return true;                // it tells messages apart
    constexpr std::size_t kOneRead = 1024;  // or less, for those who have small buffers
    const bool is_small = waiting_.sent_bytes <= kOneRead && !waiting_.in_pieces;
    const bool has_come = channel_.stream->received().bytes > waiting_.received_before.bytes;
    return (is_small && has_come) || read_->passed();
  }
  bool is_over() const { return channel_.stream->ended() || channel_.is_flooding(waiting_); }
  void await_what_is_due();
  void take_what_may_answer();
  void await_control();
  void hear_control(microseconds most);
  bool is_answered_alone(long long call);

  Channel& channel_;
  Patience& patience_;
  Waiting& waiting_;
  dialogue::Exchange& exchange_;
  dialogue::Transcript& transcript_;
  std::size_t seen_bytes_ = waiting_.received_before.bytes;  // when more was last looked for
  Deadline comes_no_more_ = Deadline::in(microseconds(0));   // of a message that has begun
  const std::optional<Deadline> read_ =
      patience_.between_messages() > microseconds(0)
          ? std::optional(channel_.due_in(patience_.between_messages(channel_.was_heard())))
          : std::nullopt;
};

microseconds AnswerCollector::collect() {
  const auto begin = Clock::now();
  const bool was_up = channel_.was_heard();
  await_what_is_due();
  const auto waited = time_since(begin);
  while (!is_read() && !is_over()) channel_.await_frame(*read_, exchange_, waiting_, transcript_);
  channel_.settle_for_params(waiting_);
  channel_.settle_unfinished(waiting_);
  if (is_settled()) patience_.note_answer(was_up, waited, waiting_.sent_bytes);
  if (waiting_.before_call) {
    waiting_.came_at_once = has_enough() && time_since(waiting_.begin) < 2 * *waiting_.before_call;
  }
  if (waiting_.prodded && has_enough()) await_control();
  channel_.await_tail(exchange_, waiting_, transcript_);
  channel_.await_pong(channel_.due_in(patience_.for_control()), exchange_, waiting_, transcript_);
  take_what_may_answer();
  return waited;
}

void AnswerCollector::await_what_is_due() {
  const Deadline patient =
      Deadline::in(waiting_.comes_up ? patience_.for_first_answer() : patience_.before_control());
  Deadline ask = channel_.late_by_one ? Deadline::in(microseconds(0)) : patient;
  bool may_be_beside = false;  // an error without an id has come, and the answer may be behind it
  while (!is_settled()) {
    answer_requests(patient.passed());
    const bool asked = waiting_.control_id.has_value() || waiting_.awaits_exit || !can_ask();
    const bool has_value = channel_.intake.holds_first_value();
    if (has_value && ask.passed()) {
      channel_.intake.take_doubtful(exchange_, transcript_);
      continue;
    }
    // What may stay unanswered, or has been answered enough, is followed by a control call at once;
    // what must be answered only when nothing came for a while: slow, or dropped?
    const bool has_other = channel_.intake.holds_foreign() && !has_value;
    const bool is_enough = has_enough() && !waiting_.awaits_close;
    const bool is_time = !asked && (is_enough || has_other || ask.passed()) && is_read();
    const bool is_coming = is_time && is_answer_coming();
    if (is_time && !is_coming) {
      ask_behind();
      continue;
    }
    const bool until_later = asked && !channel_.intake.owes();
    const bool waits_for_reading = !asked && (is_enough || ask.passed());
    const Deadline sooner = asked                        ? patient
                            : is_coming                  ? comes_no_more_
                            : waits_for_reading && read_ ? *read_
                                                         : ask;
    const Deadline until =
        until_later ? waiting_.deadline : Deadline::earlier(sooner, waiting_.deadline);
    const bool came = channel_.await_frame(until, exchange_, waiting_, transcript_);
    ask = channel_.until_asked(ask, waiting_);
    const bool is_beside = channel_.intake.may_be_beside_answer(exchange_);
    if (came && (is_beside || may_be_answered_singly(exchange_))) waiting_.takes_all = false;
    may_be_beside = may_be_beside || is_beside;
    // The control call behind it may have been answered without its id as well, or none can be
    // sent.
    const bool is_last =
        channel_.intake.has_all_without_ids(exchange_) || !(can_ask() || waiting_.awaits_exit);
    const bool is_given_up = channel_.settings.is_hasty && waiting_.control_answered;
    if (came && (is_given_up || (may_be_beside && is_last))) {
      waiting_.deadline =
          Deadline::earlier(waiting_.deadline, Deadline::in(patience_.tail(waiting_.sent_bytes)));
    }
    if (has_enough()) channel_.settle_stray(exchange_, waiting_, transcript_);
    const bool in_vain = waiting_.control_answered && !has_enough();
    if (in_vain && channel_.intake.take_doubtful(exchange_, transcript_)) continue;
    if (came && !channel_.is_flooding(waiting_)) continue;
    if (is_over()) break;
    if (!waiting_.deadline.passed() || channel_.waits_longer(waiting_)) continue;
    // Sending may have taken all the time there was: nothing is missing before a later call is
    // heard.
    if (asked || !waiting_.sent_whole) break;
    waiting_.deadline =
        channel_.due_in(patience_.for_answer(waiting_.well_formed, waiting_.sent_bytes));
    waiting_.prodded = !has_enough();
    waiting_.control_id = channel_.send_control(waiting_.deadline, transcript_);
  }
}

void AnswerCollector::answer_requests(bool is_over_time) {
  if (!channel_.intake.owes() || !(channel_.intake.answers_at_once() || is_over_time)) return;
  channel_.answer_requests(waiting_.deadline, transcript_);
}

void AnswerCollector::ask_behind() {
  waiting_.prodded = !has_enough();
  if (waiting_.prodded) waiting_.before_call = time_since(waiting_.begin);
  waiting_.control_id = waiting_.prodded ? channel_.prod(waiting_.deadline, transcript_)
                                         : channel_.send_control(waiting_.deadline, transcript_);
}

// What has begun to come needs no control call: it ends, or rests for as long as silence would.
bool AnswerCollector::is_answer_coming() {
  const std::size_t bytes = channel_.stream->received().bytes;
  if (bytes > std::exchange(seen_bytes_, bytes) && !channel_.stream->unfinished().empty()) {
    comes_no_more_ = Deadline::in(patience_.before_control());
  }
  return !comes_no_more_.passed() && !channel_.stream->unfinished().empty();
}

// What was put aside while something else was due, where nothing better has come.
void AnswerCollector::take_what_may_answer() {
  const bool may_answer = exchange_.replies.empty() || !waiting_.all(exchange_.replies.size());
  // Who cannot read an id may give an error one of its own, which some case has used: -1.
  const bool is_call =
      exchange_.sent.size() == 1 && !dialogue::id_keys_of(exchange_.sent[0]).empty();
  const bool holds_answer = channel_.intake.holds_foreign() ||
                            channel_.intake.holds_error(waiting_.well_formed) ||
                            (is_call && channel_.intake.holds_control_again());
  if (may_answer && holds_answer) channel_.intake.take_doubtful(exchange_, transcript_);
  channel_.intake.settle_values(exchange_, transcript_);
  channel_.intake.settle_nameless(exchange_, transcript_);
  channel_.intake.take_held(exchange_, transcript_);
  if (!waiting_.control_answered && waiting_.due.most == 1 && !may_be_answered_singly(exchange_)) {
    channel_.intake.give_to_control_calls(exchange_, transcript_);
  }
}

// Until the control call is answered. Each that is answered before it leaves it a time of its own.
void AnswerCollector::hear_control(microseconds most) {
  Deadline deadline = channel_.due_in(most);
  while (!waiting_.control_answered && !is_over() && !deadline.passed() &&
         !channel_.intake.has_all_without_ids(exchange_)) {
    const bool came = channel_.await_frame(deadline, exchange_, waiting_, transcript_);
    const auto& last = transcript_.whole().back();
    if (came && last.is_control && last.direction == dialogue::Direction::received) {
      deadline = channel_.due_in(most);
    }
  }
}

// Behind everything that was sent before it, with nothing behind it: who is slow answers this call
// in its time, who keeps answers back does not.
bool AnswerCollector::is_answered_alone(long long call) {
  const auto former = std::exchange(waiting_.control_id, call);
  const std::string answer = waiting_.control_answer;
  waiting_.control_answered = false;
  hear_control(patience_.timeout());
  const bool is_answered = std::exchange(waiting_.control_answered, true);
  waiting_.control_id = former;
  waiting_.control_answer = answer;
  if (is_answered) patience_.forgive();  // the bounds are too short for this server
  return is_answered;
}

// An answer that came only behind a control call: was the server slow, or does it keep each answer
// back until the next message comes, that of the control call as well?
void AnswerCollector::await_control() {
  for (const bool again : {channel_.late_by_one, true}) {
    const microseconds most = patience_.for_control();
    const auto next = again
                          ? std::optional(channel_.send_control(channel_.due_in(most), transcript_))
                          : std::nullopt;
    hear_control(most);
    if (channel_.intake.has_all_without_ids(exchange_)) return;
    channel_.late_by_one = next && waiting_.control_answered &&
                           (channel_.late_by_one || !(is_answered_alone(*next) || is_over()));
    if (waiting_.control_answered || is_over()) return;
    patience_.note_missing_control();  // nor is another waited for as long as this one
  }
}

}  // namespace

microseconds collect_answers(Channel& channel, Patience& patience, Waiting& waiting,
                             dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  return AnswerCollector(channel, patience, waiting, exchange, transcript).collect();
}

}  // namespace jrpcheck::session
