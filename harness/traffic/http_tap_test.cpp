#include <gtest/gtest.h>

#include <algorithm>

#include "traffic/endpoints.hpp"
#include "traffic/tap_for_testing.hpp"
#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::traffic {
namespace http_tap_test {

using dialogue::Side;
using Texts = std::vector<std::string>;
constexpr microseconds kNow{1};

std::string request(const std::string& body, const wire::HttpFields& more = {},
                    const std::string& method = "POST", const std::string& path = "/") {
  wire::HttpFields fields = {{"Host", "a"}, {"Content-Length", std::to_string(body.size())}};
  fields.insert(fields.end(), more.begin(), more.end());
  return wire::http_request(method, path, fields, body);
}

std::string response(int status, const std::string& body,
                     const std::string& type = "application/json",
                     const wire::HttpFields& more = {}) {
  wire::HttpFields fields = {{"Content-Length", std::to_string(body.size())},
                             {"Content-Type", type}};
  fields.insert(fields.end(), more.begin(), more.end());
  return wire::http_response(status, fields, body);
}

class HttpTapTest : public ::testing::Test {
 protected:
  TapForTesting recorder_;
  std::unique_ptr<Tap> tap_ = make_http_tap(1, recorder_.sink());

  void client(const std::string& bytes) { feed(Side::client, bytes); }
  void server(const std::string& bytes) { feed(Side::server, bytes); }
  void feed(Side side, const std::string& bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
      tap_->feed(side, std::string_view(bytes).substr(i, 7), kNow);
    }
  }
};

TEST_F(HttpTapTest, PostsAreMessagesAndResponsesAnswerThem) {
  client(request("{}") + request("", {}, "GET") + request("[]"));
  server(response(200, "1") + response(200, "page") + response(204, ""));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "client []", "server 1 200", "server  204"}));
}

TEST_F(HttpTapTest, RequestThatIsNotAnsweredIsClosedWithItsConnection) {
  client(request("{}"));
  tap_->close(Side::server, kNow, std::string(dialogue::kReset));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server closed"}));
}

TEST_F(HttpTapTest, SecretsInHeadsAreTold) {
  client(request("{}", {{"Authorization", "Bearer abcdefghijkl12345"}}));
  EXPECT_FALSE(recorder_.secrets.empty());
  server(response(200, "1", "application/json", {{"Set-Cookie", "session=hush-hush; Path=/"}}));
  EXPECT_EQ(recorder_.secrets.back(), "hush-hush");
}

TEST_F(HttpTapTest, EventsAreMessages) {
  client(request("{}"));
  server(response(200, "event: message\r\ndata: {\"a\":\ndata: 1}\n\ndata: 2\n\n",
                  "text/event-stream"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server {\"a\":\n1} on answer",
                                   "server 2 on answer", "server  200 on answer"}));
}

std::string stream_head(const wire::HttpFields& more = {}) {
  wire::HttpFields fields = {{"Content-Type", "Text/Event-Stream; charset=utf-8"},
                             {"Transfer-Encoding", "chunked"}};
  fields.insert(fields.end(), more.begin(), more.end());
  return wire::http_response(200, fields, "");
}

