// The first seconds: what is no JSON-RPC endpoint is named for what it is, and not judged.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <thread>

#include "testing/judgement_for_testing.hpp"
#include "testing/stranger_for_testing.hpp"

namespace jrpcheck::testing {
namespace triage_test {

using Clock = std::chrono::steady_clock;

// Told within seconds, with exit code 3, and passed nothing in any report.
Judgement expect_not_judged(const Words& words, const std::string& verdict,
                            const std::string& told) {
  const TemporaryFolder folder;
  const auto begin = Clock::now();
  Words with_reports = {"--report", "badge=" + folder.file("badge.json"),
                        "--report", "junit=" + folder.file("junit.xml"),
                        "--report", "tap=" + folder.file("run.tap")};
  auto judgement = judge(with_reports + words);
  // Five on a machine that does nothing else; it took one or two minutes to no purpose.
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20)) << told;
  const auto& error = judgement.program.error;
  EXPECT_EQ(judgement.program.exit_code, 3) << judgement.program.output;
  EXPECT_EQ(judgement.verdict, verdict) << error;
  EXPECT_TRUE(contains(error, told)) << error;
  EXPECT_EQ(judgement.counts["pass"] + judgement.counts["warn"] + judgement.counts["fail"], 0);
  EXPECT_TRUE(contains(read_file(folder.file("badge.json")), "lightgrey"));
  EXPECT_FALSE(contains(read_file(folder.file("run.tap")), "\nok"));
  EXPECT_TRUE(contains(read_file(folder.file("junit.xml")), "<error")) << "none is not green";
  return judgement;
}

void expect_not_json_rpc(const Words& words, const std::string& told,
                         const std::string& advice = {}) {
  const auto judgement = expect_not_judged(words, "not-json-rpc", told);
  EXPECT_TRUE(contains(judgement.program.error, advice)) << judgement.program.error;
}

StrangerAtPort always(HttpReply reply) {
  return StrangerAtPort::over_http([reply](const HttpCall&) { return reply; });
}

std::string method_not_found(const HttpCall& call) {
  const auto at = call.body.find("\"id\":");
  const auto end = call.body.find_first_of(",}", at);
  const std::string id = at == std::string::npos ? "null" : call.body.substr(at + 5, end - at - 5);
  return R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":)" + id +
         "}";
}

TEST(Triage, ALoginIsNamedWhateverItsBody) {
  const std::string bodies[] = {
      "<html>log in</html>", R"({"error":"unauthorized"})", "",
      R"({"jsonrpc":"2.0","error":{"code":-32001,"message":"log in"},"id":null})"};
  for (const auto& body : bodies) {
    const auto server = always({401, body, "WWW-Authenticate: Bearer realm=\"x\"\r\n"});
    expect_not_json_rpc({server.url()}, "asks for a login (HTTP 401", "--header 'Authorization: ");
  }
  const auto basic = always({401, "", "WWW-Authenticate: Basic realm=\"x\"\r\n"});
  expect_not_json_rpc({basic.url()}, "asks for a login (HTTP 401",
                      "USER:PASSWORD@ before the host");
  const auto server = always({401, ""});
  expect_not_json_rpc({"--header", "Authorization: Bearer hush", server.url()},
                      "refuses the credentials");
}

TEST(Triage, AForbiddenPathAndOneThatWantsOtherDataAreNamed) {
  const auto forbidden = always({403, "Forbidden"});
  expect_not_json_rpc({forbidden.url()}, "HTTP 403");
  const auto validating = always({422, R"({"detail":[{"msg":"Field required"}]})"});
  expect_not_json_rpc({validating.url()}, "HTTP 422");
  const auto sessions = always({409, "<h1>409: Conflict</h1>", "X-Session-Id: 7\r\n"});
  expect_not_json_rpc({sessions.url()}, "refuses every call (HTTP 409", "--header 'NAME: VALUE'");
}

TEST(Triage, AMissingPathIsToldWithTheOneThatAnswers) {
  const auto missing = always({404, R"({"detail":"Not Found"})"});
  expect_not_json_rpc({missing.url()}, "no such path (HTTP 404)", "give the path");
  const auto of_trpc = always({404, R"({"error":{"message":"No procedure","code":-32004}})"});
  expect_not_json_rpc({of_trpc.url()}, "no such path (HTTP 404)", "give the path");
  const auto server = StrangerAtPort::over_http([](const HttpCall& call) {
    return call.path == "/rpc" ? HttpReply{200, method_not_found(call)}
                               : HttpReply{405, R"({"detail":"Method Not Allowed"})"};
  });
  expect_not_json_rpc({server.url("/docs")}, "takes no POST (HTTP 405)",
                      "jrpcheck run " + server.url("/rpc"));
}

