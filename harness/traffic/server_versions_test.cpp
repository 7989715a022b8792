// By which version what passes is judged.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "traffic/server_for_testing.hpp"

namespace jrpcheck::traffic {
namespace server_versions_test {

using namespace server_for_testing;

const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}})";
const std::string kList = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";

std::string listed() { return std::string(R"({"jsonrpc":"2.0","id":2,)") + kToolsThatDoNot + "}"; }

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
  const std::string server =
      R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"b","version":"1"}})";
  Passing passing("mcp");
  passing.call("1", "tools/list", "{" + kMeta + "}",
               R"("result":{"resultType":"complete","tools":[],"ttlMs":1,"cacheScope":"private",)" +
                   server + "}");
  EXPECT_EQ(passing.charges(), Charges{});
  passing.call("2", "tools/list", "{" + kMeta + "}",
               R"("result":{"resultType":"complete",)" + server + "}");
  EXPECT_EQ(passing.charges().size(), 1U);
  passing.server(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud"}})");
  EXPECT_EQ(passing.charges().size(), 2U);
}

// Who speaks no version that a message can name refuses it in its own way, or does not read that.
TEST(ServerThatPasses, IsNotJudgedByAVersionThatItHasNotShownToSpeak) {
  EXPECT_EQ(Passing("mcp")
                .call("\"d\"", "server/discover", "{" + kMeta + "}",
                      R"("error":{"code":-32002,"message":"Not initialized"})")
                .begin("2025-06-18")
                .charges(),
            Charges{});
  EXPECT_EQ(Passing("mcp")
                .call("2", "tools/list", "{" + kMeta + "}", R"("result":{"tools":[]})")
                .charges(),
            Charges{});
  EXPECT_EQ(Passing("mcp")
                .begin("2025-06-18", "{}", R"({"tools":{}})")
                .call("2", "tools/list", "{" + kMeta + "}", R"("result":{"tools":[]})")
                .charges(),
            Charges{});
}

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

}  // namespace server_versions_test
}  // namespace jrpcheck::traffic