TEST_F(HttpTapTest, EventsAreToldAsTheyCome) {
  client(request("{}"));
  server(stream_head() + wire::http_chunk("data: 1\n\nda"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server 1 on answer"}));
  server(wire::http_chunk("ta: 2\n\n") + wire::http_chunk(""));
  client(request("[]"));
  server(response(200, "3"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server 1 on answer", "server 2 on answer",
                                   "server  200 on answer", "client []", "server 3 200"}));
}

TEST_F(HttpTapTest, StreamOfManyMessagesHasNoLimit) {
  client(request("{}"));
  server(stream_head());
  const std::string event = "data: \"" + std::string(1U << 20, 'x') + "\"\n\n";
  for (int i = 0; i < 20; ++i) tap_->feed(Side::server, wire::http_chunk(event), kNow);
  EXPECT_EQ(recorder_.told.size(), 21U);
  EXPECT_EQ(recorder_.told.back().substr(0, 10), "server \"xx");
}

TEST_F(HttpTapTest, StreamThatMayBeResumedHasNotEnded) {
  client(request("{}"));
  server(stream_head() + wire::http_chunk("id: 7\ndata:\n\n") + wire::http_chunk(""));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server  200 on broken-off"}));
}

TEST_F(HttpTapTest, StreamThatIsCutOffLosesItsConnectionAndKeepsWhatCame) {
  client(request("{}"));
  server(stream_head() + wire::http_chunk("data: 1\n\n") + "5\r\ndat");
  tap_->close(Side::server, kNow, "");
  EXPECT_EQ(recorder_.told,
            (Texts{"client {}", "server 1 on answer", "server  200 on broken-off", "client lost"}));
}

TEST_F(HttpTapTest, StreamsOfAGetBringMessagesAmongOtherThings) {
  client(request("", {}, "GET") + request("", {{"Last-Event-ID", "7"}}, "GET"));
  server(stream_head() +
         wire::http_chunk("event: endpoint\ndata: /messages\n\ndata: hello\n\n"
                          "data: {\"method\":\"a\"}\n\ndata: {\"jsonrpc\":\n\n") +
         wire::http_chunk(""));
  server(stream_head() + wire::http_chunk("event: x\ndata: {\"result\":1}\n\n"));
  EXPECT_EQ(recorder_.told,
            (Texts{"server {\"method\":\"a\"} on open", "server {\"jsonrpc\": on open",
                   "server  200 on open", "server {\"result\":1} on resumed"}));
}

TEST_F(HttpTapTest, CompressedStreamIsLostAtOnce) {
  client(request("{}"));
  server(stream_head({{"Content-Encoding", "gzip"}}) + wire::http_chunk("zip"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "client lost"}));
}

TEST_F(HttpTapTest, DeleteGivesUpWhatWasAsked) {
  client(request("", {}, "DELETE"));
  EXPECT_EQ(recorder_.told, Texts{"client given-up"});
}

// RFC 9112 §8: an incomplete response is none.
TEST_F(HttpTapTest, ResponseThatIsCutOffIsTheEndOfTheServer) {
  for (const auto* part :
       {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", "HTTP/1.1 200 OK\r\nCont",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"}) {
    recorder_.told.clear();
    tap_ = make_http_tap(1, recorder_.sink());
    client(request("{}") + request("[]"));
    server(part);
    tap_->close(Side::server, kNow, "");
    EXPECT_EQ(recorder_.told, (Texts{"client {}", "client []", "server closed", "server closed"}))
        << part;
  }
}

TEST_F(HttpTapTest, ResponseThatBreaksHttpIsNone) {
  for (const auto* broken :
       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "hello\r\n"}) {
    std::string note;
    auto sink = recorder_.sink();
    const auto record = sink.traffic;
    sink.traffic = [&](const dialogue::TrafficEvent& event) {
      if (event.kind == dialogue::TrafficEvent::Kind::closed) note = event.note;
      record(event);
    };
    recorder_.told.clear();
    tap_ = make_http_tap(1, sink);
    client(request("{}") + request("[]"));
    server(broken);
    EXPECT_EQ(recorder_.told,
              (Texts{"client {}", "client []", "server closed", "client lost", "client lost"}));
    EXPECT_EQ(note.find("breaks HTTP/1.1: "), 0U) << note;
  }
}

TEST_F(HttpTapTest, ResponseThatIsTooLongMayBeOne) {
  client(request("{}"));
  server("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x'));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "client lost", "client lost"}));
}

TEST_F(HttpTapTest, RefusalThatIsCutOffIsLost) {
  client(request("{}"));
  server("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 10\r\n\r\n<html>");
  tap_->close(Side::server, kNow, "");
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "client lost", "client lost", "server closed"}));
}