TEST(Triage, ARedirectionIsFollowedByAdvice) {
  const auto server = StrangerAtPort::over_http([](const HttpCall& call) {
    return call.path == "/v2/" ? HttpReply{200, method_not_found(call)}
                               : HttpReply{307, "", "Location: /v2/\r\n"};
  });
  expect_not_json_rpc({server.url("/v2")}, "Location: /v2/", "jrpcheck run " + server.url("/v2/"));
}

// What a server says is not to be run by those who copy it.
TEST(Triage, WhereAServerSendsItsClientsIsQuoted) {
  const auto server = StrangerAtPort::over_http([](const HttpCall& call) {
    return call.path == "/a;echo$IFS" ? HttpReply{200, method_not_found(call)}
                                      : HttpReply{302, "", "Location: /a;echo$IFS\r\n"};
  });
  expect_not_json_rpc({server.url()}, "Location: /a;echo$IFS",
                      "jrpcheck run '" + server.url("/a;echo$IFS") + "'");
}

TEST(Triage, WhatAnswersInItsOwnWayIsNamed) {
  const auto page = always({200, "<!doctype html><title>My shop</title>"});
  expect_not_json_rpc({page.url()}, "a web page \"My shop\"");
  const auto text = always({200, "Hello World"});
  expect_not_json_rpc({text.url()}, "answers calls with text");
  const auto json = always({200, R"({"status":"ok"})"});
  expect_not_json_rpc({json.url()}, "JSON that is no Response");
  const auto with_word = always({200, R"({"success":true,"code":"OK","message":"hello"})"});
  expect_not_json_rpc({with_word.url()}, "JSON that is no Response");
  const auto echo = StrangerAtPort::over_http([](const HttpCall& call) {
    return HttpReply{200, call.body};
  });
  expect_not_json_rpc({echo.url()}, "sends back what it is sent");
}

TEST(Triage, WhoAnswersEveryCallWithNothingIsNamedAndTheOtherPathIsFound) {
  const auto nothing = always({204, ""});
  expect_not_json_rpc({nothing.url()}, "it answers every call with nothing (HTTP 204)",
                      "give the path at which JSON-RPC is served");
  const auto elsewhere = StrangerAtPort::over_http([](const HttpCall& call) {
    return call.head.starts_with("POST /rpc ") ? HttpReply{200, method_not_found(call)}
                                               : HttpReply{202, ""};
  });
  expect_not_json_rpc({elsewhere.url()}, "(HTTP 202)", elsewhere.url("/rpc"));
}

TEST(Triage, WhoIsDeafToUnknownMethodsAloneIsJudged) {
  const auto server = StrangerAtPort::over_http([](const HttpCall& call) {
    return contains(call.body, "\"ping\"") ? HttpReply{200, method_not_found(call)}
                                           : HttpReply{204, ""};
  });
  const auto judgement = judge({"--select", "calibration/*", server.url()});
  EXPECT_EQ(judgement.program.exit_code, 1) << judgement.program.error;
  EXPECT_FALSE(judgement.charged("res-always").empty());
}

TEST(Triage, AnotherProtocolIsNamedByItsGreeting) {
  const StrangerAtPort ssh([](int socket) {
    const std::string greeting = "SSH-2.0-OpenSSH_9.6\r\n";
    ::send(socket, greeting.data(), greeting.size(), MSG_NOSIGNAL);
  });
  expect_not_json_rpc({ssh.url()}, "an SSH server");
}

