// One message of a handshake, sent before anything else.
#pragma once

#include <string>

#include "base/deadline.hpp"
#include "session/framed_stream.hpp"
#include "session/transcript.hpp"

namespace jrpcheck::session {

/// Sends the message and waits for its answer, where its id lets it have one.
bool is_answered(const std::string& opening_message, FramedStream& stream, Deadline deadline,
                 Transcript& transcript);

}  // namespace jrpcheck::session
