// WebSocket frames, in both roles.
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/targets/framing_promises.hpp"
#include "fuzz/targets/pieces.hpp"
#include "fuzz/targets/promise.hpp"
#include "wire/stream_for_testing.hpp"
#include "wire/websocket.hpp"

using namespace jrpcheck;

namespace {

using Role = wire::WebSocketReader::Role;

std::string everything_of(Role role, const wire::testing::Pieces& pieces, wire::FrameLimits limits,
                          bool is_deflated) {
  wire::WebSocketReader reader(role, limits);
  if (is_deflated) reader.use_deflate({});
  std::string text;
  for (const auto& piece : pieces) reader.feed(piece);
  reader.end_of_input();
  while (const auto item = reader.next()) {
    fuzz::promise(item->kind != wire::WebSocketItem::Kind::message ||
                      item->payload.size() <= limits.max_message_bytes,
                  "no message is longer than the limit", item->payload);
    text += static_cast<char>('0' + static_cast<int>(item->kind));
    text.append(item->is_binary ? "b" : "t").append(std::to_string(item->close_code));
    text.append(name_of(item->fault)).append("<").append(item->payload).append(">");
  }
  return text;
}

std::string check_reader(Role role, std::string_view stream, wire::FrameLimits limits,
                         bool is_deflated) {
  std::string at_once = everything_of(role, {std::string(stream)}, limits, is_deflated);
  fuzz::promise(at_once == everything_of(role, fuzz::cut(stream), limits, is_deflated),
                "what is read does not depend on how the stream is cut", at_once);
  return at_once;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view stream = fuzz::text_of(bytes, size);
  // By what is in it, an input meets limits that are small, or none: both would cost twice as much,
  // and every input has neighbours.
  const bool is_limited = std::hash<std::string_view>{}(stream) % 2 == 0;
  const wire::FrameLimits limits = is_limited ? wire::FrameLimits{10, 60} : wire::FrameLimits{};
  fuzz::check_frames(wire::make_websocket, stream, limits);  // what a client reads, uncompressed
  const std::string uncompressed = check_reader(Role::server, stream, limits, false);
  // Where no frame says that it is compressed, everything is read as if none could be.
  if (uncompressed.find(name_of(wire::WebSocketFault::reserved_bits)) != std::string::npos) {
    check_reader(Role::client, stream, {5000, 60}, true);
    check_reader(Role::server, stream, {5000, 60}, true);
  }

  const std::string frame = wire::websocket_frame({}, stream, std::nullopt);
  const auto frames = wire::testing::frames_of(wire::make_websocket, {frame});
  fuzz::promise(
      frames.size() == 1 && frames.front().is_message() && frames.front().payload == stream,
      "an encoded message is read back as it was", wire::testing::whole(frames));
  return 0;
}
