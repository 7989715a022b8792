// What the tests of servers share whose traffic passes: a session, and what its server is charged
// with.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "traffic/account.hpp"

namespace jrpcheck::traffic::server_for_testing {

using dialogue::Side;
using dialogue::TrafficEvent;
using Charges = std::vector<std::string>;

// What a server is charged with by the law on top, and by nothing else.
class Passing {
 public:
  explicit Passing(const std::string& profile, const std::string& transport = "stdio")
      : account_(corpus::corpus_for_testing(profile), {"a server", transport}) {
    if (transport != "http") return;
    account_.use(wire::known_binding("http"), 1);
    TapSink sink;
    sink.head = [this](const HttpHead& head) { note(account_.take_head(head)); };
    sink.traffic = [this](const TrafficEvent& event) { note(account_.take(event)); };
    tap_ = make_http_tap(1, std::move(sink));
  }

  Passing& client(const std::string& text) { return say(Side::client, text); }
  Passing& server(const std::string& text) { return say(Side::server, text); }
  Passing& end() {
    note(account_.end());
    return *this;
  }
  Passing& lost() {
    note(account_.take({TrafficEvent::Kind::lost, Side::client, now_}));
    return *this;
  }
  Passing& call(const std::string& id, const std::string& method, const std::string& params,
                const std::string& answer) {
    client(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" +
           params + "}");
    return server(R"({"jsonrpc":"2.0","id":)" + id + "," + answer + "}");
  }
  Passing& post(const std::string& body, const std::string& fields, const std::string& answer,
                const std::string& fields_of_answer = "") {
    feed(Side::client,
         "POST / HTTP/1.1\r\nHost: a\r\nAccept: application/json, text/event-stream\r\n"
         "Content-Type: application/json\r\n" +
             fields + length_of(body) + body);
    feed(Side::server, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + fields_of_answer +
                           length_of(answer) + answer);
    return *this;
  }
  // MCP, as far as it is agreed upon.
  Passing& agree(const std::string& version, const std::string& of_client = "{}",
                 const std::string& of_server = "{}") {
    return call("1", "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":)" + of_client +
                    R"(,"clientInfo":{"name":"a","version":"1"}})",
                R"("result":{"protocolVersion":")" + version + R"(","capabilities":)" + of_server +
                    R"(,"serverInfo":{"name":"b","version":"1"}})");
  }
  Passing& begin(const std::string& version, const std::string& of_client = "{}",
                 const std::string& of_server = "{}") {
    return agree(version, of_client, of_server)
        .client(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  const Charges& charges() const { return charges_; }
  const Account& account() const { return account_; }

 private:
  static std::string length_of(const std::string& body) {
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  }
  Passing& say(Side side, const std::string& text) {
    now_ += milliseconds(1);
    TrafficEvent event{TrafficEvent::Kind::message, side, now_};
    event.message = text;
    note(account_.take(event));
    return *this;
  }
  void feed(Side side, const std::string& bytes) {
    now_ += milliseconds(1);
    tap_->feed(side, bytes, now_);
  }
  void note(const std::vector<judge::TrafficFinding>& found) {
    for (const auto& each : found) {
      if (each.side == Side::server) charges_.push_back(each.finding.requirement);
    }
  }

  Account account_;
  std::unique_ptr<Tap> tap_;
  microseconds now_{0};
  Charges charges_;
};

inline std::string agreed(const std::string& version) {
  return R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + version +
         R"(","capabilities":{},"serverInfo":{"name":"b","version":"1"}}})";
}
inline const std::string kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}})";

inline constexpr const char* kToolsThatFit =
    R"("result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]})";
inline constexpr const char* kToolsThatDoNot =
    R"("result":{"tools":[{"name":"a","inputSchema":{"type":"string"}}]})";

}  // namespace jrpcheck::traffic::server_for_testing
