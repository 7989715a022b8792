#include "traffic/server_sessions.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "traffic/account.hpp"

namespace jrpcheck::traffic {
namespace server_sessions_test {

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

std::string agreed(const std::string& version) {
  return R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + version +
         R"(","capabilities":{},"serverInfo":{"name":"b","version":"1"}}})";
}
constexpr const char* kToolsThatFit =
    R"("result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]})";
constexpr const char* kToolsThatDoNot =
    R"("result":{"tools":[{"name":"a","inputSchema":{"type":"string"}}]})";

TEST(ServerThatPasses, IsHeldAgainstTheSchemaOfTheVersionThatWasAgreedUpon) {
  for (const std::string version : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    EXPECT_EQ(Passing("mcp").begin(version).call("2", "tools/list", "{}", kToolsThatFit).charges(),
              Charges{})
        << version;
    EXPECT_EQ(
        Passing("mcp").begin(version).call("2", "tools/list", "{}", kToolsThatDoNot).charges(),
        Charges{"mcp-tool-shape"})
        << version;
  }
}

TEST(ServerThatPasses, IsNotJudgedByWhatItDoesNotSpeak) {
  const auto charges_of = [](const std::string& profile, const std::string& version) {
    return Passing(profile).begin(version).call("2", "tools/list", "{}", kToolsThatDoNot).charges();
  };
  EXPECT_EQ(charges_of("mcp", "2040-01-01"), Charges{});
  EXPECT_EQ(charges_of("mcp-2025-06-18", "2025-03-26"), Charges{});
  EXPECT_EQ(charges_of("mcp-2025-06-18", "2025-06-18"), Charges{"mcp-tool-shape"});
}

TEST(ServerThatPasses, IsNotJudgedFromTheMiddleOfItsSession) {
  EXPECT_EQ(Passing("mcp").call("2", "tools/list", "{}", kToolsThatDoNot).charges(), Charges{});
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18")
                .lost()
                .call("2", "tools/list", "{}", kToolsThatDoNot)
                .charges(),
            Charges{});
}

TEST(ServerThatPasses, IsChargedWithEachMethodByItself) {
  Passing passing("lsp");
  passing.call("1", "textDocument/hover", "{}", R"("result":5)")
      .call("2", "textDocument/references", "{}", R"("result":5)")
      .call("3", "textDocument/references", "{}", R"("result":5)");
  const auto run = passing.account().run();
  EXPECT_EQ(run.cases.front().findings.size(), 2U);
  EXPECT_EQ(run.verdict, result::RunVerdict::fails);
}

TEST(ServerThatPasses, AsksForNothingThatItsClientHasNotDeclared) {
  const std::string asks = R"({"jsonrpc":"2.0","id":"s1","method":"roots/list"})";
  EXPECT_EQ(Passing("mcp").begin("2025-06-18", R"({"roots":{}})").server(asks).charges(),
            Charges{});
  EXPECT_EQ(Passing("mcp").begin("2025-06-18").server(asks).charges(),
            Charges{"mcp-init-caps-client"});
  // What a client has declared that was not seen nobody knows.
  EXPECT_EQ(Passing("mcp").server(asks).charges(), Charges{});
}

TEST(ServerThatPasses, ElicitsInTheModesThatItsClientHasDeclared) {
  const std::string of_url =
      R"({"jsonrpc":"2.0","id":"s","method":"elicitation/create","params":{"mode":"url","message":"a","url":"https://a.example/","elicitationId":"1"}})";
  const std::string form =
      R"({"jsonrpc":"2.0","id":"s","method":"elicitation/create","params":{"message":"a","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"enum":["b"]}}}}}})";
  const auto charges_of = [](const std::string& declared, const std::string& asks) {
    return Passing("mcp")
        .begin("2025-11-25", R"({"elicitation":)" + declared + "}")
        .server(asks)
        .charges();
  };
  EXPECT_EQ(charges_of("{}", form), Charges{});
  EXPECT_EQ(charges_of(R"({"form":{},"url":{}})", of_url), Charges{});
  EXPECT_EQ(charges_of("{}", of_url), Charges{"mcp-elicit-declared"});
  EXPECT_EQ(charges_of(R"({"url":{}})", form), Charges{"mcp-elicit-declared"});
}

TEST(ServerThatPasses, MakesATaskOfWhatItsClientWantsToBeOne) {
  const std::string task =
      R"("result":{"task":{"taskId":"1","status":"working","createdAt":"2025-11-25T00:00:00Z","lastUpdatedAt":"2025-11-25T00:00:00Z","ttl":null}})";
  const auto charges_of = [&](const std::string& params) {
    return Passing("mcp")
        .begin("2025-11-25", "{}", R"({"tools":{}})")
        .call("2", "tools/call", params, task)
        .charges();
  };
  EXPECT_EQ(charges_of(R"({"name":"a","arguments":{},"task":{}})"), Charges{});
  EXPECT_EQ(charges_of(R"({"name":"a","arguments":{}})"), Charges{"mcp-tool-result"});
}

