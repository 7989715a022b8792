#include "session/stream_conversation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "session/channel.hpp"
#include "session/collect_answers.hpp"
#include "session/folder.hpp"
#include "session/framed_connection.hpp"
#include "session/held_answers.hpp"
#include "session/incoming.hpp"
#include "session/peer_conversation.hpp"
#include "session/sent_again.hpp"
#include "session/step_bytes.hpp"
#include "session/stream_end.hpp"
#include "session/stream_opening.hpp"
#include "session/turned_away.hpp"
#include "session/waiting.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::session {
namespace {

constexpr const char* kDeaf = "the program runs, and answers nothing on this stream any more";

class StreamConversation : public PeerConversation {
 public:
  StreamConversation(std::shared_ptr<transport::Peer> peer, StreamSettings settings,
                     Patience& patience)
      : PeerConversation(std::move(peer), patience),
        channel_(this->peer(), std::move(settings), patience) {}

  ~StreamConversation() override {
    if (channel_.connection.program) channel_.connection.program->end(transport::kGrace);
  }
  StreamConversation(const StreamConversation&) = delete;
  StreamConversation& operator=(const StreamConversation&) = delete;

  Result<bool> open(dialogue::Transcript& transcript) override;

  void begin_case(long long first_control_id) override {
    channel_.intake.begin_case(first_control_id);
  }

  void name_own_folder(corpus::Step& step) const override {
    const auto* folder = channel_.own_folder();
    if (folder == nullptr) return;
    name_folder(step, *channel_.settings.opening.folder_place, folder->uri());
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override;

  // Where a server closes connections another one can be had.
  bool usable() const override {
    return channel_.stream && (peer().is_shared() || !channel_.stream->ended());
  }
  std::vector<LateAnswer> take_late_answers() override {
    return channel_.intake.take_late_answers();
  }
  void use_control_call(ControlCall call) override { channel_.settings.control = std::move(call); }

 private:
  const ControlCall& control_call() const override { return channel_.settings.control; }
  Control ask_again(dialogue::Transcript& transcript) override;
  Control ask(Deadline deadline, dialogue::Transcript& transcript) override;
  bool pairs_by_ids() const override { return true; }
  bool reconnect(dialogue::Transcript& transcript) override { return bool(open(transcript)); }
  bool was_turned_away() override;
  void drop() override {
    channel_.stream.reset();
    // A program of our own is still to be asked how it ended.
    if (peer().is_shared()) channel_.connection = {};
  }
  dialogue::SurvivalCheck find_own_end(Control same, dialogue::Transcript& transcript) override {
    return same == Control::unanswered ? find_deaf(transcript) : find_end(transcript);
  }
  std::shared_ptr<transport::Program> program() const override { return channel_.program(); }

  Result<bool> begin(dialogue::Transcript& transcript);
  void hear_answer(dialogue::Transcript& transcript);
  void await_start();
  bool is_ready(const corpus::Step& step, dialogue::Exchange& exchange,
                dialogue::Transcript& transcript);
  void conclude(dialogue::Exchange& exchange, const Waiting& waiting, microseconds waited,
                dialogue::Transcript& transcript);
  void await_quiet(dialogue::Transcript& transcript);
  dialogue::SurvivalCheck find_end(dialogue::Transcript& transcript);
  // A process that dumps core closes its output long before it is gone.
  microseconds for_dying() const {
    return outlives_its_output_ ? microseconds(kReaping) : patience_.timeout();
  }
  dialogue::SurvivalCheck find_deaf(dialogue::Transcript& transcript);

  Channel channel_;
  std::size_t bytes_before_control_ = 0;  // that the server may still be reading
  bool was_answered_ = false;             // the last exchange had what was due, or more
  bool outlives_its_output_ = false;      // the program has been seen to, for as long as we wait
};

Result<bool> StreamConversation::open(dialogue::Transcript& transcript) {
  const auto open_once = [&] {
    channel_.stream.reset();
    channel_.connection = {};  // a program ends before the next one begins
    return begin(transcript);
  };
  for (const auto pause : kUntilNoticed) {
    const std::size_t begin_at = transcript.whole().size();
    auto opened = open_once();
    if (opened || !was_turned_away()) return opened;
    // Nobody has read it.
    for (std::size_t i = begin_at; i < transcript.whole().size(); ++i) {
      transcript.put_right(i, dialogue::Direction::aside, "on a connection that was one too many");
    }
    transport::wait_until(Deadline::in(pause));
  }
  return open_once();
}

bool StreamConversation::was_turned_away() {
  const bool is_closed_at_once = peer().is_shared() && channel_.stream &&
                                 channel_.stream->ended() && channel_.stream->received().bytes == 0;
  return is_closed_at_once && is_known_to_turn_others_away(peer(), channel_.settings, patience_);
}

Result<bool> StreamConversation::begin(dialogue::Transcript& transcript) {
  if (auto connected = channel_.connect(transcript); !connected) return connected.error();
  // What answers the opening answers no step.
  const auto step = transcript.suspend_step();
  auto opened = go_through_opening(channel_, patience_, transcript);
  const auto& messages = channel_.settings.opening.messages;
  const bool ends_unanswered = !messages.empty() && dialogue::id_keys_of(messages.back()).empty();
  if (opened && ends_unanswered) hear_answer(transcript);
  if (opened && !peer().is_shared() && !channel_.settings.opening.is_withheld) await_start();
  if (!opened) {
    for (const auto& each : messages) channel_.intake.expect_late(dialogue::id_keys_of(each));
  }
  transcript.resume(step);
  return opened;
}

// What answers a Notification comes when nothing is waited for. The control call that shows whether
// any does is no part of the opening.
void StreamConversation::hear_answer(dialogue::Transcript& transcript) {
  dialogue::Transcript heard;
  ask(due_in(patience_.for_control()), heard);
  for (const auto& event : heard.whole()) {
    if (!event.is_control) transcript.add(event);
  }
}

// A program that says that it still starts has come up for nothing else. Each wait is longer: some
// go on starting only while nothing comes.
void StreamConversation::await_start() {
  if (control_call().not_yet.empty()) return;
  constexpr milliseconds kLongestPause{2000};
  const Deadline deadline = Deadline::in(patience_.for_start());
  milliseconds pause{100};
  dialogue::Transcript aside;
  while (ask(due_in(patience_.for_control()), aside) == Control::answered &&
         control_call().says_not_yet(control_answer_) && !deadline.passed()) {
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(pause)));
    pause = std::min(2 * pause, kLongestPause);
  }
}

