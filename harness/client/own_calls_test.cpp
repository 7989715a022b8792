#include "client/own_calls.hpp"

#include <gtest/gtest.h>

#include "client/passage.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::client {
namespace own_calls_test {

constexpr const char* kAsk = R"({"jsonrpc":"2.0","method":"ask","id":"jrpcheck"})";
constexpr const char* kRefusal =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"jrpcheck"})";
constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"echo","id":"jrpcheck"})";

TEST(OwnCalls, OneAnswerIsTheirsAndAllElseIsForTheServer) {
  OwnCalls calls;
  calls.tell(R"({"jsonrpc":"2.0","method":"told"})");
  calls.tell(R"({"jsonrpc":"2.0","result":1,"id":1})");
  EXPECT_FALSE(calls.are_open()) << "a Notification and a Response are no calls";
  calls.tell(kAsk);
  EXPECT_TRUE(calls.are_open());
  EXPECT_FALSE(calls.settle(kCall));
  EXPECT_FALSE(calls.settle(R"({"jsonrpc":"2.0","result":1,"id":1})"));
  EXPECT_FALSE(calls.settle("hello"));
  EXPECT_TRUE(calls.settle(kRefusal));
  EXPECT_FALSE(calls.are_open());
  EXPECT_FALSE(calls.settle(kRefusal));
}

// What goes on of a client's bytes, which come at once or one by one.
std::string gone_on(std::string_view door, const wire::Binding* framing, const std::string& before,
                    const std::string& said, bool in_bytes) {
  OwnCalls calls;
  const auto passage = make_passage(*door_named(door), {}, &calls);
  std::string out;
  // A framing is found out by what has gone on already.
  if (!before.empty()) out = passage->onward(before);
  if (framing != nullptr) passage->use(*framing);
  calls.tell(kAsk);
  for (std::size_t i = 0; in_bytes && i < said.size(); ++i)
    out += passage->onward(said.substr(i, 1));
  if (!in_bytes) out += passage->onward(said);
  return out + passage->onward_at_end();
}

void expect_gone_on(std::string_view framing, const std::string& before, const std::string& said,
                    const std::string& rest) {
  for (const bool in_bytes : {false, true}) {
    EXPECT_EQ(gone_on("tcp", &wire::known_binding(framing), before, said, in_bytes), before + rest)
        << framing << " in bytes: " << in_bytes;
  }
}

std::string headed(const std::string& message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message;
}

TEST(OwnCalls, AnswersToThemDoNotGoOnInAnyFraming) {
  const std::string call = kCall;
  const std::string answer = kRefusal;
  expect_gone_on("lines", call + "\n", answer + "\n" + call + " \r\n", call + " \r\n");
  expect_gone_on("lines", call, "\n" + call + "\n" + answer + "\n", "\n" + call + "\n");
  expect_gone_on("content-length", headed(call).substr(0, 20),
                 headed(call).substr(20) + headed(answer) + headed("[]"),
                 headed(call).substr(20) + headed("[]"));
  expect_gone_on("concatenated", call, answer + call + call, call + call);
}

TEST(OwnCalls, WhatStandsLastGoesOnUnlessItIsSuchAnAnswer) {
  expect_gone_on("lines", "", kRefusal, "");
  expect_gone_on("lines", "", R"({"jsonrpc":)", R"({"jsonrpc":)");
}

TEST(OwnCalls, SecondAnswerIsForTheServer) {
  const std::string answer = std::string(kRefusal) + "\n";
  expect_gone_on("lines", "", answer + answer, answer);
}

TEST(OwnCalls, NothingIsHeldWhereNoneIsOpen) {
  OwnCalls calls;
  const auto passage = make_passage(*door_named("tcp"), {}, &calls);
  passage->use(wire::known_binding("lines"));
  EXPECT_EQ(passage->onward("{\"a\""), "{\"a\"");
  calls.tell(kAsk);
  EXPECT_EQ(passage->onward(":1"), "") << "it may become an answer";
  EXPECT_EQ(passage->onward("}\n"), ":1}\n");
  EXPECT_EQ(passage->onward(std::string(kRefusal) + "\n"), "");
  EXPECT_EQ(passage->onward("{\"b\""), "{\"b\"");
}

TEST(OwnCalls, AnswersToThemDoNotGoOnOverWebSocket) {
  constexpr std::uint32_t kMask = 0x01020304U;
  const auto framed = [=](const std::string& payload) {
    return wire::websocket_frame({}, payload, kMask);
  };
  const auto ping = wire::websocket_frame({.opcode = wire::kPing}, "p", kMask);
  const std::string head = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  for (const bool in_bytes : {false, true}) {
    EXPECT_EQ(gone_on("ws", nullptr, head, framed(kRefusal) + ping + framed(kCall), in_bytes),
              head + ping + framed(kCall));
  }
}

}  // namespace own_calls_test
}  // namespace jrpcheck::client
