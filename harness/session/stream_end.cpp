#include "session/stream_end.hpp"

namespace jrpcheck::session {

void note_end(StreamSource& source, Deadline deadline, Exchange& exchange, Transcript& transcript) {
  const auto how = source.ended(deadline);
  exchange.ending = how ? Ending::exited : Ending::closed;
  exchange.detail = how ? "the program " + *how : "the server closed its output";
  transcript.add(how ? Direction::exited : Direction::closed, {}, how.value_or(exchange.detail));
}

void note_exit(StreamSource& source, Deadline deadline, Exchange& exchange,
               Transcript& transcript) {
  const auto how = source.ended(deadline);
  exchange.ending = how ? Ending::exited : Ending::settled;
  exchange.detail = how ? "the program " + *how : "the program runs on";
  transcript.add(how ? Direction::exited : Direction::quiet, {}, how.value_or(exchange.detail));
}

}  // namespace jrpcheck::session
