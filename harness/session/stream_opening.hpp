// A handshake, sent before anything else.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "dialogue/transcript.hpp"
#include "session/channel.hpp"
#include "session/framed_stream.hpp"
#include "session/patience.hpp"
#include "transport/child_process.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::session {

/// Sends what opens a connection that the channel has just made, each message behind the answer to
/// the one before. An Error where one is not answered, or refused.
Result<bool> go_through_opening(Channel& channel, const Patience& patience,
                                dialogue::Transcript& transcript);

/// Sends one message and waits for its answer, where its id lets it have one: the text is empty
/// where none is due. Nothing when it was not answered. What the server asks meanwhile is answered.
std::optional<std::string> answer_of_opening(const std::string& opening_message,
                                             const std::map<std::string, std::string>& answers,
                                             FramedStream& stream, const wire::Binding& spoken,
                                             Deadline deadline, dialogue::Transcript& transcript);

/// Not empty: the answer to the message that the server has given in another framing than that of
/// its stream.
struct AnswerInOtherFraming {
  std::string_view framing = {};
  std::string text = {};
};
AnswerInOtherFraming answer_in_other_framing(const std::string& message, const FramedStream& stream,
                                             const wire::Binding& spoken);

/// That it was not answered, for people: how the program ended, what it has said in place of an
/// answer, or how long was waited in vain.
Error unanswered_opening(const std::string& message, const FramedStream& stream,
                         const wire::Binding& spoken,
                         const std::optional<transport::ExitStatus>& how_ended, microseconds waited,
                         const std::string& standard_error);

}  // namespace jrpcheck::session
