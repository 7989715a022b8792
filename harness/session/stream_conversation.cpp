#include "session/stream_conversation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "session/framed_connection.hpp"
#include "session/framed_stream.hpp"
#include "session/incoming.hpp"
#include "session/intake.hpp"
#include "session/opening.hpp"
#include "session/peer_conversation.hpp"
#include "session/reply_count.hpp"
#include "session/step_bytes.hpp"
#include "session/stream_end.hpp"
#include "session/stream_opening.hpp"
#include "session/waiting.hpp"

namespace jrpcheck::session {
namespace {

constexpr const char* kDeaf = "the program runs, and answers nothing on this stream any more";

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

class StreamConversation : public PeerConversation {
 public:
  StreamConversation(std::shared_ptr<transport::Peer> peer, StreamSettings settings,
                     Patience& patience)
      : PeerConversation(std::move(peer), patience),
        settings_(std::move(settings)),
        intake_(settings_.binding->delimits_messages) {}

  ~StreamConversation() override {
    if (connection_.program) connection_.program->end(transport::kGrace);
  }
  StreamConversation(const StreamConversation&) = delete;
  StreamConversation& operator=(const StreamConversation&) = delete;

  Result<bool> open(dialogue::Transcript& transcript) override {
    stream_.reset();
    connection_ = {};  // a program ends before the next one begins
    return begin(transcript);
  }

  void begin_case(long long first_control_id) override { intake_.begin_case(first_control_id); }

  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override;

  // Where a server closes connections another one can be had.
  bool usable() const override { return stream_ && (peer().is_shared() || !stream_->ended()); }
  std::vector<LateAnswer> take_late_answers() override { return intake_.take_late_answers(); }
  void use_control_call(ControlCall call) override { settings_.control = std::move(call); }

 private:
  Control ask_again(dialogue::Transcript& transcript) override;
  Control ask(Deadline deadline, dialogue::Transcript& transcript) override;
  bool reconnect(dialogue::Transcript& transcript) override { return bool(open(transcript)); }
  void drop() override { stream_.reset(); }
  dialogue::SurvivalCheck find_own_end(Control same, dialogue::Transcript& transcript) override {
    return same == Control::unanswered ? find_deaf(transcript) : find_end(transcript);
  }
  std::shared_ptr<transport::Program> program() const override {
    return connection_.program ? connection_.program : PeerConversation::program();
  }

  Result<bool> begin(dialogue::Transcript& transcript);
  Result<bool> send_opening(const std::string& message, dialogue::Transcript& transcript);
  bool is_ready(const corpus::Step& step, dialogue::Exchange& exchange,
                dialogue::Transcript& transcript);
  void take_arrived(dialogue::Exchange& exchange, dialogue::Transcript& transcript);
  long long send_control(Deadline deadline, dialogue::Transcript& transcript);
  long long prod(Deadline deadline, dialogue::Transcript& transcript);
  void send_control(long long id, const ControlCall& call, Deadline deadline,
                    dialogue::Transcript& transcript);
  void answer_requests(Deadline deadline, dialogue::Transcript& transcript);
  // True when a frame was taken in; false also when a first sign made the deadline an earlier one.
  bool await_frame(Deadline deadline, dialogue::Exchange& exchange, Waiting& waiting,
                   dialogue::Transcript& transcript);
  bool is_first_sign() const { return !heard_ && stream_->received().bytes > 0; }
  void note_first_sign(Waiting& waiting);
  void collect(dialogue::Exchange& exchange, Waiting& waiting, dialogue::Transcript& transcript);
  void await_control(dialogue::Exchange& exchange, Waiting& waiting,
                     dialogue::Transcript& transcript);
  void await_tail(dialogue::Exchange& exchange, Waiting& waiting, dialogue::Transcript& transcript);
  void await_pong(dialogue::Exchange& exchange, Waiting& waiting, dialogue::Transcript& transcript);
  bool is_flooding(const Waiting& waiting) const {
    return is_flood(waiting.received_before, stream_->received());
  }
  void conclude(dialogue::Exchange& exchange, const Waiting& waiting, microseconds waited,
                dialogue::Transcript& transcript);
  bool control_is_answered(Deadline deadline, dialogue::Transcript& transcript);
  void await_quiet(dialogue::Transcript& transcript);
  dialogue::SurvivalCheck find_end(dialogue::Transcript& transcript);
  microseconds patience_for_close() const {
    constexpr milliseconds kForClose{1000};
    return std::min<microseconds>(kForClose, patience_.timeout());
  }
  // A process that dumps core closes its output long before it is gone.
  microseconds for_dying() const {
    return outlives_its_output_ ? microseconds(kReaping) : patience_.timeout();
  }
  dialogue::SurvivalCheck find_deaf(dialogue::Transcript& transcript);

