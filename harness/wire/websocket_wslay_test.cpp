// The reader against another that was written independently of it: wslay's. They differ where the
// text says so, and nowhere else.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <wslay/wslay.h>

#include <cstring>
#include <string>
#include <vector>

#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace websocket_wslay_test {

using Kind = WebSocketItem::Kind;

/// What is read of a stream up to the first thing that breaks a rule.
struct Reading {
  std::vector<std::string> items;
  int failed_with = 0;  ///< the code of the Close that says so; 0: nothing is wrong
};

std::string item(unsigned opcode, std::string_view payload, int close_code = 0) {
  return std::to_string(opcode) + "/" + std::to_string(close_code) + "<" + std::string(payload) +
         ">";
}

Reading read_by_us(const std::string& stream) {
  WebSocketReader reader(WebSocketReader::Role::server);
  reader.feed(stream);
  Reading reading;
  while (const auto each = reader.next()) {
    switch (each->kind) {
      case Kind::message:
        reading.items.push_back(item(each->is_binary ? kBinary : kText, each->payload));
        break;
      case Kind::ping:
        reading.items.push_back(item(kPing, each->payload));
        break;
      case Kind::pong:
        reading.items.push_back(item(kPong, each->payload));
        break;
      case Kind::close:
        reading.items.push_back(item(kClose, each->payload, each->close_code));
        return reading;
      case Kind::fault:
        reading.failed_with = close_code_for(each->fault);
        return reading;
    }
  }
  return reading;
}

/// wslay's end of a connection, in the role of a server or of a client.
class Wslay {
 public:
  explicit Wslay(bool is_server) {
    wslay_event_callbacks callbacks{};
    callbacks.recv_callback = receive;
    callbacks.send_callback = send;
    callbacks.genmask_callback = mask;
    callbacks.on_msg_recv_callback = take;
    const auto init = is_server ? wslay_event_context_server_init : wslay_event_context_client_init;
    init(&context_, &callbacks, this);
  }
  ~Wslay() { wslay_event_context_free(context_); }
  Wslay(const Wslay&) = delete;
  Wslay& operator=(const Wslay&) = delete;

  Reading read(const std::string& stream) {
    incoming_ = stream;
    wslay_event_recv(context_);
    wslay_event_send(context_);
    if (!has_close_) reading_.failed_with = code_sent();
    // Of a head that is wrong it says no more than that it ends the connection.
    if (reading_.failed_with == kNoCloseCode) reading_.failed_with = 1002;
    return reading_;
  }

  std::string written(const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
      const wslay_event_msg message{
          WSLAY_TEXT_FRAME, reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
      wslay_event_queue_msg(context_, &message);
    }
    wslay_event_send(context_);
    return outgoing_;
  }

 private:
  // Of the Close that it has written, where it has.
  int code_sent() const {
    WebSocketReader reader(WebSocketReader::Role::client);
    reader.feed(outgoing_);
    int code = 0;
    while (const auto each = reader.next()) {
      if (each->kind == Kind::close) code = each->close_code;
    }
    return code;
  }

  static Wslay& of(void* self) { return *static_cast<Wslay*>(self); }

  static ssize_t receive(wslay_event_context_ptr context, std::uint8_t* buffer, std::size_t size,
                         int, void* self) {
    auto& left = of(self).incoming_;
    if (left.empty()) {
      wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
      return -1;
    }
    const std::size_t taken = std::min(size, left.size());
    std::memcpy(buffer, left.data(), taken);
    left.erase(0, taken);
    return static_cast<ssize_t>(taken);
  }
  static ssize_t send(wslay_event_context_ptr, const std::uint8_t* bytes, std::size_t size, int,
                      void* self) {
    of(self).outgoing_.append(reinterpret_cast<const char*>(bytes), size);
    return static_cast<ssize_t>(size);
  }
  static int mask(wslay_event_context_ptr, std::uint8_t* buffer, std::size_t size, void*) {
    std::memset(buffer, 0x5A, size);
    return 0;
  }
  static void take(wslay_event_context_ptr, const wslay_event_on_msg_recv_arg* message,
                   void* self) {
    std::string_view payload(reinterpret_cast<const char*>(message->msg), message->msg_length);
    if (message->opcode != WSLAY_CONNECTION_CLOSE) {
      of(self).reading_.items.push_back(item(message->opcode, payload));
      return;
    }
    of(self).has_close_ = true;
    const bool has_code = message->status_code != 0;
    if (has_code) payload.remove_prefix(2);
    of(self).reading_.items.push_back(
        item(kClose, payload, has_code ? message->status_code : kNoCloseCode));
  }

