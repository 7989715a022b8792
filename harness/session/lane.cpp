#include "session/lane.hpp"

#include <utility>

#include "session/incoming.hpp"
#include "session/intake.hpp"

namespace jrpcheck::session {

void take_from_lane(const wire::Frame& frame, std::size_t lane, const LaneHabits& habits,
                    dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  if (frame.control) return Intake::take_control(frame, exchange, transcript);
  if (!frame.is_message()) return Intake::take_violation(Line(frame), exchange, transcript);
  if (habits.greeting.is(frame.payload)) {
    transcript.add(dialogue::Direction::aside, frame.payload, std::string(dialogue::kGreetingNote));
    return;
  }
  const dialogue::Message message(frame.payload);
  const auto kind = IncomingSorter(habits.delimits_messages).sort(message);
  if (kind == IncomingKind::noise) {
    if (transcript.add(dialogue::Direction::noise, frame.payload, "no message")) {
      exchange.noise.push_back({frame.payload, {}});
    }
    return;
  }
  if (kind == IncomingKind::unasked) {
    transcript.add(dialogue::Direction::unasked, frame.payload, "sent by the server unasked");
    return;
  }
  dialogue::Event event = dialogue::received(message);
  event.call = lane;
  event.is_binary = frame.is_binary;
  if (transcript.add(std::move(event))) {
    exchange.replies.push_back({message, 0, false, lane, frame.is_binary});
  } else {
    exchange.beyond_limit = dialogue::kMoreThanTaken;
  }
}

}  // namespace jrpcheck::session