  StreamSettings settings_;
  transport::Connection connection_;
  std::optional<FramedStream> stream_;  // on it
  std::uint64_t connections_ = 0;       // that were made
  Clock::time_point opened_at_;
  bool heard_ = false;        // something has come since then
  bool late_by_one_ = false;  // a message is answered when the next one comes
  Intake intake_;
  std::size_t bytes_before_control_ = 0;  // that the server may still be reading
  bool was_answered_ = false;             // the last exchange had what was due, or more
  bool outlives_its_output_ = false;      // the program has been seen to, for as long as we wait
};

Result<bool> StreamConversation::begin(dialogue::Transcript& transcript) {
  auto connected =
      connect(peer(), settings_, ++connections_, Deadline::in(patience_.timeout()), transcript);
  if (!connected) return connected.error();
  connection_ = std::move(connected->connection);
  stream_.emplace(std::move(connected->stream));
  opened_at_ = Clock::now();
  // A server that others share has come up before it is connected to.
  heard_ = peer().is_shared();
  intake_.begin_stream();
  // What answers the opening answers no step.
  const auto step = transcript.suspend_step();
  Result<bool> opened = true;
  for (const auto& message : settings_.opening.messages) {
    if (opened) opened = send_opening(message, transcript);
  }
  transcript.resume(step);
  return opened;
}

Result<bool> StreamConversation::send_opening(const std::string& message,
                                              dialogue::Transcript& transcript) {
  const microseconds patience = patience_.for_start();
  const Deadline deadline = Deadline::in(patience);
  if (const auto answer = answer_of_opening(message, *stream_, deadline, transcript)) {
    if (is_refused(*answer)) return refused_opening(message, *answer);
    return true;
  }
  const auto how = ended(Deadline::in(stream_->ended() ? kReaping : milliseconds(0)));
  return unanswered_opening(message, how, deadline.passed() ? patience : microseconds(0),
                            last_words());
}

long long StreamConversation::send_control(Deadline deadline, dialogue::Transcript& transcript) {
  const long long id = intake_.next_control_id();
  send_control(id, settings_.control, deadline, transcript);
  return id;
}

void StreamConversation::send_control(long long id, const ControlCall& call, Deadline deadline,
                                      dialogue::Transcript& transcript) {
  const std::string text = call.text(id);
  const std::string framed = stream_->encode(text);
  transcript.add_control(stream_->shown(text, framed));
  stream_->send(framed, deadline);
}

// A program that has said nothing yet may still be starting, or ignore calls without params: one
// with params tells, and shortens the wait.
long long StreamConversation::prod(Deadline deadline, dialogue::Transcript& transcript) {
  if (!heard_ && settings_.control.params.empty()) {
    ControlCall with_params = settings_.control;
    with_params.params = "[]";
    send_control(intake_.next_control_id(), with_params, deadline, transcript);
  }
  return send_control(deadline, transcript);
}

// A server may have asked its client something, and wait for the answer. It gets it only where it
// owes one itself: most go on without, and some take a Response for a Request.
void StreamConversation::answer_requests(Deadline deadline, dialogue::Transcript& transcript) {
  for (const auto& answer : intake_.take_owed()) {
    const std::string framed = stream_->encode(answer);
    transcript.add(dialogue::Direction::sent, stream_->shown(answer, framed),
                   "answer to the server's request");
    stream_->send(framed, deadline);
  }
}

// What has come before a step sends anything does not answer it.
void StreamConversation::take_arrived(dialogue::Exchange& exchange,
                                      dialogue::Transcript& transcript) {
  const Volume before = stream_->received();
  while (const auto frame = stream_->receive_arrived()) {
    intake_.take_early(*frame, exchange, transcript);
    if (is_flood(before, stream_->received())) break;
  }
}

// A program that ended after its last answer did not die of what is sent next.
bool StreamConversation::is_ready(const corpus::Step& step, dialogue::Exchange& exchange,
                                  dialogue::Transcript& transcript) {
  if (stream_) take_arrived(exchange, transcript);
  if (stream_ && step.same_connection && peer().is_shared()) {
    // Only before anything more is sent a reset is the server's own doing.
    stream_->await_end(Deadline::in(patience_.tail()));
    if (stream_->was_reset()) exchange.lost_connection = "the connection was reset";
  }
  const bool we_left = stream_ && (stream_->closed_by_us() || stream_->has_said_farewell());
  if (stream_ && !stream_->ended() && !we_left) return true;
  const bool is_unseen = stream_ && !we_left;
  // A connection that a shared server has closed is not its end.
  if (peer().is_shared() && reconnect(transcript)) {
    exchange.on_new_connection = true;
    return true;
  }
  const auto generation = peer().generation();
  const auto how = ended(Deadline::in(kReaping));
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

// The first bytes of a program show that it has come up: it may now take no longer than any other.
void StreamConversation::note_first_sign(Waiting& waiting) {
  heard_ = true;
  patience_.learn_start_up(std::chrono::duration_cast<microseconds>(Clock::now() - opened_at_));
  if (!patience_.is_starting()) return;
  patience_.note_first_sign();
  waiting.deadline = Deadline::earlier(waiting.deadline, Deadline::in(patience_.timeout()));
}

bool StreamConversation::await_frame(Deadline deadline, dialogue::Exchange& exchange,
                                     Waiting& waiting, dialogue::Transcript& transcript) {
  std::optional<wire::Frame> frame;
  do {
    if (is_first_sign()) {
      note_first_sign(waiting);
      return false;
    }
    frame = stream_->receive_some(deadline);
  } while (!frame && !stream_->ended() && !deadline.passed());
  if (!frame) return false;
  if (is_first_sign()) note_first_sign(waiting);
  if (intake_.take_in(*frame, waiting.control_id, exchange, transcript)) {
    waiting.control_answered = true;
    waiting.control_answer = frame->payload;
  }
  return true;
}

dialogue::Exchange StreamConversation::exchange(const corpus::Step& step,
                                                dialogue::Transcript& transcript) {
  dialogue::Exchange exchange;
  if (!is_ready(step, exchange, transcript)) return exchange;
  const auto messages = step.whole_messages();
  exchange.sent.assign(messages.begin(), messages.end());
  auto sent = outgoing(exchange.sent, settings_.control.dialect);
  if (intake_.may_be_mistaken(sent.id_keys)) {
    await_quiet(transcript);
    take_arrived(exchange, transcript);
  }
  intake_.begin_step(std::move(sent.id_keys), std::move(sent.unread));
  const bool well_formed = !step.raw && sent.well_formed;

  const std::string bytes = encode_step(step, *stream_, transcript);
  bytes_before_control_ = bytes.size();
  Waiting waiting{Deadline::in(patience_.for_answer(well_formed, bytes.size())),
                  count_replies(step), stream_->received(), bytes.size(), well_formed};
  // Behind several messages a surplus reply is to be seen too.
  waiting.takes_all = step.messages.size() == 1 || step.end_of_input;
  waiting.awaits_exit = step.accepts(corpus::Outcome::Shape::exited);
  waiting.awaits_close =
      !step.accept.empty() && step.accept.front().shape == corpus::Outcome::Shape::closed;
  waiting.pong_due = step.pong_due();
  // So may a server that closes a connection: nothing else shows that it will not.
  if (waiting.awaits_close && settings_.binding->is_upgrade) {
    waiting.deadline = Deadline::in(
        std::max<microseconds>(patience_.for_answer(false, bytes.size()), patience_for_close()));
  }
  // A program may take its time to leave.
  if (waiting.awaits_exit) waiting.deadline = Deadline::in(patience_.timeout());
  waiting.sent_whole = stream_->send_in_pieces(bytes, step.write_every, step.write_at,
                                               patience_.tail(), waiting.deadline);
  if (step.end_of_input) stream_->close_write();
  collect(exchange, waiting, transcript);
  was_answered_ = exchange.ending == dialogue::Ending::settled && !exchange.replies.empty();
  return exchange;
}

void StreamConversation::collect(dialogue::Exchange& exchange, Waiting& waiting,
                                 dialogue::Transcript& transcript) {
  const auto begin = Clock::now();
  const bool was_up = heard_;
  const Deadline patient = Deadline::in(patience_.before_control());
  const Deadline ask = late_by_one_ ? Deadline::in(microseconds(0)) : patient;
  while (!waiting.settled(exchange.replies.size())) {
    if (intake_.owes() && patient.passed()) answer_requests(waiting.deadline, transcript);
    const bool asked = waiting.control_id.has_value() || !stream_->can_write();
    // What may stay unanswered, or has been answered enough, is followed by a control call at once;
    // what must be answered only when nothing came for a while: slow, or dropped?
    const bool has_other = intake_.holds_foreign();
    const bool is_enough = waiting.enough(exchange.replies.size()) && !waiting.awaits_close;
    if (!asked && (is_enough || has_other || ask.passed())) {
      waiting.prodded = !waiting.enough(exchange.replies.size());
      waiting.control_id = waiting.prodded ? prod(waiting.deadline, transcript)
                                           : send_control(waiting.deadline, transcript);
      continue;
    }
    const bool until_later = asked && !intake_.owes();
    const Deadline until = asked ? patient : ask;
    const bool came =
        await_frame(until_later ? waiting.deadline : Deadline::earlier(until, waiting.deadline),
                    exchange, waiting, transcript);
    if (came && may_be_answered_singly(exchange)) waiting.takes_all = false;
    const bool in_vain = waiting.control_answered && !waiting.enough(exchange.replies.size());
    if (in_vain && intake_.take_doubtful(exchange, transcript)) continue;
    if (came && !is_flooding(waiting)) continue;
    if (stream_->ended() || is_flooding(waiting)) break;
    if (!waiting.deadline.passed()) continue;
    // Sending may have taken all the time there was: nothing is missing before a later call is
    // heard.
    if (asked || !waiting.sent_whole) break;
    waiting.deadline = Deadline::in(patience_.for_answer(waiting.well_formed, waiting.sent_bytes));
    waiting.prodded = !waiting.enough(exchange.replies.size());
    waiting.control_id = send_control(waiting.deadline, transcript);
  }
  const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  if (waiting.settled(exchange.replies.size()))
    patience_.note_answer(was_up, waited, waiting.sent_bytes);
  if (waiting.prodded && waiting.enough(exchange.replies.size())) {
    await_control(exchange, waiting, transcript);
  }
  await_tail(exchange, waiting, transcript);
  await_pong(exchange, waiting, transcript);
  const bool may_answer = exchange.replies.empty() || !waiting.all(exchange.replies.size());
  if (may_answer && intake_.holds_foreign()) intake_.take_doubtful(exchange, transcript);
  intake_.take_held(exchange, transcript);
  if (!waiting.control_answered && waiting.due.most == 1 && !may_be_answered_singly(exchange)) {
    intake_.give_to_control_calls(exchange, transcript);
  }
  conclude(exchange, waiting, waited, transcript);
}

void StreamConversation::await_tail(dialogue::Exchange& exchange, Waiting& waiting,
                                    dialogue::Transcript& transcript) {
  const auto replies = exchange.replies.size();
  if (!waiting.control_answered || waiting.all(replies) || !waiting.enough(replies)) return;
  const Deadline tail = Deadline::in(patience_.tail(waiting.sent_bytes));
  patience_.note_tail();
  while (!waiting.all(exchange.replies.size()) &&
         await_frame(tail, exchange, waiting, transcript) && !is_flooding(waiting)) {
  }
}

// Nothing says that it leaves before what is answered by a message.
void StreamConversation::await_pong(dialogue::Exchange& exchange, Waiting& waiting,
                                    dialogue::Transcript& transcript) {
  const auto has_come = [&] {
    const auto& pongs = exchange.pongs;
    return std::find(pongs.begin(), pongs.end(), *waiting.pong_due) != pongs.end();
  };
  if (!waiting.pong_due || has_come()) return;
  const Deadline deadline = Deadline::in(patience_.for_control());
  while (!has_come() && !stream_->ended() && !is_flooding(waiting) && !deadline.passed()) {
    await_frame(deadline, exchange, waiting, transcript);
  }
  if (!has_come()) patience_.note_missing_control();
}

// An answer that came only behind a control call: was the server slow, or does it keep each answer
// back until the next message comes, that of the control call as well?
void StreamConversation::await_control(dialogue::Exchange& exchange, Waiting& waiting,
                                       dialogue::Transcript& transcript) {
  for (const bool again : {late_by_one_, true}) {
    const Deadline deadline = Deadline::in(patience_.for_control());
    if (again) send_control(deadline, transcript);
    while (!waiting.control_answered && !is_flooding(waiting) && !stream_->ended() &&
           !deadline.passed() && !intake_.has_all_without_ids(exchange)) {
      await_frame(deadline, exchange, waiting, transcript);
    }
    if (intake_.has_all_without_ids(exchange)) return;
    late_by_one_ = again && waiting.control_answered;
    if (waiting.control_answered || stream_->ended() || is_flooding(waiting)) return;
    patience_.note_missing_control();  // nor is another waited for as long as this one
  }
}

void StreamConversation::conclude(dialogue::Exchange& exchange, const Waiting& waiting,
                                  microseconds waited, dialogue::Transcript& transcript) {
  exchange.control_answered = waiting.control_answered;
  exchange.control_answer = waiting.control_answer;
  exchange.endless = is_flooding(waiting);
  if (exchange.endless) {
    return note_quiet("the server sent more than 10000 messages or 16 MiB and did not stop",
                      exchange, transcript);
  }
  exchange.unfinished = stream_->unfinished();
  const bool is_broken = !exchange.replies.empty() && exchange.replies.back().value() == nullptr;
  if (is_broken && settings_.binding->delimits_messages) {
    stream_->disown_unfinished();
  }
  if (waiting.awaits_exit) return note_exit(ended(waiting.deadline), exchange, transcript);
  if (late_by_one_) {
    exchange.replies.clear();
    exchange.held_back = true;
    return note_quiet("the answer is held back until the next message comes", exchange, transcript);
  }
  if (waiting.settled(exchange.replies.size()) || waiting.all(exchange.replies.size())) return;
  // After the end of input no control call can be asked; that the server leaves then is its right.
  if (stream_->closed_by_us() && waiting.enough(exchange.replies.size())) return;
  if (stream_->ended()) {
    if (peer().is_shared()) return note_close(stream_->was_reset(), exchange, transcript);
    return note_end(ended(Deadline::in(kReaping)), exchange, transcript);
  }
  patience_.note_missing_answer(waiting.well_formed);
  // Nor is another control call waited for as long as this one has been.
  if (waiting.control_id && !waiting.control_answered) patience_.note_missing_control();
  note_quiet(no_answer_in(waited, waited < patience_.timeout(), waiting.control_answered), exchange,
             transcript);
}

bool StreamConversation::control_is_answered(Deadline deadline, dialogue::Transcript& transcript) {
  dialogue::Exchange aside;
  Waiting waiting{deadline, {}, stream_->received()};
  const auto begin = Clock::now();
  const bool was_up = heard_;
  waiting.control_id = send_control(waiting.deadline, transcript);
  if (late_by_one_) send_control(waiting.deadline, transcript);
  const Deadline ask = Deadline::in(patience_.before_control());
  while (!waiting.control_answered && !is_flooding(waiting) && !stream_->ended() &&
         !waiting.deadline.passed()) {
    const bool owes = intake_.owes();
    if (owes && ask.passed()) answer_requests(waiting.deadline, transcript);
    await_frame(owes ? Deadline::earlier(ask, waiting.deadline) : waiting.deadline, aside, waiting,
                transcript);
  }
  // A Close answers as well as a message does.
  answered_meanwhile_ = !aside.replies.empty() || aside.close.has_value();
  if (was_answered_) intake_.note_late(std::move(aside.replies));
  control_answer_ = waiting.control_answer;
  if (waiting.control_answered) {
    patience_.note_answer(was_up, std::chrono::duration_cast<microseconds>(Clock::now() - begin),
                          0);
  } else if (!stream_->ended()) {
    patience_.note_missing_control();
    patience_.note_wait_in_vain();
  }
  return waiting.control_answered;
}

// What comes before the answer to a control call does not answer what is sent then.
void StreamConversation::await_quiet(dialogue::Transcript& transcript) {
  dialogue::Transcript before;
  control_is_answered(Deadline::in(patience_.for_control()), before);
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
  if (!stream_ || !stream_->can_write()) return Control::closed;
  if (control_is_answered(deadline, transcript)) return Control::answered;
  return stream_->ended() ? Control::closed : Control::unanswered;
}

PeerConversation::Control StreamConversation::ask_again(dialogue::Transcript& transcript) {
  return ask(Deadline::in(patience_.for_control(bytes_before_control_)), transcript);
}

// A new program is given the time to come up and answer: that tells deafness from a busy machine.
dialogue::SurvivalCheck StreamConversation::find_deaf(dialogue::Transcript& transcript) {
  if (const auto how = ended(Deadline::in(microseconds(0)))) return find_end(transcript);
  const transport::Connection former_connection = std::exchange(connection_, {});
  std::optional<FramedStream> former = std::exchange(stream_, std::nullopt);
  const Volume before = former->received();
  const std::string why = bring_back(peer().generation());
  bool overtaken = false;
  while (const auto frame = former->receive_arrived()) {
    if (is_flood(before, former->received())) break;
    overtaken = overtaken || (frame->is_message() && intake_.is_control(frame->payload));
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
  const bool we_closed = stream_ && !stream_->can_write() && stream_->closed_by_us();
  const bool output_ended = stream_ && stream_->ended() && !we_closed;
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
