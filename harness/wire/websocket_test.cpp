#include "wire/websocket.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "wire/stream_for_testing.hpp"

namespace jrpcheck::wire {
namespace websocket_test {

using Fault = WebSocketFault;
using Kind = WebSocketItem::Kind;
using Role = WebSocketReader::Role;

constexpr std::uint32_t kMask = 0x37FA213D;

std::string from_client(const FrameDetails& details, std::string_view payload = {}) {
  return websocket_frame(details, payload, kMask);
}
std::string from_server(const FrameDetails& details, std::string_view payload = {}) {
  return websocket_frame(details, payload, std::nullopt);
}

std::vector<WebSocketItem> items_of(Role role, std::string_view stream, bool ends = false,
                                    FrameLimits limits = {}) {
  WebSocketReader reader(role, limits);
  reader.feed(stream);
  if (ends) reader.end_of_input();
  std::vector<WebSocketItem> items;
  while (auto item = reader.next()) items.push_back(*std::move(item));
  return items;
}

std::vector<Fault> faults_of(Role role, std::string_view stream, bool ends = false,
                             FrameLimits limits = {}) {
  std::vector<Fault> faults;
  for (const auto& item : items_of(role, stream, ends, limits)) {
    if (item.kind == Kind::fault) faults.push_back(item.fault);
  }
  return faults;
}

std::vector<std::string> messages_of(Role role, std::string_view stream) {
  std::vector<std::string> messages;
  for (auto& item : items_of(role, stream)) {
    if (item.kind == Kind::message) messages.push_back(std::move(item.payload));
  }
  return messages;
}

using Faults = std::vector<Fault>;
using Messages = std::vector<std::string>;

// RFC 6455 §5.7 gives the bytes.
TEST(WebSocket, WritesAndReadsTheExamplesOfTheSpecification) {
  EXPECT_EQ(from_server({}, "Hello"), "\x81\x05Hello");
  EXPECT_EQ(from_client({}, "Hello"), "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
  EXPECT_EQ(from_server({.fin = false}, "Hel"), "\x01\x03Hel");
  EXPECT_EQ(from_server({.opcode = kContinuation}, "lo"), "\x80\x02lo");
  EXPECT_EQ(from_server({.opcode = kBinary}, std::string(256, 'x')).substr(0, 4),
            std::string("\x82\x7E\x01\x00", 4));
  EXPECT_EQ(from_server({.opcode = kBinary}, std::string(65536, 'x')).substr(0, 10),
            std::string("\x82\x7F\x00\x00\x00\x00\x00\x01\x00\x00", 10));
  EXPECT_EQ(messages_of(Role::server, from_client({}, "Hello")), Messages{"Hello"});
  EXPECT_EQ(messages_of(Role::client, "\x01\x03Hel\x80\x02lo"), Messages{"Hello"});
}

TEST(WebSocket, AnswersTheKeyOfTheSpecification) {  // RFC 6455 §1.3
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocket, KeysAreSixteenBytesAndDiffer) {
  EXPECT_EQ(websocket_key(1).size(), 24U);
  EXPECT_NE(websocket_key(1), websocket_key(2));
  EXPECT_EQ(websocket_key(7), websocket_key(7));
}

TEST(WebSocket, ControlFramesStandBetweenFragments) {
  const auto items = items_of(
      Role::server, from_client({.fin = false}, "[1") + from_client({.opcode = kPing}, "are") +
                        from_client({.opcode = kContinuation, .fin = false}) +
                        from_client({.opcode = kPong}, "there") +
                        from_client({.opcode = kContinuation}, "]"));
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].kind, Kind::ping);
  EXPECT_EQ(items[0].payload, "are");
  EXPECT_EQ(items[1].kind, Kind::pong);
  EXPECT_EQ(items[2].kind, Kind::message);
  EXPECT_EQ(items[2].payload, "[1]");
}

TEST(WebSocket, ACloseTellsItsCodeAndReason) {
  const auto items = items_of(
      Role::client, from_server({.opcode = kClose}, close_payload(1007, "not UTF-8")), true);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].close_code, 1007);
  EXPECT_EQ(items[0].payload, "not UTF-8");
  EXPECT_EQ(items_of(Role::client, from_server({.opcode = kClose})).at(0).close_code, kNoCloseCode);
}

