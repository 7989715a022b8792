// The whole way, from the command line to the report, over WebSocket.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <utility>

#include "testing/judgement_for_testing.hpp"
#include "testing/stranger_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_websocket_test {

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

void expect_within(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

// The reference server at a port, as long as it lives.
class WebSocketServer {
 public:
  explicit WebSocketServer(const Words& more = {})
      : port_(std::to_string(free_port())),
        program_(Words{reference_program(), "--ws", port_} + more) {
    EXPECT_NE(program_.first_error_line(), "");
  }
  ~WebSocketServer() { program_.send_signal(SIGTERM); }
  WebSocketServer(const WebSocketServer&) = delete;
  WebSocketServer& operator=(const WebSocketServer&) = delete;

  std::string url(const std::string& scheme = "ws") const {
    return scheme + "://127.0.0.1:" + port_ + "/";
  }
  const std::string& port() const { return port_; }

 private:
  std::string port_;
  RunningProgram program_;
};

TEST(ReferenceOverWebSocket, ConformsWhereItIsStarted) {
  const auto port = std::to_string(free_port());
  auto judgement = judge({"ws://127.0.0.1:" + port + "/", "--", reference_program(), "--ws", port});
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.counts["warn"], 0);
  EXPECT_EQ(judgement.target["transport"], "ws");
  EXPECT_EQ(judgement.target["framing"], "websocket");
}

TEST(ReferenceOverWebSocket, ConformsWithoutTheCompressionThatNobodyOwes) {
  const WebSocketServer server({"--variant", "ws-deflate-declined"});
  EXPECT_EQ(judge({server.url()}).verdict, "conforms");
}

