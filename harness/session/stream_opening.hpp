// One message of a handshake, sent before anything else.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "dialogue/transcript.hpp"
#include "session/framed_stream.hpp"
#include "transport/child_process.hpp"

namespace jrpcheck::session {

/// Sends the message and waits for its answer, where its id lets it have one: the text is empty
/// where none is due. Nothing when it was not answered. What the server asks meanwhile is answered.
std::optional<std::string> answer_of_opening(const std::string& opening_message,
                                             const std::map<std::string, std::string>& answers,
                                             FramedStream& stream, Deadline deadline,
                                             dialogue::Transcript& transcript);

/// That it was not answered, for people: how the program ended, or how long was waited in vain.
Error unanswered_opening(const std::string& message,
                         const std::optional<transport::ExitStatus>& how_ended, microseconds waited,
                         const std::string& standard_error);

}  // namespace jrpcheck::session
