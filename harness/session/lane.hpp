// One of several connections on which calls are under way together.
#pragma once

#include <cstddef>

#include "dialogue/transcript.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::session {

/// What came on the connection with that number.
void take_from_lane(const wire::Frame& frame, std::size_t lane, bool delimited,
                    dialogue::Exchange& exchange, dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
