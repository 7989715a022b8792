#include "session/intake.hpp"

#include <algorithm>

#include "base/contains.hpp"

namespace jrpcheck::session {
namespace {

// Of answers to earlier calls, until they are asked for. Only a server that answers again and again
// comes near, and each says the same of it.
constexpr std::size_t kMostHeld = 4U << 20;

// By which others are recognised.
constexpr std::size_t kLongestControlAnswer = 4U << 10;

}  // namespace

void Intake::begin_step(Outgoing sent) {
  has_spoken_ = true;
  has_sent_malformed_ = has_sent_malformed_ || !sent.well_formed;
  sorter_.begin_step(std::move(sent.id_keys), std::move(sent.unread), sent.messages);
  give_up_doubtful();
  controls_ = 0;
}

void Intake::give_up_doubtful() {
  for (auto& each : std::exchange(doubtful_, {})) {
    if (!each.is_foreign && !each.is_control) late_.push_back(std::move(each.message));
  }
}

bool Intake::has_room_for(const dialogue::Message& message) {
  if (held_ + message.memory() > kMostHeld) return false;
  held_ += message.memory();
  return true;
}

void Intake::hold_late(dialogue::Message message) {
  if (has_room_for(message)) late_.push_back(std::move(message));
}

std::vector<LateAnswer> Intake::take_late_answers() {
  give_up_doubtful();
  held_ = 0;
  return std::exchange(late_, {});
}

void Intake::note_late(std::vector<dialogue::Reply> replies) {
  for (auto& each : replies) hold_late(std::move(each));
}

long long Intake::next_control_id() {
  has_spoken_ = true;
  ++controls_;
  sorter_.expect_control(next_control_id_);
  return next_control_id_++;
}

bool Intake::take_in(const wire::Frame& frame, std::optional<long long> awaited,
                     dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  if (frame.control) {
    take_control(frame, exchange, transcript);
    return false;
  }
  if (delimited_) return take_in(Line(frame), awaited, exchange, transcript);
  bool answered = false;
  for (const auto& each : joiner_.take(frame)) {
    if (take_in(each, awaited, exchange, transcript)) answered = true;
  }
  return answered;
}

void Intake::take_control(const wire::Frame& frame, dialogue::Exchange& exchange,
                          dialogue::Transcript& transcript) {
  using Kind = wire::ControlFrame::Kind;
  dialogue::Event event{
      dialogue::Direction::control, {}, frame.payload, std::string(name_of(frame.control->kind))};
  event.frame = frame.control;
  if (frame.control->kind == Kind::pong) exchange.pongs.push_back(frame.payload);
  if (frame.control->kind == Kind::close) {
    exchange.close = dialogue::Close{frame.control->close_code, frame.payload};
    event.note += " " + dialogue::Close{frame.control->close_code, {}}.text();
  }
  transcript.add(std::move(event));
}

void Intake::take_held(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  for (const auto& each : joiner_.give_up()) take_in(each, std::nullopt, exchange, transcript);
}

void Intake::take_violation(const Line& line, dialogue::Exchange& exchange,
                            dialogue::Transcript& transcript) {
  const auto& text = line.message.text();
  if (line.beyond_limit) {
    transcript.add(dialogue::Direction::aside, text, line.violation);
    exchange.beyond_limit = line.violation;
  } else if (transcript.add(dialogue::Direction::violation, text, line.violation)) {
    exchange.noise.push_back({text, line.violation});
  }
}

void Intake::take_reply(const Line& line, dialogue::Event event, dialogue::Exchange& exchange,
                        dialogue::Transcript& transcript) {
  const dialogue::Message& message = line.message;
  if (may_answer_control(message)) {
    ++nameless_;
    return hold({message, 0, true, false, true}, "may answer a control call", transcript);
  }
  event.in_several_lines = line.in_several_lines;
  event.is_binary = line.is_binary;
  if (transcript.add(std::move(event))) {
    exchange.replies.push_back({message, 0, line.in_several_lines, {}, line.is_binary});
  } else {
    exchange.beyond_limit = dialogue::kMoreThanTaken;
  }
}

bool Intake::take_in(const Line& line, std::optional<long long> awaited,
                     dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  const dialogue::Message& message = line.message;
  if (!line.violation.empty()) {
    take_violation(line, exchange, transcript);
    return false;
  }
  if (take_greeting(message, exchange, transcript)) return false;
  dialogue::Event event = dialogue::received(message);
  auto kind = sorter_.take(message);
  if (kind == IncomingKind::value && prints_values_) kind = IncomingKind::noise;
  switch (kind) {
    case IncomingKind::reply:
      take_reply(line, std::move(event), exchange, transcript);
      settle_greeting(exchange, transcript);
      break;
    case IncomingKind::value:
      event.direction = dialogue::Direction::aside;
      event.note = "no message";
      if (transcript.add(std::move(event)) && has_room_for(message)) {
        doubtful_.push_back({message, transcript.whole().size() - 1, true, true});
      }
      break;
    case IncomingKind::control:
      return take_control_answer(message, std::move(event), awaited, transcript);
    case IncomingKind::control_again:
      hold({message, 0, false, false, false, true},
           "answers a control call that has had its answer", transcript);
      break;
    case IncomingKind::control_broken:
      transcript.add(dialogue::Direction::unasked, message.text(),
                     std::string(dialogue::kBrokenAnswerNote));
      return awaited.has_value();
    case IncomingKind::control_cut:
      transcript.add(dialogue::Direction::unasked, message.text(),
                     std::string(dialogue::kOtherIdNote));
      return awaited && IncomingSorter::answers_in_16_bits(message, *awaited);
    case IncomingKind::unasked:
      transcript.add(dialogue::Direction::unasked, message.text(), "sent by the server unasked");
      note_request(message);
      break;
    case IncomingKind::foreign:
      hold({message, 0, true}, dialogue::kNoCallNote, transcript);
      break;
    case IncomingKind::late:
      take_late(message, transcript);
      break;
    case IncomingKind::noise:
      if (transcript.add(dialogue::Direction::noise, message.text(), "no message")) {
        exchange.noise.push_back({message.text(), {}});
      }
      break;
  }
  return false;
}

// As the last control call was answered under its id.
bool Intake::reads_as_control(const dialogue::Message& message) const {
  const json::Value* error = message.find("error");
  return error != nullptr && !control_error_.empty() && json::write(*error) == control_error_;
}

// A control call of this case waits, and may have lost its id: an error that does not say of what
// was sent that nobody can read it.
bool Intake::may_answer_control(const dialogue::Message& message) const {
  return reads_as_control(message) && dialogue::is_of_unknown_call(message) &&
         dialogue::fails_a_call(message) &&
         sorter_.controls_waiting(first_control_id_, next_control_id_) > nameless_;
}

bool Intake::take_control_answer(const dialogue::Message& message, dialogue::Event event,
                                 std::optional<long long> awaited,
                                 dialogue::Transcript& transcript) {
  // One of an earlier case is no evidence in this one.
  if (!is_control(message)) return false;
  control_calls_return_ids_ = true;
  const bool is_short = message.text().size() <= kLongestControlAnswer;
  const json::Value* error = is_short ? message.find("error") : nullptr;
  control_error_ = error != nullptr ? json::write(*error) : std::string();
  event.is_control = true;
  event.note = "answer to the control call";
  event.message.reset();  // it is not judged with the case, and as large as a server likes
  transcript.add(std::move(event));
  return awaited && IncomingSorter::answers(message, *awaited);
}

// A server that asks the same again and again has one answer. No client's memory is as long as a
// hostile server asks.
void Intake::note_request(const dialogue::Message& message) {
  constexpr std::size_t kMostOwed = 100;
  constexpr std::size_t kLongestOwed = 16U << 10;  // an id makes it long
  auto answer = answer_to_request(message, answers_);
  const bool is_too_much = answer && (owed_.size() >= kMostOwed || answer->size() > kLongestOwed);
  if (!answer || is_too_much || answered_.count(*answer) != 0) return;
  if (!contains(owed_, *answer)) owed_.push_back(*std::move(answer));
}

std::vector<std::string> Intake::take_owed() {
  constexpr std::size_t kMostRemembered = 1000;
  if (answered_.size() > kMostRemembered) answered_.clear();
  answered_.insert(owed_.begin(), owed_.end());
  return std::exchange(owed_, {});
}

void Intake::take_early(const wire::Frame& frame, dialogue::Exchange& exchange,
                        dialogue::Transcript& transcript) {
  const dialogue::Message message(frame.payload);
  if (frame.is_message() && !frame.control && take_greeting(message, exchange, transcript)) return;
  const auto kind = frame.is_message() ? sorter_.sort(message) : IncomingKind::noise;
  if (frame.control) {
    // What was said before anything was sent is about nothing that is sent.
    dialogue::Exchange aside;
    take_control(frame, aside, transcript);
  } else if (kind == IncomingKind::foreign) {
    transcript.add(dialogue::Direction::unasked, frame.payload, std::string(dialogue::kNoCallNote));
  } else if (kind == IncomingKind::reply || kind == IncomingKind::value) {
    transcript.add(dialogue::Direction::aside, frame.payload, "came before anything was sent");
    has_answered_late_ = true;
    hold_late(message);
  } else {
    take_in(frame, std::nullopt, exchange, transcript);
  }
}

// A batch is handed out as one of its Responses: they all belong to one earlier case.
void Intake::take_late(const dialogue::Message& message, dialogue::Transcript& transcript) {
  has_answered_late_ = true;
  if (sorter_.had_their_answer(message)) {
    if (transcript.add(dialogue::Direction::aside, message.text(),
                       "carries the id of an earlier call that has been answered") &&
        has_room_for(message)) {
      doubtful_.push_back({message, transcript.whole().size() - 1});
    }
    return;
  }
  transcript.add(dialogue::Direction::aside, message.text(), "answers an earlier call");
  const json::Value* value = message.value();
  if (value != nullptr && value->is(json::Kind::array)) {
    for (const auto& each : value->children()) {
      const dialogue::Message element(json::write(each));
      if (sorter_.sort(element) == IncomingKind::late) return hold_late(element);
    }
  }
  hold_late(message);
}

bool Intake::is_control(const dialogue::Message& message) const {
  for (long long id = first_control_id_; id < next_control_id_; ++id) {
    if (IncomingSorter::answers(message, id)) return true;
  }
  return false;
}

}  // namespace jrpcheck::session
