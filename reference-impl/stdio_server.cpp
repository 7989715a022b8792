#include "reference-impl/stdio_server.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

std::vector<std::string> replies_to(const Handler& handler, const wire::Frame& frame,
                                    const TransportHooks& hooks) {
  if (frame.is_message()) return hooks.stream.replies(handler, frame.payload);
  return {parse_error_response(frame.violation)};
}

/// Answers every frame that is complete. A reply leaves in one write, framing and all: a peer that
/// reads in pieces must still never see two writers' bytes mixed, nor wait for a flush.
bool answer_frames(const Handler& handler, wire::Framing& framing, int output,
                   const TransportHooks& hooks) {
  while (const auto frame = framing.next()) {
    std::string bytes;
    for (const auto& reply : replies_to(handler, *frame, hooks)) bytes += framing.encode(reply);
    if (!bytes.empty() && !hooks.bytes.write(output, bytes)) return false;
  }
  return true;
}

}  // namespace

bool serve_stream(const Handler& handler, wire::MakeFraming kind, int input, int output,
                  const TransportHooks& hooks) {
  const std::unique_ptr<wire::Framing> framing = hooks.stream.framing(kind);
  std::string first = hooks.stream.greeting;
  if (!hooks.stream.first_message.empty()) first += framing->encode(hooks.stream.first_message);
  if (!first.empty()) hooks.bytes.write(output, first);
  std::array<char, 65536> buffer;
  while (const std::size_t size = hooks.bytes.read(input, buffer)) {
    framing->feed(std::string_view(buffer.data(), size));
    if (!answer_frames(handler, *framing, output, hooks)) return false;
  }
  framing->end_of_input();
  const bool all_written = answer_frames(handler, *framing, output, hooks);
  hooks.stream.at_end();
  return all_written;
}

}  // namespace jrpcheck::reference
