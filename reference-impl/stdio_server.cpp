#include "reference-impl/stdio_server.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

std::optional<std::string> reply_to(const Handler& handler, const wire::Frame& frame) {
  if (frame.is_message()) return handler.handle(frame.payload);
  return parse_error_response(frame.violation);
}

/// Answers every frame that is complete. A reply leaves in one write, framing and all: a peer that
/// reads in pieces must still never see two writers' bytes mixed, nor wait for a flush.
bool answer_frames(const Handler& handler, wire::Framing& framing, int output,
                   const Conduct& conduct) {
  while (const auto frame = framing.next()) {
    const auto reply = reply_to(handler, *frame);
    if (reply && !conduct.write(output, framing.encode(*reply))) return false;
  }
  return true;
}

}  // namespace

bool serve_stream(const Handler& handler, wire::FramingKind kind, int input, int output,
                  const Conduct& conduct) {
  const std::unique_ptr<wire::Framing> framing = conduct.framing(kind);
  conduct.begin_stream(output);
  std::array<char, 65536> buffer;
  while (const std::size_t size = conduct.read(input, buffer)) {
    framing->feed(std::string_view(buffer.data(), size));
    if (!answer_frames(handler, *framing, output, conduct)) return false;
  }
  framing->end_of_input();
  const bool all_written = answer_frames(handler, *framing, output, conduct);
  conduct.end_stream();
  return all_written;
}

}  // namespace jrpcheck::reference
