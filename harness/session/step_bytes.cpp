#include "session/step_bytes.hpp"

#include "wire/websocket.hpp"

namespace jrpcheck::session {

std::string encode_step(const corpus::Step& step, FramedStream& stream,
                        dialogue::Transcript& transcript) {
  std::string bytes;
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    const std::string& message = step.messages[i].text();
    const auto frame = step.frames.find(i);
    std::string note;
    if (step.raw) {
      bytes += message;
    } else if (frame != step.frames.end()) {
      bytes += stream.encode_frame(frame->second, message);
      note = std::string(dialogue::kFrameNote) + wire::text_of(frame->second);
    } else {
      bytes += stream.encode(message);
    }
    if (stream.masks()) transcript.add(dialogue::Direction::sent, message, std::move(note));
  }
  if (!stream.masks()) transcript.add(dialogue::Direction::sent, bytes);
  return bytes;
}

}  // namespace jrpcheck::session