// A program that ended after its last answer did not die of what is sent next.
bool StreamConversation::is_ready(const corpus::Step& step, dialogue::Exchange& exchange,
                                  dialogue::Transcript& transcript) {
  if (channel_.stream && step.listen_first_ms > 0) {
    channel_.stream->await_end(Deadline::in(milliseconds(step.listen_first_ms)));
  }
  const std::size_t arrived_at = transcript.whole().size();
  if (channel_.stream) channel_.take_arrived(exchange, transcript);
  if (channel_.stream && step.same_connection && peer().is_shared()) {
    // Only before anything more is sent a reset is the server's own doing.
    channel_.stream->await_end(Deadline::in(patience_.tail()));
    if (channel_.stream->was_reset()) exchange.lost_connection = "the connection was reset";
  }
  const bool we_left =
      channel_.stream && (channel_.stream->closed_by_us() || channel_.stream->has_said_farewell());
  if (channel_.stream && !channel_.stream->ended() && !we_left) return true;
  const bool is_unseen = channel_.stream && !we_left;
  // A connection that a shared server has closed is not its end.
  leave_behind(arrived_at, transcript);
  exchange.close.reset();
  exchange.pongs.clear();
  if (peer().is_shared() && reconnect(transcript)) {
    exchange.on_new_connection = true;
    return true;
  }
  const auto generation = peer().generation();
  const auto how = ended(Deadline::in(kReaping));
  // What a step is about is its program's own: another one would answer for it.
  if (how && is_unseen && step.accepts(corpus::Outcome::Shape::exited)) {
    note_exit(how, microseconds(0), exchange, transcript);
    return false;
  }
  if (is_unseen && transcript.is_past_first_step()) {
    note_end(how, exchange, transcript);
    exchange.comes_too_late = true;
    return false;
  }
  if (how)
    transcript.add(dialogue::Direction::exited, {},
                   how->text() + ", before this was sent; started again");
  if (is_unseen) note_unseen_death(how);
  drop();
  const std::string why = bring_back(generation);
  if (why.empty()) return true;
  exchange.ending = dialogue::Ending::exited;
  exchange.detail = (how                  ? "the program " + how->text()
                     : peer().is_shared() ? "the server accepts no connection"
                                          : "the program was not running") +
                    "; " + why;
  transcript.add(dialogue::Direction::exited, {}, exchange.detail);
  return false;
}

