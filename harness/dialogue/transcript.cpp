#include "dialogue/transcript.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "dialogue/exchange.hpp"

namespace jrpcheck::dialogue {
namespace {

// Far more than a message that is made to be read, and little beside what is made to be large.
constexpr std::size_t kLongest = 16U << 10;
constexpr std::size_t kHead = 4U << 10;
constexpr std::size_t kTail = 1U << 10;

// Of one case. Only a server that floods comes near.
constexpr std::size_t kMaxEvents = 1000;
constexpr std::size_t kMaxBytes = 1U << 20;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

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
    case Direction::quiet:
      return "quiet";
    case Direction::closed:
      return "closed";
    case Direction::exited:
      return "exited";
    case Direction::standard_error:
      return "stderr";
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

Excerpt excerpt(std::string bytes) {
  if (bytes.size() <= kLongest) return {std::move(bytes), 0};
  std::size_t head = kHead;
  std::size_t tail = bytes.size() - kTail;
  // Text stays text: no character of UTF-8 is cut, and none is longer than four bytes.
  for (int i = 0; i < 3 && continues_character(bytes[head]); ++i) --head;
  for (int i = 0; i < 3 && continues_character(bytes[tail]); ++i) ++tail;
  const std::size_t left_out = tail - head;
  return {bytes.substr(0, head) + "[... " + std::to_string(left_out) + " bytes left out ...]" +
              bytes.substr(tail),
          left_out};
}

void Transcript::add(Direction direction, std::string bytes, std::string note) {
  auto [kept, left_out] = excerpt(std::move(bytes));
  if (events_.size() >= kMaxEvents || kept_bytes_ + kept.size() > kMaxBytes) {
    // What says how it ended is kept all the same.
    const bool is_bulk = direction == Direction::received || direction == Direction::aside ||
                         direction == Direction::unasked || direction == Direction::violation;
    if (is_bulk) {
      if (!std::exchange(dropped_, true)) {
        events_.push_back({direction, duration(), {}, "more came, which is not kept", step_, 0});
      }
      return;
    }
  }
  kept_bytes_ += kept.size();
  events_.push_back({direction, duration(), std::move(kept), std::move(note), step_, left_out});
}

void Transcript::put_right(std::size_t event, Direction direction, std::string note) {
  if (event >= events_.size()) return;  // it is not kept
  events_[event].direction = direction;
  events_[event].note = std::move(note);
}

}  // namespace jrpcheck::dialogue
