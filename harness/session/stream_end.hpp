// How a stream, or the program behind it, came to its end.
#pragma once

#include <optional>
#include <string>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "transport/child_process.hpp"

namespace jrpcheck::session {

/// The stream has ended, and this is how the program behind it did, where one of ours has.
void note_end(const std::optional<transport::ExitStatus>& how, dialogue::Exchange& exchange,
              dialogue::Transcript& transcript);

/// A connection to a server that others share has ended; what became of the server is another
/// matter.
void note_close(bool by_reset, dialogue::Exchange& exchange, dialogue::Transcript& transcript);

/// The program should have ended by itself: its input has, or it was told to. `waited`: for that.
void note_exit(const std::optional<transport::ExitStatus>& how, microseconds waited,
               dialogue::Exchange& exchange, dialogue::Transcript& transcript);

/// That nothing came, for people.
std::string no_answer_in(microseconds waited, bool shortened, bool control_answered);

/// Waiting was over before all had come that is due.
void note_quiet(std::string detail, dialogue::Exchange& exchange, dialogue::Transcript& transcript);

/// The program behind the stream has ended by what was sent: how, and its last words.
dialogue::SurvivalCheck death(const transport::ExitStatus& how, const std::string& last_words,
                              dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
