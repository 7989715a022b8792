#include "session/intake.hpp"

#include <algorithm>

#include "base/contains.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"

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

bool Intake::take_doubtful(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  settle_values(exchange, transcript);
  const std::size_t before = exchange.replies.size();
  settle_nameless(exchange, transcript);
  for (auto& each : std::exchange(doubtful_, {})) {
    if (each.is_nameless) continue;
    transcript.put_right(each.event, dialogue::Direction::received, "the only answer that came");
    exchange.replies.push_back({std::move(each.message), 0});
  }
  return exchange.replies.size() > before;
}

void Intake::settle_nameless(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  // While so many control calls wait as there are such answers they may be theirs.
  if (nameless_ <= sorter_.controls_waiting(first_control_id_, next_control_id_)) return;
  std::erase_if(doubtful_, [&](Doubtful& each) {
    if (!each.is_nameless) return false;
    transcript.put_right(each.event, dialogue::Direction::received);
    exchange.replies.push_back({std::move(each.message), 0});
    --nameless_;
    return true;
  });
}

bool Intake::holds_foreign() const {
  return std::ranges::any_of(doubtful_, [](const Doubtful& each) { return each.is_foreign; });
}

bool Intake::holds_first_value() const {
  return !sorter_.returns_ids() && !doubtful_.empty() &&
         std::ranges::all_of(doubtful_, [](const Doubtful& each) { return each.is_value; });
}

void Intake::settle_values(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  const auto& replies = exchange.replies;
  const bool are_beside = std::ranges::any_of(replies, dialogue::holds_response) ||
                          std::ranges::any_of(doubtful_, [](const Doubtful& each) {
                            return dialogue::holds_response(each.message);
                          });
  if (!are_beside) return;
  std::erase_if(doubtful_, [&](const Doubtful& each) {
    if (!each.is_value) return false;
    transcript.put_right(each.event, dialogue::Direction::noise, "no message");
    exchange.noise.push_back({each.message.text(), {}});
    prints_values_ = true;
    return true;
  });
}

bool Intake::holds_error(bool of_parsing) const {
  return std::ranges::any_of(doubtful_, [of_parsing](const Doubtful& each) {
    const json::Value* value = each.message.outline();
    if (value == nullptr || !value->is(json::Kind::object)) return false;
    if (!of_parsing) return value->find("error") != nullptr;
    const json::Value* code = json::at(*value, "/error/code");
    return code != nullptr && json::write(*code) == "-32700";
  });
}

bool Intake::holds_control_again() const {
  return std::ranges::any_of(doubtful_, [](const Doubtful& each) { return each.is_control; });
}

bool Intake::holds_stray(const dialogue::Transcript& transcript) const {
  const auto& events = transcript.whole();
  if (doubtful_.empty() || doubtful_.back().event + 1 != events.size()) return false;
  const json::Value* value = doubtful_.back().message.value();
  if (value == nullptr || !dialogue::has_outcome(*value)) return false;
  const auto sent = std::find_if(events.rbegin(), events.rend(), [](const auto& event) {
    return event.direction == dialogue::Direction::sent;
  });
  return sent != events.rend() && sent->is_control;
}

void Intake::give_to_control_call(std::size_t event, dialogue::Transcript& transcript) {
  std::erase_if(doubtful_, [event](const Doubtful& each) { return each.event == event; });
  transcript.put_right(event, dialogue::Direction::unasked, std::string(dialogue::kOtherIdNote));
}

bool Intake::has_all_without_ids(const dialogue::Exchange& exchange) const {
  const auto& replies = exchange.replies;
  return controls_ > 0 && replies.size() > controls_ &&
         std::ranges::all_of(replies, dialogue::is_of_unknown_call);
}

// Text that cannot be read, or is taken for no Request, is refused with id null (JSON-RPC 2.0 §5):
// that is the answer.
bool Intake::may_be_beside_answer(const dialogue::Exchange& exchange) const {
  if (!control_calls_return_ids_ || exchange.sent.size() != 1 || exchange.replies.size() != 1) {
    return false;
  }
  const json::Value* id = exchange.sent.front().find("id");
  const auto& reply = exchange.replies.front();
  if (id == nullptr || id->is(json::Kind::null) || !dialogue::is_of_unknown_call(reply)) {
    return false;
  }
  return dialogue::fails_a_call(reply);
}

void Intake::give_to_control_calls(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  auto& replies = exchange.replies;
  if (controls_ == 0 || !std::ranges::all_of(replies, dialogue::is_of_unknown_call)) return;
  const auto& events = transcript.whole();
  for (std::size_t i = events.size(); i > 0 && controls_ > 0 && replies.size() > 1; --i) {
    const auto& event = events[i - 1];
    if (event.direction != dialogue::Direction::received || event.is_control) continue;
    transcript.put_right(i - 1, dialogue::Direction::aside, "may answer a control call");
    replies.pop_back();
    --controls_;
  }
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

// A text that comes first, and is no JSON, may be the answer to what was sent, or be said to every
// client. Behind the latter comes the answer. What answers no proper message may be any text.
bool Intake::take_greeting(const dialogue::Message& message, dialogue::Exchange& exchange,
                           dialogue::Transcript& transcript) {
  const bool is_text = std::exchange(is_first_, false) && greeting_ != nullptr &&
                       message.value() == nullptr && !message.is_beyond_limits();
  if (is_text && greeting_->is(message.text())) {
    transcript.add(dialogue::Direction::aside, message.text(),
                   std::string(dialogue::kGreetingNote));
    return true;
  }
  if (!is_text || has_sent_malformed_ || !Greeting::may_be(message.text())) return false;
  if (has_spoken_) {
    hold({.message = message, .event = 0, .is_foreign = true, .may_greet = true},
         "came first, and is no JSON", transcript);
  } else if (transcript.add(dialogue::Direction::noise, message.text(),
                            std::string(dialogue::kGreetingNote))) {
    exchange.noise.push_back({message.text(), {}});
    greeting_->note_before_anything(message.text());
  }
  return true;
}

void Intake::settle_greeting(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  const auto& answer = exchange.replies;
  if (answer.empty() || dialogue::id_keys_of(answer.back()).empty()) return;
  std::erase_if(doubtful_, [&](const Doubtful& each) {
    if (!each.may_greet) return false;
    transcript.put_right(each.event, dialogue::Direction::noise,
                         std::string(dialogue::kGreetingNote));
    exchange.noise.push_back({each.message.text(), {}});
    greeting_->note_before_answer(each.message.text());
    return true;
  });
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

// What has come is unasked, or aside, unless it turns out to be an answer.
void Intake::hold(Doubtful doubtful, std::string_view note, dialogue::Transcript& transcript) {
  // Who answers control calls twice has not answered another call.
  const bool is_copy =
      doubtful.is_control && (control_error_.empty() || reads_as_control(doubtful.message) ||
                              !dialogue::holds_response(doubtful.message));
  const auto direction =
      doubtful.is_nameless ? dialogue::Direction::aside : dialogue::Direction::unasked;
  const bool is_kept = transcript.add(direction, doubtful.message.text(), std::string(note));
  if (is_copy || !is_kept || !has_room_for(doubtful.message)) return;
  doubtful.event = transcript.whole().size() - 1;
  doubtful_.push_back(std::move(doubtful));
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
