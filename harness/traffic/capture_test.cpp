#include "traffic/capture.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace jrpcheck::traffic {
namespace capture_test {

using dialogue::TrafficEvent;
using Texts = std::vector<std::string>;

struct Heard {
  Capture capture;
  Texts told;
  std::string error;
  std::vector<TrafficEvent> events;
  std::vector<HttpHead> heads;
  Texts order;  // of all that is told, and of heads
  Texts framings;
};

Heard hear(const std::string& text) {
  Heard heard;
  std::istringstream file(text);
  auto capture = read_capture(
      file, "test", [](const Capture&) {},
      [&](TrafficEvent event) {
        std::string line(name_of(event.side));
        line += event.kind == TrafficEvent::Kind::message ? " " + event.message.text()
                                                          : " " + std::string(name_of(event.kind));
        heard.told.push_back(line);
        heard.order.push_back(line);
        heard.events.push_back(std::move(event));
      },
      [&](const HttpHead& head) {
        heard.heads.push_back(head);
        heard.order.push_back("head " + head.method + std::to_string(head.status));
      },
      [&](const wire::Binding& binding, std::size_t connection) {
        heard.framings.push_back(std::to_string(connection) + " " + std::string(binding.name));
      });
  if (capture) {
    heard.capture = *std::move(capture);
  } else {
    heard.error = capture.error().message;
  }
  return heard;
}

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

TEST(Capture, WhatWasAnsweredMeanwhileStandsInItsTimeInAHar) {
  const auto heard = hear(R"({"log":{"entries":[
    {"startedDateTime":"2026-01-01T00:00:00.000Z","time":500,
     "request":{"method":"POST","url":"http://a/mcp?x=1","headers":[{"name":"Accept","value":"*/*"}],
                "postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}"}},
     "response":{"status":200,"headers":[{"name":"mcp-session-id","value":"s"}],
                 "content":{"size":2,"mimeType":"application/json","text":"{}"}}},
    {"startedDateTime":"2026-01-01T00:00:00.100Z","time":10,
     "request":{"method":"POST","url":"http://a/mcp","postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"b\"}"}},
     "response":{"status":202,"content":{"size":0}}},
    {"startedDateTime":"2026-01-01T00:00:01.000Z","time":10,
     "request":{"method":"DELETE","url":"http://a/mcp","headers":[{"name":"Mcp-Session-Id","value":"s"}]},
     "response":{"status":200}},
    {"startedDateTime":"2026-01-01T00:00:01.000Z","time":10,
     "request":{"method":"GET","url":"http://a/page.html","headers":[]},"response":{"status":200}}]}})");
  ASSERT_EQ(heard.error, "");
  EXPECT_EQ(heard.order,
            (Texts{"head POST0", R"(client {"jsonrpc":"2.0","method":"a","id":1})", "head POST0",
                   R"(client {"jsonrpc":"2.0","method":"b"})", "head 202", "server ", "head 200",
                   "server {}", "head DELETE0", "head 200"}));
  EXPECT_EQ(heard.heads.front().target, "a/mcp");
  EXPECT_TRUE(heard.heads.front().has_query);
  EXPECT_EQ(heard.heads.at(3).fields.front().second, "s");
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

TEST(Capture, PostsAndFramesOfAHarAreRead) {
  const auto heard = hear(R"({"log":{"version":"1.2","entries":[
    {"startedDateTime":"2026-01-01T00:00:00.000Z","time":12.5,
     "request":{"method":"POST","url":"http://a/","postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}"}},
     "response":{"status":200,"content":{"size":2,"mimeType":"application/json","text":"e30=","encoding":"base64"}}},
    {"startedDateTime":"2026-01-01T00:00:01.000Z","time":1,
     "request":{"method":"POST","url":"http://a/graphql","postData":{"text":"{\"query\":1}"}},
     "response":{"status":200,"content":{"size":0}}},
    {"startedDateTime":"2026-01-01T00:00:01.000Z","time":1,
     "request":{"method":"POST","url":"http://a/","postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"b\"}"}},
     "response":{"status":200,"content":{"size":7}}},
    {"startedDateTime":"2026-01-01T00:00:02.000Z","request":{"method":"GET","url":"ws://a/"},
     "_webSocketMessages":[{"type":"send","time":1767225602.5,"opcode":1,"data":"{\"jsonrpc\":\"2.0\",\"method\":\"c\"}"},
                           {"type":"receive","time":1767225603,"opcode":1,"data":"[2]"}]}]}})");
  ASSERT_EQ(heard.error, "");
  EXPECT_EQ(heard.told,
            (Texts{R"(client {"jsonrpc":"2.0","method":"a","id":1})", "server {}",
                   R"(client {"jsonrpc":"2.0","method":"b"})", "server lost", "client lost",
                   R"(client {"jsonrpc":"2.0","method":"c"})", "server [2]"}));
  EXPECT_EQ(heard.events.at(1).http_status, 200U);
  EXPECT_EQ(heard.capture.format, "HAR");
  EXPECT_EQ(heard.capture.binding->name, "http");
  EXPECT_EQ(heard.framings, Texts{"4 websocket"})
      << "what is asked of HTTP is not asked of frames, nor the reverse";
  EXPECT_TRUE(heard.capture.is_from_the_beginning);
  EXPECT_EQ(heard.events.at(4).connection, 4U)
      << "frames may be missing at the beginning of that connection alone";
  EXPECT_EQ(heard.events.at(4).note, kCutOff);
}

