#include "watch/observer.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "corpus/corpus_for_testing.hpp"
#include "traffic/capture.hpp"

namespace jrpcheck::watch {
namespace observer_test {

using dialogue::Side;
using Kind = JournalEntry::Kind;
using Texts = std::vector<std::string>;

class ObserverTest : public ::testing::Test {
 protected:
  Observer observer(bool is_http = false) {
    ObserverOptions options;
    options.is_http = is_http;
    options.origin.target = "node server.js";
    options.origin.transport = "stdio";
    options.print = [this](const std::string& line) { printed_.push_back(line); };
    options.record = [this](const std::string& line) { recorded_ += line; };
    return Observer(corpus_, std::move(options));
  }
  static JournalEntry said(Side side, const std::string& bytes) {
    return {Kind::bytes, side, 1, microseconds(1000), bytes};
  }

  const corpus::Corpus& corpus_ = corpus::corpus_for_testing();
  Texts printed_;
  std::string recorded_;
};

TEST_F(ObserverTest, WhatIsWrongIsPrintedAsItHappens) {
  auto watching = observer();
  watching.take(said(Side::client, "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}\n"));
  EXPECT_TRUE(printed_.empty());
  watching.take(said(Side::server, "{\"result\":1,\"id\":1}\n"));
  ASSERT_EQ(printed_.size(), 1U);
  EXPECT_NE(printed_[0].find("  server  FAIL  res-version"), std::string::npos) << printed_[0];
  EXPECT_EQ(watching.run()->verdict, result::RunVerdict::fails);
}

TEST_F(ObserverTest, WhatIsRecordedIsJudgedAlikeAgain) {
  auto watching = observer();
  watching.take(said(Side::client, "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}\nnoise\n"));
  watching.take(said(Side::server, "{\"result\":1,\"id\":2}\n"));
  watching.take({Kind::closed, Side::server, 1, microseconds(2000), "exited with code 1"});
  watching.end();
  std::istringstream file(recorded_);
  traffic::Account again(corpus_, {"x", "stdio"});
  const auto capture = traffic::read_capture(
      file, "x", [](const traffic::Capture&) {},
      [&](const dialogue::TrafficEvent& event) { again.take(event); });
  ASSERT_TRUE(capture) << capture.error().message;
  again.end();
  const auto ids = [](const result::Run& run) {
    Texts found;
    for (const auto& one : run.cases) {
      for (const auto& each : one.findings) found.push_back(one.id + " " + each.requirement);
    }
    return found;
  };
  EXPECT_EQ(ids(again.run()), ids(watching.run()));
  EXPECT_EQ(ids(again.run()).size(), 3U);
}

TEST_F(ObserverTest, RecordingNamesTheFramingThatIsSpoken) {
  const std::string call = "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}";
  auto watching = observer();
  EXPECT_EQ(recorded_, "") << "nobody knows it yet";
  watching.take(said(Side::client, "Content-"));
  watching.take(said(Side::client, "Length: " + std::to_string(call.size()) + "\r\n\r\n" + call));
  EXPECT_NE(recorded_.find(R"("binding":"content-length")"), std::string::npos) << recorded_;
  auto in_lines = said(Side::client, call + "\n");
  in_lines.connection = 2;
  watching.take(in_lines);
  std::istringstream file(recorded_);
  Texts framings;
  const auto capture = traffic::read_capture(
      file, "x", [&](const traffic::Capture& begun) { framings.emplace_back(begun.binding->name); },
      [](const dialogue::TrafficEvent&) {}, [](const traffic::HttpHead&) {},
      [&](const wire::Binding& binding, std::size_t connection) {
        framings.push_back(std::to_string(connection) + " " + std::string(binding.name));
      });
  ASSERT_TRUE(capture) << capture.error().message;
  EXPECT_EQ(framings, (Texts{"content-length", "2 lines"}));
  recorded_.clear();
  observer().end();
  EXPECT_NE(recorded_.find(R"("binding":"lines")"), std::string::npos) << "nothing has passed";
}

TEST_F(ObserverTest, ServerThatAsksFirstIsAnsweredAndRecordedInThatOrder) {
  const std::string call = "{\"jsonrpc\":\"2.0\",\"method\":\"ask\",\"id\":5}";
  const std::string result = "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":5}";
  const auto in_line = [](const std::string& text) { return text + "\n"; };
  const auto with_head = [](const std::string& text) {
    return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
  };
  for (const auto& framed : {std::function<std::string(const std::string&)>(in_line),
                             std::function<std::string(const std::string&)>(with_head)}) {
    printed_.clear();
    recorded_.clear();
    auto watching = observer();
    watching.take(said(Side::server, framed(call)));
    watching.take(said(Side::client, framed(result)));
    EXPECT_EQ(printed_, Texts());
    const auto asked = recorded_.find("ask");
    const auto answered = recorded_.find("result");
    ASSERT_NE(asked, std::string::npos) << recorded_;
    ASSERT_NE(answered, std::string::npos) << recorded_;
    EXPECT_LT(asked, answered) << recorded_;
  }
}

// JSON-RPC 2.0 §5.1: the server may read each line as a message, and say that there is none.
TEST_F(ObserverTest, EmptyLineIsRecordedAndMayBeAnsweredWithAnError) {
  const std::string call = "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}\n";
  const std::string error =
      "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"?\"},\"id\":null}\n";
  const std::string result = "{\"jsonrpc\":\"2.0\",\"result\":19,\"id\":1}\n";
  for (const std::string line : {"\n", "\r\n", " \t\n"}) {
    for (const auto& answers : {error + result, result}) {
      printed_.clear();
      recorded_.clear();
      auto watching = observer();
      watching.take(said(Side::client, line + call));
      watching.take(said(Side::server, answers));
      watching.take({Kind::closed, Side::client, 1, microseconds(2000), ""});
      EXPECT_EQ(printed_, Texts());
      EXPECT_EQ(watching.run()->verdict, result::RunVerdict::partial);
      std::istringstream file(recorded_);
      traffic::Account again(corpus_, {"x", "stdio"});
      std::string said_by_client;
      const auto capture = traffic::read_capture(
          file, "x", [](const traffic::Capture&) {},
          [&](const dialogue::TrafficEvent& event) {
            if (event.side == Side::client) said_by_client += event.message.text() + "|";
            EXPECT_TRUE(again.take(event).empty()) << event.message.text();
          });
      ASSERT_TRUE(capture) << capture.error().message;
      EXPECT_EQ(said_by_client, line + "|" + call.substr(0, call.size() - 1) + "||");
    }
  }
}

TEST_F(ObserverTest, WhatIsPostedElsewhereChargesNobodyAndIsCounted) {
  const auto post = [](const std::string& path, const std::string& body) {
    return said(Side::client, "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " +
                                  std::to_string(body.size()) + "\r\n\r\n" + body);
  };
  const auto answer = [](const std::string& body) {
    return said(Side::server,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + body);
  };
  const std::string call = R"({"jsonrpc":"2.0","method":"a","id":1})";
  const std::string result = R"({"jsonrpc":"2.0","result":1,"id":1})";
  auto watching = observer(true);
  watching.take(post("/", call));
  watching.take(answer(result));
  watching.take(post("/token", "grant=code"));
  watching.take(answer(R"({"access_token":"x"})"));
  watching.take(post("/", call));
  watching.take(answer(result));
  EXPECT_EQ(printed_, Texts());
  EXPECT_NE(watching.summary().find("not judged: 1 POST to other paths"), std::string::npos);
  watching.take(post("/", "{"));
  ASSERT_EQ(printed_.size(), 1U);
  EXPECT_NE(printed_[0].find("cl-req-json"), std::string::npos) << printed_[0];
}

TEST_F(ObserverTest, ServerThatEndsWithinItsResponseHasNotAnswered) {
  const std::string post =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 37\r\n\r\n"
      R"({"jsonrpc":"2.0","method":"a","id":1})";
  const auto part = said(Side::server,
                         "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "Content-Length: 35\r\n\r\n{\"jsonrpc\"");
  auto watching = observer(true);
  watching.take(said(Side::client, post));
  watching.take(part);
  watching.take({Kind::closed, Side::server, 1, microseconds(2000), ""});
  ASSERT_EQ(printed_.size(), 1U);
  EXPECT_NE(printed_[0].find("res-always"), std::string::npos) << printed_[0];
  EXPECT_NE(printed_[0].find("the server closed the connection within its response"),
            std::string::npos)
      << printed_[0];
  printed_.clear();
  auto left = observer(true);
  left.take(said(Side::client, post));
  left.take(part);
  left.take({Kind::closed, Side::client, 1, microseconds(2000), ""});
  left.take({Kind::closed, Side::server, 1, microseconds(2000), ""});
  EXPECT_EQ(printed_, Texts()) << "its client has left before";
}

// RFC 9112 §9.5: a kept connection may be closed just as the client uses it again.
TEST_F(ObserverTest, ServerThatClosesAKeptConnectionAsACallComesDoesNotFail) {
  const auto post = [](int id, std::chrono::milliseconds at) {
    const std::string call = R"({"jsonrpc":"2.0","method":"a","id":)" + std::to_string(id) + "}";
    JournalEntry entry = said(Side::client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " +
                                                std::to_string(call.size()) + "\r\n\r\n" + call);
    entry.at = at;
    return entry;
  };
  const std::string result = R"({"jsonrpc":"2.0","result":1,"id":1})";
  const auto answer =
      said(Side::server, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                             std::to_string(result.size()) + "\r\n\r\n" + result);
  const auto end_at = [&](Observer& watching, std::chrono::milliseconds at) {
    printed_.clear();
    watching.take({Kind::closed, Side::server, 1, at, ""});
    EXPECT_EQ(printed_.size(), 1U);
    return printed_.empty() ? std::string() : printed_[0];
  };
  auto kept = observer(true);
  kept.take(post(1, milliseconds(1)));
  kept.take(answer);
  kept.take(post(2, milliseconds(5000)));
  EXPECT_NE(end_at(kept, milliseconds(5100)).find("WARN  res-always"), std::string::npos);
  EXPECT_EQ(kept.run()->verdict, result::RunVerdict::partial);
  auto late = observer(true);
  late.take(post(1, milliseconds(1)));
  late.take(answer);
  late.take(post(2, milliseconds(5000)));
  EXPECT_NE(end_at(late, milliseconds(6000)).find("FAIL  res-always"), std::string::npos);
  auto begun = observer(true);
  begun.take(post(1, milliseconds(1)));
  begun.take(answer);
  begun.take(post(2, milliseconds(5000)));
  begun.take(said(Side::server, "HTTP/1.1 2"));
  EXPECT_NE(end_at(begun, milliseconds(5100)).find("FAIL  res-always"), std::string::npos);
  auto first = observer(true);
  first.take(post(1, milliseconds(1)));
  EXPECT_NE(end_at(first, milliseconds(2)).find("FAIL  res-always"), std::string::npos);
}

TEST_F(ObserverTest, RecordingHoldsTheHeadsThatRulesNeedAndNoSecret) {
  auto watching = observer(true);
  watching.take(
      said(Side::client,
           "POST /mcp HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\nAuthorization: Bearer "
           "abcdefghijkl12345\r\nMcp-Session-Id: 3fa85f64-5717-4562\r\nCookie: a=b\r\n"
           "Content-Length: 2\r\n\r\n{}"));
  EXPECT_NE(recorded_.find(R"(["Accept","application/json"],["Mcp-Session-Id","session-1"])"),
            std::string::npos)
      << recorded_;
  for (const auto* secret : {"abcdefghijkl12345", "3fa85f64-5717-4562", "a=b"}) {
    EXPECT_EQ(recorded_.find(secret), std::string::npos) << recorded_;
  }
}

// RFC 6455 §1.3 has that key, and what belongs to it.
TEST_F(ObserverTest, HandshakeOfAServerIsJudgedAndRecorded) {
  const std::string asked =
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
      "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  const std::string due = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  const auto found_in = [&](const std::string& accept) {
    printed_.clear();
    recorded_.clear();
    auto watching = observer(true);
    watching.take(said(Side::client, asked));
    watching.take(said(Side::server,
                       "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                       "Upgrade\r\nSec-WebSocket-Accept: " +
                           accept + "\r\n\r\n"));
    std::istringstream file(recorded_);
    traffic::Account again(corpus_, {"x", "http"});
    std::size_t found_again = 0;
    const auto capture = traffic::read_capture(
        file, "x", [](const traffic::Capture&) {},
        [&](const dialogue::TrafficEvent& event) { found_again += again.take(event).size(); });
    EXPECT_TRUE(capture) << recorded_;
    EXPECT_EQ(found_again, printed_.size()) << recorded_;
    return printed_;
  };
  EXPECT_EQ(found_in(due), Texts());
  const auto found = found_in("x" + due);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("server  FAIL  ws-accept"), std::string::npos) << found[0];
}

