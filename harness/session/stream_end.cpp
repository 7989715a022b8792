#include "session/stream_end.hpp"
#include "base/duration_text.hpp"

#include <utility>

#include "session/patience.hpp"

namespace jrpcheck::session {

void note_end(StreamSource& source, Deadline deadline, dialogue::Exchange& exchange,
              dialogue::Transcript& transcript) {
  const auto how = source.ended(deadline);
  exchange.ending = how ? dialogue::Ending::exited : dialogue::Ending::closed;
  exchange.detail = how ? "the program " + *how : "the server closed its output";
  transcript.add(how ? dialogue::Direction::exited : dialogue::Direction::closed, {},
                 how.value_or(exchange.detail));
}

void note_exit(StreamSource& source, Deadline deadline, dialogue::Exchange& exchange,
               dialogue::Transcript& transcript) {
  const auto how = source.ended(deadline);
  exchange.ending = how ? dialogue::Ending::exited : dialogue::Ending::settled;
  exchange.detail = how ? "the program " + *how : "the program runs on";
  transcript.add(how ? dialogue::Direction::exited : dialogue::Direction::quiet, {},
                 how.value_or(exchange.detail));
}

std::string no_answer_in(microseconds waited, bool shortened, bool control_answered) {
  std::string text = "no answer in " + duration_text(waited);
  if (shortened) text += " (shortened after an earlier wait)";
  if (control_answered) text += ", while a later call was answered";
  return text;
}

void note_quiet(std::string detail, dialogue::Exchange& exchange,
                dialogue::Transcript& transcript) {
  exchange.ending = dialogue::Ending::timed_out;
  exchange.detail = std::move(detail);
  transcript.add(dialogue::Direction::quiet, {}, exchange.detail);
}

dialogue::SurvivalCheck death(const std::string& how, const std::string& last_words,
                              dialogue::Transcript& transcript) {
  transcript.add(dialogue::Direction::exited, {}, how);
  if (!last_words.empty()) transcript.add(dialogue::Direction::standard_error, last_words);
  return {dialogue::Survival::dead, "the program " + how, last_words};
}

}  // namespace jrpcheck::session