TEST(ReferenceOverWebSocket, ConformsBehindTls) {
  if (!is_installed("socat") || !is_installed("openssl")) {
    GTEST_SKIP() << "socat and openssl are needed";
  }
  const TemporaryFolder folder;
  const auto made = run_program({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                                 "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                                 "/CN=h", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                                 folder.file("key"), "-out", folder.file("crt")});
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const WebSocketServer server;
  const auto port = std::to_string(free_port());
  RunningProgram door({"socat", "-d", "-d",
                       "OPENSSL-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr,fork,verify=0,cert=" +
                           folder.file("crt") + ",key=" + folder.file("key"),
                       "TCP:127.0.0.1:" + server.port()});
  ASSERT_NE(door.first_error_line().find("listening"), std::string::npos);
  // No more than that: socat(1) waits for somebody to read what it says of each connection.
  auto judgement = judge({"--cacert", folder.file("crt"), "--select", "ws/ping*", "--select",
                          "ws/unmasked-call", "--select", "ws/handshake", "--select",
                          "calibration/*", "wss://127.0.0.1:" + port + "/"});
  door.send_signal(SIGTERM);
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_GE(judgement.counts["pass"], 8);
  EXPECT_EQ(judgement.target["transport"], "wss");
}

TEST(ServerOverWebSocket, ThatDiesOfAFrameIsStartedAgainAndSpoilsNoOtherCase) {
  const auto port = std::to_string(free_port());
  auto judgement = judge({"--select", "ws/*", "ws://127.0.0.1:" + port + "/", "--",
                          reference_program(), "--ws", port, "--fault", "ws-utf8-fatal"});
  EXPECT_EQ(judgement.program.exit_code, 1) << judgement.program.error;
  for (const auto* each : judgement.charged("rob-survives")) {
    EXPECT_NE(each->id.find("utf-8"), std::string::npos) << each->id;
  }
  EXPECT_GE(judgement.charged("rob-survives").size(), 4U);
}

// socat(1) is what the line needs.
bool observes(std::string report, const std::string& what, const std::string& value) {
  const auto squeezed = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  const std::string observation = R"({"id":")" + what + R"(","value":")" + value + "\"";
  return squeezed(std::move(report)).find(squeezed(observation)) != std::string::npos;
}

// Whom it serves the server decides (RFC 6455 §4.2.2).
TEST(OriginOverWebSocket, IsRecordedAndAccusesNobody) {
  const auto tried = [](const WebSocketServer& server) {
    return judge({"--select", "ws/*-origin", server.url()});
  };
  auto open = tried(WebSocketServer());
  EXPECT_EQ(open.counts["pass"], 2);
  EXPECT_TRUE(observes(open.json, "a foreign Origin", "served"));
  auto closed = tried(WebSocketServer({"--variant", "ws-foreign-origin-refused"}));
  EXPECT_EQ(closed.counts["pass"], 2);
  EXPECT_TRUE(observes(closed.json, "a foreign Origin", "refused"));
  EXPECT_TRUE(observes(closed.json, "a handshake without Origin", "served"));
}

// Neither what is usual here nor the server's own site is another one.
TEST(OriginOverWebSocket, WhoNeedsOneOfItsOwnIsToldItByTheUser) {
  const WebSocketServer server({"--variant", "ws-foreign-origin-refused"});
  auto judgement = judge({"--select", "ws/*-origin", "--header",
                          "Origin: http://127.0.0.1:" + server.port(), server.url()});
  EXPECT_EQ(judgement.counts["pass"], 2) << judgement.program.output;
}

TEST(ReproduceOverWebSocket, TheLineShowsTheFault) {
  if (!is_installed("socat")) GTEST_SKIP() << "there is no socat";
  const WebSocketServer server({"--fault", "ws-unmasked-served"});
  const auto judgement = judge({"--select", "ws/unmasked-call", server.url()});
  const auto charged = judgement.charged("ws-unmasked-client");
  ASSERT_EQ(charged.size(), 1U) << judgement.program.error;
  const auto printed = run_program({"/bin/sh", "-c", charged.front()->reproduce}).output;
  expect_within(printed, "HTTP/1.1 101 ");
  expect_within(printed, "\"code\":-32601");
}

TEST(TriageOverWebSocket, ThePlaceOfTheOtherProtocolIsNamed) {
  const WebSocketServer server;
  const auto over_http = run_program({jrpcheck_program(), "run", server.url("http")});
  EXPECT_EQ(over_http.exit_code, 3) << over_http.output;
  expect_within(over_http.error, "WebSocket is spoken there");
  expect_within(over_http.error, "jrpcheck run " + server.url());

  const auto port = std::to_string(free_port());
  RunningProgram http({reference_program(), "--http", port});
  ASSERT_NE(http.first_error_line(), "");
  const auto over_ws = run_program({jrpcheck_program(), "run", "ws://127.0.0.1:" + port + "/"});
  http.send_signal(SIGTERM);
  EXPECT_EQ(over_ws.exit_code, 3) << over_ws.output;
  expect_within(over_ws.error, "WebSocket is not spoken there (HTTP ");
  expect_within(over_ws.error, "JSON-RPC is answered over HTTP");
}

std::string told_of(HttpReply reply) {
  const auto stranger = StrangerAtPort::over_http([reply](const HttpCall&) { return reply; });
  const std::string url = "ws" + stranger.url().substr(std::string("http").size());
  const auto result = run_program({jrpcheck_program(), "run", "--timeout", "1", url});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  return result.error;
}

TEST(TriageOverWebSocket, RefusalsAreToldWithTheirStatusAndWhatHelps) {
  const auto login = told_of({401, "who are you", "WWW-Authenticate: Bearer\r\n"});
  expect_within(login, "it lets nobody in (HTTP 401");
  expect_within(login, "--header");
  expect_within(told_of({302, "", "Location: /login\r\n"}), "HTTP 302, Location: /login");
  expect_within(told_of({200, "<html>welcome</html>"}), "not spoken there (HTTP 200");
  expect_within(told_of({404, "none"}), "give the path at which WebSocket is spoken");
}

TEST(JudgeOverWebSocket, AStoredRunHasTheSameVerdict) {
  const TemporaryFolder folder;
  const WebSocketServer server({"--fault", "ws-pong-empty"});
  const auto run = run_program({jrpcheck_program(), "run", "--select", "ws/*", "--report",
                                "json=" + folder.file("run.json"), server.url()});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  const auto again = run_program({jrpcheck_program(), "judge", folder.file("run.json")});
  EXPECT_EQ(again.exit_code, 1) << again.error;
  expect_within(again.output, "ws-ping");
}

}  // namespace spine_websocket_test
}  // namespace jrpcheck::testing