// The length in its head is none of a frame, and what it says of the line that it could not read is
// no message.
TEST(Triage, AnHttpServerThatIsTakenForOneOfATcpPortIsNamed) {
  const auto answering = [](const std::string& words) {
    return StrangerAtPort([words](int socket) {
      std::array<char, 1024> some{};
      if (::recv(socket, some.data(), some.size(), 0) <= 0) return;
      ::send(socket, words.data(), words.size(), MSG_NOSIGNAL);
    });
  };
  const auto refusing =
      answering("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  expect_not_json_rpc({refusing.url("", "tcp")}, "it is an HTTP server");
  const auto page = answering("<!DOCTYPE HTML>\n<p>Bad request: {\"jsonrpc\":\"2.0\",\"id\":1}\n");
  expect_not_json_rpc({page.url("", "tcp")}, "it is a web page");
  const auto memcached = answering("ERROR\r\nERROR\r\nERROR\r\n");
  expect_not_json_rpc({memcached.url("", "tcp")}, "it is a memcached server");
}

TEST(Triage, APortThatSaysNothingIsUnreachable) {
  const ListeningPort mute;
  const std::string url = "http://127.0.0.1:" + std::to_string(mute.number()) + "/";
  expect_not_judged({url}, "unreachable", "accepts connections and says nothing");
}

TEST(Triage, APortThatClosesEachConnectionIsUnreachable) {
  const StrangerAtPort closing([](int) {});
  expect_not_judged({closing.url()}, "unreachable", "closes every connection");
}

TEST(Triage, AProgramThatSendsBackWhatItIsSentIsNoServer) {
  expect_not_json_rpc({"--", "cat"}, "cat is no JSON-RPC endpoint: it sends back");
}

TEST(Triage, AServerOnAPortThatIsTakenForOneOnStdioIsFound) {
  const std::string port = std::to_string(free_port());
  expect_not_json_rpc({"--", reference_program(), "--http", port}, "HTTP on port " + port,
                      "jrpcheck run http://127.0.0.1:" + port + "/ -- " + reference_program());
}

// A server that is one is judged, however it answers.
TEST(Triage, AStatusBesideAResponseKeepsNobodyFromBeingJudged) {
  const auto server = StrangerAtPort::over_http([](const HttpCall& call) {
    return HttpReply{404, method_not_found(call)};
  });
  auto judgement = judge({"--select", "calibration/number-id", server.url()});
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.counts["pass"] + judgement.counts["warn"], 1);
}

TEST(Triage, ResultsUnderAnotherNameAreJudged) {
  const auto server = always({200, R"({"version":"2.0","outcome":7,"id":1,"jsonrpc":"2.0"})"});
  const auto judgement = judge({"--select", "calibration/*", server.url()});
  EXPECT_EQ(judgement.program.exit_code, 1) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "fails");
}

TEST(Triage, AServerThatFailsAtEveryCallIsJudged) {
  const auto server = always({500, "<html><title>Internal Server Error</title></html>"});
  const auto judgement = judge({"--select", "calibration/*", server.url()});
  EXPECT_EQ(judgement.program.exit_code, 1) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "fails");
}

TEST(Triage, WhoSaysForGoodThatItStartsIsJudgedByThatAndTheUserIsTold) {
  const auto server = StrangerAtPort::over_http([](const HttpCall& call) {
    const auto said = method_not_found(call);
    return HttpReply{200, R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Still loading"},)" +
                              said.substr(said.rfind("\"id\""))};
  });
  const auto judgement =
      judge({"--timeout", "1", "--select", "calibration/number-id", server.url()});
  EXPECT_EQ(judgement.program.exit_code, 1) << judgement.program.error;
  const auto& text = judgement.program.output;
  EXPECT_TRUE(contains(text, "For 1 s the server has answered that it still starts")) << text;
  EXPECT_FALSE(contains(text, "Whatever is called")) << text;
}

// --- what protocol it speaks ---

// As the official SDKs of MCP may be set: they refuse who does not take both types, and then answer
// in JSON.
HttpReply mcp_in_json(const HttpCall& call) {
  const std::string json_type = "Content-Type: application/json\r\n";
  if (!contains(call.head, "text/event-stream")) {
    return {406,
            R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Not Acceptable"},"id":null})",
            json_type};
  }
  if (contains(call.body, "\"initialize\"")) {
    const auto id = method_not_found(call);
    return {200,
            R"({"jsonrpc":"2.0","result":{"protocolVersion":"2025-11-25","capabilities":{},)"
            R"("serverInfo":{"name":"in-json","version":"1"}},)" +
                id.substr(id.rfind("\"id\"")),
            json_type};
  }
  if (contains(call.body, "\"notifications/")) return {202, "", {}};
  return {200, method_not_found(call), json_type};
}

TEST(Recognition, OfMcpOverHttpNeedsNoEventStream) {
  const auto server = StrangerAtPort::over_http(mcp_in_json);
  const auto judgement = judge({"--max-time", "10", server.url("/mcp")});
  EXPECT_TRUE(contains(judgement.program.error, "The server speaks Model Context Protocol"))
      << judgement.program.error;
}

// Other calls it answers at once, as while it still loads what it offers.
TEST(Recognition, OfMcpWaitsForAHandshakeAsLongAsForAStart) {
  const auto server = StrangerAtPort::over_http([](const HttpCall& call) {
    if (contains(call.body, "\"initialize\"")) std::this_thread::sleep_for(std::chrono::seconds(4));
    return mcp_in_json(call);
  });
  const auto judgement = judge({"--max-time", "20", server.url("/mcp")});
  EXPECT_TRUE(contains(judgement.program.error, "The server speaks Model Context Protocol"))
      << judgement.program.error;
}

}  // namespace triage_test
}  // namespace jrpcheck::testing
