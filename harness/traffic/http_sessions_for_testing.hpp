// What the tests of sessions over HTTP share.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "traffic/http_sessions.hpp"

namespace jrpcheck::traffic {

/// What passes on several connections, each message whole, a millisecond apart.
class SessionsOverHttp : public testing::Test {
 protected:
  static constexpr const char* kInitialize =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}})";
  static constexpr const char* kInitialized =
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  // What a server says that has begun no session with its client.
  static constexpr const char* kNoSession =
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Mcp-Session-Id header is required"}})";
  // In the params of whoever shakes no hands.
  static inline const std::string kMeta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}})";

  static const corpus::Corpus& corpus() { return corpus::corpus_for_testing("mcp"); }

  void feed(std::size_t connection, dialogue::Side side, const std::string& bytes) {
    now_ += milliseconds(1);
    auto& tap = taps_[connection];
    if (!tap) {
      TapSink sink;
      sink.head = [this](const HttpHead& head) { note(sessions_.take_head(head)); };
      sink.traffic = [this](const dialogue::TrafficEvent& event) { note(sessions_.take(event)); };
      tap = make_http_tap(connection, std::move(sink));
    }
    tap->feed(side, bytes, now_);
  }
  void note(judge::Judgement shown) {
    for (const auto& each : shown.findings) {
      charged_ += each.requirement + " ";
      named_ = each.about;
    }
    exercised_.merge(shown.exercised);
  }
  void post(std::size_t connection, const std::string& body, const std::string& fields = "",
            const std::string& path = "/mcp") {
    feed(connection, dialogue::Side::client,
         "POST " + path +
             " HTTP/1.1\r\nHost: a\r\nAccept: application/json, text/event-stream\r\n" + fields +
             "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  void answer(std::size_t connection, const std::string& body, const std::string& fields = "",
              const std::string& status = "200 OK") {
    feed(connection, dialogue::Side::server,
         "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + fields +
             "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  void open(std::size_t connection, const std::string& id, const std::string& path = "/mcp") {
    post(connection, kInitialize, "", path);
    answer(
        connection,
        R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}})",
        id.empty() ? "" : "Mcp-Session-Id: " + id + "\r\n");
  }
  static std::string in(const std::string& id) {
    return "Mcp-Session-Id: " + id + "\r\nMCP-Protocol-Version: 2025-11-25\r\n";
  }
  void be_ready(std::size_t connection, const std::string& id) {
    post(connection, kInitialized, in(id));
    answer(connection, "", "", "202 Accepted");
  }
  void begin(std::size_t connection, const std::string& id) {
    open(connection, id);
    be_ready(connection, id);
  }
  static std::string list(int id) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/list"})";
  }
  static std::string list_without_handshake(int id = 1) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/list","params":{)" + kMeta + "}}";
  }
  void ask(std::size_t connection, int id, const std::string& fields) {
    post(connection, list(id), fields);
    answer(connection,
           R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{"tools":[]}})");
  }
  void leave(std::size_t connection, const std::string& fields) {
    feed(connection, dialogue::Side::client,
         "DELETE /mcp HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
    answer(connection, "");
  }
  void wait() { now_ += std::chrono::seconds(2); }

  microseconds now_{0};
  HttpSessions sessions_{judge::client_law_of(corpus())};
  std::map<std::size_t, std::unique_ptr<Tap>> taps_;
  std::string charged_;
  std::string named_;  // whose the last is
  judge::Requirements exercised_;
};

}  // namespace jrpcheck::traffic