TEST(ServerThatPasses, NamesItsVersion) {
  const auto charges_of = [](const std::string& version) {
    return Passing("mcp")
        .call(
            "1", "initialize",
            R"({"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}})",
            R"("result":{)" + version +
                R"("capabilities":{},"serverInfo":{"name":"b","version":"1"}})")
        .charges();
  };
  EXPECT_EQ(charges_of(R"("protocolVersion":"2025-06-18",)"), Charges{});
  EXPECT_EQ(charges_of(""), Charges{"mcp-init-result"});
  EXPECT_EQ(charges_of(R"("protocolVersion":3,)"), Charges{"mcp-init-result"});
}

TEST(ServerThatPasses, IsJudgedByTheVersionInEachMessageWhereThereIsNoHandshake) {
  const std::string meta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}})";
  const std::string server =
      R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"b","version":"1"}})";
  Passing passing("mcp");
  passing.call("1", "tools/list", "{" + meta + "}",
               R"("result":{"resultType":"complete","tools":[],"ttlMs":1,"cacheScope":"private",)" +
                   server + "}");
  EXPECT_EQ(passing.charges(), Charges{});
  passing.call("2", "tools/list", "{" + meta + "}",
               R"("result":{"resultType":"complete",)" + server + "}");
  EXPECT_EQ(passing.charges().size(), 1U);
  passing.server(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud"}})");
  EXPECT_EQ(passing.charges().size(), 2U);
}

TEST(ServerThatPasses, SendsNoLogMessagesThatItHasNotDeclared) {
  const std::string logs =
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})";
  EXPECT_EQ(Passing("mcp").begin("2025-06-18", "{}", R"({"logging":{}})").server(logs).charges(),
            Charges{});
  EXPECT_EQ(Passing("mcp").begin("2025-06-18").server(logs).charges(), Charges{"mcp-log-declared"});
}

TEST(ServerThatPasses, AsksNothingBeforeItsClientIsReady) {
  const std::string asks = R"({"jsonrpc":"2.0","id":"s1","method":"roots/list"})";
  const std::string ready = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  EXPECT_EQ(Passing("mcp").agree("2025-06-18", R"({"roots":{}})").server(asks).charges(),
            Charges{});
  EXPECT_EQ(
      Passing("mcp").agree("2025-06-18", R"({"roots":{}})").server(asks).client(ready).charges(),
      Charges{"mcp-init-quiet"});
  const std::string initialize =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"a","version":"1"}}})";
  EXPECT_EQ(Passing("mcp")
                .client(initialize)
                .server(asks)
                .server(agreed("2025-06-18"))
                .client(ready)
                .charges(),
            Charges{"mcp-init-quiet"});
}

TEST(ServerThatPasses, OfLspIsHeldToItsMetaModelAndToWhatItsClientCanDo) {
  const std::string asks =
      R"({"jsonrpc":"2.0","id":"s1","method":"workspace/configuration","params":{"items":[]}})";
  const auto charges_of = [&](const std::string& capabilities) {
    Passing passing("lsp");
    passing.call("1", "initialize",
                 R"({"processId":null,"rootUri":null,"capabilities":)" + capabilities + "}",
                 R"("result":{"capabilities":{}})");
    return passing.server(asks).charges();
  };
  EXPECT_EQ(charges_of(R"({"workspace":{"configuration":true}})"), Charges{});
  EXPECT_EQ(charges_of("{}"), Charges{"lsp-config-capability"});
  EXPECT_EQ(Passing("lsp")
                .call("2", "textDocument/hover", "{}", R"("result":{"contents":"a"})")
                .charges(),
            Charges{});
  EXPECT_EQ(Passing("lsp").call("2", "textDocument/hover", "{}", R"("result":[])").charges(),
            Charges{"lsp-metamodel"});
  EXPECT_EQ(
      Passing("lsp")
          .call("2", "textDocument/references", R"({"partialResultToken":1})", R"("result":{})")
          .charges(),
      Charges{});
}

TEST(ServerThatPasses, MayHandOnTheCodeByWhichItsClientHasRefused) {
  const std::string refused = R"("error":{"code":-32850,"message":"no"})";
  EXPECT_EQ(Passing("lsp").call("2", "textDocument/hover", "{}", refused).charges(),
            Charges{"lsp-error-code-reserved"});
  EXPECT_EQ(
      Passing("lsp")
          .server(
              R"({"jsonrpc":"2.0","id":"s","method":"workspace/applyEdit","params":{"edit":{}}})")
          .client(R"({"jsonrpc":"2.0","id":"s",)" + refused + "}")
          .call("2", "textDocument/hover", "{}", refused)
          .charges(),
      Charges{});
}

TEST(ServerThatPasses, IsJudgedByEachElementOfABatch) {
  EXPECT_EQ(
      Passing("ethereum", "http")
          .post(
              R"([{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_accounts"}])",
              "", R"([{"jsonrpc":"2.0","id":2,"result":[]},{"jsonrpc":"2.0","id":1,"result":5}])")
          .charges(),
      Charges{"eth-quantity"});
}

