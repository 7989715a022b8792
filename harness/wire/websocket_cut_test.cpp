// Frames are the same however their stream is cut, and what is written is read back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "wire/stream_for_testing.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace websocket_cut_test {

using Role = WebSocketReader::Role;

std::string everything_of(Role role, const testing::Pieces& pieces, FrameLimits limits) {
  WebSocketReader reader(role, limits);
  for (const auto& piece : pieces) reader.feed(piece);
  reader.end_of_input();
  std::string text;
  while (const auto item = reader.next()) {
    text += std::to_string(static_cast<int>(item->kind)) + (item->is_binary ? "b" : "t") +
            std::to_string(item->close_code) + std::string(name_of(item->fault)) + "<" +
            item->payload + ">\n";
  }
  return text;
}

FrameDetails any_details() {
  FrameDetails details;
  details.opcode = *rc::gen::element(0U, 1U, 1U, 2U, 8U, 9U, 10U, 3U, 11U);
  details.fin = *rc::gen::element(true, true, false);
  details.rsv = *rc::gen::element(0U, 0U, 0U, 4U, 1U);
  details.length_bits = *rc::gen::element(0U, 0U, 0U, 16U, 64U);
  return details;
}

std::string any_frame() {
  const auto payload = *rc::gen::container<std::string>(
      rc::gen::element('{', '}', '1', '\xE2', '\x82', '\xAC', '\xFF', '\x03', '\xE8'));
  const bool masked = *rc::gen::arbitrary<bool>();
  return websocket_frame(
      any_details(), payload,
      masked ? std::optional<std::uint32_t>(*rc::gen::arbitrary<std::uint32_t>()) : std::nullopt);
}

std::string any_frames() {
  std::string stream;
  for (const auto& frame :
       *rc::gen::container<std::vector<std::string>>(rc::gen::exec(any_frame))) {
    stream += frame;
  }
  return stream;
}

RC_GTEST_PROP(WebSocketCuts, EveryByteOnItsOwnIsTheSame, ()) {
  const auto role = *rc::gen::element(Role::client, Role::server);
  const auto limits = *rc::gen::element(FrameLimits{}, FrameLimits{4, 24});
  std::string stream = any_frames();
  if (*rc::gen::arbitrary<bool>() && !stream.empty()) stream.pop_back();
  RC_ASSERT(everything_of(role, testing::pieces_of(stream, 1), limits) ==
            everything_of(role, {stream}, limits));
}

RC_GTEST_PROP(WebSocketCuts, MessagesInAnyFragmentsComeBackInOrder, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("", "{}", "\xE2\x82\xAC", std::string(200, 'x')));
  std::string stream;
  for (const auto& text : texts) {
    std::string_view rest = text;
    FrameDetails details;
    while (true) {
      // RapidCheck begins with the smallest numbers of a range: only a first fragment is empty.
      const auto least =
          details.opcode == kContinuation ? std::min<std::size_t>(rest.size(), 1) : 0;
      const auto size = *rc::gen::inRange<std::size_t>(least, rest.size() + 1);
      details.fin = size == rest.size();
      stream +=
          websocket_frame(details, rest.substr(0, size), *rc::gen::arbitrary<std::uint32_t>());
      if (details.fin) break;
      details.opcode = kContinuation;
      rest.remove_prefix(size);
      if (*rc::gen::arbitrary<bool>()) stream += websocket_frame({.opcode = kPing}, "?", 1);
    }
  }
  WebSocketReader reader(Role::server);
  for (const auto& piece : testing::pieces_of(stream, *rc::gen::inRange<std::size_t>(1, 9))) {
    reader.feed(piece);
  }
  std::vector<std::string> read;
  while (auto item = reader.next()) {
    RC_ASSERT(item->kind != WebSocketItem::Kind::fault);
    if (item->kind == WebSocketItem::Kind::message) read.push_back(item->payload);
  }
  RC_ASSERT(read == texts);
}

RC_GTEST_PROP(WebSocketCuts, TheClientsFramingDoesNotDependOnCuts, ()) {
  const std::string stream = any_frames();
  RC_ASSERT(testing::whole(testing::frames_of(make_websocket, testing::pieces_of(stream, 1))) ==
            testing::whole(testing::frames_of(make_websocket, {stream})));
}

}  // namespace websocket_cut_test
}  // namespace jrpcheck::wire