  wslay_event_context_ptr context_ = nullptr;
  std::string incoming_;
  std::string outgoing_;
  Reading reading_;
  bool has_close_ = false;
};

constexpr int kFirstOfRegistry = 1012;  // in IANA's registry, and not in wslay's list
constexpr int kLastOfRegistry = 1014;

struct Written {
  std::string bytes;
  bool may_differ = false;
};

Written any_frame() {
  FrameDetails details;
  details.opcode = *rc::gen::element(0U, 0U, 1U, 1U, 2U, 8U, 9U, 10U, 3U, 11U, 15U);
  details.fin = *rc::gen::element(true, true, true, false);
  details.rsv = *rc::gen::element(0U, 0U, 0U, 0U, 0U, 0U, 4U, 1U, 2U);
  details.length_bits = *rc::gen::element(0U, 0U, 0U, 0U, 0U, 16U, 64U);
  std::string payload = *rc::gen::container<std::string>(
      rc::gen::element('{', '}', '1', '\xE2', '\x82', '\xAC', '\xFF', '\x03', '\xE8'));
  if (*rc::gen::inRange(0, 10) == 0) payload.append(200, 'x');
  int code = 0;
  if (details.opcode == kClose) {
    code = *rc::gen::element(1000, 1001, 1004, 1005, 1006, 1011, 1012, 1014, 1015, 999, 2999, 3000,
                             4999, 5000, 0);
    payload = code == kNoCloseCode ? "" : close_payload(code);
    // Of two faults in one frame either may be told.
    if (may_be_sent(code)) payload += *rc::gen::element<std::string>("", "\xE2\x82\xAC", "\xFF");
    if (*rc::gen::inRange(0, 10) == 0) payload.resize(1, '\x03');
  }
  const bool is_half_a_code = details.opcode == kClose && payload.size() == 1;
  const bool is_masked = *rc::gen::inRange(0, 12) != 0;
  const auto mask = is_masked ? std::optional(*rc::gen::arbitrary<std::uint32_t>()) : std::nullopt;
  return {websocket_frame(details, payload, mask),
          (code >= kFirstOfRegistry && code <= kLastOfRegistry) || is_half_a_code};
}

RC_GTEST_PROP(WebSocketAndWslay, ReadTheSameOfAnyFrames, ()) {
  std::string stream;
  const int frames = *rc::gen::inRange(1, 8);
  for (int i = 0; i < frames; ++i) {
    const Written frame = any_frame();
    if (frame.may_differ) break;
    stream += frame.bytes;
  }
  const Reading ours = read_by_us(stream);
  const Reading theirs = Wslay(true).read(stream);
  RC_ASSERT(ours.items == theirs.items);
  RC_ASSERT(ours.failed_with == theirs.failed_with);
}

RC_GTEST_PROP(WebSocketAndWslay, WhatItWritesIsReadAsItWas, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "", "{}", "\xE2\x82\xAC", std::string(126, 'x'), std::string(70'000, 'y')));
  std::vector<std::string> due;
  for (const auto& text : texts) due.push_back(item(kText, text));
  const Reading reading = read_by_us(Wslay(false).written(texts));
  RC_ASSERT(reading.items == due);
  RC_ASSERT(reading.failed_with == 0);
}

TEST(WebSocketAndWslay, CodesOfTheRegistryAreKnownToUsAlone) {
  const std::string stream =
      websocket_frame({.opcode = kClose}, close_payload(kFirstOfRegistry), 1);
  EXPECT_EQ(read_by_us(stream).failed_with, 0);
  EXPECT_EQ(Wslay(true).read(stream).failed_with, 1002);
}

// RFC 6455 §5.5.1: where there is a body it begins with two bytes.
TEST(WebSocketAndWslay, HalfACodeIsNoneToWslay) {
  const std::string stream = websocket_frame({.opcode = kClose}, "\x03", 1);
  EXPECT_EQ(read_by_us(stream).failed_with, 1002);
  EXPECT_EQ(Wslay(true).read(stream).failed_with, 0);
}

}  // namespace websocket_wslay_test
}  // namespace jrpcheck::wire
