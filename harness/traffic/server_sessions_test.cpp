#include "traffic/server_sessions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "traffic/server_for_testing.hpp"

namespace jrpcheck::traffic {
namespace server_sessions_test {

using namespace server_for_testing;

constexpr const char* kToolWithSchema =
    R"("result":{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"]}}]})";
constexpr const char* kCallOfIt = R"({"name":"a","arguments":{}})";

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

TEST(ServerThatPasses, IsJudgedWhateverItsClientDeclares) {
  const std::string experimental =
      R"({"experimental":{"a":{"b":")" + std::string(20'000, 'x') + R"("}}})";
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18", experimental, R"({"tools":{}})")
                .call("2", "tools/list", "{}", kToolsThatDoNot)
                .charges(),
            Charges{"mcp-tool-shape"});
}

TEST(ServerThatPasses, BeginsAnewWithItsSession) {
  const std::string asks = R"({"jsonrpc":"2.0","id":"s1","method":"ping"})";
  const std::string answers = R"({"jsonrpc":"2.0","id":"s1","result":{}})";
  Passing passing("mcp");
  for (int i = 0; i < 2; ++i) passing.begin("2025-06-18").server(asks).client(answers);
  EXPECT_EQ(passing.end().charges(), Charges{});
}

TEST(ServerThatPasses, IsJudgedByWhatItSaysBesideAnAnswerInOneArray) {
  Passing passing("lsp");
  passing.client(R"({"jsonrpc":"2.0","id":1,"method":"a"})");
  passing.server(
      R"([{"jsonrpc":"2.0","id":1,"result":null},{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":1,"message":{}}}])");
  EXPECT_EQ(std::ranges::count(passing.charges(), "lsp-show-message-shape"), 1);
}

TEST(ServerThatPasses, IsTellingOfMethodsWithNamesOfAnyLength) {
  Passing passing("mcp");
  passing.begin("2025-06-18");
  for (int i = 0; i < 20; ++i) {
    passing.server(R"({"jsonrpc":"2.0","method":")" + std::to_string(i) +
                   std::string(1U << 20, 'a') + R"(","params":{"_meta":5}})");
  }
  std::size_t size = 0;
  for (const auto& each : passing.account().run().cases.front().findings) {
    size += each.particulars.size() + each.actual.size();
  }
  EXPECT_LT(size, 100'000U);
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
  Passing unread("mcp");
  unread.client("{,}");
  EXPECT_EQ(asked_twice(unread).end().charges(), Charges{});
}

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
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18", "{}", tools)
                .call("2", "tools/list", "{}", kToolWithSchema)
                .server(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})")
                .call("3", "tools/call", kCallOfIt, wrong)
                .end()
                .charges(),
            Charges{"mcp-list-changed-declared"});
  // Nor where nobody knows which call is answered.
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18", "{}", tools)
                .call("2", "tools/list", "{}", kToolWithSchema)
                .client(R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"b"}})")
                .call("3", "tools/call", kCallOfIt, wrong)
                .end()
                .charges(),
            Charges{});
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

}  // namespace server_sessions_test
}  // namespace jrpcheck::traffic