TEST_F(HttpTapTest, BodyThatLastsUntilTheEndIsWhole) {
  client(request("{}"));
  server("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}");
  tap_->close(Side::server, kNow, "");
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server {} 200"}));
}

TEST_F(HttpTapTest, BehindTheHandshakeAreFrames) {
  client(request("", {{"Upgrade", "websocket"}}, "GET"));
  server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" +
         wire::websocket_frame({}, "{}", std::nullopt));
  client(wire::websocket_frame({}, "[1]", 7) +
         wire::websocket_frame({.opcode = wire::kPing}, "x", 7));
  server(wire::websocket_frame({.opcode = wire::kClose}, wire::close_payload(1000), std::nullopt));
  EXPECT_EQ(recorder_.framing, "websocket");
  EXPECT_EQ(recorder_.told, (Texts{"server {}", "client [1]", "server closed"}));
}

// RFC 6455 §4.1: a client waits for the handshake. One that does not is answered all the same.
TEST_F(HttpTapTest, FramesThatComeWithTheHandshakeAreToldBeforeTheirAnswers) {
  const std::string ask = request("", {{"Upgrade", "websocket"}}, "GET");
  const std::string call = wire::websocket_frame({}, "[1]\n[2]", 7);
  tap_->feed(Side::client, ask + call, kNow);
  server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" +
         wire::websocket_frame({}, "{}", std::nullopt));
  EXPECT_EQ(recorder_.told, (Texts{"client [1]\n[2]", "server {}"}));
}

