#include "reference-impl/stdio_server.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

std::optional<std::string> reply_to(const Dispatcher& dispatcher, const wire::Frame& frame) {
  if (frame.is_message()) return dispatcher.handle(frame.payload);
  return parse_error_response(frame.violation);
}

/// Answers every frame that is complete. A reply leaves in one write, framing and all: a peer that
/// reads in pieces must still never see two writers' bytes mixed, nor wait for a flush.
bool answer_frames(const Dispatcher& dispatcher, wire::Framing& framing, int output) {
  while (const auto frame = framing.next()) {
    const auto reply = reply_to(dispatcher, *frame);
    if (reply && !write_all(output, framing.encode(*reply))) return false;
  }
  return true;
}

}  // namespace

bool serve_stream(const Dispatcher& dispatcher, wire::FramingKind kind, int input, int output) {
  const std::unique_ptr<wire::Framing> framing = wire::make_framing(kind);
  std::array<char, 65536> buffer;
  while (const std::size_t size = read_some(input, buffer)) {
    framing->feed(std::string_view(buffer.data(), size));
    if (!answer_frames(dispatcher, *framing, output)) return false;
  }
  framing->end_of_input();
  return answer_frames(dispatcher, *framing, output);
}

}  // namespace jrpcheck::reference