dialogue::Exchange StreamConversation::exchange(const corpus::Step& step,
                                                dialogue::Transcript& transcript) {
  dialogue::Exchange exchange;
  if (!is_ready(step, exchange, transcript)) return exchange;
  exchange.sent = step.whole_messages();
  auto sent = outgoing(exchange.sent, channel_.settings.control.dialect);
  if (channel_.intake.may_be_mistaken(sent.id_keys)) {
    await_quiet(transcript);
    channel_.take_arrived(exchange, transcript);
  }
  const bool well_formed = !step.raw && sent.well_formed;
  channel_.intake.begin_step(std::move(sent));

  const std::string bytes = encode_step(step, *channel_.stream, transcript);
  bytes_before_control_ = bytes_to_read(bytes, exchange.sent);
  Waiting waiting = channel_.waiting_for(step, bytes_before_control_, well_formed);
  waiting.sent_whole = channel_.stream->send_in_pieces(
      bytes, {step.write_every, step.write_at, patience_.tail(), step.write_after_replies},
      waiting.deadline);
  waiting.in_pieces = step.write_every > 0 || !step.write_at.empty();
  if (step.end_of_input) channel_.stream->close_write();
  const auto waited = collect_answers(channel_, patience_, waiting, exchange, transcript);
  const bool is_whole = !step.raw && step.frames.empty() && !step.end_of_input;
  if (is_whole) note_what_is_held(channel_, patience_, waiting, exchange, transcript);
  conclude(exchange, waiting, waited, transcript);
  was_answered_ = exchange.ending == dialogue::Ending::settled && !exchange.replies.empty();
  has_waited_in_vain_ = exchange.ending == dialogue::Ending::timed_out;
  is_at_work_ = step.slow && has_waited_in_vain_;
  if (has_waited_in_vain_ && !exchange.endless) bytes_before_control_ = 0;  // had their time
  return exchange;
}

void StreamConversation::conclude(dialogue::Exchange& exchange, const Waiting& waiting,
                                  microseconds waited, dialogue::Transcript& transcript) {
  exchange.control_answered = waiting.control_answered;
  exchange.control_answer = waiting.control_answer;
  exchange.endless = channel_.is_flooding(waiting);
  if (exchange.endless) {
    return note_quiet("the server sent more than 10000 messages or 16 MiB and did not stop",
                      exchange, transcript);
  }
  // A server that closes with our control call unread resets the connection, and that cuts off what
  // it has answered (RFC 1122 §4.2.2.13): it has not said that much itself.
  const bool was_reset = channel_.stream->was_reset();
  const bool has_unread = waiting.control_id && !waiting.control_answered;
  // Nor what it may not have read of the step itself: only one message is, once it is answered.
  const bool is_read =
      waiting.takes_all && waiting.well_formed && waiting.sent_whole && !waiting.in_pieces;
  if (was_reset && !has_unread && is_read) {
    channel_.stream->end_of_input();
    channel_.take_arrived(exchange, transcript);
  }
  if (!was_reset || !has_unread) exchange.unfinished = channel_.stream->unfinished();
  const bool is_broken = !exchange.replies.empty() && exchange.replies.back().value() == nullptr;
  if (is_broken && channel_.settings.binding->delimits_messages) {
    channel_.stream->disown_unfinished();
  }
  if (waiting.awaits_exit) {
    const auto how = ended(waiting.deadline);
    return note_exit(how, time_since(waiting.begin), exchange, transcript);
  }
  if (channel_.late_by_one) {
    exchange.replies.clear();
    exchange.held_back = true;
    return note_quiet("the answer is held back until the next message comes", exchange, transcript);
  }
  if (waiting.settled(exchange.replies.size()) || waiting.all(exchange.replies.size())) return;
  // After the end of input no control call can be asked; that the server leaves then is its right.
  if (channel_.stream->closed_by_us() && waiting.enough(exchange.replies.size())) return;
  if (channel_.stream->is_held_open(due_in(patience_.for_end()))) {
    patience_.note_held_open();
    return note_quiet("the Close is answered, and the connection is not ended", exchange,
                      transcript);
  }
  if (channel_.stream->ended()) {
    if (peer().is_shared()) return note_close(channel_.stream->was_reset(), exchange, transcript);
    return note_end(ended(Deadline::in(kReaping)), exchange, transcript);
  }
  const bool is_given_up = channel_.settings.is_hasty && waiting.control_answered;
  if (!is_given_up) patience_.note_missing_answer(waiting.well_formed);
  // Nor is another control call waited for as long as this one has been.
  if (waiting.control_id && !waiting.control_answered) patience_.note_missing_control();
  note_quiet(exchange.beyond_limit.empty()
                 ? no_answer_in(waited, !is_given_up && waited < patience_.timeout(),
                                waiting.control_answered)
                 : std::string(kMoreThanRead) + exchange.beyond_limit,
             exchange, transcript);
}