TEST_F(HttpTapTest, RequestsBehindARefusedHandshakeAreRead) {
  const std::string both = request("", {{"Upgrade", "websocket"}}, "GET") + request("{}");
  const std::string refused = response(400, "no");
  tap_->feed(Side::client, both, kNow);
  server(refused + response(200, "1"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server 1 200"}));
  recorder_.told.clear();
  tap_ = make_http_tap(1, recorder_.sink());
  client(both);
  server(refused + response(200, "1"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server 1 200"}));
}

TEST_F(HttpTapTest, MessageBehindItsOwnCloseBreaksTheFraming) {
  client(request("", {{"Upgrade", "websocket"}}, "GET"));
  server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
  const auto leave = wire::close_payload(1000);
  client(wire::websocket_frame({.opcode = wire::kClose}, leave, 7));
  // What the other has said by then was under way, and control frames may follow a Close.
  server(wire::websocket_frame({}, "{}", std::nullopt));
  client(wire::websocket_frame({.opcode = wire::kPong}, "x", 7));
  EXPECT_EQ(recorder_.told, (Texts{"client closed", "server {}"}));
  client(wire::websocket_frame({}, "[1]", 7));
  EXPECT_EQ(recorder_.told,
            (Texts{"client closed", "server {}", "client violation", "client [1]"}));
}

// The heads tell what was offered and what was agreed on, and nothing else that stands in them.
TEST_F(HttpTapTest, HandshakeIsToldWithoutWhatMayBeSecret) {
  const wire::HttpFields offer = {{"Upgrade", "websocket"},
                                  {"Authorization", "Bearer abcdefghijkl12345"},
                                  {"Sec-WebSocket-Protocol", "a, " + std::string(41, 't')},
                                  {"sec-websocket-key", "k"}};
  client(request("", offer, "GET", "/?token=x"));
  server(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSet-Cookie: a=b\r\n"
      "Sec-WebSocket-Accept: x\r\nSec-WebSocket-Extensions: y\r\n\r\n");
  EXPECT_EQ(recorder_.handshake, "GET / HTTP/1.1\r\nSec-WebSocket-Protocol: a, " +
                                     std::string(41, 't') +
                                     "\r\nsec-websocket-key: k\r\n\r\n"
                                     "HTTP/1.1 101 Switching Protocols\r\n"
                                     "Sec-WebSocket-Accept: x\r\n"
                                     "Sec-WebSocket-Extensions: y\r\n\r\n");
  EXPECT_EQ(recorder_.framing, "websocket");
  EXPECT_EQ(recorder_.told, (Texts{"client lost", "client lost"}))
      << "an extension changes what frames are";
  const auto& secrets = recorder_.secrets;
  EXPECT_NE(std::ranges::find(secrets, std::string(41, 't')), secrets.end());
  EXPECT_EQ(std::ranges::find(secrets, "k"), secrets.end());
}

constexpr const char* kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

TEST_F(HttpTapTest, HttpTwoIsNotReadAndChargedToNobody) {
  client(kPreface);
  server(std::string("\0\0\0\4\0\0\0\0\0", 9));
  EXPECT_EQ(recorder_.told, Texts{"client lost"});
}

TEST_F(HttpTapTest, MessageOfAServerBehindItsOwnCloseAnswersNothing) {
  client(request("", {{"Upgrade", "websocket"}}, "GET"));
  server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
  client(wire::websocket_frame({}, "[1]", 7));
  const auto leave = wire::close_payload(1000);
  server(wire::websocket_frame({.opcode = wire::kClose}, leave, std::nullopt) +
         wire::websocket_frame({}, "{}", std::nullopt));
  EXPECT_EQ(recorder_.told, (Texts{"client [1]", "server closed", "server violation"}));
}

TEST_F(HttpTapTest, ProtocolThatIsSwitchedToAndIsNoWebSocketIsNotRead) {
  for (const auto* asked : {"h2c", "h2c, websocket"}) {
    recorder_.told.clear();
    tap_ = make_http_tap(1, recorder_.sink());
    client(request("{}", {{"Upgrade", asked}}));
    server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n{}");
    client(kPreface);
    EXPECT_EQ(recorder_.told, (Texts{"client {}", "client lost", "client lost"})) << asked;
  }
  recorder_.told.clear();
  tap_ = make_http_tap(1, recorder_.sink());
  client(request("{}"));
  server("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server  101"})) << "nobody has asked for it";
}

TEST_F(HttpTapTest, RefusedHandshakeIsAResponse) {
  client(request("", {{"Upgrade", "websocket"}}, "GET"));
  server(response(400, "no"));
  client(request("{}"));
  EXPECT_EQ(recorder_.told, Texts{"client {}"});
}

constexpr const char* kCallInHttp = R"({"jsonrpc":"2.0","method":"a","id":1})";

// An MCP server may be its own OAuth: POST /token and /register are no JSON-RPC.
TEST_F(HttpTapTest, WhatIsPostedElsewhereIsToldWhereItIsJsonRpc) {
  Endpoints endpoints("/");
  tap_ = make_http_tap(1, recorder_.sink(), &endpoints);
  client(request(kCallInHttp) + request("grant=code", {}, "POST", "/token?a=b") +
         request("{}", {}, "POST", "/register") + request(kCallInHttp, {}, "POST", "/mcp") +
         request("{", {}, "POST", "/"));
  server(response(200, "1") + response(200, "{\"access_token\":1}") + response(201, "{}") +
         response(200, "2") + response(200, "3"));
  const std::string call = "client " + std::string(kCallInHttp);
  EXPECT_EQ(recorder_.told,
            (Texts{call, call, "client {", "server 1 200", "server 2 200", "server 3 200"}));
  EXPECT_EQ(endpoints.others(), 2U);
}

TEST_F(HttpTapTest, StreamThatAnswersWhatIsNoJsonRpcIsNotRead) {
  Endpoints endpoints("/");
  tap_ = make_http_tap(1, recorder_.sink(), &endpoints);
  client(request("{\"prompt\":1}", {}, "POST", "/complete"));
  server(stream_head() + wire::http_chunk("data: {\"error\":1}\n\n") + wire::http_chunk(""));
  client(request("[]"));
  server(response(200, "3"));
  EXPECT_EQ(recorder_.told, (Texts{"client []", "server 3 200"}));
}

TEST_F(HttpTapTest, StreamOfAGetElsewhereIsOfWhateverApplication) {
  Endpoints endpoints("/");
  tap_ = make_http_tap(1, recorder_.sink(), &endpoints);
  const std::string result = R"({"jsonrpc":"2.0","result":1,"id":1})";
  for (const auto* path : {"/events", "/"}) {
    client(request("", {}, "GET", path));
    server(stream_head() + wire::http_chunk("data: {\"result\":1}\n\n") +
           wire::http_chunk("data: " + result + "\n\ndata: {\"result\":2}\n\n") +
           wire::http_chunk(""));
  }
  const Texts elsewhere = {"server " + result + " on open", "server {\"result\":2} on open",
                           "server  200 on open"};
  Texts all = elsewhere;
  all.emplace_back("server {\"result\":1} on open");
  all.insert(all.end(), elsewhere.begin(), elsewhere.end());
  EXPECT_EQ(recorder_.told, all);
}

TEST_F(HttpTapTest, FramesElsewhereAreOfJsonRpcFromTheFirstThatIs) {
  Endpoints endpoints("/");
  const auto open = [&](const std::string& path) {
    tap_ = make_http_tap(1, recorder_.sink(), &endpoints);
    client(request("", {{"Upgrade", "websocket"}}, "GET", path));
    server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" +
           wire::websocket_frame({}, "{\"type\":\"connected\"}", std::nullopt));
    client(wire::websocket_frame({}, "ping", 7));
  };
  open("/vite-hmr");
  tap_->close(Side::server, kNow, "");
  EXPECT_EQ(recorder_.told, Texts());
  EXPECT_EQ(recorder_.framing, "");
  EXPECT_EQ(recorder_.handshake, "");
  EXPECT_EQ(endpoints.others(), 0U) << "nothing was posted";
  open("/rpc");
  client(wire::websocket_frame({}, kCallInHttp, 7) + wire::websocket_frame({}, "ping", 7));
  EXPECT_NE(recorder_.handshake, "") << "it is of JSON-RPC, too";
  const Texts from_the_call = {"client " + std::string(kCallInHttp), "client ping"};
  EXPECT_EQ(recorder_.told, from_the_call);
  EXPECT_EQ(recorder_.framing, "websocket");
  for (const auto* known : {"/rpc", "/"}) {
    recorder_.told.clear();
    open(known);
    EXPECT_NE(recorder_.handshake, "");
    EXPECT_EQ(recorder_.told, (Texts{"server {\"type\":\"connected\"}", "client ping"})) << known;
  }
}

// RFC 9112 §7.2, §7.4: gzip before chunked is right where the client has asked for it by TE.
TEST_F(HttpTapTest, BodyInAnotherTransferCodingThanChunkedIsLost) {
  const auto coded = [](const std::string& codings, const std::string& body) {
    return wire::http_response(200, {{"Transfer-Encoding", codings}}, wire::http_chunked(body, 5));
  };
  client(request("{}") + request("{}") + request("{}"));
  server(coded("gzip, chunked", "compressed") + coded("chunked", "1") + response(200, "2"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "client {}", "client {}", "client lost",
                                   "server  200", "server 1 200", "server 2 200"}));
  recorder_.told.clear();
  client(wire::http_request("POST", "/", {{"Host", "a"}, {"Transfer-Encoding", "gzip, chunked"}},
                            wire::http_chunked("compressed", 5)));
  EXPECT_EQ(recorder_.told, Texts{"client lost"});
}

TEST_F(HttpTapTest, CompressedBodiesAreLost) {
  client(request("zip", {{"Content-Encoding", "gzip"}}));
  EXPECT_EQ(recorder_.told, Texts{"client lost"});
}

}  // namespace http_tap_test
}  // namespace jrpcheck::traffic