struct Broken {
  const char* what;
  std::string stream;
  Faults faults;
};

TEST(WebSocket, TellsWhatAClientBreaks) {
  const std::string half_of_euro = "\xE2\x82";
  const Broken rows[] = {
      {"no mask", from_server({}, "{}"), {Fault::not_masked}},
      {"RSV1", from_client({.rsv = 4}, "{}"), {Fault::reserved_bits}},
      {"opcode 3", from_client({.opcode = 3}, "{}"), {Fault::reserved_opcode}},
      {"opcode 15", from_client({.opcode = 15}, "{}"), {Fault::reserved_opcode}},
      {"continuation", from_client({.opcode = kContinuation}, "{}"), {Fault::nothing_to_continue}},
      {"interrupted",
       from_client({.fin = false}, "{") + from_client({}, "{}"),
       {Fault::message_interrupted}},
      {"long ping",
       from_client({.opcode = kPing}, std::string(126, 'x')),
       {Fault::control_too_long}},
      {"ping in fragments",
       from_client({.opcode = kPing, .fin = false}),
       {Fault::control_in_fragments}},
      {"long form", from_client({.length_bits = 16}, "{}"), {Fault::length_not_shortest}},
      {"longest form", from_client({.length_bits = 64}, "{}"), {Fault::length_not_shortest}},
      {"negative",
       from_client({.length = 0x8000000000000001U, .length_bits = 64}, "{}"),
       {Fault::length_negative}},
      {"one byte", from_client({.opcode = kClose}, "x"), {Fault::close_code_missing}},
      {"1005", from_client({.opcode = kClose}, "\x03\xED"), {Fault::close_code_reserved}},
      {"999", from_client({.opcode = kClose}, "\x03\xE7"), {Fault::close_code_reserved}},
      {"reason", from_client({.opcode = kClose}, "\x03\xE8\xFF"), {Fault::reason_not_utf8}},
      {"text", from_client({}, "\xFF"), {Fault::not_utf8}},
      {"overlong", from_client({}, "\xC0\xAF"), {Fault::not_utf8}},
      {"surrogate", from_client({}, "\xED\xA0\x80"), {Fault::not_utf8}},
      {"cut off", from_client({}, half_of_euro), {Fault::not_utf8}},
      {"wrong in the second",
       from_client({.fin = false}, half_of_euro) + from_client({.opcode = kContinuation}, "x"),
       {Fault::not_utf8}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(faults_of(Role::server, row.stream), row.faults) << row.what;
  }
}

TEST(WebSocket, WhatIsAllowedIsNoFault) {
  const std::string rows[] = {
      from_client({.fin = false}, "\xE2") +
          from_client({.opcode = kContinuation, .fin = false}, "\x82") +
          from_client({.opcode = kContinuation}, "\xAC"),
      from_client({.opcode = kBinary}, "\xFF\xFE"),
      from_client({.opcode = kPing}, std::string(125, '\xFF')),
      from_client({.opcode = kClose}, close_payload(4999, "any")),
      from_client({.fin = false}) + from_client({.opcode = kContinuation}),
      from_client({}, std::string(126, 'x')),
      from_client({}, std::string(65536, 'x')),
  };
  for (const auto& row : rows) EXPECT_EQ(faults_of(Role::server, row, true), Faults{});
}

TEST(WebSocket, AServerThatMasksIsUnderstoodAllTheSame) {
  EXPECT_EQ(faults_of(Role::client, from_client({}, "{}")), Faults{Fault::masked});
  EXPECT_EQ(messages_of(Role::client, from_client({}, "{}")), Messages{"{}"});
}

TEST(WebSocket, InvalidTextIsToldBeforeItsFrameIsComplete) {
  const std::string begun = from_client({}, std::string("\xFF") + std::string(100, 'x'));
  EXPECT_EQ(faults_of(Role::server, std::string_view(begun).substr(0, 7)), Faults{Fault::not_utf8});
}

TEST(WebSocket, ALengthIsNotBelieved) {
  const auto huge = from_client({.length = std::uint64_t(10) << 30U});
  EXPECT_EQ(faults_of(Role::server, huge), Faults{Fault::too_long});
  WebSocketReader reader(Role::server);
  reader.feed(huge);
  reader.feed(std::string(1000, 'x'));
  EXPECT_TRUE(reader.unfinished().empty());
}

TEST(WebSocket, AMessageBeyondTheLimitIsPassedOverWhereverItIsCut) {
  const FrameLimits limits{.max_message_bytes = 5};
  const std::string next = from_client({}, "next");
  const std::string rows[] = {
      from_client({}, "123456"),
      from_client({.fin = false}, "123") + from_client({.opcode = kContinuation}, "456"),
      from_client({.fin = false}, "123456") + from_client({.opcode = kContinuation}, "7"),
  };
  for (const auto& row : rows) {
    const auto items = items_of(Role::server, row + next, true, limits);
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(items[0].fault, Fault::too_long);
    EXPECT_EQ(items[1].payload, "next");
  }
}

TEST(WebSocket, AMessageIsReadWhateverWasGivenUpBeforeIt) {
  const FrameLimits limits{.max_message_bytes = 5};
  const std::string next = from_client({}, "next");
  const std::string rows[] = {
      from_client({.fin = false}, "123456"),
      from_client({.opcode = kContinuation, .fin = false}, "123456"),
      from_client({.opcode = kContinuation}, "123456"),
  };
  for (const auto& row : rows) {
    EXPECT_EQ(items_of(Role::server, row + next, true, limits).back().payload, "next");
  }
}

TEST(WebSocket, AStreamThatEndsWithinAMessageSaysSo) {
  EXPECT_EQ(faults_of(Role::server, from_client({.fin = false}, "{"), true),
            Faults{Fault::cut_off});
  EXPECT_EQ(faults_of(Role::server, from_client({}, "{}").substr(0, 7), true),
            Faults{Fault::cut_off});
  EXPECT_EQ(faults_of(Role::server, from_client({}, "{}"), true), Faults{});
}

TEST(WebSocket, TellsADataFrameBehindAClose) {
  const auto close = from_server({.opcode = kClose}, close_payload(1000));
  EXPECT_EQ(faults_of(Role::client, close + from_server({}, "{}")), Faults{Fault::behind_close});
  EXPECT_EQ(faults_of(Role::client, close + from_server({.opcode = kPong}, "x")), Faults{});
}

TEST(WebSocketFraming, OwesPongsAndOneClose) {
  const auto framing = make_websocket({});
  framing->feed(from_server({.opcode = kPing}, "are you there") +
                from_server({.opcode = kClose}, close_payload(1001)) +
                from_server({.opcode = kClose}, close_payload(1001)));
  const auto items = items_of(Role::server, framing->owed(), true);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].kind, Kind::pong);
  EXPECT_EQ(items[0].payload, "are you there");
  EXPECT_EQ(items[1].kind, Kind::close);
  EXPECT_EQ(items[1].close_code, 1001);
  EXPECT_TRUE(framing->owed().empty());
  EXPECT_TRUE(framing->is_closed());
}

