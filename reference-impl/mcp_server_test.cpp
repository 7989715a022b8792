#include "reference-impl/mcp_server.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace jrpcheck::reference {
namespace mcp_server_test {

using nlohmann::json;

constexpr const char* kMeta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                              R"("io.modelcontextprotocol/clientCapabilities":{}})";

json asked(const std::string& version, const std::string& method, const std::string& params) {
  const McpServer server(version);
  const auto reply = server.handle(R"({"jsonrpc":"2.0","id":1,"method":")" + method +
                                   R"(","params":{)" + params + "}}");
  return reply ? json::parse(*reply) : json();
}

TEST(McpServer, AnswersInitializeWithItsOwnVersion) {
  const auto reply = asked("2025-06-18", "initialize", R"("protocolVersion":"1999-01-01")");
  EXPECT_EQ(reply["result"]["protocolVersion"], "2025-06-18");
  EXPECT_EQ(asked("2025-06-18", "initialize", "")["error"]["code"], -32602);
}

TEST(McpServer, GivesListsInPages) {
  const auto first = asked("2025-11-25", "tools/list", "");
  ASSERT_TRUE(first["result"].contains("nextCursor"));
  const auto second =
      asked("2025-11-25", "tools/list", "\"cursor\":" + first["result"]["nextCursor"].dump());
  EXPECT_EQ(second["result"]["tools"].size(), 2U);
  EXPECT_EQ(asked("2025-11-25", "tools/list", R"("cursor":"page-99")")["error"]["code"], -32602);
}

TEST(McpServer, ReportsWrongArgumentsAsTheVersionHasIt) {
  const char* wrong = R"("name":"echo","arguments":{"message":7})";
  EXPECT_EQ(asked("2025-06-18", "tools/call", wrong)["error"]["code"], -32602);
  EXPECT_EQ(asked("2025-11-25", "tools/call", wrong)["result"]["isError"], true);
}

TEST(McpServer, ServesBatchesInTheFirstVersionAlone) {
  const char* batch = R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])";
  EXPECT_TRUE(json::parse(*McpServer("2025-03-26").handle(batch)).is_array());
  EXPECT_EQ(json::parse(*McpServer("2025-06-18").handle(batch))["error"]["code"], -32600);
}

TEST(McpServer, DemandsItsMetadataSince2026) {
  EXPECT_EQ(asked("2026-07-28", "server/discover", "")["error"]["code"], -32602);
  const auto found = asked("2026-07-28", "server/discover", kMeta);
  EXPECT_EQ(found["result"]["resultType"], "complete");
  EXPECT_EQ(asked("2026-07-28", "ping", kMeta)["error"]["code"], -32601);
}

TEST(McpServer, AcknowledgesASubscriptionAndLeavesItOpen) {
  const auto said = asked("2026-07-28", "subscriptions/listen",
                          std::string(kMeta) + R"(,"notifications":{"toolsListChanged":true,)"
                                               R"("promptsListChanged":true})");
  EXPECT_EQ(said["method"], "notifications/subscriptions/acknowledged");
  EXPECT_EQ(said["params"]["notifications"], json({{"toolsListChanged", true}}));
  EXPECT_EQ(said["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
  EXPECT_EQ(asked("2026-07-28", "subscriptions/listen", kMeta)["error"]["code"], -32602);
  EXPECT_EQ(asked("2025-11-25", "subscriptions/listen", "")["error"]["code"], -32601);
}

TEST(McpServer, RefusesTasksToWhomDoesNotKnowThem) {
  EXPECT_EQ(asked("2026-07-28", "tasks/get", kMeta)["error"]["code"], -32021);
  const char* declared = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                         R"("io.modelcontextprotocol/clientCapabilities":)"
                         R"({"extensions":{"io.modelcontextprotocol/tasks":{}}}},"taskId":"1")";
  EXPECT_EQ(asked("2026-07-28", "tasks/get", declared)["error"]["code"], -32602);
  EXPECT_EQ(asked("2025-11-25", "tasks/get", "")["error"]["code"], -32601);
}

TEST(McpServer, KeepsSilentOnNotifications) {
  EXPECT_FALSE(
      McpServer("2025-06-18").handle(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
}

}  // namespace mcp_server_test
}  // namespace jrpcheck::reference
