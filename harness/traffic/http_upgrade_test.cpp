// What connections of HTTP become: handshakes, and the frames behind them.
#include <gtest/gtest.h>

#include <algorithm>

#include "traffic/endpoints.hpp"
#include "traffic/http_tap_for_testing.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::traffic {
namespace http_upgrade_test {

using namespace http_tap_for_testing;

class HttpUpgrade : public HttpTapTest {};

TEST_F(HttpUpgrade, BehindTheHandshakeAreFrames) {
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
TEST_F(HttpUpgrade, FramesThatComeWithTheHandshakeAreToldBeforeTheirAnswers) {
  const std::string ask = request("", {{"Upgrade", "websocket"}}, "GET");
  const std::string call = wire::websocket_frame({}, "[1]\n[2]", 7);
  tap_->feed(Side::client, ask + call, kNow);
  server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" +
         wire::websocket_frame({}, "{}", std::nullopt));
  EXPECT_EQ(recorder_.told, (Texts{"client [1]\n[2]", "server {}"}));
}

TEST_F(HttpUpgrade, RequestsBehindARefusedHandshakeAreRead) {
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

TEST_F(HttpUpgrade, MessageWithinAnotherBreaksTheFramingOnce) {
  client(request("", {{"Upgrade", "websocket"}}, "GET"));
  server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
  const auto frame = [](unsigned opcode, bool is_final, const std::string& payload) {
    return wire::websocket_frame({.opcode = opcode, .fin = is_final}, payload, std::nullopt);
  };
  server(frame(wire::kText, false, "[") + frame(wire::kText, true, "{}"));
  server(frame(wire::kContinuation, false, "1") + frame(wire::kContinuation, true, "]"));
  EXPECT_EQ(recorder_.told, (Texts{"server violation", "server {}"}));
  server(frame(wire::kText, true, "[2]") + frame(wire::kContinuation, true, "]"));
  EXPECT_EQ(recorder_.told,
            (Texts{"server violation", "server {}", "server [2]", "server violation"}))
      << "which continues nothing at all";
}

TEST_F(HttpUpgrade, MessageBehindItsOwnCloseBreaksTheFraming) {
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
TEST_F(HttpUpgrade, HandshakeIsToldWithoutWhatMayBeSecret) {
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

TEST_F(HttpUpgrade, MessageOfAServerBehindItsOwnCloseAnswersNothing) {
  client(request("", {{"Upgrade", "websocket"}}, "GET"));
  server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
  client(wire::websocket_frame({}, "[1]", 7));
  const auto leave = wire::close_payload(1000);
  server(wire::websocket_frame({.opcode = wire::kClose}, leave, std::nullopt) +
         wire::websocket_frame({}, "{}", std::nullopt));
  EXPECT_EQ(recorder_.told, (Texts{"client [1]", "server closed", "server violation"}));
}

TEST_F(HttpUpgrade, ProtocolThatIsSwitchedToAndIsNoWebSocketIsNotRead) {
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

TEST_F(HttpUpgrade, RefusedHandshakeIsAResponse) {
  client(request("", {{"Upgrade", "websocket"}}, "GET"));
  server(response(400, "no"));
  client(request("{}"));
  EXPECT_EQ(recorder_.told, Texts{"client {}"});
}

TEST_F(HttpUpgrade, FramesElsewhereAreOfJsonRpcFromTheFirstThatIs) {
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

}  // namespace http_upgrade_test
}  // namespace jrpcheck::traffic