TEST(Capture, HarOfFramesAloneMayLackItsBeginning) {
  const auto heard = hear(
      R"({"log":{"entries":[{"_webSocketMessages":[{"type":"send","data":"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"}]}]}})");
  EXPECT_EQ(heard.told, Texts{R"(client {"jsonrpc":"2.0","method":"a"})"}) << heard.error;
  EXPECT_EQ(heard.capture.binding->name, "websocket");
  EXPECT_FALSE(heard.capture.is_from_the_beginning);
  EXPECT_EQ(heard.framings, Texts());
}

// Pages have other WebSockets: of a tool that reloads them, of a chat.
TEST(Capture, FramesOfAHarAreReadFromTheFirstOfJsonRpcOn) {
  const auto frame = [](const std::string& data) {
    return R"({"type":"receive","opcode":1,"data":")" + data + R"("})";
  };
  const std::string rpc = frame(R"({\"jsonrpc\":\"2.0\",\"method\":\"a\"})");
  const std::string other = frame(R"({\"type\":\"connected\"})") + "," + frame("3probe");
  const auto heard =
      hear(R"({"log":{"entries":[{"_webSocketMessages":[)" + other +
           R"(]},{"_webSocketMessages":[)" + other + "," + rpc + "," + frame("3probe") + "]}]}}");
  EXPECT_EQ(heard.told, (Texts{R"(server {"jsonrpc":"2.0","method":"a"})", "server 3probe"}))
      << heard.error;
}

TEST(Capture, BodiesOfAHarThatWereNotKeptOrCannotBeReadAreLost) {
  for (const auto* content : {R"("size":2,"text":"e3@=","encoding":"base64")",
                              R"("size":2,"text":null)", R"("size":2,"text":"")"}) {
    const auto heard = hear(
        R"({"log":{"entries":[{"request":{"method":"POST","postData":{"text":"{\"jsonrpc\":1,\"method\":\"a\"}"}},)"
        R"("response":{"status":200,"content":{)" +
        std::string(content) + "}}}]}}");
    EXPECT_EQ(heard.told, (Texts{R"(client {"jsonrpc":1,"method":"a"})", "server lost"}))
        << content << heard.error;
  }
  const auto heard = hear(
      R"({"log":{"entries":[{"_webSocketMessages":[{"data":"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"},)"
      R"({"type":"receive","opcode":2,"data":"[1]"}]}]}})");
  EXPECT_EQ(heard.told, (Texts{R"(server {"jsonrpc":"2.0","method":"a"})", "server lost"}))
      << heard.error;
}

// HAR 1.2, content: `text` is left out where the information is not available.
TEST(Capture, BodyOfAHarWithoutTextIsEmptyOnlyWhereItIsSaidToBe) {
  const auto told = [](const std::string& response) {
    return hear(R"({"log":{"entries":[{"request":{"method":"POST",)"
                R"("postData":{"text":"{\"jsonrpc\":1,\"method\":\"a\"}"}},"response":{)" +
                response + R"("content":{"size":0}}}]}})")
        .told.back();
  };
  const auto length = [](const std::string& value) {
    return R"("headers":[{"name":"content-length","value":")" + value + R"("}],)";
  };
  EXPECT_EQ(told(R"("status":200,"bodySize":-1,)"), "server lost");
  EXPECT_EQ(told(R"("status":200,"bodySize":40,)" + length("40")), "server lost");
  EXPECT_EQ(told(R"("status":200,"bodySize":0,)"), "server ");
  EXPECT_EQ(told(R"("status":200,"bodySize":-1,)" + length("0")), "server ");
  EXPECT_EQ(told(R"("status":204,"bodySize":-1,)"), "server ");
}

TEST(Capture, MembersOfAHarStandInAnyOrder) {
  const auto heard = hear(R"({"x":[{"entries":"]}"}],"log":{"\u0065ntries":[1,
    {"response":{"content":{"text":"{}"},"status":200},"request":{
      "postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"]}\"}"},"method":"POST"}}, [{}]],
    "pages":[{"entries":[{"request":{"method":"POST"}}]}]},"y":"{"})");
  EXPECT_EQ(heard.told, (Texts{R"(client {"jsonrpc":"2.0","method":"]}"})", "server {}"}))
      << heard.error;
}

