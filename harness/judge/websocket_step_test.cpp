#include "judge/websocket_step.hpp"

#include <gtest/gtest.h>

#include "judge/test_support.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::judge {
namespace websocket_step_test {

constexpr const char* kCallIsAnswered = R"({"response": {"error": {"code": -32601}, "id": 1}})";
constexpr const char* kReply = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":1})";

Context over_websocket() {
  Context context;
  context.binding = wire::binding_named("websocket");
  return context;
}

Judgement judged_over_websocket(const corpus::Case& one, const dialogue::Exchange& exchange) {
  return judged(one, exchange, {}, over_websocket());
}

corpus::Case with_ping(const std::string& payload) {
  auto one = case_accepting(kCallIsAnswered);
  auto& step = one.steps.front();
  step.frames.emplace(step.messages.size(), wire::FrameDetails{.opcode = wire::kPing});
  step.messages.push_back(payload);
  step.charge["pong"] = "ws-ping";
  return one;
}

TEST(WebSocketStep, ABinaryReplyToTextIsAWarning) {
  auto exchange = replied({kReply});
  EXPECT_EQ(charges(judged_over_websocket(case_accepting(kCallIsAnswered), exchange)), Charges{});
  exchange.replies[0].is_binary = true;
  EXPECT_EQ(charges(judged_over_websocket(case_accepting(kCallIsAnswered), exchange)),
            Charges{"ws-text: warn"});
}

TEST(WebSocketStep, WhatComesBackForABinaryCallIsRecorded) {
  auto one = case_accepting(kCallIsAnswered);
  one.requirements = {"ws-binary-request"};
  one.steps.front().frames.emplace(0, wire::FrameDetails{.opcode = wire::kBinary});
  auto exchange = replied({kReply});
  for (const bool is_binary : {false, true}) {
    exchange.replies[0].is_binary = is_binary;
    const auto judgement = judged_over_websocket(one, exchange);
    EXPECT_EQ(charges(judgement), Charges{});
    ASSERT_EQ(judgement.observations.size(), 1U);
    EXPECT_EQ(judgement.observations[0].value, is_binary ? "binary" : "text");
  }
}

TEST(WebSocketStep, APingIsAnsweredByItsOwnPayload) {
  auto exchange = replied({kReply});
  EXPECT_EQ(charges(judged_over_websocket(with_ping("a"), exchange)), Charges{"ws-ping: fail"});
  exchange.pongs = {"b"};
  EXPECT_EQ(charges(judged_over_websocket(with_ping("a"), exchange)), Charges{"ws-ping: fail"});
  exchange.pongs = {"unsolicited", "a"};
  EXPECT_EQ(charges(judged_over_websocket(with_ping("a"), exchange)), Charges{});
}

TEST(WebSocketStep, NoRefusalByAnHttpStatusIsExpected) {
  const auto one = case_accepting(std::string(kCallIsAnswered) + R"(, {"refused": true})");
  const auto silent = ended(dialogue::Ending::timed_out, "no answer");
  const auto expected = judged_over_websocket(one, silent).findings.at(0).expected;
  EXPECT_EQ(expected.find("HTTP"), std::string::npos) << expected;
  Context context;
  context.binding = wire::binding_named("http");
  const auto http = judged(one, responded(200, ""), {}, context).findings;
  EXPECT_TRUE(std::ranges::any_of(http, [](const auto& each) {
    return each.expected.find("an HTTP refusal") != std::string::npos;
  }));
}

TEST(WebSocketStep, APongInPlaceOfTheCloseIsToldAsWhatCame) {
  const auto one = case_accepting(R"({"closed": {"code": [1002]}})");
  auto exchange = replied({});
  exchange.http_status = 101;
  const auto actual = [&] { return judged_over_websocket(one, exchange).findings.at(0).actual; };
  EXPECT_EQ(actual(), "HTTP 101: nothing");
  exchange.pongs = {"jrpcheck"};
  EXPECT_EQ(actual(), "HTTP 101: [pong] jrpcheck");
}

TEST(WebSocketStep, AHandshakeThatIsRefusedIsNoAnswerThatIsLost) {
  auto exchange = replied({});
  exchange.handshake.emplace();
  exchange.http_status = 500;
  const auto judgement = judged_over_websocket(case_accepting(kCallIsAnswered), exchange);
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings[0].symptom, Symptom::handshake_refused);
  EXPECT_EQ(judgement.findings[0].actual, "HTTP 500 to the handshake");
  exchange.http_status = 0;
  exchange.detail = "the connection was closed at the request for WebSocket";
  const auto closed = judged_over_websocket(case_accepting(kCallIsAnswered), exchange);
  ASSERT_EQ(closed.findings.size(), 1U);
  EXPECT_EQ(closed.findings[0].symptom, Symptom::handshake_refused);
  EXPECT_EQ(closed.findings[0].actual, exchange.detail);
}

