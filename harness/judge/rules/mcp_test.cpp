// Rules of MCP: what no proper server is charged for, and what each of them is about.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/join.hpp"
#include "json/parse.hpp"
#include "judge/rules/law.hpp"
#include "judge/rules/rule_for_testing.hpp"

namespace jrpcheck::judge {
namespace mcp_rules_test {

using dialogue::Direction;
using dialogue::Event;

Event sent(const std::string& text) { return {Direction::sent, {}, text}; }
Event received(const std::string& text) { return {Direction::received, {}, text}; }

std::string called(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
}

constexpr const char* kOfThisVersion =
    R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"3"}})";

std::string refused(int code) {
  return R"({"jsonrpc":"2.0","id":1,"error":{"message":"No","code":)" + std::to_string(code) + "}}";
}

Event post(const std::string& fields, const std::string& body) {
  return sent("POST /mcp HTTP/1.1\r\n" + fields + "\r\n" + body);
}

Event response(const std::string& fields, const std::string& body) {
  const std::string head = "HTTP/1.1 400 X\r\n" + fields + "\r\n";
  Event event = received(head + body);
  event.http = dialogue::HttpHead{400, "HTTP/1.1", "application/json", head.size()};
  return event;
}

constexpr const char* kVersionField = "MCP-Protocol-Version: 3\r\n";

TEST(McpRules, ACodeOfEarlierVersionsIsChargedWhereThisOneWasSpoken) {
  const auto times = [](const std::string& rule, const std::string& params, int code) {
    return times_broken(rule, {sent(called("a", params)), received(refused(code))});
  };
  EXPECT_EQ(times("error-codes-retired", kOfThisVersion, -32002), 1U);
  EXPECT_EQ(times("error-codes-legacy", kOfThisVersion, -32000), 1U);
  EXPECT_EQ(times("error-codes-retired", "{}", -32002), 0U);
  EXPECT_EQ(times("error-codes-legacy", "{}", -32000), 0U);
}

TEST(McpRules, WhoseHeadNamesNoVersionMayBeAnsweredAsOfOld) {
  const auto times = [](const std::string& fields) {
    return times_broken("error-codes-legacy",
                        {post(fields, called("a", kOfThisVersion)), response("", refused(-32000))});
  };
  EXPECT_EQ(times(kVersionField), 1U);
  EXPECT_EQ(times(""), 0U);
}

TEST(McpRules, ASessionIdMayAnswerTheHandshakeOfAnEarlierVersion) {
  const auto times = [](const std::string& fields) {
    return times_broken("http-no-session-id",
                        {post(fields, called("a", "{}")), response("Mcp-Session-Id: 1\r\n", "")});
  };
  EXPECT_EQ(times(kVersionField), 1U);
  EXPECT_EQ(times("MCP-Protocol-Version: 2\r\n"), 0U);
  EXPECT_EQ(times(""), 0U);
}

TEST(McpRules, TheServerCancelsSubscriptionsAlone) {
  const std::string cancelled =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  const auto times = [&](const std::string& method) {
    return times_broken("cancels-subscriptions-alone",
                        {sent(called(method, "{}")), received(cancelled)});
  };
  EXPECT_EQ(times("subscriptions/listen"), 0U);
  EXPECT_EQ(times("tools/call"), 1U);
}

std::vector<Event> listed(const std::string& params, const std::string& tools) {
  return {sent(called("tools/list", params)),
          received(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[)" + tools + "]}}")};
}

TEST(McpRules, ToolsHaveOneOrderAsLongAsTheyAreTheSame) {
  const std::string both = R"({"name":"a"},{"name":"b"})";
  const std::string turned = R"({"name":"b"},{"name":"a"})";
  const auto times = [&](const std::vector<Event>& again) {
    auto events = listed("{}", both);
    events.insert(events.end(), again.begin(), again.end());
    return times_broken("tool-order-is-constant", events);
  };
  EXPECT_EQ(times(listed("{}", both)), 0U);
  EXPECT_EQ(times(listed("{}", turned)), 1U);
  EXPECT_EQ(times(listed("{}", R"({"name":"b"})")), 0U);
  EXPECT_EQ(times(listed(R"({"cursor":"2"})", turned)), 0U);
}

TEST(McpRules, ACallThatHasBecomeATaskKeepsItsProgressToken) {
  const std::string asked = called("tools/call", R"({"_meta":{"progressToken":"t"}})");
  const std::string progress =
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}})";
  const auto times = [&](const std::string& result) {
    return times_broken(
        "progress-ends",
        {sent(asked), received(R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}"),
         received(progress)});
  };
  EXPECT_EQ(times(R"({"content":[]})"), 1U);
  EXPECT_EQ(times(R"({"task":{"taskId":"1"}})"), 0U);
  EXPECT_EQ(times(R"({"resultType":"task","taskId":"1"})"), 0U);
}

// What rules of lists charge, where the walk has found this.
std::string charged_with(std::shared_ptr<const corpus::Catalogue> found,
                         const std::string& answer) {
  corpus::Corpus corpus;
  corpus.profile.name = "house";
  corpus.profile.lists = {{"tools", "tools/list", "/tools", "/nextCursor", "cursor", ""}};
  corpus.profile.rules = {{"list-repeats-nothing", "walk"}, {"tool-names-unique", "unique"}};
  Law law = **law_of(corpus);
  law.catalogue = std::move(found);
  Judgement judgement;
  const corpus::Ledger none;
  Charger charger(none, judgement);
  judge_protocol({sent(called("tools/list", "{}")), received(answer)}, law, charger);
  return joined(judgement.findings, " ", &Finding::requirement);
}

std::shared_ptr<corpus::Catalogue> catalogue_of(const std::string& tools) {
  auto catalogue = std::make_shared<corpus::Catalogue>();
  catalogue->lists["tools"] = std::move(*json::parse(tools).value);
  return catalogue;
}

std::string charged_with_tools_twice(const std::string& answer) {
  return charged_with(catalogue_of(R"([{"name":"a"},{"name":"a"}])"), answer);
}

TEST(McpRules, CursorThatIsRefusedIsChargedWhereItIsGiven) {
  auto found = catalogue_of(R"([{"name":"a"}])");
  const auto page = [&](const std::string& next) {
    return charged_with(
        found, R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}])" + next + "}}");
  };
  const std::string next = R"(,"nextCursor":"2")";
  EXPECT_EQ(page(next), "");
  found->refused_cursors["tools"] = {R"("3")", R"("2")"};
  EXPECT_EQ(page(next), "");
  // The first page gives another each time.
  found->refused_cursors["tools"] = {R"("3")"};
  EXPECT_EQ(page(next), "walk");
  found->refused_cursors["tools"] = {R"("2")", R"("1")"};
  EXPECT_EQ(page(next), "walk");
  EXPECT_EQ(page(""), "");
}

TEST(McpRules, ToolThatIsTwiceOnOnePageIsChargedOnce) {
  const auto page = [](const std::string& tools) {
    return charged_with_tools_twice(R"({"jsonrpc":"2.0","id":1,"result":{"tools":)" + tools + "}}");
  };
  EXPECT_EQ(page(R"([{"name":"a"},{"name":"a"}])"), "unique");
  EXPECT_EQ(page(R"([{"name":"a"}])"), "walk");
  EXPECT_EQ(charged_with_tools_twice(refused(-32002)), "");
}

}  // namespace mcp_rules_test
}  // namespace jrpcheck::judge
