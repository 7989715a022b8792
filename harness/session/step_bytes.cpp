#include "session/step_bytes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dialogue/pieces_note.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::session {
namespace {

// What a message alone does not show: that it came in pieces.
std::string note_of_pieces(const corpus::Step& step) {
  if (step.write_every > 0) return fmt::format("{} of {}", dialogue::kPiecesNote, step.write_every);
  if (step.write_at.empty()) return {};
  return fmt::format("{}, cut at {}", dialogue::kPiecesNote, fmt::join(step.write_at, ", "));
}

}  // namespace

std::string encode_step(const corpus::Step& step, FramedStream& stream,
                        dialogue::Transcript& transcript) {
  std::string bytes;
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    const std::string& message = step.messages[i].text();
    const auto frame = step.frames.find(i);
    std::string note = note_of_pieces(step);
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
  if (!stream.masks()) transcript.add(dialogue::Direction::sent, bytes, note_of_pieces(step));
  return bytes;
}

std::size_t bytes_to_read(const std::string& sent, const std::vector<dialogue::Message>& messages) {
  std::size_t size = 0;
  for (const auto& message : messages) size += message.text().size();
  return std::max(sent.size(), size);
}

}  // namespace jrpcheck::session