TEST(Capture, LastOfTwoMembersOfOneNameCountsInAHar) {
  const auto with = [](const std::string& method) {
    return R"([{"request":{"method":"POST","postData":{"text":"{\"jsonrpc\":1,\"method\":\")" +
           method + R"(\"}"}},"response":{"status":200,"bodySize":0,"content":{"size":0}}}])";
  };
  const auto heard =
      hear(R"({"log":{"entries":)" + with("a") + R"(,"entries":)" + with("b") + "}}");
  EXPECT_EQ(heard.told, (Texts{R"(client {"jsonrpc":1,"method":"b"})", "server "})) << heard.error;
}

// A reply of `length` bytes to the call "a", and one to the call "b".
std::string har_with_reply(std::size_t length, const std::string& headers = "") {
  const auto entry = [](const std::string& method, const std::string& head,
                        const std::string& reply) {
    return R"({"request":{"method":"POST","postData":{"text":"{\"jsonrpc\":1,\"method\":\")" +
           method + R"(\"}"}},"response":{"status":200,"headers":[)" + head +
           R"(],"content":{"text":")" + reply + R"("}}})";
  };
  return R"({"log":{"entries":[)" + entry("a", headers, std::string(length, 'x')) + "," +
         entry("b", "", "{}") + "]}}";
}

TEST(Capture, ByteOrderMarkBeforeACaptureIsIgnored) {
  const std::string mark = "\xEF\xBB\xBF";
  const auto har = hear(mark + har_with_reply(2));
  EXPECT_EQ(har.error, "");
  EXPECT_EQ(har.told.size(), 4U);
  EXPECT_EQ(hear(mark + ">> {}\n<< []\n").told, (Texts{"client {}", "server []"}));
}

TEST(Capture, ReplyOfAHarThatIsTooLongIsLostAndNamed) {
  constexpr std::size_t kMiB = 1U << 20;
  const std::string head = R"({"name":")" + std::string(kMiB, 'x') + R"(","value":""})";
  for (const auto& text : {har_with_reply(16 * kMiB), har_with_reply(2, head)}) {
    const auto heard = hear(text);
    EXPECT_EQ(heard.told, (Texts{R"(client {"jsonrpc":1,"method":"a"})", "server lost",
                                 R"(client {"jsonrpc":1,"method":"b"})", "server {}"}))
        << heard.error;
    EXPECT_EQ(heard.capture.skipped,
              Texts{"entry 1: its response is longer than is read of one message (16 MiB, its head "
                    "1 MiB)"});
    EXPECT_EQ(heard.heads.size(), 3U) << "of a head that is cut nobody knows what it lacks";
  }
  EXPECT_EQ(hear(har_with_reply(16 * kMiB - 2)).capture.skipped, Texts());
}

TEST(Capture, RequestOfAHarThatIsTooLongIsLostWhereItMayBeJsonRpc) {
  const std::string rest(16U << 20, ' ');
  for (const auto& [begin, told] :
       {std::pair(R"(\n[)", Texts{"client lost"}), std::pair("--boundary", Texts())}) {
    const auto heard =
        hear(R"({"log":{"entries":[{"request":{"method":"POST","postData":{"text":")" +
             std::string(begin) + rest + R"("}},"response":{"status":200}}]}})");
    EXPECT_EQ(heard.told, told) << heard.error;
    EXPECT_EQ(heard.capture.skipped_count, told.size());
  }
}

TEST(Capture, FramesOfAHarThatAreTooManyAreAnError) {
  std::string text =
      R"({"log":{"entries":[{"_webSocketMessages":[{"data":"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"})";
  for (int i = 0; i < 2'000'000; ++i) text += ",0";
  const auto heard = hear(text + "]}]}}");
  EXPECT_NE(heard.error.find("test: holds more than 2000000 requests"), std::string::npos)
      << heard.error;
  EXPECT_EQ(heard.told, Texts());
}

TEST(Capture, EventsOfAHarAreMessages) {
  const auto heard = hear(
      R"({"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00.000Z","time":5,)"
      R"("request":{"method":"POST","postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}"}},)"
      R"("response":{"status":200,"content":{"size":9,"mimeType":"text/event-stream",)"
      R"("text":"event: message\ndata: {\"id\":1}\n\nevent: x\ndata: y\n\n"}}}]}})");
  ASSERT_EQ(heard.error, "");
  EXPECT_EQ(heard.told, (Texts{R"(client {"jsonrpc":"2.0","method":"a","id":1})",
                               R"(server {"id":1})", "server "}));
  EXPECT_EQ(heard.events.at(1).stream, dialogue::EventStream::answer);
  EXPECT_EQ(heard.events.at(2).stream, dialogue::EventStream::broken_off)
      << "nobody knows whether it had ended";
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

TEST(Capture, BrokenHarNamesItsLine) {
  EXPECT_EQ(hear("{\"log\":\n{\"entries\":[}}").error.substr(0, 7), "test:2:");
}

}  // namespace capture_test
}  // namespace jrpcheck::traffic
