#include "session/channel.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "session/framed_connection.hpp"
#include "session/incoming.hpp"
#include "transport/process_group.hpp"
#include "transport/starvation.hpp"

namespace jrpcheck::session {
namespace {

constexpr std::string_view kNoneByPosition = "[]";

// What is longer takes a while to read, in which another thread of the server answers what is
// short.
constexpr std::size_t kLongToRead = 16U << 10;

bool charges_silence(const corpus::Step& step) {
  return std::any_of(step.accept.begin(), step.accept.end(), [](const auto& outcome) {
    return outcome.shape == corpus::Outcome::Shape::silence &&
           outcome.verdict == corpus::Verdict::warn;
  });
}

bool is_to_be_closed(const corpus::Step& step) {
  return !step.accept.empty() && step.accept.front().shape == corpus::Outcome::Shape::closed;
}

}  // namespace

Result<bool> Channel::connect(dialogue::Transcript& transcript) {
  auto connected = session::connect(
      peer_, settings, connection_number(intake.first_control_id(), ++connections_),
      transport::due_in(patience_.timeout(), peer_.worker()), transcript);
  if (!connected) return connected.error();
  connection = std::move(connected->connection);
  stream.emplace(std::move(connected->stream));
  opened_at_ = Clock::now();
  // A server that others share has come up before it is connected to.
  heard_ = peer_.is_shared();
  with_params_.reset();
  params_answer_.reset();
  late_by_one = false;
  intake.begin_stream(settings.binding->is_upgrade ? &patience_.greeting() : nullptr);
  return true;
}

Deadline Channel::due_in(microseconds wait) const {
  if (auto own = program()) return transport::due_in(wait, std::move(own));
  return transport::due_in(wait, peer_.worker());
}

Deadline Channel::deadline_for(const corpus::Step& step, std::size_t bytes,
                               bool well_formed) const {
  constexpr milliseconds kForClose{1000};
  if (comes_up()) {
    return Deadline::in(std::max<microseconds>(patience_.for_first_answer(), patience_.timeout()));
  }
  // A program may take its time to leave.
  if (step.awaits_exit()) return due_in(patience_.timeout());
  if (step.slow) {
    return Deadline::in(std::min<microseconds>(Patience::kForSlow, patience_.timeout()));
  }
  // So may a server until it closes a connection: nothing else shows that it will not.
  if (is_to_be_closed(step) && settings.binding->is_upgrade) {
    return due_in(std::max<microseconds>(patience_.for_answer(false, bytes),
                                         std::min<microseconds>(kForClose, patience_.timeout())));
  }
  return due_in(patience_.for_answer(well_formed, bytes));
}

Waiting Channel::waiting_for(const corpus::Step& step, std::size_t bytes, bool well_formed) const {
  Waiting waiting{deadline_for(step, bytes, well_formed), corpus::count_replies(step),
                  stream->received(), bytes, well_formed};
  // Behind several messages a surplus reply is to be seen too.
  waiting.takes_all = step.messages.size() == 1 || step.end_of_input;
  waiting.awaits_exit = step.awaits_exit();
  waiting.awaits_close = is_to_be_closed(step);
  waiting.charges_silence = charges_silence(step);
  waiting.pong_due = step.pong_due();
  waiting.is_for_slow = step.slow;
  waiting.comes_up = comes_up();
  return waiting;
}

Deadline Channel::until_asked(Deadline ask, Waiting& waiting) const {
  if (!waiting.comes_up || !heard_) return ask;
  waiting.comes_up = false;
  return Deadline::earlier(ask, Deadline::in(patience_.before_control()));
}

long long Channel::send_control(Deadline deadline, dialogue::Transcript& transcript) {
  const long long id = intake.next_control_id();
  send_control(id, settings.control, deadline, transcript);
  return id;
}

void Channel::send_control(long long id, const ControlCall& call, Deadline deadline,
                           dialogue::Transcript& transcript) {
  const std::string text = call.text(id);
  const std::string framed = stream->encode(text);
  transcript.add_control(stream->shown(text, framed));
  stream->send(framed, deadline);
}

long long Channel::prod(Deadline deadline, dialogue::Transcript& transcript) {
  if (!heard_ && settings.control.params.empty()) {
    ControlCall with_params = settings.control;
    with_params.params = kNoneByPosition;
    with_params_ = intake.next_control_id();
    params_answer_.reset();
    send_control(*with_params_, with_params, deadline, transcript);
  }
  return send_control(deadline, transcript);
}

void Channel::settle_for_params(Waiting& waiting) {
  with_params_.reset();
  // It tells of this step alone: whoever falls silent later has not answered.
  const auto answer = std::exchange(params_answer_, std::nullopt);
  if (waiting.control_answered || !answer || stream->ended()) return;
  settings.control.params = kNoneByPosition;
  waiting.control_answered = true;
  waiting.control_answer = *answer;
}

void Channel::answer_requests(Deadline deadline, dialogue::Transcript& transcript) {
  for (const auto& answer : intake.take_owed()) {
    const std::string framed = stream->encode(answer);
    transcript.add(dialogue::Direction::sent, stream->shown(answer, framed),
                   std::string(dialogue::kOwnAnswerNote));
    stream->send(framed, deadline);
  }
}

void Channel::take_arrived(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  const Volume before = stream->received();
  while (const auto frame = stream->receive_arrived()) {
    intake.take_early(*frame, exchange, transcript);
    if (is_flood(before, stream->received())) break;
  }
}

// The first bytes of a program show that it has come up: it may now take no longer than any other.
void Channel::note_first_sign(Waiting& waiting) {
  heard_ = true;
  patience_.learn_start_up(time_since(opened_at_));
  if (!patience_.is_starting() && !waiting.comes_up) return;
  patience_.note_first_sign();
  waiting.deadline =
      Deadline::earlier(waiting.deadline, waiting.deadline.anew_in(patience_.timeout()));
}

bool Channel::await_frame(Deadline deadline, dialogue::Exchange& exchange, Waiting& waiting,
                          dialogue::Transcript& transcript) {
  std::optional<wire::Frame> frame;
  do {
    if (is_first_sign()) {
      note_first_sign(waiting);
      return false;
    }
    frame = stream->receive_some(deadline);
  } while (!frame && !stream->ended() && !deadline.passed());
  if (!frame) return false;
  if (is_first_sign()) note_first_sign(waiting);
  const auto replies = exchange.replies.size();
  if (intake.take_in(*frame, waiting.control_id, exchange, transcript)) {
    waiting.control_answered = true;
    waiting.control_answer = frame->payload;
  }
  // On sockets what comes later still cannot be told from what a case behind it is answered.
  const bool is_overtaken = waiting.control_answered && exchange.replies.size() > replies;
  if (is_overtaken && peer_.is_shared()) patience_.note_overtaking();
  if (with_params_ && IncomingSorter::answers(frame->payload, *with_params_)) {
    params_answer_ = frame->payload;
  }
  return true;
}

void Channel::settle_stray(dialogue::Exchange& exchange, Waiting& waiting,
                           dialogue::Transcript& transcript) {
  const bool is_awaited = waiting.control_id && !waiting.control_answered && !late_by_one;
  if (!is_awaited || waiting.has_met_stray || !intake.holds_stray(transcript)) return;
  waiting.has_met_stray = true;
  const std::size_t stray = transcript.whole().size() - 1;
  const long long first = *waiting.control_id;
  const Deadline deadline = due_in(patience_.for_control());
  waiting.control_id = send_control(deadline, transcript);
  const auto await = [&](const Deadline& until, const auto& has_come) {
    while (!has_come() && !stream->ended() && !is_flooding(waiting) && !until.passed()) {
      await_frame(until, exchange, waiting, transcript);
    }
    return has_come();
  };
  const auto is_answered = [&] { return waiting.control_answered; };
  const auto has_met_another = [&] {
    return transcript.whole().size() > stray + 1 && intake.holds_stray(transcript);
  };
  if (!await(deadline, [&] { return is_answered() || has_met_another(); })) return;
  // Answers may overtake each other.
  const auto first_has_come = [&] {
    const auto& events = transcript.whole();
    return std::any_of(
        events.begin() + static_cast<std::ptrdiff_t>(stray), events.end(), [&](const auto& event) {
          return event.is_control && event.direction == dialogue::Direction::received &&
                 IncomingSorter::answers(dialogue::message_of(event), first);
        });
  };
  if (!is_answered() && !await(Deadline::in(patience_.tail()), is_answered)) {
    if (!has_met_another() || first_has_come()) return;
    // Whatever is called, its answer has another id: the server serves.
    waiting.control_answered = true;
    waiting.control_answer = transcript.whole().back().bytes;
    intake.give_to_control_call(transcript.whole().size() - 1, transcript);
    return intake.give_to_control_call(stray, transcript);
  }
  if (!await(Deadline::in(patience_.tail()), first_has_come)) {
    intake.give_to_control_call(stray, transcript);
  }
}

void Channel::settle_unfinished(Waiting& waiting) const {
  const bool may_be_cut = settings.binding->has_lengths_alone();
  if (!may_be_cut || !waiting.control_id || waiting.control_answered) return;
  const std::string unfinished = stream->unfinished();
  if (!IncomingSorter::answers(unfinished, *waiting.control_id)) return;
  waiting.control_answered = true;
  waiting.control_answer = unfinished;
}

// No clause orders the answers on a stream. Before silence is held against a server whose answers
// may overtake each other, it is waited for as long as any answer.
bool Channel::may_still_answer(const dialogue::Exchange& exchange, const Waiting& waiting) const {
  if (!waiting.charges_silence || settings.is_hasty || stream->ended()) return false;
  return exchange.replies.empty() &&
         (patience_.has_overtaken() || waiting.sent_bytes > kLongToRead);
}

void Channel::await_tail(dialogue::Exchange& exchange, Waiting& waiting,
                         dialogue::Transcript& transcript) {
  const auto replies = exchange.replies.size();
  if (!waiting.control_answered || waiting.all(replies) || !waiting.enough(replies)) return;
  const bool is_owed = may_still_answer(exchange, waiting);
  const microseconds usual = patience_.tail(waiting.sent_bytes);
  const Deadline tail =
      is_owed ? due_in(std::max(usual, patience_.for_answer(false, waiting.sent_bytes)))
              : Deadline::in(usual);
  patience_.note_tail();
  while (!waiting.all(exchange.replies.size()) &&
         await_frame(tail, exchange, waiting, transcript) && !is_flooding(waiting)) {
  }
  if (is_owed && may_still_answer(exchange, waiting)) patience_.note_missing_answer(false);
}

// Nothing says that it leaves before what is answered by a message.
void Channel::await_pong(Deadline deadline, dialogue::Exchange& exchange, Waiting& waiting,
                         dialogue::Transcript& transcript) {
  const auto has_come = [&] {
    const auto& pongs = exchange.pongs;
    return contains(pongs, *waiting.pong_due);
  };
  if (!waiting.pong_due || has_come()) return;
  while (!has_come() && !stream->ended() && !is_flooding(waiting) && !deadline.passed()) {
    await_frame(deadline, exchange, waiting, transcript);
  }
  if (!has_come()) patience_.note_missing_pong();
}

bool Channel::is_pouring(Waiting& waiting) const {
  constexpr Volume kMuch{32'768, 20};  // in a look; at that rate it is a flood within ten seconds
  const Volume now = stream->received();
  const Volume last = std::exchange(waiting.received_at_last, now);
  return now.frames >= last.frames + kMuch.frames || now.bytes >= last.bytes + kMuch.bytes;
}

microseconds Channel::for_work(const Waiting& waiting) const {
  // On a busy machine one that comes up is at work all that time, and has done little.
  constexpr int kStartsOfOneAtWork = 3;
  if (!waiting.comes_up) return patience_.timeout();
  return std::max<microseconds>(kStartsOfOneAtWork * patience_.for_first_answer(),
                                patience_.timeout());
}

bool Channel::waits_longer(Waiting& waiting) {
  constexpr milliseconds kLook{20};
  if (is_interrupted()) return false;
  if (is_pouring(waiting)) {
    waiting.deadline = waiting.deadline.anew_in(kLook);
    return true;
  }
  const auto present = program();
  const auto group = present ? present->group() : std::nullopt;
  if (!group || waiting.is_for_slow || !patience_.waits_for_work()) return false;
  if (Clock::now() - waiting.begin >= for_work(waiting)) {
    if (waiting.has_waited_for_work) patience_.note_work_in_vain();
    return false;
  }
  const auto processes = transport::processes_of({*group});
  const bool is_at_work = std::any_of(processes.begin(), processes.end(), [](const auto& each) {
    return transport::is_running(each.id);
  });
  if (is_at_work) waiting.deadline = waiting.deadline.anew_in(kLook);
  waiting.has_waited_for_work = waiting.has_waited_for_work || is_at_work;
  return is_at_work;
}

// What each of two control calls is answered by, one behind the other, where neither is by its id:
// the server serves. An error may be about what was sent before, where it names no call; of a
// server that has returned ids its code tells.
void Channel::settle_for_other_ids(std::size_t begin, std::size_t calls, dialogue::Exchange& aside,
                                   Waiting& waiting, dialogue::Transcript& transcript) const {
  constexpr std::size_t kForCertain = 2;
  const auto& replies = aside.replies;
  const bool are_answers = std::ranges::all_of(replies, [&](const dialogue::Reply& each) {
    const bool is_to_a_call = each.find("result") != nullptr ||
                              !dialogue::id_keys_of(each).empty() ||
                              (intake.controls_return_ids() && dialogue::fails_a_call(each));
    return is_to_a_call && dialogue::holds_response(each) && intake.is_of_no_call(each);
  });
  if (waiting.control_answered || calls < kForCertain || replies.size() < calls || !are_answers) {
    return;
  }
  waiting.control_answered = true;
  waiting.control_answer = replies.back().text();
  for (std::size_t i = begin; i < transcript.whole().size(); ++i) {
    const auto& event = transcript.whole()[i];
    if (event.direction != dialogue::Direction::received || event.is_control) continue;
    transcript.put_right(i, dialogue::Direction::unasked, std::string(dialogue::kOtherIdNote));
  }
  aside.replies.clear();
}

Channel::Asked Channel::ask(Deadline deadline, dialogue::Transcript& transcript) {
  dialogue::Exchange aside;
  Waiting waiting{deadline, {}, stream->received()};
  const auto begin = Clock::now();
  const bool was_up = heard_;
  const std::size_t first_event = transcript.whole().size();
  std::size_t calls = 0;
  const auto call = [&] {
    ++calls;
    waiting.control_id = send_control(waiting.deadline, transcript);
    if (late_by_one) send_control(waiting.deadline, transcript);
  };
  call();
  const Deadline ask = Deadline::in(patience_.before_control());
  bool is_first = !was_up;
  while (!waiting.control_answered && !is_flooding(waiting) && !stream->ended() &&
         (!waiting.deadline.passed() || waits_longer(waiting))) {
    const bool owes = intake.owes();
    if (owes && (intake.answers_at_once() || ask.passed())) {
      answer_requests(waiting.deadline, transcript);
    }
    // What a program says first may answer nothing, or nobody can read it, and what it says to the
    // next call be an answer.
    const bool says_else = is_first && heard_;
    if (says_else && ask.passed()) {
      is_first = false;
      call();
    }
    const bool may_be_the_answer = calls == 1 && aside.replies.size() == 1 && !late_by_one;
    if (may_be_the_answer && ask.passed()) call();
    const bool until_ask = owes || (says_else && is_first) || (may_be_the_answer && !ask.passed());
    await_frame(until_ask ? Deadline::earlier(ask, waiting.deadline) : waiting.deadline, aside,
                waiting, transcript);
    settle_stray(aside, waiting, transcript);
    settle_for_other_ids(first_event, calls, aside, waiting, transcript);
  }
  settle_unfinished(waiting);
  if (waiting.control_answered) {
    patience_.note_answer(was_up, time_since(begin), 0);
  } else if (!stream->ended()) {
    patience_.note_missing_control();
    patience_.note_wait_in_vain();
  }
  // A Close answers as well as a message does.
  const bool meanwhile = !aside.replies.empty() || aside.close.has_value();
  return {waiting.control_answered, meanwhile, std::move(waiting.control_answer),
          std::move(aside.replies)};
}

}  // namespace jrpcheck::session
