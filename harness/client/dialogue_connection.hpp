// One connection of a client that speaks a protocol on top, over a stream or HTTP.
#pragma once

#include <cstdint>

#include "client/dialogue_script.hpp"
#include "client/door.hpp"
#include "client/served_connection.hpp"
#include "transport/byte_stream.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::client {

/// Until the client ends it, or the trial is stopped. `framing`: of streams; `for_answers`: a
/// client answers by then what it answers at all.
void serve_dialogue(const Door& door, const wire::Binding& framing, DialogueScript& script,
                    TrialState& state, transport::ByteStream& stream, std::uint32_t number,
                    microseconds for_answers);

}  // namespace jrpcheck::client
