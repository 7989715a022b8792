#include "judge/clients/uses.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "judge/clients/client_for_testing.hpp"

namespace jrpcheck::judge {
namespace client_uses_test {

using Lines = std::vector<std::string>;

class UsesOfClients : public testing::Test {
 protected:
  // In an open session; lines that begin with > are the client's.
  std::string charged(const Lines& lines, bool knows_all = true) const {
    ClientRules rules(law_for_testing());
    if (knows_all) rules.know_all_that_was_told();
    Lines all = {R"(>{"id":1,"method":"initialize","params":{"protocolVersion":")" + version_ +
                     R"(","capabilities":)" + client_ +
                     R"(,"clientInfo":{"name":"a","version":"1"}}})",
                 R"(<{"id":1,"result":{"protocolVersion":")" + version_ + R"(","capabilities":)" +
                     server_ + "}}",
                 R"(>{"method":"notifications/initialized"})"};
    all.insert(all.end(), lines.begin(), lines.end());
    hear_lines(rules, all);
    return charged_by(rules.take());
  }
  static Lines listed(const std::string& support) {
    return {R"(>{"id":2,"method":"tools/list"})",
            R"(<{"id":2,"result":{"tools":[{"name":"t","inputSchema":{})" +
                (support.empty() ? "" : R"(,"execution":{"taskSupport":")" + support + "\"}") +
                "}]}}"};
  }
  static Lines with(Lines lines, const std::string& more) {
    lines.push_back(more);
    return lines;
  }

  std::string version_ = "2025-11-25";
  std::string client_ = "{}";
  std::string server_ = R"({"tools":{},"resources":{},"logging":{}})";
  const std::string plain_ = R"(>{"id":3,"method":"tools/call","params":{"name":"t"}})";
  const std::string task_ =
      R"(>{"id":3,"method":"tools/call","params":{"name":"t","task":{"ttl":1}}})";
  const std::string has_tasks_ = R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}})";
};

TEST_F(UsesOfClients, LevelsAreOfTheEight) {
  const auto set = [](const std::string& level) {
    return Lines{R"(>{"id":2,"method":"logging/setLevel","params":{"level":)" + level + "}}"};
  };
  EXPECT_EQ(charged(set(R"("emergency")")), "");
  EXPECT_EQ(charged(set(R"("warn")")), "mcp-c-log-level");
  EXPECT_EQ(charged(set("3")), "mcp-c-log-level");
  server_ = "{}";
  EXPECT_EQ(charged(set(R"("info")")), "mcp-c-caps-server");
  version_ = "2025-03-26";
  EXPECT_EQ(charged(set(R"("info")")), "mcp-c-log-undeclared");
}

