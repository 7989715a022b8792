// A conversation over one two-way stream with a framing: a program on stdio.
#pragma once

#include <memory>

#include "session/conversation.hpp"
#include "session/patience.hpp"
#include "session/stream_source.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::session {

struct StreamSettings {
  wire::FramingKind framing = wire::FramingKind::lines;
  Opening opening;
  ControlCall control;
};

/// Silence is told without sleeping: after a message that may stay unanswered a control call is
/// sent on the same stream, and what comes before its answer answers the message. A short tail
/// after it catches answers that overtake.
std::unique_ptr<Conversation> make_stream_conversation(std::unique_ptr<StreamSource> source,
                                                       StreamSettings settings, Patience& patience);

}  // namespace jrpcheck::session