TEST(WebSocketStep, EachRuleThatFramesBreakIsChargedOnce) {
  auto exchange = replied({kReply});
  const auto noise = [](wire::WebSocketFault fault) {
    return dialogue::Noise{"x", std::string(name_of(fault))};
  };
  exchange.noise = {noise(wire::WebSocketFault::masked), noise(wire::WebSocketFault::masked),
                    noise(wire::WebSocketFault::reserved_bits),
                    noise(wire::WebSocketFault::close_code_reserved)};
  EXPECT_EQ(charges(judged_over_websocket(case_accepting(kCallIsAnswered), exchange)),
            (Charges{"ws-server-unmasked: fail", "ws-server-frames: fail", "ws-close-code: fail"}));
}

TEST(WebSocketStep, ACloseIsJudgedByItsCode) {
  const auto one = case_accepting(R"({"closed": {"code": [1002, 1007]}})");
  auto exchange = ended(dialogue::Ending::closed, "the server closed the connection");
  exchange.control_answered = true;
  EXPECT_EQ(charges(judged_over_websocket(one, exchange)).size(), 1U) << "there was no Close";
  exchange.close = dialogue::Close{1007, ""};
  EXPECT_EQ(charges(judged_over_websocket(one, exchange)), Charges{});
  exchange.close = dialogue::Close{1000, ""};
  EXPECT_EQ(judged_over_websocket(one, exchange).findings.at(0).symptom, Symptom::close_code_wrong);
  EXPECT_EQ(judged_over_websocket(one, replied({kReply})).findings.at(0).symptom,
            Symptom::answered);
}

TEST(WebSocketStep, WhoServesWhatEndsAConnectionHasAnsweredAndHasNoWrongId) {
  const auto one = case_accepting(
      R"({"closed": {"code": [1007]}},
         {"response": {"error": {"code": [-32700]}, "id": null}, "verdict": "warn",
          "because": "b"})");
  const auto judgement = judged_over_websocket(one, replied({kReply}));
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings.front().symptom, Symptom::answered);
  const auto refused = judged_over_websocket(
      one, replied({R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"},"id":null})"}));
  ASSERT_EQ(refused.findings.size(), 1U);
  EXPECT_EQ(refused.findings.front().symptom, Symptom::outcome_of_case);
}

// A lone surrogate may be refused by a close.
TEST(WebSocketStep, AConnectionThatIsClosedLeavesNobodyWaiting) {
  const auto one = case_accepting(
      R"({"silence": true, "verdict": "warn", "charge": "err-code-parse",
          "because": "Silence leaves the sender waiting."})");
  auto exchange = ended(dialogue::Ending::closed, "the server closed the connection");
  exchange.control_answered = true;
  EXPECT_EQ(sentence_of(judged_over_websocket(one, exchange).findings.at(0)),
            "The server closed the connection, and no Response says why.");
  exchange.ending = dialogue::Ending::settled;
  EXPECT_EQ(sentence_of(judged_over_websocket(one, exchange).findings.at(0)),
            "Silence leaves the sender waiting.");
}

dialogue::Exchange shaken(const std::string& offered, const std::string& chosen) {
  auto exchange = replied({kReply});
  exchange.http_status = 101;
  const std::string key = wire::websocket_key(1);
  exchange.handshake = dialogue::Handshake{
      "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nSec-WebSocket-Key: " + key + "\r\n" +
          offered + "\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
          wire::websocket_accept(key) + "\r\n" + chosen + "\r\n"};
  return exchange;
}

