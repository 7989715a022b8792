#include "dialogue/transcript.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/utf8.hpp"
#include "dialogue/exchange.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::dialogue {
namespace {

// Of one case. Only a server that floods comes near.
constexpr std::size_t kMostTaken = 10U << 20;
constexpr std::size_t kMostEvents = 50'000;

// Of what is kept for the reports, of one case.
constexpr std::size_t kMaxEvents = 400;
constexpr std::size_t kMaxBytes = 192U << 10;

constexpr auto kNotKept = static_cast<std::size_t>(-1);

// As WHATWG HTML §9.2.6 reads it.
std::string data_of_block(const std::string& block) {
  wire::SseReader reader;
  reader.feed(block);
  const auto event = reader.next();
  return event ? event->data.value_or("") : std::string();
}

}  // namespace

bool is_bulk(Direction direction) {
  return direction == Direction::received || direction == Direction::aside ||
         direction == Direction::unasked || direction == Direction::violation ||
         direction == Direction::noise || direction == Direction::control;
}

std::string_view name_of(Direction direction) {
  switch (direction) {
    case Direction::sent:
      return "sent";
    case Direction::received:
      return "received";
    case Direction::aside:
      return "aside";
    case Direction::unasked:
      return "unasked";
    case Direction::violation:
      return "violation";
    case Direction::noise:
      return "noise";
    case Direction::control:
      return "control";
    case Direction::quiet:
      return "quiet";
    case Direction::closed:
      return "closed";
    case Direction::exited:
      return "exited";
    case Direction::standard_error:
      return "stderr";
    case Direction::ended:
      return "ended";
    case Direction::checked:
      return "checked";
    case Direction::noted:
      return "noted";
  }
  return "";
}

std::string_view name_of(Fact fact) {
  switch (fact) {
    case Fact::died_later:
      return "died-later";
    case Fact::answers_changed:
      return "answers-changed";
    case Fact::held_until_more:
      return "held-until-more";
    case Fact::answered_again:
      return "answered-again";
    case Fact::answers_mixed_up:
      return "answers-mixed-up";
    case Fact::died_of_it:
      return "died-of-it";
    case Fact::deaf_since:
      return "deaf-since";
    case Fact::unknown_method_hangs:
      return "unknown-method-hangs";
    case Fact::went_away:
      return "went-away";
    case Fact::code_changed:
      return "code-changed";
    case Fact::call_left_out:
      return "call-left-out";
    case Fact::batches_served:
      return "batches-served";
    case Fact::speaks_1_0:
      return "speaks-1-0";
  }
  return "";
}

std::string_view name_of(Ending ending) {
  switch (ending) {
    case Ending::settled:
      return "settled";
    case Ending::timed_out:
      return "timed out";
    case Ending::closed:
      return "closed";
    case Ending::exited:
      return "exited";
  }
  return "";
}

std::string_view name_of(Survival survival) {
  switch (survival) {
    case Survival::unasked:
      return "unasked";
    case Survival::alive:
      return "alive";
    case Survival::deaf:
      return "deaf";
    case Survival::wedged:
      return "wedged";
    case Survival::dead:
      return "dead";
  }
  return "";
}

Event received(const Message& message, std::string note) {
  Event event{Direction::received, {}, message.text(), std::move(note)};
  event.message = message;
  return event;
}

Message message_of(const Event& event) {
  if (event.message) return *event.message;
  if (event.http && event.http->is_block()) return data_of_block(event.bytes);
  return event.http ? event.bytes.substr(std::min(event.http->size, event.bytes.size()))
                    : event.bytes;
}

Excerpt excerpt(std::string_view bytes, ExcerptSize size) {
  if (bytes.size() <= size.longest) return {std::string(bytes), 0};
  std::size_t head = size.head;
  std::size_t tail = bytes.size() - size.tail;
  // Text stays text: no character of UTF-8 is cut, and none is longer than four bytes.
  for (int i = 0; i < 3 && is_continuation(bytes[head]); ++i) --head;
  for (int i = 0; i < 3 && is_continuation(bytes[tail]); ++i) ++tail;
  const std::size_t left_out = tail - head;
  std::string shown(bytes.substr(0, head));
  shown += "[... " + std::to_string(left_out) + " bytes left out ...]";
  shown += bytes.substr(tail);
  return {std::move(shown), left_out};
}

bool Transcript::add(Event event) {
  event.at = duration();
  event.step = step_;
  const bool is_taken = has_room_for(event);
  if (!is_taken) {
    const bool is_told =
        !whole_.empty() && whole_.back().note == kMoreThanTaken && whole_.back().step == step_;
    if (is_told) return false;
    event.direction = Direction::aside;
    std::string().swap(event.bytes);  // with the room that it takes
    event.message.reset();
    event.http.reset();
    event.note = kMoreThanTaken;
  }
  const std::size_t kept_at = events_.size();
  keep(event);
  kept_at_.push_back(events_.size() > kept_at ? kept_at : kNotKept);
  whole_.push_back(std::move(event));
  return is_taken;
}

// What is ours is as large as the corpus says. A flood of short messages takes its memory in
// events.
bool Transcript::has_room_for(const Event& event) {
  if (event.direction == Direction::sent) return true;
  const std::size_t size =
      std::max(event.bytes.size(), event.message ? event.message->memory() : 0);
  // How a step ended is told all the same: nothing can be judged without.
  const bool is_too_much = taken_ + size > kMostTaken || whole_.size() >= kMostEvents;
  if (is_bulk(event.direction) && is_too_much) return false;
  taken_ += size;
  return true;
}

void Transcript::keep(const Event& event) {
  auto [kept, left_out] = excerpt(event.bytes);
  const bool is_of_server = event.direction != Direction::sent;
  is_folded_ = is_folded_ || (is_of_server && left_out > 0);
  if (events_.size() >= kMaxEvents || kept_bytes_ + kept.size() > kMaxBytes) {
    // What says how it ended is kept all the same.
    if (is_bulk(event.direction)) {
      is_folded_ = true;
      if (!std::exchange(dropped_, true)) {
        events_.push_back({event.direction, event.at, {}, std::string(kNotKeptNote), step_});
      }
      return;
    }
  }
  kept_bytes_ += kept.size();
  events_.push_back({event.direction, event.at, std::move(kept), event.note, event.step, left_out,
                     event.is_control, event.in_several_lines, event.call, event.is_binary,
                     event.frame, event.http, event.end, event.survival, event.answers_next,
                     event.answered_meanwhile, event.was_slow, event.fact});
}

void Transcript::set_aside(std::size_t since, const std::string& note) {
  for (std::size_t i = since; i < whole_.size(); ++i) {
    const auto direction = whole_[i].direction;
    const bool came = direction == Direction::received || direction == Direction::violation ||
                      direction == Direction::noise;
    if (came && !whole_[i].is_control) put_right(i, Direction::aside, note);
  }
}

void Transcript::put_right(std::size_t event, Direction direction, std::string note) {
  whole_[event].direction = direction;
  whole_[event].note = note;
  if (kept_at_[event] >= events_.size()) return;  // it is not kept
  events_[kept_at_[event]].direction = direction;
  events_[kept_at_[event]].note = std::move(note);
}

}  // namespace jrpcheck::dialogue