constexpr const char* kAnswerToNobody = "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":7}\n";

TEST_F(ObserverTest, WhatIsCompressedIsNotReadAndThatIsTold) {
  const std::string asked =
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
  const std::string agreed =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
  auto plain = observer(true);
  plain.take(said(Side::client, asked));
  plain.take(said(Side::server, agreed + "\r\n"));
  EXPECT_EQ(plain.summary().find("cannot be read"), std::string::npos) << plain.summary();
  auto watching = observer(true);
  watching.take(said(Side::client, asked));
  watching.take(
      said(Side::server, agreed + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"));
  EXPECT_NE(watching.summary().find("what cannot be read on 1 connection "), std::string::npos)
      << watching.summary();
}

TEST_F(ObserverTest, ConnectionThatLostSomethingIsToldAndNotJudgedFromThere) {
  auto watching = observer();
  watching.take(said(Side::client, "{\"method\":\"a\",\"id\":1}\n"));
  ASSERT_EQ(printed_.size(), 1U) << "what came before is judged";
  watching.take({Kind::lost, Side::client, 1, microseconds(2000)});
  ASSERT_EQ(printed_.size(), 2U);
  EXPECT_NE(printed_[1].find("connection 1 is not judged from here on"), std::string::npos);
  watching.take(said(Side::server, kAnswerToNobody));
  watching.take(said(Side::server, "{\"result\":1}\n"));
  watching.take({Kind::closed, Side::server, 1, microseconds(3000), "exited with code 1"});
  EXPECT_EQ(printed_.size(), 2U) << printed_.back();
  EXPECT_NE(watching.summary().find("1 connection was left unjudged"), std::string::npos);
}

TEST_F(ObserverTest, ConnectionWhoseBeginningIsLostIsNotJudgedAndOthersAre) {
  auto watching = observer();
  watching.take({Kind::lost, Side::client, 1, microseconds(1000)});
  watching.take({Kind::lost, Side::client, kUnseenConnections, microseconds(1000), "4"});
  watching.take(said(Side::server, kAnswerToNobody));
  EXPECT_EQ(printed_.size(), 1U) << "that it is lost, and no more";
  EXPECT_NE(watching.summary().find("5 connections were left unjudged"), std::string::npos);
  auto of_another = said(Side::client, "{\"method\":\"a\",\"id\":1}\n");
  of_another.connection = 2;
  watching.take(of_another);
  EXPECT_GT(printed_.size(), 1U);
}

TEST_F(ObserverTest, EndOfAConnectionThatNobodyChoseChargesNobody) {
  auto watching = observer();
  watching.take(said(Side::client, "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}\n"));
  watching.take({Kind::over, Side::client, 1, microseconds(2000)});
  watching.cut_off();
  watching.end();
  EXPECT_EQ(printed_, Texts());
  EXPECT_NE(watching.summary().find("1 call (1 unanswered)"), std::string::npos);
  EXPECT_NE(watching.summary().find("the end of it was not seen"), std::string::npos);
}

TEST_F(ObserverTest, SecretsOfHeadsAreKeptOutOfWhatIsTold) {
  auto watching = observer(true);
  const std::string secret = "abcdefghijklmnop0123456789";
  const std::string body = "{\"method\":\"" + secret + "\",\"id\":1}";
  watching.take(said(Side::client, "POST / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + secret +
                                       "\r\nContent-Length: " + std::to_string(body.size()) +
                                       "\r\n\r\n" + body));
  ASSERT_EQ(printed_.size(), 1U);
  EXPECT_EQ(printed_[0].find(secret), std::string::npos) << printed_[0];
}

TEST_F(ObserverTest, SecretsOfPathsAreKeptOutOfWhatIsRecorded) {
  auto watching = observer(true);
  const std::string secret = "abcdefghijklmnop0123456789";
  const std::string body = "{\"jsonrpc\":\"2.0\",\"method\":\"" + secret + "\",\"id\":1}";
  watching.take(said(Side::client, "POST /v3/" + secret +
                                       " HTTP/1.1\r\nHost: a\r\nContent-Length: " +
                                       std::to_string(body.size()) + "\r\n\r\n" + body));
  EXPECT_NE(recorded_.find("a/v3/..."), std::string::npos) << recorded_;
  EXPECT_EQ(recorded_.find(secret), std::string::npos) << recorded_;
}

}  // namespace observer_test
}  // namespace jrpcheck::watch
