// How a stream, or the program behind it, came to its end.
#pragma once

#include <string>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "session/stream_source.hpp"

namespace jrpcheck::session {

/// The stream has ended; the program may have, and is waited for until the deadline.
void note_end(StreamSource& source, Deadline deadline, dialogue::Exchange& exchange,
              dialogue::Transcript& transcript);

/// The input has ended, and the program should end by itself until the deadline.
void note_exit(StreamSource& source, Deadline deadline, dialogue::Exchange& exchange,
               dialogue::Transcript& transcript);

/// That nothing came, for people.
std::string no_answer_in(microseconds waited, bool shortened, bool control_answered);

/// Waiting was over before all had come that is due.
void note_quiet(std::string detail, dialogue::Exchange& exchange, dialogue::Transcript& transcript);

/// The program behind the stream has ended by what was sent: how, and its last words.
dialogue::SurvivalCheck death(const std::string& how, const std::string& last_words,
                              dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
