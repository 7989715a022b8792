#include "traffic/capture.hpp"

#include <gtest/gtest.h>

#include "traffic/capture_for_testing.hpp"

namespace jrpcheck::traffic {
namespace capture_test {

using dialogue::TrafficEvent;
using namespace capture_for_testing;

TEST(Capture, WhatIsWrittenIsReadAgain) {
  TrafficEvent message{TrafficEvent::Kind::message, dialogue::Side::server, microseconds(1'500'000),
                       3};
  message.message = std::string("\xFF\"x");
  message.exchange = 4;
  message.http_status = 200;
  message.content_type = "application/json";
  message.is_binary = true;
  TrafficEvent closed{TrafficEvent::Kind::closed, dialogue::Side::client, microseconds(2'000'000)};
  closed.note = "was reset";
  const auto heard = hear(capture_head("http", "http", "http://a/") + capture_line(message) +
                          capture_line(closed));
  ASSERT_EQ(heard.error, "");
  EXPECT_EQ(heard.capture.binding->name, "http");
  EXPECT_EQ(heard.capture.target, "http://a/");
  ASSERT_EQ(heard.events.size(), 2U);
  const auto& read = heard.events.front();
  EXPECT_EQ(read.message.text(), "\xFF\"x");
  EXPECT_EQ(read.connection, 3U);
  EXPECT_EQ(read.exchange, 4U);
  EXPECT_EQ(read.http_status, 200U);
  EXPECT_TRUE(read.is_binary);
  EXPECT_EQ(heard.events.back().kind, TrafficEvent::Kind::closed);
  EXPECT_EQ(heard.events.back().note, "was reset");
  EXPECT_EQ(heard.events.back().at, microseconds(500'000));
}

TEST(Capture, WhatIsWrittenHoldsNoRawControlsAndNoCommands) {
  const std::string line = capture_head("lines", "stdio", "##[error]\xC2\x9B");
  EXPECT_NE(line.find(R"("target":"\u0023#[error]\u009b")"), std::string::npos) << line;
}

TEST(Capture, HeadsOfHttpAreReadAgain) {
  HttpHead head{dialogue::Side::client, microseconds(1'000'000), 2, 3, "GET", "a/mcp"};
  head.has_query = true;
  head.fields = {{"Accept", "text/event-stream"}, {"Mcp-Name", "\xFF"}};
  HttpHead answer{dialogue::Side::server, microseconds(1'500'000), 2, 3};
  answer.status = 405;
  const auto heard =
      hear(capture_head("http", "http", "http://a/") + capture_line(head) + capture_line(answer) +
           R"({"t":2,"dir":"server","exchange":1,"head":{"fields":[["a"]]}})");
  EXPECT_EQ(heard.order, (Texts{"head GET0", "head 405", "client lost"}));
  EXPECT_EQ(heard.capture.skipped, Texts{"line 4: \"fields\" of a head are pairs of texts"});
  ASSERT_EQ(heard.heads.size(), 2U);
  const auto& read = heard.heads.front();
  EXPECT_EQ(read.connection, 2U);
  EXPECT_EQ(read.exchange, 3U);
  EXPECT_EQ(read.target, "a/mcp");
  EXPECT_TRUE(read.has_query);
  EXPECT_EQ(read.fields.front(), head.fields.front());
  EXPECT_EQ(read.fields.back().second, "\\xff");
  EXPECT_EQ(heard.heads.back().at, microseconds(500'000));
}

TEST(Capture, BrokenLineIsNamedAndPassedOver) {
  const auto heard = hear(
      "{\"t\":1,\"dir\":\"client\",\"text\":\"{}\"}\nnonsense\n"
      "{\"t\":2,\"dir\":\"up\",\"text\":\"1\"}\n{\"t\":2,\"dir\":\"server\",\"text\":\"[]\"}\n");
  EXPECT_EQ(heard.told, (Texts{"client {}", "client lost", "client lost", "server []"}));
  EXPECT_EQ(heard.capture.skipped, (Texts{"line 2: not a JSON Object",
                                          "line 3: \"dir\" is neither \"client\" nor \"server\""}));
}

TEST(Capture, LineThatIsTooLongIsLostWhereverItStands) {
  const std::string long_line = ">> [\"" + std::string(32U << 20, 'x') + "\"]\n";
  const Texts told = {"client lost", "server 1"};
  for (const auto& text : {long_line + "<< 1\n", "// a\n" + long_line + "<< 1\n"}) {
    const auto heard = hear(text);
    EXPECT_EQ(heard.told, told) << heard.error;
    EXPECT_EQ(heard.capture.skipped_count, 1U);
  }
}

TEST(Capture, VectorsAreRead) {
  const auto heard = hear("// a test\n>> {\"id\": 1.0}\n<< {\"id\":1}\n");
  EXPECT_EQ(heard.told, (Texts{"client {\"id\": 1.0}", "server {\"id\":1}"}));
  EXPECT_EQ(heard.capture.format, ".io vectors");
}

TEST(Capture, TraceOfAnEditorIsRead) {
  const auto heard = hear(
      "some line before\n"
      R"([LSP   - 10:00:00 AM] {"isLSPMessage":true,"type":"send-request","message":{"jsonrpc":"2.0","id":1.0,"method":"a"},"timestamp":1697000000000})"
      "\n"
      R"([LSP   - 10:00:01 AM] {"isLSPMessage":true,"type":"receive-response","message":{"id":1},"timestamp":1697000000250})"
      "\n");
  // What stood before the first line of the format may have been anything.
  EXPECT_EQ(heard.told, (Texts{"client lost", R"(client {"jsonrpc":"2.0","id":1.0,"method":"a"})",
                               R"(server {"id":1})"}));
  EXPECT_FALSE(heard.capture.is_from_the_beginning);
  EXPECT_EQ(heard.events.back().at, microseconds(250'000));
}

TEST(Capture, LinesOfMcpsnoopAreRead) {
  const auto heard = hear(
      R"({"session_id":"s","seq":1,"ts":"2026-06-27T19:29:00.5Z","direction":"meta","raw":{}})"
      "\n"
      R"({"session_id":"s","seq":2,"ts":"2026-06-27T19:29:00.5Z","direction":"c2s","raw":{"id":1}})"
      "\n"
      R"({"session_id":"s","seq":3,"ts":"2026-06-27T19:29:01Z","direction":"s2c","raw":{"id":1}})"
      "\n"
      R"({"session_id":"s","seq":4,"ts":"2026-06-27T19:29:01Z","direction":"s2c","text":"oops"})"
      "\n"
      R"({"session_id":"s","seq":5,"ts":"2026-06-27T19:29:01Z","direction":"s2c","raw":{},"truncated":true})"
      "\n");
  EXPECT_EQ(heard.told,
            (Texts{R"(client {"id":1})", R"(server {"id":1})", "server noise", "server lost"}));
  EXPECT_EQ(heard.events.at(1).at, microseconds(500'000));
}

TEST(Capture, LinesOfLsptraceAreRead) {
  const auto heard = hear(
      R"({"msgKind":"request","from":"client","method":"a","id":1,"timestamp":"2026-01-01T00:00:00Z","msg":{"id":1}})");
  EXPECT_EQ(heard.told, Texts{R"(client {"id":1})"});
}

TEST(Capture, TimeThatIsNoneIsNoTime) {
  for (const std::string time : {"2026-01-0222222222222221T00:00:00Z", "99999-01-01T00:00:00Z"}) {
    const auto heard =
        hear(R"({"msgKind":"request","from":"client","timestamp":"2026-01-01T00:00:00Z","msg":{}})"
             "\n"
             R"({"msgKind":"request","from":"client","timestamp":")" +
             time + R"(","msg":{}})");
    ASSERT_EQ(heard.events.size(), 2U) << heard.error;
    EXPECT_EQ(heard.events.back().at, microseconds(0));
  }
}

TEST(Capture, StreamsAreWrittenAndReadAgain) {
  TrafficEvent event{TrafficEvent::Kind::message, dialogue::Side::server};
  event.exchange = 1;
  event.stream = dialogue::EventStream::resumed;
  const TrafficEvent given_up{TrafficEvent::Kind::given_up, dialogue::Side::client};
  const auto heard = hear(capture_head("http", "http", "http://a/") + capture_line(event) +
                          capture_line(given_up));
  ASSERT_EQ(heard.events.size(), 2U) << heard.error;
  EXPECT_EQ(heard.events.front().stream, dialogue::EventStream::resumed);
  EXPECT_EQ(heard.events.back().kind, TrafficEvent::Kind::given_up);
}

TEST(Capture, UnknownFileIsRefusedWithTheFormatsThatAreKnown) {
  for (const auto* text : {"", "hello\n", "{\"a\":1}\n", "[]", "\x00\x01"}) {
    EXPECT_NE(hear(text).error.find("HAR 1.2, jrpcheck's JSON lines"), std::string::npos) << text;
  }
}

}  // namespace capture_test
}  // namespace jrpcheck::traffic