TEST_F(UsesOfClients, SubscriptionsAreDeclaredByThemselves) {
  const Lines subscribe = {
      R"(>{"id":2,"method":"resources/subscribe","params":{"uri":"file:///a"}})"};
  EXPECT_EQ(charged(subscribe), "mcp-c-caps-server");
  server_ = R"({"resources":{"subscribe":true}})";
  EXPECT_EQ(charged(subscribe), "");
  server_ = "{}";
  EXPECT_EQ(charged(subscribe), "mcp-c-caps-server") << "once";
}

TEST_F(UsesOfClients, ToolsAreTasksWhereTheServerHasThem) {
  EXPECT_EQ(charged({plain_}), "");
  EXPECT_EQ(charged({task_}), "mcp-c-tool-task-forbidden");
  server_ = has_tasks_;
  EXPECT_EQ(charged({task_}), "") << "nobody has said how the tool supports them";
}

TEST_F(UsesOfClients, ToolSaysWhetherItCanBeATask) {
  server_ = has_tasks_;
  EXPECT_EQ(charged(with(listed("optional"), task_)), "");
  EXPECT_EQ(charged(with(listed("optional"), plain_)), "");
  EXPECT_EQ(charged(with(listed("required"), task_)), "");
  EXPECT_EQ(charged(with(listed("required"), plain_)), "mcp-c-tool-task-required");
  EXPECT_EQ(charged(with(listed("forbidden"), task_)), "mcp-c-tool-task-forbidden");
  EXPECT_EQ(charged(with(listed(""), task_)), "mcp-c-tool-task-forbidden");
  EXPECT_EQ(charged(with(listed("required"), plain_), false), "")
      << "it may have been called before the list had come";
}

TEST_F(UsesOfClients, TasksAreOfOneVersion) {
  version_ = "2025-06-18";
  EXPECT_EQ(charged({task_}), "");
}

TEST_F(UsesOfClients, ArgumentsFitTheSchemaOfTheTool) {
  const auto listed = [](const std::string& schema) {
    return Lines{R"(>{"id":7,"method":"tools/list"})",
                 R"(<{"id":7,"result":{"tools":[{"name":"t","inputSchema":)" + schema + "}]}}"};
  };
  const auto called = [](const std::string& more) {
    return R"(>{"id":9,"method":"tools/call","params":{"name":"t")" + more + "}}";
  };
  const auto after = [](Lines lines, const std::string& call) {
    lines.push_back(call);
    return lines;
  };
  const Lines tool =
      listed(R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})");
  EXPECT_EQ(charged(after(tool, called(R"(,"arguments":{"a":"x"})"))), "");
  EXPECT_EQ(charged(after(tool, called(R"(,"arguments":{"a":1})"))), "mcp-c-tool-listed");
  EXPECT_EQ(charged(after(tool, called(""))), "mcp-c-tool-listed");
  EXPECT_EQ(charged(after(tool, called(R"(,"arguments":{"a":1})")), false), "")
      << "another may have told it of another tool";
  Lines twice = tool;
  twice.emplace_back(R"(>{"id":8,"method":"tools/list"})");
  twice.emplace_back(
      R"(<{"id":8,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}})");
  EXPECT_EQ(charged(after(twice, called(""))), "") << "which of the two holds is not known";
}

TEST_F(UsesOfClients, InitializeStandsAlone) {
  ClientRules rules(law_for_testing());
  const auto batch = json::parse(
      R"([{"id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}])");
  rules.hear(*batch.value);
  const auto findings = rules.take().findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().requirement, "mcp-c-batch-init");
}

TEST_F(UsesOfClients, PartOfACapabilityThatIsNotDeclaredIsRefused) {
  const auto answered = [](const std::string& ask, const std::string& answer) {
    return Lines{R"(<{"id":"s",)" + ask + "}", R"(>{"id":"s",)" + answer + "}"};
  };
  const std::string by_url = R"("method":"elicitation/create","params":{"mode":"url"})";
  const std::string form = R"("method":"elicitation/create","params":{"message":"a"})";
  const std::string accepts = R"("result":{"action":"accept"})";
  const std::string refuses = R"("error":{"code":-32602,"message":"no"})";
  client_ = R"({"elicitation":{},"sampling":{}})";
  EXPECT_EQ(charged(answered(by_url, accepts)), "mcp-c-elicit-mode-undeclared");
  EXPECT_EQ(charged(answered(by_url, R"("error":{"code":-32601,"message":"no"})")),
            "mcp-c-elicit-mode-undeclared");
  EXPECT_EQ(charged(answered(by_url, refuses)), "");
  EXPECT_EQ(charged(answered(form, accepts)), "");
  const std::string sample = R"("method":"sampling/createMessage","params":{"tools":[]})";
  const std::string sampled = R"("result":{"role":"assistant","model":"m","content":{}})";
  EXPECT_EQ(charged(answered(sample, sampled)), "mcp-c-sampling-tools");
  EXPECT_EQ(charged(answered(sample, R"("error":{"code":-1,"message":"no"})")), "");
  client_ = R"({"elicitation":{"url":{}},"sampling":{"tools":{}}})";
  EXPECT_EQ(charged(answered(by_url, accepts)), "");
  EXPECT_EQ(charged(answered(sample, sampled)), "");
}

}  // namespace client_uses_test
}  // namespace jrpcheck::judge