const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}})";
const std::string kList = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";

std::string listed() { return std::string(R"({"jsonrpc":"2.0","id":2,)") + kToolsThatDoNot + "}"; }

TEST(ServerThatPassesOverHttp, IsJudgedByTheVersionThatItsRequestsName) {
  const Charges wrong = {"mcp-tool-shape"};
  EXPECT_EQ(Passing("mcp", "http")
                .post(kList, "MCP-Protocol-Version: 2025-06-18\r\n", listed())
                .charges(),
            wrong);
  EXPECT_EQ(Passing("mcp", "http")
                .post(kList, "MCP-Protocol-Version: 2040-01-01\r\n", listed())
                .charges(),
            Charges{});
  EXPECT_EQ(Passing("mcp", "http").post(kList, "", listed()).charges(), Charges{});
}

TEST(ServerThatPassesOverHttp, IsJudgedByWhatItsSessionHasAgreedUpon) {
  const std::string id = "Mcp-Session-Id: s1\r\n";
  // Whatever its client says in a head.
  EXPECT_EQ(Passing("mcp", "http")
                .post(kInitialize, "", agreed("2025-06-18"), id)
                .post(kList, id + "MCP-Protocol-Version: 2040-01-01\r\n", listed())
                .charges(),
            Charges{"mcp-tool-shape"});
  EXPECT_EQ(Passing("mcp", "http")
                .post(kInitialize, "", agreed("2025-03-26"), id)
                .post(kList, id, listed())
                .charges(),
            Charges{"mcp-tool-shape"});
  // Two sessions of two versions, and a request that says of neither that it is its own.
  EXPECT_EQ(Passing("mcp", "http")
                .post(kInitialize, "", agreed("2025-03-26"), id)
                .post(kInitialize, "", agreed("2025-06-18"), "Mcp-Session-Id: s2\r\n")
                .post(kList, "", listed())
                .charges(),
            Charges{});
}

TEST(ServerThatPasses, IsJudgedAsAWholeWhereItIsSeenFromBeginningToEnd) {
  const std::string asks = R"({"jsonrpc":"2.0","id":"s1","method":"ping"})";
  const std::string answers = R"({"jsonrpc":"2.0","id":"s1","result":{}})";
  const auto asked_twice = [&](Passing& passing) -> Passing& {
    return passing.begin("2025-06-18").server(asks).client(answers).server(asks).client(answers);
  };
  Passing whole("mcp");
  EXPECT_EQ(asked_twice(whole).charges(), Charges{});
  EXPECT_EQ(whole.end().charges(), Charges{"mcp-msg-own-id-unique"});
  EXPECT_EQ(whole.account().run().cases.front().transcript.size(), 1U);
  Passing with_gap("mcp");
  with_gap.begin("2025-06-18").lost();
  EXPECT_EQ(asked_twice(with_gap).end().charges(), Charges{});
}

constexpr const char* kToolWithSchema =
    R"("result":{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"]}}]})";
constexpr const char* kCallOfIt = R"({"name":"a","arguments":{}})";

TEST(ServerThatPasses, KeepsToTheSchemasOfToolsThatItsClientWasToldOf) {
  const std::string wrong =
      R"("result":{"content":[{"type":"text","text":"{\"m\":1}"}],"structuredContent":{"m":1}})";
  const std::string tools = R"({"tools":{}})";
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18", "{}", tools)
                .call("2", "tools/list", "{}", kToolWithSchema)
                .call("3", "tools/call", kCallOfIt, wrong)
                .end()
                .charges(),
            Charges{"mcp-tool-structured"});
  // By which of two nobody knows, nor by one that nobody was told of.
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18", "{}", tools)
                .call("2", "tools/list", "{}", kToolWithSchema)
                .call("3", "tools/call", kCallOfIt, wrong)
                .call("4", "tools/list", "{}", kToolsThatFit)
                .end()
                .charges(),
            Charges{});
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18", "{}", tools)
                .call("3", "tools/call", kCallOfIt, wrong)
                .end()
                .charges(),
            Charges{});
}

TEST(ServerThatPasses, CountsAsExercisedWhatItsVersionAsks) {
  Passing passing("mcp");
  passing.begin("2025-06-18", "{}", R"({"tools":{}})").call("2", "tools/list", "{}", kToolsThatFit);
  const auto run = passing.account().run();
  const auto shape = std::ranges::find_if(
      run.requirements, [](const auto& each) { return each.requirement.id == "mcp-tool-shape"; });
  ASSERT_NE(shape, run.requirements.end());
  EXPECT_EQ(shape->verdict, result::Verdict::pass);
  EXPECT_EQ(run.verdict, result::RunVerdict::partial);
}

}  // namespace server_sessions_test
}  // namespace jrpcheck::traffic
