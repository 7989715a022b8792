#include "session/stream_opening.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "session/incoming.hpp"
#include "session/patience.hpp"

namespace jrpcheck::session {
namespace {

// Whether a message of the server is the answer that an opening message waits for.
bool answers_opening(const wire::Frame& frame, const std::string& key) {
  const dialogue::Message message(frame.payload);
  if (!frame.is_message() || message.find("method") != nullptr) return false;
  const auto keys = dialogue::id_keys_of(message);
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

bool is_answered(const std::string& opening_message, FramedStream& stream, Deadline deadline,
                 dialogue::Transcript& transcript) {
  const auto keys = dialogue::id_keys_of(dialogue::Message(opening_message));
  const std::string framed = stream.encode(opening_message);
  transcript.add(dialogue::Direction::sent, framed, "opening");
  const Volume before = stream.received();
  stream.send(framed, deadline);
  while (!keys.empty()) {
    const auto frame = stream.receive(deadline);
    if (!frame || is_flood(before, stream.received())) return false;
    transcript.add(dialogue::Direction::aside, frame->payload, "during the opening");
    if (answers_opening(*frame, keys.front())) break;
  }
  return true;
}

Error unanswered_opening(const std::string& message,
                         const std::optional<transport::ExitStatus>& how_ended, microseconds waited,
                         const std::string& standard_error) {
  constexpr std::size_t kShown = 120;
  std::string text = "the opening message " + message.substr(0, kShown) + " was not answered";
  if (how_ended) {
    text += ": the program " + how_ended->text();
  } else if (waited.count() > 0) {
    text += " in " + duration_text(waited) + "; --start-timeout gives it more";
  }
  return {text + "\n" + to_visible_lines(standard_error)};
}

}  // namespace jrpcheck::session
