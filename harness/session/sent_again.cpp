#include "session/sent_again.hpp"

#include "corpus/reply_count.hpp"
#include "dialogue/pieces_note.hpp"

namespace jrpcheck::session {

bool nothing_came(const dialogue::Exchange& exchange) {
  return exchange.ending == dialogue::Ending::closed && exchange.replies.empty() &&
         exchange.noise.empty();
}

bool was_cut_short(const corpus::Step& step, const dialogue::Exchange& exchange) {
  const bool is_plain = step.frames.empty() && !step.raw && !step.end_of_input;
  return exchange.ending == dialogue::Ending::closed && exchange.noise.empty() && is_plain &&
         step.messages.size() > 1 && exchange.replies.size() < corpus::count_replies(step).most;
}

void leave_behind(std::size_t since, dialogue::Transcript& transcript) {
  for (std::size_t i = since; i < transcript.whole().size(); ++i) {
    const auto& event = transcript.whole()[i];
    const bool is_left_behind = event.note.starts_with(dialogue::kFormerConnectionNote);
    if (event.direction != dialogue::Direction::control || is_left_behind) continue;
    transcript.put_right(i, event.direction,
                         std::string(dialogue::kFormerConnectionNote) + event.note);
  }
}

// What is shown as sent is what was answered.
void note_sent_again(std::size_t since, dialogue::Transcript& transcript) {
  using dialogue::Direction;
  const std::string why = "the connection was closed; sent again on another";
  transcript.set_aside(since, why);
  leave_behind(since, transcript);
  for (std::size_t i = since; i < transcript.whole().size(); ++i) {
    const auto& event = transcript.whole()[i];
    const bool is_of_case = event.note.empty() || event.note.starts_with(dialogue::kFrameNote) ||
                            event.note.starts_with(dialogue::kPiecesNote);
    if (event.direction == Direction::sent && is_of_case) {
      transcript.put_right(i, Direction::sent, why);
    }
  }
}

}  // namespace jrpcheck::session
