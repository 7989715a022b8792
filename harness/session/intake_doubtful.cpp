// What may be an answer, and does not say so: put aside until more is known.
#include <algorithm>
#include <utility>

#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "session/intake.hpp"

namespace jrpcheck::session {

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

bool Intake::take_doubtful(dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  settle_values(exchange, transcript);
  const std::size_t before = exchange.replies.size();
  settle_nameless(exchange, transcript);
  for (auto& each : std::exchange(doubtful_, {})) {
    if (each.is_nameless) continue;
    if (each.may_greet) may_be_greeted_ = false;
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

// A text that comes first, and is no JSON, may be the answer to what was sent, or be said to every
// client. Behind the latter comes the answer. What answers no proper message may be any text.
bool Intake::take_greeting(const dialogue::Message& message, dialogue::Exchange& exchange,
                           dialogue::Transcript& transcript) {
  const bool is_text = may_be_greeted_ && greeting_ != nullptr && message.value() == nullptr &&
                       !message.is_beyond_limits();
  if (is_text && greeting_->is(message.text())) {
    transcript.add(dialogue::Direction::aside, message.text(),
                   std::string(dialogue::kGreetingNote));
    return true;
  }
  const bool may_answer = has_sent_malformed_ || !Greeting::may_be(message.text());
  may_be_greeted_ = is_text && !(has_spoken_ && may_answer);
  if (!may_be_greeted_) return false;
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

}  // namespace jrpcheck::session
