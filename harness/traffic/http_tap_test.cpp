#include <gtest/gtest.h>

#include <algorithm>

#include "traffic/endpoints.hpp"
#include "traffic/http_tap_for_testing.hpp"

namespace jrpcheck::traffic {
namespace http_tap_test {

using namespace http_tap_for_testing;

TEST_F(HttpTapTest, PostsAreMessagesAndResponsesAnswerThem) {
  client(request("{}") + request("", {}, "GET") + request("[]"));
  server(response(200, "1") + response(200, "page"));
  server("HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "client []", "server 1 200", "server  204"}));
}

TEST_F(HttpTapTest, RequestThatIsNotAnsweredIsClosedWithItsConnection) {
  client(request("{}"));
  tap_->close(Side::server, kNow, std::string(dialogue::kReset));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server closed"}));
}

// RFC 9112 §2.1, §6.2.
TEST_F(HttpTapTest, WhatIsWrongWithAHeadIsToldOfItsResponse) {
  client(request("{}") + request("[]"));
  server("HTTP/1.1 200 OK\nContent-Length: 1\n\n1");
  server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
  server(wire::http_chunked("2", 1));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "client []",
                                   "server 1 200: " + std::string(dialogue::kBareLineFeed),
                                   "server 2 200: " + std::string(dialogue::kLengthBesideCoding)}));
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
  for (const auto* broken : {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
                             "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                             "hello\r\n", "HTTP/1.1 abc\r\n"}) {
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

TEST_F(HttpTapTest, RestOfAResponseThatItsLengthHasCutIsNoFaultOfTheNext) {
  const std::string whole = R"({"id":1})";
  for (const std::size_t size : {7U, 3U}) {
    recorder_.told.clear();
    tap_ = make_http_tap(1, recorder_.sink());
    client(request("{}"));
    server("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + whole);
    client(request("[]"));
    server(response(200, "2"));
    EXPECT_EQ(recorder_.told, (Texts{"client {}", "server " + whole.substr(0, size) + " 200",
                                     "client []", "client lost", "client lost"}));
  }
  recorder_.told.clear();
  tap_ = make_http_tap(1, recorder_.sink());
  client(request("{}"));
  server(response(200, "{\"id\"") + "hello\r\n");
  client(request("[]"));
  server(response(200, "2"));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server {\"id\" 200", "client lost"}))
      << "that came before the next request";
}

TEST_F(HttpTapTest, ResponseThatAnswersNoRequestIsTold) {
  const std::string second = R"({"jsonrpc":"2.0","result":1,"id":1})";
  client(request("{}"));
  server(response(200, "1") + response(200, second));
  EXPECT_EQ(recorder_.told,
            (Texts{"client {}", "server 1 200", "server " + second + " 200", "client lost"}));
  // Who is not served says so to whoever is connected, and who answers early has been asked.
  for (const auto& other : {response(408, ""), response(200, "page"), response(400, second)}) {
    recorder_.told.clear();
    tap_ = make_http_tap(1, recorder_.sink());
    client(request("{}"));
    server(response(200, "1") + other);
    EXPECT_EQ(recorder_.told, (Texts{"client {}", "server 1 200", "client lost"}));
  }
  recorder_.told.clear();
  tap_ = make_http_tap(1, recorder_.sink());
  client(request("{}"));
  server(response(200, "1"));
  client("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n{");
  server(response(200, second));
  EXPECT_EQ(recorder_.told, (Texts{"client {}", "server 1 200", "client lost"}));
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

TEST_F(HttpTapTest, HttpTwoIsNotReadAndChargedToNobody) {
  client(kPreface);
  server(std::string("\0\0\0\4\0\0\0\0\0", 9));
  EXPECT_EQ(recorder_.told, Texts{"client lost"});
}

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