// What comes before the answer to a control call does not answer what is sent then.
void StreamConversation::await_quiet(dialogue::Transcript& transcript) {
  dialogue::Transcript before;
  ask(due_in(patience_.for_control()), before);
  for (auto event : before.whole()) {
    using dialogue::Direction;
    const bool would_answer = event.direction == Direction::received ||
                              event.direction == Direction::violation ||
                              event.direction == Direction::noise;
    if (would_answer && !event.is_control) event.direction = Direction::aside;
    transcript.add(std::move(event));
  }
}

PeerConversation::Control StreamConversation::ask(Deadline deadline,
                                                  dialogue::Transcript& transcript) {
  if (!channel_.stream || !channel_.stream->can_write()) return Control::closed;
  auto asked = channel_.ask(deadline, transcript);
  answered_meanwhile_ = asked.others_came;
  if (was_answered_) channel_.intake.note_late(std::move(asked.others));
  control_answer_ = std::move(asked.answer);
  if (asked.is_answered) return Control::answered;
  return channel_.stream->ended() ? Control::closed : Control::unanswered;
}

PeerConversation::Control StreamConversation::ask_again(dialogue::Transcript& transcript) {
  // Time to be read is given once, whether the call behind them is answered or not.
  const Control control =
      ask(due_in(for_control(std::exchange(bytes_before_control_, 0))), transcript);
  if (control == Control::unanswered) {
    transcript.add(dialogue::Direction::quiet, {}, "the control call was not answered");
  }
  return control;
}

// A new program is given the time to come up and answer: that tells deafness from a busy machine.
dialogue::SurvivalCheck StreamConversation::find_deaf(dialogue::Transcript& transcript) {
  if (const auto how = ended(Deadline::in(microseconds(0)))) return find_end(transcript);
  const transport::Connection former_connection = std::exchange(channel_.connection, {});
  std::optional<FramedStream> former = std::exchange(channel_.stream, std::nullopt);
  const Volume before = former->received();
  const std::string why = bring_back(peer().generation());
  bool overtaken = false;
  while (const auto frame = former->receive_arrived()) {
    if (is_flood(before, former->received())) break;
    overtaken = overtaken || (frame->is_message() && channel_.intake.is_control(frame->payload));
  }
  // Nor does a program answer that is dying: one that dumps core closes its output first.
  const microseconds dying = former->ended() ? for_dying() : microseconds(0);
  const auto how = former_connection.program->ended(Deadline::in(dying));
  if (!how) former_connection.program->end(microseconds(0));  // it has had its time
  dialogue::SurvivalCheck check{dialogue::Survival::deaf, kDeaf, {}};
  if (overtaken) {
    check = {dialogue::Survival::alive, {}, {}, true};
    patience_.forgive();  // the bounds are too short for this server
  } else if (how) {
    check = death(*how, former_connection.program->standard_error_tail(), transcript);
  }
  if (!overtaken && !why.empty()) check.detail += "; " + why;
  return check;
}

dialogue::SurvivalCheck StreamConversation::find_end(dialogue::Transcript& transcript) {
  dialogue::SurvivalCheck check;
  const bool we_closed =
      channel_.stream && !channel_.stream->can_write() && channel_.stream->closed_by_us();
  const bool output_ended = channel_.stream && channel_.stream->ended() && !we_closed;
  const microseconds wait = output_ended ? for_dying() : usable() ? microseconds(0) : kReaping;
  if (const auto how = ended(Deadline::in(wait))) {
    // What ends at the end of its input has not died of it.
    if (!we_closed) check = death(*how, last_words(), transcript);
  } else {
    outlives_its_output_ = outlives_its_output_ || output_ended;
    check.survival = we_closed ? dialogue::Survival::unasked : dialogue::Survival::deaf;
    check.detail = usable() ? kDeaf : "the program runs, and has closed its output";
  }
  drop();
  const std::string why = bring_back(peer().generation());
  if (!why.empty()) check.detail += "; " + why;
  return check;
}

}  // namespace

std::unique_ptr<Conversation> make_stream_conversation(std::shared_ptr<transport::Peer> peer,
                                                       StreamSettings settings,
                                                       Patience& patience) {
  return std::make_unique<StreamConversation>(std::move(peer), std::move(settings), patience);
}

}  // namespace jrpcheck::session
