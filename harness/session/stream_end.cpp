#include "session/stream_end.hpp"

#include <utility>

#include "base/duration_text.hpp"

namespace jrpcheck::session {
namespace {

void note_exit_code(const std::optional<transport::ExitStatus>& how, dialogue::Exchange& exchange) {
  if (how && !how->by_signal) exchange.exit_code = how->value;
}

}  // namespace

void note_end(const std::optional<transport::ExitStatus>& how, dialogue::Exchange& exchange,
              dialogue::Transcript& transcript) {
  note_exit_code(how, exchange);
  exchange.ending = how ? dialogue::Ending::exited : dialogue::Ending::closed;
  exchange.detail = how ? "the program " + how->text() : "the server closed its output";
  transcript.add(how ? dialogue::Direction::exited : dialogue::Direction::closed, {},
                 how ? how->text() : exchange.detail);
}

void note_close(bool by_reset, dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  exchange.ending = dialogue::Ending::closed;
  exchange.detail =
      by_reset ? "the server reset the connection" : "the server closed the connection";
  if (exchange.close) exchange.detail += " (" + exchange.close->text() + ")";
  transcript.add(dialogue::Direction::closed, {}, exchange.detail);
}

void note_exit(const std::optional<transport::ExitStatus>& how, microseconds waited,
               dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  note_exit_code(how, exchange);
  exchange.ending = how ? dialogue::Ending::exited : dialogue::Ending::settled;
  exchange.detail =
      how ? "the program " + how->text() : "the program runs on after " + duration_text(waited);
  transcript.add(how ? dialogue::Direction::exited : dialogue::Direction::quiet, {},
                 how ? how->text() : exchange.detail);
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

dialogue::SurvivalCheck death(const transport::ExitStatus& how, const std::string& last_words,
                              dialogue::Transcript& transcript) {
  transcript.add(dialogue::Direction::exited, {}, how.text());
  if (!last_words.empty()) transcript.add(dialogue::Direction::standard_error, last_words);
  return {dialogue::Survival::dead, "the program " + how.text(), last_words};
}

}  // namespace jrpcheck::session
