#include "session/transcript.hpp"

#include <utility>

#include "session/exchange.hpp"

namespace jrpcheck::session {

std::string_view name_of(Direction direction) {
  switch (direction) {
    case Direction::sent:
      return "sent";
    case Direction::received:
      return "received";
    case Direction::aside:
      return "aside";
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

void Transcript::add(Direction direction, std::string bytes, std::string note) {
  events_.push_back({direction, duration(), std::move(bytes), std::move(note)});
}

}  // namespace jrpcheck::session
