#include <gtest/gtest.h>

#include "traffic/capture_for_testing.hpp"

namespace jrpcheck::traffic {
namespace capture_har_test {

using namespace capture_for_testing;

TEST(CaptureHar, WhatWasAnsweredMeanwhileStandsInItsTimeInAHar) {
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

TEST(CaptureHar, PostsAndFramesOfAHarAreRead) {
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

TEST(CaptureHar, HarOfFramesAloneMayLackItsBeginning) {
  const auto heard = hear(
      R"({"log":{"entries":[{"_webSocketMessages":[{"type":"send","data":"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"}]}]}})");
  EXPECT_EQ(heard.told, Texts{R"(client {"jsonrpc":"2.0","method":"a"})"}) << heard.error;
  EXPECT_EQ(heard.capture.binding->name, "websocket");
  EXPECT_FALSE(heard.capture.is_from_the_beginning);
  EXPECT_EQ(heard.framings, Texts());
}

std::string har_of_frames(int status, const std::string& asked, const std::string& agreed) {
  const auto fields = [](const std::string& text) {
    return text.empty() ? text
                        : R"({"name":")" + text.substr(0, text.find(':')) + R"(","value":")" +
                              text.substr(text.find(':') + 1) + R"("})";
  };
  return R"({"log":{"entries":[{"request":{"method":"GET","headers":[)" + fields(asked) +
         R"(]},"response":{"status":)" + std::to_string(status) + R"(,"headers":[)" +
         fields(agreed) + R"(]},"_webSocketMessages":[{"type":"send","data":"[1]"},)" +
         R"({"type":"send","data":"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"}]}]}})";
}

TEST(CaptureHar, HandshakeOfAHarIsToldAsFarAsItStandsInBothHeads) {
  constexpr const char* kKey = "sec-websocket-key:dGhlIHNhbXBsZSBub25jZQ==";
  constexpr const char* kAccept = "Sec-WebSocket-Accept:s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  const auto heard = hear(har_of_frames(101, kKey, kAccept));
  EXPECT_EQ(heard.told, (Texts{"server upgraded", R"(client {"jsonrpc":"2.0","method":"a"})"}))
      << heard.error;
  EXPECT_EQ(heard.events.front().note,
            "GET / HTTP/1.1\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  EXPECT_NE(heard.events.front().message.text().find("Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
            std::string::npos);
  const auto is_told = [](int status, const std::string& asked, const std::string& agreed) {
    return hear(har_of_frames(status, asked, agreed)).told.size() > 1;
  };
  EXPECT_TRUE(is_told(101, "Sec-WebSocket-Protocol:a", "Sec-WebSocket-Protocol:b"));
  EXPECT_TRUE(is_told(101, "Sec-WebSocket-Extensions:a", "Sec-WebSocket-Extensions:b"));
  EXPECT_FALSE(is_told(101, kKey, "")) << "left out";
  EXPECT_FALSE(is_told(101, "", kAccept));
  EXPECT_FALSE(is_told(101, "", "Sec-WebSocket-Protocol:b"));
  EXPECT_FALSE(is_told(101, kKey, "Sec-WebSocket-Accept:[hidden]"));
  EXPECT_FALSE(is_told(101, "Sec-WebSocket-Key:[hidden]", kAccept));
  EXPECT_FALSE(is_told(200, kKey, kAccept)) << "which HTTP/2 has for it (RFC 8441)";
  EXPECT_FALSE(is_told(0, kKey, kAccept));
}

// Pages have other WebSockets: of a tool that reloads them, of a chat.
TEST(CaptureHar, FramesOfAHarAreReadFromTheFirstOfJsonRpcOn) {
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

TEST(CaptureHar, BodiesOfAHarThatWereNotKeptOrCannotBeReadAreLost) {
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
TEST(CaptureHar, BodyOfAHarWithoutTextIsEmptyOnlyWhereItIsSaidToBe) {
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

TEST(CaptureHar, MembersOfAHarStandInAnyOrder) {
  const auto heard = hear(R"({"x":[{"entries":"]}"}],"log":{"\u0065ntries":[1,
    {"response":{"content":{"text":"{}"},"status":200},"request":{
      "postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"]}\"}"},"method":"POST"}}, [{}]],
    "pages":[{"entries":[{"request":{"method":"POST"}}]}]},"y":"{"})");
  EXPECT_EQ(heard.told, (Texts{R"(client {"jsonrpc":"2.0","method":"]}"})", "server {}"}))
      << heard.error;
}

TEST(CaptureHar, LastOfTwoMembersOfOneNameCountsInAHar) {
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

TEST(CaptureHar, ReplyOfAHarThatIsTooLongIsLostAndNamed) {
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

TEST(CaptureHar, RequestOfAHarThatIsTooLongIsLostWhereItMayBeJsonRpc) {
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

TEST(CaptureHar, FramesOfAHarThatAreTooManyAreAnError) {
  std::string text =
      R"({"log":{"entries":[{"_webSocketMessages":[{"data":"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"})";
  for (int i = 0; i < 2'000'000; ++i) text += ",0";
  const auto heard = hear(text + "]}]}}");
  EXPECT_NE(heard.error.find("test: holds more than 2000000 requests"), std::string::npos)
      << heard.error;
  EXPECT_EQ(heard.told, Texts());
}

TEST(CaptureHar, EventsOfAHarAreMessages) {
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

TEST(CaptureHar, BrokenHarNamesItsLine) {
  EXPECT_EQ(hear("{\"log\":\n{\"entries\":[}}").error.substr(0, 7), "test:2:");
}

TEST(CaptureHar, ByteOrderMarkBeforeACaptureIsIgnored) {
  const std::string mark = "\xEF\xBB\xBF";
  const auto har = hear(mark + har_with_reply(2));
  EXPECT_EQ(har.error, "");
  EXPECT_EQ(har.told.size(), 4U);
  EXPECT_EQ(hear(mark + ">> {}\n<< []\n").told, (Texts{"client {}", "server []"}));
}

}  // namespace capture_har_test
}  // namespace jrpcheck::traffic
