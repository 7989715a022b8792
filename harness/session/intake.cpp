#include "session/intake.hpp"

#include "json/parse.hpp"

namespace jrpcheck::session {

void Intake::begin_step(std::vector<std::string> keys) {
  sorter_.begin_step(std::move(keys));
  give_up_doubtful();
}

void Intake::give_up_doubtful() {
  for (auto& each : std::exchange(doubtful_, {})) late_.push_back({std::move(each)});
}

std::vector<LateAnswer> Intake::take_late_answers() {
  give_up_doubtful();
  return std::exchange(late_, {});
}

bool Intake::take_doubtful(dialogue::Exchange& exchange) {
  if (doubtful_.empty()) return false;
  for (auto& each : std::exchange(doubtful_, {})) exchange.replies.push_back({std::move(each), 0});
  return true;
}

long long Intake::next_control_id() {
  sorter_.expect_control(next_control_id_);
  return next_control_id_++;
}

bool Intake::take_in(const wire::Frame& frame, std::optional<long long> awaited,
                     dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  if (framed_by_header_) return take_in(LineJoiner::Message{frame}, awaited, exchange, transcript);
  bool answered = false;
  for (const auto& each : joiner_.take(frame)) {
    if (take_in(each, awaited, exchange, transcript)) answered = true;
  }
  return answered;
}

void Intake::take_held(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  for (const auto& each : joiner_.give_up()) take_in(each, std::nullopt, exchange, transcript);
}

bool Intake::take_in(const LineJoiner::Message& message, std::optional<long long> awaited,
                     dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  const wire::Frame& frame = message.frame;
  if (!frame.is_message()) {
    transcript.add(dialogue::Direction::violation, frame.payload, frame.violation);
    exchange.noise.push_back({frame.payload, frame.violation});
    return false;
  }
  switch (sorter_.take(frame.payload)) {
    case IncomingKind::reply:
      transcript.add(dialogue::Direction::received, frame.payload);
      exchange.replies.push_back({frame.payload, 0, message.in_several_lines});
      break;
    case IncomingKind::control:
      // One of an earlier case is no evidence in this one.
      if (!is_control(frame.payload)) break;
      transcript.add(dialogue::Direction::received, frame.payload, "answer to the control call");
      return awaited && IncomingSorter::answers(frame.payload, *awaited);
    case IncomingKind::unasked:
      transcript.add(dialogue::Direction::aside, frame.payload, "sent by the server unasked");
      break;
    case IncomingKind::late:
      take_late(frame.payload, transcript);
      break;
    case IncomingKind::noise:
      transcript.add(dialogue::Direction::violation, frame.payload, "no message");
      exchange.noise.push_back({frame.payload, {}});
      break;
  }
  return false;
}

void Intake::take_early(const wire::Frame& frame, dialogue::Exchange& exchange,
                        dialogue::Transcript& transcript) {
  if (frame.is_message() && sorter_.sort(frame.payload) == IncomingKind::reply) {
    transcript.add(dialogue::Direction::aside, frame.payload, "came before anything was sent");
    has_answered_late_ = true;
    late_.push_back({frame.payload});
  } else {
    take_in(frame, std::nullopt, exchange, transcript);
  }
}

// A batch is handed out as one of its Responses: they all belong to one earlier case.
void Intake::take_late(const std::string& text, dialogue::Transcript& transcript) {
  has_answered_late_ = true;
  if (sorter_.had_their_answer(text)) {
    transcript.add(dialogue::Direction::aside, text,
                   "carries the id of an earlier call that has been answered");
    doubtful_.push_back(text);
    return;
  }
  transcript.add(dialogue::Direction::aside, text, "answers an earlier case");
  const auto parsed = json::parse(text);
  if (parsed && parsed.value->is(json::Kind::array)) {
    for (const auto& each : parsed.value->children()) {
      const std::string element = json::write(each);
      if (sorter_.sort(element) == IncomingKind::late) return late_.push_back({element});
    }
  }
  late_.push_back({text});
}

bool Intake::is_control(const std::string& message) const {
  for (long long id = first_control_id_; id < next_control_id_; ++id) {
    if (IncomingSorter::answers(message, id)) return true;
  }
  return false;
}

}  // namespace jrpcheck::session
