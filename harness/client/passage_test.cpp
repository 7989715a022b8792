#include "client/passage.hpp"

#include <gtest/gtest.h>

#include "wire/websocket.hpp"

namespace jrpcheck::client {
namespace passage_test {

constexpr std::string_view kRequest =
    "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:5\r\nAccept-Encoding: gzip\r\nContent-Length: 2\r\n\r\n"
    "{}";

std::unique_ptr<Passage> passage_through(std::string_view door, const Destination& to = {}) {
  return make_passage(*door_named(door), to);
}

std::string bytes_of(const std::vector<Said>& said) {
  std::string all;
  for (const auto& each : said) all += each.bytes;
  return all;
}

std::vector<std::string> messages_in(const std::vector<Said>& said) {
  std::vector<std::string> messages;
  for (const auto& each : said) {
    if (each.message) messages.push_back(each.message->text());
  }
  return messages;
}

std::string encoded(Passage& passage, const Answer& answer, const Said& in_place_of) {
  std::string all;
  for (const auto& each : passage.encode(answer, in_place_of)) all += each;
  return all;
}

TEST(Passages, RequestGoesToAnotherHostSoThatItsAnswerCanBeRead) {
  const auto passage = passage_through("http", {"example.org", "Basic eDp5"});
  EXPECT_EQ(passage->onward(kRequest),
            "POST /rpc HTTP/1.1\r\nHost: example.org\r\nContent-Length: 2\r\nAuthorization: Basic "
            "eDp5\r\n\r\n{}");
}

TEST(Passages, WhoeverWaitsToBeWavedOnIs) {
  const auto passage = passage_through("http");
  const std::string head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(passage->onward(head), "");
  EXPECT_EQ(passage->owed(), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(passage->owed(), "");
  EXPECT_EQ(passage->onward("{}"), "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
}

TEST(Passages, BodyIsInChunksForWhoKnowsThem) {
  Answer answer{{"[1,2]"}};
  answer.http_chunk = 3;
  for (const bool knows_them : {true, false}) {
    const auto passage = passage_through("http");
    const std::string version = knows_them ? "1.1" : "1.0";
    passage->onward("POST / HTTP/" + version + "\r\nContent-Length: 2\r\n\r\n{}");
    const auto said = passage->back("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull");
    EXPECT_EQ(encoded(*passage, answer, said.front()),
              knows_them ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                           "3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n"
                         : "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1,2]");
  }
}

TEST(Passages, ResponsePassesAsItCame) {
  const auto passage = passage_through("http");
  passage->onward(kRequest);
  const std::string response = "HTTP/1.1 200 Fine\r\nX-A: b\r\nContent-Length: 4\r\n\r\nnull";
  EXPECT_EQ(bytes_of(passage->back(response.substr(0, 50))), "");
  const auto said = passage->back(response.substr(50));
  EXPECT_EQ(bytes_of(said), response);
  EXPECT_EQ(messages_in(said), std::vector<std::string>{"null"});
  Answer odd{{"[]"}};
  odd.http_status = 404;
  EXPECT_EQ(encoded(*passage, odd, said.front()),
            "HTTP/1.1 404 Not Found\r\nX-A: b\r\nContent-Length: 2\r\n\r\n[]");
}

TEST(Passages, ChunkedAndUnboundedBodiesGetALength) {
  const auto passage = passage_through("http");
  passage->onward(std::string(kRequest) + std::string(kRequest));
  EXPECT_EQ(bytes_of(passage->back(
                "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
            "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(bytes_of(passage->back("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[1]")), "");
  EXPECT_EQ(bytes_of(passage->back_at_end()),
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\n[1]");
}

TEST(Passages, EventsPassAsTheyCome) {
  const auto passage = passage_through("http");
  passage->onward(kRequest);
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
  EXPECT_EQ(bytes_of(passage->back(head + "Transfer-Encoding: chunked\r\n\r\n4\r\n: a\n\r\n")),
            head + "Transfer-Encoding: chunked\r\n\r\n");
  const auto said = passage->back("1a\r\n\nevent: message\ndata: {}\n\n\r\n");
  EXPECT_EQ(bytes_of(said), "5\r\n: a\n\n\r\n19\r\nevent: message\ndata: {}\n\n\r\n");
  EXPECT_EQ(messages_in(said), std::vector<std::string>{"{}"});
  EXPECT_EQ(encoded(*passage, {{"[]"}}, said.back()), "19\r\nevent: message\ndata: []\n\n\r\n");
  EXPECT_EQ(bytes_of(passage->back("0\r\n\r\n")), "0\r\n\r\n");
  passage->onward(kRequest);
  EXPECT_EQ(messages_in(passage->back("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue")),
            std::vector<std::string>{"true"});
}

TEST(Passages, EventsThatComeAtOnceWithTheirHeadAreSeen) {
  const auto passage = passage_through("http");
  passage->onward(kRequest);
  const auto said = passage->back(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      "a\r\ndata: {}\n\n\r\n0\r\n\r\n");
  EXPECT_EQ(messages_in(said), std::vector<std::string>{"{}"});
  EXPECT_TRUE(bytes_of(said).ends_with("a\r\ndata: {}\n\n\r\n0\r\n\r\n"));
}

TEST(Passages, WebSocketIsAskedForWithoutExtensionsAndItsMessagesAreSeen) {
  const auto passage = passage_through("ws", {"example.org", ""});
  const std::string asked = passage->onward(
      "GET / HTTP/1.1\r\nHost: h\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\nrest");
  EXPECT_EQ(asked, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\nrest");
  const std::string head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
  const std::string frame = wire::websocket_frame({}, "{}", std::nullopt);
  const std::string ping = wire::websocket_frame({.opcode = wire::kPing}, "p", std::nullopt);
  const auto said = passage->back(head + frame + ping);
  EXPECT_EQ(bytes_of(said), head + frame + ping);
  EXPECT_EQ(messages_in(said), std::vector<std::string>{"{}"});
  EXPECT_EQ(encoded(*passage, {{"[]"}}, said.back()),
            wire::websocket_frame({}, "[]", std::nullopt));
}

TEST(Passages, WhoRefusesWebSocketIsHeardAsItIs) {
  const auto passage = passage_through("ws");
  passage->onward("GET / HTTP/1.1\r\n\r\n");
  const std::string refusal = "HTTP/1.1 403 Forbidden\r\n\r\nno";
  EXPECT_EQ(bytes_of(passage->back(refusal)), refusal);
  EXPECT_EQ(bytes_of(passage->back("more")), "more");
}

TEST(Passages, StreamPassesInItsOwnFraming) {
  const auto passage = passage_through("stdio");
  passage->use(wire::known_binding("content-length"));
  const std::string message = "Content-Length: 2\r\nX: y\r\n\r\n{}";
  const auto said = passage->back(message);
  EXPECT_EQ(bytes_of(said), message);
  EXPECT_EQ(messages_in(said), std::vector<std::string>{"{}"});
  Answer cut{{"[1]"}};
  cut.cut = 1;
  EXPECT_EQ(encoded(*passage, cut, said.front()), "Content-Length: 3\r\n\r\n[1");
}

TEST(Passages, LineThatIsCutHasNoEnd) {
  const auto passage = passage_through("tcp");
  passage->use(wire::known_binding("lines"));
  Answer cut{{"[1]"}};
  cut.cut = 1;
  EXPECT_EQ(encoded(*passage, cut, {}), "[1");
}

TEST(Passages, StreamWhoseFramingIsNotKnownYetPasses) {
  const auto passage = passage_through("tcp");
  const auto said = passage->back("hello\n");
  EXPECT_EQ(bytes_of(said), "hello\n");
  EXPECT_TRUE(messages_in(said).empty());
}

}  // namespace passage_test
}  // namespace jrpcheck::client
