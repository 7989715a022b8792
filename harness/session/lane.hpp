// One of several connections on which calls are under way together.
#pragma once

#include <cstddef>

#include "dialogue/transcript.hpp"
#include "session/greeting.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::session {

/// What is alike on all of them.
struct LaneHabits {
  bool delimits_messages = true;
  const Greeting& greeting;
};

/// What came on the connection with that number.
void take_from_lane(const wire::Frame& frame, std::size_t lane, const LaneHabits& habits,
                    dialogue::Exchange& exchange, dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
