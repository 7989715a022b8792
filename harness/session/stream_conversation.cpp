#include "session/stream_conversation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "json/parse.hpp"
#include "session/framed_stream.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::session {
namespace {

// A process whose output has ended is usually about to be reaped.
constexpr milliseconds kReaping{500};

// More than any case asks for; a server that goes on beyond it is flooding.
constexpr std::size_t kMaxBytesPerStep = 64U << 20;

std::string pieces_text(const corpus::Step& step, const FramedStream& stream) {
  std::string bytes;
  for (const auto& message : step.messages) bytes += step.raw ? message : stream.encode(message);
  return bytes;
}

// How many messages the step's accepted outcomes speak of.
struct ReplyCount {
  std::size_t least = 0;
  std::size_t most = 0;
};

ReplyCount count_replies(const corpus::Step& step) {
  if (step.accept.empty()) return {1, 1};
  ReplyCount count{static_cast<std::size_t>(-1), 0};
  for (const auto& outcome : step.accept) {
    using Shape = corpus::Outcome::Shape;
    if (outcome.verdict == corpus::Verdict::fail) continue;
    const bool one = outcome.shape == Shape::response || outcome.shape == Shape::batch;
    const std::size_t replies = one                                 ? 1
                                : outcome.shape == Shape::responses ? outcome.responses.size()
                                                                    : 0;
    count = {std::min(count.least, replies), std::max(count.most, replies)};
  }
  count.least = std::min(count.least, count.most);
  return count;
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
    std::size_t received_before;
    std::optional<long long> control_id;
    bool control_answered = false;

    bool enough(std::size_t replies) const { return replies >= due.least; }
    bool all(std::size_t replies) const { return due.most > 0 && replies >= due.most; }
    bool settled(std::size_t replies) const {
      return all(replies) || (enough(replies) && control_answered);
    }
  };

  Result<bool> send_opening(const std::string& message, Transcript& transcript);
  long long send_control(Transcript& transcript);
  void take_in(const wire::Frame& frame, Exchange& exchange, Waiting& waiting,
               Transcript& transcript);
  // True when a frame was taken in; false when the deadline passed or the stream ended.
  bool await_frame(Deadline deadline, Exchange& exchange, Waiting& waiting, Transcript& transcript);
  void collect(Exchange& exchange, Waiting& waiting, bool well_formed, Transcript& transcript);
  bool is_flooding(const Waiting& waiting) const {
    return stream_->received_bytes() - waiting.received_before > kMaxBytesPerStep;
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
  const Deadline deadline = Deadline::in(patience_.timeout());
  stream_->send(framed, deadline);
  while (!keys.empty()) {
    const auto frame = stream_->receive(deadline);
    if (!frame) {
      const auto how = source_->ended(Deadline::in(kReaping));
      return Error{"the opening message " + message.substr(0, 120) + " was not answered" +
                   (how ? ": the program " + *how : "") + "\n" + source_->standard_error_tail()};
    }
    transcript.add(Direction::aside, frame->payload, "during the opening");
    if (!frame->is_message()) continue;
    const auto parsed = json::parse(frame->payload);
    if (!parsed || parsed.value->find("method") != nullptr) continue;
    const json::Value* id = parsed.value->find("id");
    if (id != nullptr && id_key(*id) == keys.front()) break;
  }
  return true;
}

long long StreamConversation::send_control(Transcript& transcript) {
  const long long id = next_control_id_++;
  sorter_.expect_control(id);
  const std::string framed = stream_->encode(settings_.control.text(id));
  transcript.add(Direction::sent, framed, "control call");
  stream_->send(framed, Deadline::in(patience_.timeout()));
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
      late_.push_back({frame.payload});
      break;
    case IncomingKind::noise:
      transcript.add(Direction::violation, frame.payload, "no message");
      exchange.noise.push_back({frame.payload, {}});
      break;
  }
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
  sorter_.begin_step(std::move(keys));
  const bool well_formed =
      std::all_of(step.messages.begin(), step.messages.end(), is_well_formed) && !step.raw;

  const std::string bytes = pieces_text(step, *stream_);
  transcript.add(Direction::sent, bytes);
  Waiting waiting{Deadline::in(patience_.for_answer(well_formed)),
                  count_replies(step),
                  stream_->received_bytes(),
                  {}};
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
      waiting.control_id = send_control(transcript);
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
    exchange.detail = "the server sent more than 64 MiB and did not stop";
    transcript.add(Direction::quiet, {}, exchange.detail);
    return;
  }
  if (waiting.settled(exchange.replies.size())) return;
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
  Waiting waiting{Deadline::in(wait), {}, stream_->received_bytes(), send_control(transcript)};
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
  if (const auto how = source_->ended(Deadline::in(usable() ? microseconds(0) : kReaping))) {
    check.survival = we_closed ? Survival::unasked : Survival::dead;
    check.detail = "the program " + *how;
    check.standard_error = source_->standard_error_tail();
    if (!we_closed) transcript.add(Direction::exited, {}, *how);
    if (!check.standard_error.empty()) {
      transcript.add(Direction::standard_error, check.standard_error);
    }
  } else {
    check.survival = we_closed ? Survival::unasked : Survival::deaf;
    check.detail = "the program runs, and answers nothing on this stream any more";
  }
  Transcript aside;  // the handshake of the new process is no part of this case's evidence
  auto reopened = open(aside);
  if (reopened && await_ready(aside)) return check;
  check.detail += "; started again it " +
                  (reopened ? std::string("answers nothing") : reopened.error().message);
  stream_.reset();
  return check;
}

}  // namespace

std::unique_ptr<Conversation> make_stream_conversation(std::unique_ptr<StreamSource> source,
                                                       StreamSettings settings,
                                                       Patience& patience) {
  return std::make_unique<StreamConversation>(std::move(source), std::move(settings), patience);
}

}  // namespace jrpcheck::session
