#include "judge/clients/answers.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "judge/clients/client_for_testing.hpp"

namespace jrpcheck::judge {
namespace client_answers_test {

class AnswersOfClients : public testing::Test {
 protected:
  // In an open session of a client that can do all of it, the server's own request and the answer.
  struct Turn {
    std::string asked;
    std::string answered;
  };

  static std::string charged(const std::vector<Turn>& turns, bool knows_all = true) {
    ClientRules rules(law_for_testing());
    if (knows_all) rules.know_all_that_was_told();
    const auto parsed = [](const std::string& text) {
      auto value = json::parse(text);
      EXPECT_TRUE(value) << text;
      return *std::move(value.value);
    };
    rules.hear(parsed(
        R"({"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}},"clientInfo":{"name":"a","version":"1"}}})"));
    rules.tell(parsed(R"({"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})"));
    rules.hear(parsed(R"({"method":"notifications/initialized"})"));
    int id = 0;
    for (const auto& [asked, answered] : turns) {
      const std::string own = R"({"id":"s)" + std::to_string(++id) + "\",";
      rules.tell(parsed(own + asked + "}"));
      rules.hear(parsed(own + answered + "}"));
    }
    return charged_by(rules.take());
  }
  static std::string elicit(const std::string& more) {
    return R"("method":"elicitation/create","params":{"message":"a")" + more + "}";
  }
  static std::string accept(const std::string& content) {
    return R"("result":{"action":"accept","content":)" + content + "}";
  }
  static std::string sample(const std::string& messages) {
    return R"("method":"sampling/createMessage","params":{"maxTokens":1,"messages":)" + messages +
           "}";
  }

  const std::string schema_ =
      R"(,"requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})";
  const std::string refusal_ = R"("error":{"code":-32602,"message":"no"})";
  const std::string sampled_ =
      R"("result":{"role":"assistant","model":"m","content":{"type":"text","text":"a"}})";
  const std::string text_ = R"({"role":"user","content":{"type":"text","text":"a"}})";
  const std::string use_ =
      R"({"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]})";
  const std::string result_ =
      R"({"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[]}]})";
};

TEST_F(AnswersOfClients, ContentFitsTheSchemaThatWasAskedFor) {
  EXPECT_EQ(charged({{elicit(schema_), accept(R"({"n":1})")}}), "");
  EXPECT_EQ(charged({{elicit(schema_), accept(R"({"n":"1"})")}}), "mcp-c-elicit-content");
  EXPECT_EQ(charged({{elicit(schema_), R"("result":{"action":"accept"})"}}),
            "mcp-c-elicit-content");
  EXPECT_EQ(charged({{elicit(schema_), R"("result":{"action":"decline"})"}}), "");
  EXPECT_EQ(charged({{elicit(schema_), refusal_}}), "");
  EXPECT_EQ(charged({{elicit(R"(,"requestedSchema":{"$ref":"#/nowhere"})"), accept("{}")}}), "");
}

TEST_F(AnswersOfClients, PingIsAnsweredByAnObjectAndAnythingElseIsOneFault) {
  const std::string ping = R"("method":"ping")";
  EXPECT_EQ(charged({{ping, R"("result":{})"}}), "");
  EXPECT_EQ(charged({{ping, R"("result":null)"}}), "mcp-c-result-object");
  EXPECT_EQ(charged({{ping, R"("error":{"code":-32601,"message":"no"})"}}), "mcp-c-ping");
}

TEST_F(AnswersOfClients, FormIsServedWithItsModeAndWithout) {
  const std::string with_mode = elicit(schema_ + R"(,"mode":"form")");
  const std::string declined = R"("result":{"action":"decline"})";
  EXPECT_EQ(charged({{with_mode, declined}, {elicit(schema_), declined}}), "");
  EXPECT_EQ(charged({{with_mode, declined}, {elicit(schema_), refusal_}}),
            "mcp-c-elicit-mode-absent");
  EXPECT_EQ(charged({{with_mode, refusal_}, {elicit(schema_), refusal_}}), "")
      << "it refuses forms for a reason of its own";
  EXPECT_EQ(charged({{with_mode, declined}, {elicit(schema_), refusal_}}, false), "")
      << "what passes by may be two questions";
}

TEST_F(AnswersOfClients, SampleOfMixedResultsIsRefused) {
  const auto of = [](const std::vector<std::string>& messages) {
    std::string list;
    for (const auto& each : messages) list += (list.empty() ? "" : ",") + each;
    return sample("[" + list + "]");
  };
  const std::string mixed =
      R"({"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[]},{"type":"text","text":"a"}]})";
  const std::string of_other =
      R"({"role":"user","content":[{"type":"tool_result","toolUseId":"2","content":[]}]})";
  EXPECT_EQ(charged({{of({text_}), sampled_}}), "");
  EXPECT_EQ(charged({{of({text_, use_, result_}), sampled_}}), "");
  EXPECT_EQ(charged({{of({text_, use_, mixed}), sampled_}}), "mcp-c-sampling-mixed");
  EXPECT_EQ(charged({{of({text_, use_, mixed}), refusal_}}), "");
  EXPECT_EQ(charged({{of({text_, use_, text_}), sampled_}}), "mcp-c-sampling-mixed");
  EXPECT_EQ(charged({{of({text_, use_, of_other}), sampled_}}), "mcp-c-sampling-mixed");
  EXPECT_EQ(charged({{of({text_, use_}), sampled_}}), "mcp-c-sampling-mixed");
}

}  // namespace client_answers_test
}  // namespace jrpcheck::judge