TEST(WebSocketFraming, OwesNoPongThatNoPongMayBe) {
  const auto framing = make_websocket({});
  framing->feed(from_server({.opcode = kPing}, std::string(126, 'x')));
  EXPECT_EQ(framing->owed(), "");
}

TEST(WebSocketFraming, AnswersNoCloseOfItsOwn) {
  const auto framing = make_websocket({});
  framing->encode_frame({.opcode = kClose}, close_payload(1000));
  framing->feed(from_server({.opcode = kClose}, close_payload(1000)));
  EXPECT_TRUE(framing->owed().empty());
}

TEST(WebSocketFraming, TellsTextFromBinaryAndMessagesFromControlFrames) {
  const auto frames = testing::frames_of(
      make_websocket, {from_server({}, "{}") + from_server({.opcode = kBinary}, "{}") +
                       from_server({.opcode = kPong}, "x")});
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_FALSE(frames[0].is_binary);
  EXPECT_TRUE(frames[1].is_binary);
  EXPECT_FALSE(frames[2].is_message());
  EXPECT_EQ(frames[2].control->kind, ControlFrame::Kind::pong);
}

TEST(WebSocketFraming, MasksEachFrameWithAnotherKey) {
  const auto framing = make_websocket({});
  const std::string first = framing->encode("{}");
  const std::string second = framing->encode("{}");
  EXPECT_NE(first, second);
  EXPECT_EQ(messages_of(Role::server, first + second), (Messages{"{}", "{}"}));
}

}  // namespace websocket_test
}  // namespace jrpcheck::wire