TEST(WebSocketStep, WhatAHandshakeChoosesWasOffered) {
  const auto judged_handshake = [](const std::string& offered, const std::string& chosen) {
    return charges(judged_over_websocket(case_accepting(kCallIsAnswered), shaken(offered, chosen)));
  };
  const std::string two = "Sec-WebSocket-Protocol: a, b\r\n";
  EXPECT_EQ(judged_handshake("", ""), Charges{});
  EXPECT_EQ(judged_handshake(two, ""), Charges{});
  EXPECT_EQ(judged_handshake(two, "sec-websocket-protocol: b\r\n"), Charges{});
  EXPECT_EQ(judged_handshake(two, "Sec-WebSocket-Protocol: a, b\r\n"),
            Charges{"ws-subprotocol: fail"});
  EXPECT_EQ(judged_handshake("", "Sec-WebSocket-Protocol: a\r\n"), Charges{"ws-subprotocol: fail"});
  EXPECT_EQ(judged_handshake("", "Sec-WebSocket-Extensions: permessage-deflate; x=1\r\n"),
            Charges{"ws-extension: fail"});
  auto wrong = shaken("", "");
  wrong.handshake->response = "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: x\r\n\r\n";
  EXPECT_EQ(charges(judged_over_websocket(case_accepting(kCallIsAnswered), wrong)),
            Charges{"ws-accept: fail"});
}

TEST(WebSocketStep, AHandshakeSaysWhatIsChangedTo) {
  const auto judged_with = [](const std::string& fields) {
    auto one = shaken("", "");
    const std::string proper = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
    std::string& response = one.handshake->response;
    response.replace(response.find(proper), proper.size(), fields);
    return charges(judged_over_websocket(case_accepting(kCallIsAnswered), one));
  };
  EXPECT_EQ(judged_with("connection: keep-alive, upgrade\r\nupgrade: WebSocket\r\n"), Charges{});
  EXPECT_EQ(judged_with("Connection: Upgrade\r\n"), Charges{"ws-accept: fail"});
  EXPECT_EQ(judged_with("Upgrade: websocket\r\n"), Charges{"ws-accept: fail"});
  EXPECT_EQ(judged_with("Upgrade: websocket\r\nConnection: keep-alive\r\n"),
            Charges{"ws-accept: fail"});
  EXPECT_EQ(judged_with("Upgrade: ws\r\nConnection: Upgrade\r\n"), Charges{"ws-accept: fail"});
}

TEST(WebSocketStep, CompressionIsChosenInTheTermsOfTheOffer) {
  const auto judged_choice = [](const std::string& offered, const std::string& chosen) {
    const std::string field = "Sec-WebSocket-Extensions: permessage-deflate";
    return charges(
        judged_over_websocket(case_accepting(kCallIsAnswered),
                              shaken(field + offered + "\r\n", field + chosen + "\r\n")));
  };
  EXPECT_EQ(judged_choice("", ""), Charges{});
  EXPECT_EQ(judged_choice("; client_max_window_bits", "; client_max_window_bits=10"), Charges{});
  EXPECT_EQ(judged_choice("", "; client_max_window_bits=10"), Charges{"ws-extension: fail"});
  EXPECT_EQ(judged_choice("; server_max_window_bits=7", ""), Charges{"ws-extension: fail"});
}

TEST(WebSocketStep, WhatNeedsAnExtensionTellsNothingWithoutIt) {
  auto one = case_accepting(kCallIsAnswered);
  one.steps.front().needs_extension = wire::kDeflateName;
  const std::string field = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
  auto unanswered = shaken(field, "");
  unanswered.replies.clear();
  const auto declined = judged_over_websocket(one, unanswered);
  EXPECT_EQ(declined.unjudged, "the server does not agree to permessage-deflate");
  EXPECT_TRUE(declined.is_declined);
  EXPECT_EQ(charges(declined), Charges{});
  EXPECT_FALSE(judged_over_websocket(one, shaken(field, field)).unjudged);
}

}  // namespace websocket_step_test
}  // namespace jrpcheck::judge
