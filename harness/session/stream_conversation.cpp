#include "session/stream_conversation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "json/parse.hpp"
#include "session/framed_stream.hpp"
#include "session/incoming.hpp"
#include "session/reply_count.hpp"

namespace jrpcheck::session {
namespace {

// A process whose output has ended is usually about to be reaped.
constexpr milliseconds kReaping{500};

// Whether a message of the server is the answer that an opening message waits for.
bool answers_opening(const wire::Frame& frame, const std::string& key) {
  const auto parsed = json::parse(frame.payload);
  if (!frame.is_message() || !parsed || parsed.value->find("method") != nullptr) return false;
  const auto keys = id_keys_of(frame.payload);
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string pieces_text(const corpus::Step& step, const FramedStream& stream) {
  std::string bytes;
  for (const auto& message : step.messages) bytes += step.raw ? message : stream.encode(message);
  return bytes;
}

class StreamConversation : public Conversation {
 public:
  StreamConversation(std::unique_ptr<StreamSource> source, StreamSettings settings,
                     Patience& patience)
      : source_(std::move(source)),
        settings_(std::move(settings)),
        patience_(patience),
        sorter_(settings_.framing == wire::FramingKind::content_length) {}

  Result<bool> open(Transcript& transcript) override {
    stream_.reset();
    auto opened = source_->open();
    if (!opened) return opened.error();
    stream_.emplace(**opened, settings_.framing);
    sorter_ = IncomingSorter(settings_.framing == wire::FramingKind::content_length);
    for (const auto& message : settings_.opening.messages) {
      if (auto ok = send_opening(message, transcript); !ok) return ok.error();
    }
    return true;
  }

  void begin_case(long long first_control_id) override { next_control_id_ = first_control_id; }

  Exchange exchange(const corpus::Step& step, Transcript& transcript) override;
  SurvivalCheck check_survival(Transcript& transcript) override;

  bool usable() const override { return stream_ && !stream_->ended(); }
  std::vector<LateAnswer> take_late_answers() override { return std::exchange(late_, {}); }
  unsigned long long server_generation() const override { return source_->generation(); }
  void use_control_call(ControlCall call) override { settings_.control = std::move(call); }

 private:
  // Replies are complete when the most that may come have come, or when the fewest that must come
  // have come and a control call that was sent after them has been answered.
  struct Waiting {
    Deadline deadline;
    ReplyCount due;
    Volume received_before;
    bool takes_all = true;  // the most that may come is the end of it
    std::optional<long long> control_id = {};
    bool control_answered = false;

    bool enough(std::size_t replies) const { return replies >= due.least; }
    bool all(std::size_t replies) const { return due.most > 0 && replies >= due.most; }
    bool settled(std::size_t replies) const {
      return (takes_all && all(replies)) || (enough(replies) && control_answered);
    }
  };

  Result<bool> send_opening(const std::string& message, Transcript& transcript);
  Error opening_failed(const std::string& message);
  bool is_ready(Exchange& exchange, Transcript& transcript);
  // Starts the program anew; empty when it serves again, else what it does instead.
  std::string restart();
  void take_arrived(Exchange& exchange, Transcript& transcript);
  void take_late(const std::string& text);
  long long send_control(Deadline deadline, Transcript& transcript);
  void take_in(const wire::Frame& frame, Exchange& exchange, Waiting& waiting,
               Transcript& transcript);
  // True when a frame was taken in; false when the deadline passed or the stream ended.
  bool await_frame(Deadline deadline, Exchange& exchange, Waiting& waiting, Transcript& transcript);
  void collect(Exchange& exchange, Waiting& waiting, bool well_formed, Transcript& transcript);
  bool is_flooding(const Waiting& waiting) const {
    return is_flood(waiting.received_before, stream_->received());
  }
  void conclude(Exchange& exchange, const Waiting& waiting, bool well_formed, microseconds waited,
                Transcript& transcript);
  void note_end(Exchange& exchange, Transcript& transcript);
  bool control_is_answered(microseconds wait, Transcript& transcript);
  // A program that was started anew may take longer to come up than an answer may take.
  bool await_ready(Transcript& transcript);

  std::unique_ptr<StreamSource> source_;
  StreamSettings settings_;
  Patience& patience_;
  std::optional<FramedStream> stream_;
  IncomingSorter sorter_;
  std::vector<LateAnswer> late_;
  long long next_control_id_ = 1;
};

Result<bool> StreamConversation::send_opening(const std::string& message, Transcript& transcript) {
  const auto keys = id_keys_of(message);
  const std::string framed = stream_->encode(message);
  transcript.add(Direction::sent, framed, "opening");
  const Deadline deadline = Deadline::in(patience_.for_start());
  const Volume before = stream_->received();
  stream_->send(framed, deadline);
  while (!keys.empty()) {
    const auto frame = stream_->receive(deadline);
    if (!frame || is_flood(before, stream_->received())) return opening_failed(message);
    transcript.add(Direction::aside, frame->payload, "during the opening");
    if (answers_opening(*frame, keys.front())) break;
  }
  return true;
}

Error StreamConversation::opening_failed(const std::string& message) {
  const auto how = source_->ended(Deadline::in(stream_->ended() ? kReaping : milliseconds(0)));
  return Error{"the opening message " + message.substr(0, 120) + " was not answered" +
               (how ? ": the program " + *how : "") + "\n" + source_->standard_error_tail()};
}

long long StreamConversation::send_control(Deadline deadline, Transcript& transcript) {
  const long long id = next_control_id_++;
  sorter_.expect_control(id);
  const std::string framed = stream_->encode(settings_.control.text(id));
  transcript.add(Direction::sent, framed, "control call");
  stream_->send(framed, deadline);
  return id;
}

void StreamConversation::take_in(const wire::Frame& frame, Exchange& exchange, Waiting& waiting,
                                 Transcript& transcript) {
  if (!frame.is_message()) {
    transcript.add(Direction::violation, frame.payload, frame.violation);
    exchange.noise.push_back({frame.payload, frame.violation});
    return;
  }
  switch (sorter_.sort(frame.payload)) {
    case IncomingKind::reply:
      transcript.add(Direction::received, frame.payload);
      exchange.replies.push_back({frame.payload});
      break;
    case IncomingKind::control:
      transcript.add(Direction::received, frame.payload, "answer to the control call");
      if (waiting.control_id && IncomingSorter::answers(frame.payload, *waiting.control_id)) {
        waiting.control_answered = true;
      }
      break;
    case IncomingKind::unasked:
      transcript.add(Direction::aside, frame.payload, "sent by the server unasked");
      break;
    case IncomingKind::late:
      transcript.add(Direction::aside, frame.payload, "answers an earlier case");
      take_late(frame.payload);
      break;
    case IncomingKind::noise:
      transcript.add(Direction::violation, frame.payload, "no message");
      exchange.noise.push_back({frame.payload, {}});
      break;
  }
}

// A batch is handed out as one of its Responses: they all belong to one earlier case.
void StreamConversation::take_late(const std::string& text) {
  const auto parsed = json::parse(text);
  if (parsed && parsed.value->is(json::Kind::array)) {
    for (const auto& each : parsed.value->children()) {
      const std::string element = json::write(each);
      if (sorter_.sort(element) == IncomingKind::late) return late_.push_back({element});
    }
  }
  late_.push_back({text});
}

// What has come before a step sends anything does not answer it.
void StreamConversation::take_arrived(Exchange& exchange, Transcript& transcript) {
  Waiting nothing{Deadline::in(microseconds(0)), {}, stream_->received()};
  while (auto frame = stream_->receive_arrived()) {
    if (frame->is_message() && sorter_.sort(frame->payload) == IncomingKind::reply) {
      transcript.add(Direction::aside, frame->payload, "came before anything was sent");
      late_.push_back({std::move(frame->payload)});
    } else {
      take_in(*frame, exchange, nothing, transcript);
    }
    if (is_flooding(nothing)) break;
  }
}

// A program that ended after its last answer did not die of what is sent next.
bool StreamConversation::is_ready(Exchange& exchange, Transcript& transcript) {
  if (stream_) take_arrived(exchange, transcript);
  if (usable() && !stream_->closed_by_us()) return true;
  const auto how = source_->ended(Deadline::in(kReaping));
  if (how) transcript.add(Direction::exited, {}, *how + ", before this was sent; started again");
  const std::string why = restart();
  if (why.empty()) return true;
  exchange.ending = Ending::exited;
  exchange.detail = "the program " + how.value_or("was not running") + "; started again it " + why;
  transcript.add(Direction::exited, {}, exchange.detail);
  return false;
}

bool StreamConversation::await_frame(Deadline deadline, Exchange& exchange, Waiting& waiting,
                                     Transcript& transcript) {
  const auto frame = stream_->receive(deadline);
  if (!frame) return false;
  take_in(*frame, exchange, waiting, transcript);
  return true;
}

Exchange StreamConversation::exchange(const corpus::Step& step, Transcript& transcript) {
  Exchange exchange;
  std::vector<std::string> keys;
  for (const auto& message : step.messages) {
    const auto more = id_keys_of(message);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  if (!is_ready(exchange, transcript)) return exchange;
  sorter_.begin_step(std::move(keys));
  const bool well_formed =
      std::all_of(step.messages.begin(), step.messages.end(), is_well_formed) && !step.raw;

  const std::string bytes = pieces_text(step, *stream_);
  transcript.add(Direction::sent, bytes);
  Waiting waiting{Deadline::in(patience_.for_answer(well_formed)), count_replies(step),
                  stream_->received()};
  // Behind several messages a surplus reply is to be seen beside those that are due.
  waiting.takes_all = step.messages.size() == 1 || step.end_of_input;
  stream_->send_in_pieces(bytes, step.write_every, step.write_at, waiting.deadline);
  if (step.end_of_input) stream_->close_write();
  collect(exchange, waiting, well_formed, transcript);
  return exchange;
}

void StreamConversation::collect(Exchange& exchange, Waiting& waiting, bool well_formed,
                                 Transcript& transcript) {
  const auto begin = Clock::now();
  const Deadline ask = Deadline::in(patience_.before_control());
  while (!waiting.settled(exchange.replies.size())) {
    const bool asked = waiting.control_id.has_value() || !stream_->can_write();
    // What may stay unanswered, and what has been answered enough, is followed by a control call at
    // once; what must be answered only when nothing came for a while: is the server slow, or did it
    // drop the message?
    if (!asked && (waiting.enough(exchange.replies.size()) || ask.passed())) {
      waiting.control_id = send_control(waiting.deadline, transcript);
      continue;
    }
    const Deadline until = asked ? waiting.deadline : Deadline::earlier(ask, waiting.deadline);
    if (await_frame(until, exchange, waiting, transcript) && !is_flooding(waiting)) continue;
    if (stream_->ended() || waiting.deadline.passed() || is_flooding(waiting)) break;
  }
  if (waiting.control_answered && !waiting.all(exchange.replies.size())) {
    const Deadline tail = Deadline::in(patience_.tail());
    while (waiting.enough(exchange.replies.size()) &&
           await_frame(tail, exchange, waiting, transcript) && !is_flooding(waiting)) {
    }
  }
  conclude(exchange, waiting, well_formed,
           std::chrono::duration_cast<microseconds>(Clock::now() - begin), transcript);
}

void StreamConversation::conclude(Exchange& exchange, const Waiting& waiting, bool well_formed,
                                  microseconds waited, Transcript& transcript) {
  exchange.control_answered = waiting.control_answered;
  if (is_flooding(waiting)) {
    exchange.ending = Ending::timed_out;
    exchange.detail = "the server sent more than 10000 messages or 64 MiB and did not stop";
    transcript.add(Direction::quiet, {}, exchange.detail);
    return;
  }
  if (waiting.settled(exchange.replies.size()) || waiting.all(exchange.replies.size())) return;
  // After the end of input no control call can be asked; that the server leaves then is its right.
  if (stream_->closed_by_us() && waiting.enough(exchange.replies.size())) return;
  if (stream_->ended()) {
    note_end(exchange, transcript);
    return;
  }
  patience_.note_missing_answer(well_formed);
  exchange.ending = Ending::timed_out;
  exchange.detail = "no answer in " + duration_text(waited);
  if (waited < patience_.timeout()) exchange.detail += " (shortened after an earlier wait)";
  if (waiting.control_answered) exchange.detail += ", while a later call was answered";
  transcript.add(Direction::quiet, {}, exchange.detail);
}

void StreamConversation::note_end(Exchange& exchange, Transcript& transcript) {
  if (const auto how = source_->ended(Deadline::in(kReaping))) {
    exchange.ending = Ending::exited;
    exchange.detail = "the program " + *how;
    transcript.add(Direction::exited, {}, *how);
  } else {
    exchange.ending = Ending::closed;
    exchange.detail = "the server closed its output";
    transcript.add(Direction::closed, {}, exchange.detail);
  }
}

bool StreamConversation::await_ready(Transcript& transcript) {
  return control_is_answered(patience_.for_start(), transcript);
}

bool StreamConversation::control_is_answered(microseconds wait, Transcript& transcript) {
  Exchange aside;
  Waiting waiting{Deadline::in(wait), {}, stream_->received()};
  waiting.control_id = send_control(waiting.deadline, transcript);
  while (!waiting.control_answered && !is_flooding(waiting) &&
         await_frame(waiting.deadline, aside, waiting, transcript)) {
  }
  if (!waiting.control_answered && !stream_->ended()) patience_.note_missing_answer(true);
  return waiting.control_answered;
}

SurvivalCheck StreamConversation::check_survival(Transcript& transcript) {
  SurvivalCheck check;
  if (stream_ && stream_->can_write() &&
      control_is_answered(patience_.for_answer(true), transcript)) {
    check.survival = Survival::alive;
    return check;
  }
  const bool we_closed = stream_ && !stream_->can_write() && stream_->closed_by_us();
  // A process that dumps core closes its output long before it is gone.
  const bool output_ended = stream_ && stream_->ended() && !we_closed;
  const microseconds wait = output_ended ? patience_.timeout()
                            : usable()   ? microseconds(0)
                                         : kReaping;
  if (const auto how = source_->ended(Deadline::in(wait))) {
    check.survival = we_closed ? Survival::unasked : Survival::dead;
    check.detail = "the program " + *how;
    check.standard_error = source_->standard_error_tail();
    if (!we_closed) transcript.add(Direction::exited, {}, *how);
    if (!check.standard_error.empty()) {
      transcript.add(Direction::standard_error, check.standard_error);
    }
  } else {
    check.survival = we_closed ? Survival::unasked : Survival::deaf;
    check.detail = usable() ? "the program runs, and answers nothing on this stream any more"
                            : "the program runs, and has closed its output";
  }
  if (const std::string why = restart(); !why.empty()) {
    check.detail += "; started again it " + why;
  }
  return check;
}

std::string StreamConversation::restart() {
  Transcript aside;  // the handshake of the new process is no part of the case's evidence
  const auto reopened = open(aside);
  if (reopened && await_ready(aside)) return {};
  stream_.reset();
  return reopened ? "answers nothing" : "does not come up: " + reopened.error().message;
}

}  // namespace

std::unique_ptr<Conversation> make_stream_conversation(std::unique_ptr<StreamSource> source,
                                                       StreamSettings settings,
                                                       Patience& patience) {
  return std::make_unique<StreamConversation>(std::move(source), std::move(settings), patience);
}

}  // namespace jrpcheck::session
