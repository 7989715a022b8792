#include "judge/protocol.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "judge/rules/law.hpp"
#include "judge/rules/rule_for_testing.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace protocol_test {

using dialogue::Direction;
using dialogue::Event;

corpus::Corpus house() {
  corpus::Corpus corpus;
  corpus.schemas["s.json"] = R"({"requirement": "shape",
    "results": {"rooms": {"type": "object", "required": ["rooms"]}},
    "notifications": {"opened": {"type": "object", "required": ["room"]}}})";
  corpus.profile.name = "house";
  corpus.profile.schemas = "s.json";
  corpus.profile.rules = {{"own-ids-unique", "ids"}};
  return corpus;
}

Judgement judged(const std::vector<Event>& events, const std::string& request_members = "") {
  auto corpus = house();
  corpus.profile.request_members = request_members;
  return judged_by_rules(corpus, events);
}

Event sent(const std::string& text) { return {Direction::sent, {}, text + "\n"}; }
Event received(const std::string& text) { return {Direction::received, {}, text}; }
Event unasked(const std::string& text) { return {Direction::unasked, {}, text}; }

constexpr const char* kCall = R"({"jsonrpc":"2.0","id":7,"method":"rooms"})";

TEST(Protocol, AResultIsHeldAgainstTheSchemaOfItsCall) {
  EXPECT_TRUE(judged({sent(kCall), received(R"({"jsonrpc":"2.0","id":7,"result":{"rooms":[]}})")})
                  .findings.empty());
  const auto bad = judged({sent(kCall), received(R"({"jsonrpc":"2.0","id":7,"result":{}})")});
  ASSERT_EQ(bad.findings.size(), 1U);
  EXPECT_EQ(bad.findings[0].requirement, "shape");
  EXPECT_EQ(bad.findings[0].symptom, Symptom::schema_violated);
  EXPECT_EQ(bad.findings[0].place.pointer, "/result");
}

TEST(Protocol, OfAResultWhereAnErrorIsDueTheShapeIsNotChargedToo) {
  const auto law = law_of(house());
  ASSERT_TRUE(law) << law.error().message;
  const corpus::Ledger none;
  const auto charged_beside = [&](Symptom symptom) {
    Judgement judgement;
    Charger(none, judgement).charge("unknown", {symptom, "an error", "a result"});
    judge_by_law({sent(kCall), received(R"({"jsonrpc":"2.0","id":7,"result":{}})")}, **law, none,
                 judgement, false);
    EXPECT_EQ(judgement.findings.size() == 2, judgement.exercised.contains("shape"));
    return judgement.findings.size() - 1;
  };
  EXPECT_EQ(charged_beside(Symptom::call_succeeded), 0U);
  EXPECT_EQ(charged_beside(Symptom::wrong_result), 1U);
}

TEST(Protocol, WhatAnswersNoCallHasNoSchema) {
  EXPECT_TRUE(judged({received(R"({"jsonrpc":"2.0","id":7,"result":{}})")}).findings.empty());
}

TEST(Protocol, WhereAnAnswerHasTheIdOfNoCallNoneIsHeldAgainstTheSchemaOfACall) {
  const auto other = sent(R"({"jsonrpc":"2.0","id":6,"method":"other"})");
  const auto of_other = received(R"({"jsonrpc":"2.0","id":7,"result":1})");
  const auto own = R"({"jsonrpc":"2.0","id":8,"result":{"rooms":[]}})";
  EXPECT_EQ(judged({other, sent(kCall), of_other}).findings.size(), 1U);
  EXPECT_TRUE(judged({other, sent(kCall), of_other, received(own)}).findings.empty());
  EXPECT_EQ(judged({other, sent(kCall), of_other, unasked(own)}).findings.size(), 1U);
}

TEST(Protocol, AResultOfACallThatIsOfAnotherLawHasNoSchema) {
  const std::string members = R"({"key":1})";
  const auto bad = received(R"({"jsonrpc":"2.0","id":7,"result":{}})");
  const auto with = [](const std::string& params) {
    return sent(R"({"jsonrpc":"2.0","id":7,"method":"rooms","params":)" + params + "}");
  };
  EXPECT_TRUE(judged({sent(kCall), bad}, members).findings.empty());
  EXPECT_TRUE(judged({with("{\"a\":1}"), bad}, members).findings.empty());
  EXPECT_EQ(judged({with("{\"key\":2}"), bad}, members).findings.size(), 1U);
}

TEST(Protocol, ANotificationOfTheServersOwnIsJudged) {
  EXPECT_EQ(judged({unasked(R"({"jsonrpc":"2.0","method":"opened"})")}).findings.size(), 1U);
  EXPECT_EQ(judged({unasked(R"([{"jsonrpc":"2.0","method":"opened","params":{"room":1}},
                                {"jsonrpc":"2.0","method":"opened","params":{}}])")})
                .findings.size(),
            1U);
}

TEST(Protocol, TheHeadOfAFramingIsPassedOver) {
  Event call{Direction::sent, {}, "Content-Length: 41\r\n\r\n" + std::string(kCall)};
  EXPECT_EQ(judged({call, received(R"({"jsonrpc":"2.0","id":7,"result":{}})")}).findings.size(),
            1U);
}

TEST(Protocol, MessagesThatLeftInOneWriteAreReadOneByOne) {
  const std::string other = R"({"jsonrpc":"2.0","method":"note"})";
  const auto framed = [](const std::string& text) {
    return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
  };
  const auto bad = received(R"({"jsonrpc":"2.0","id":7,"result":{}})");
  EXPECT_EQ(judged({{Direction::sent, {}, framed(other) + framed(kCall)}, bad}).findings.size(),
            1U);
  EXPECT_EQ(judged({sent(other + "\n" + kCall), bad}).findings.size(), 1U);
  EXPECT_EQ(judged({sent("{\n\"id\":7,\n\"method\":\"rooms\"}"), bad}).findings.size(), 1U);
}

TEST(Protocol, ARuleReadsTheWholeConversation) {
  const std::string ask = R"({"jsonrpc":"2.0","id":1,"method":"who"})";
  const auto once = judged({unasked(ask)});
  EXPECT_TRUE(once.findings.empty());
  EXPECT_TRUE(once.exercised.contains("ids"));
  const auto twice = judged({unasked(ask), unasked(ask)});
  ASSERT_EQ(twice.findings.size(), 1U);
  EXPECT_EQ(twice.findings[0].requirement, "ids");
}

// MCP basic § _meta: 2025-06-18 gives mcp.dev/ and tools.mcp.com/ as examples, later versions
// com.mcp.tools/.
TEST(Protocol, WhichPrefixesOfMetaAreReservedDependsOnTheVersion) {
  const auto is_charged = [](const std::string& rule, const std::string& key) {
    auto corpus = house();
    corpus.profile.rules = {{rule, "reserved"}};
    Judgement judgement;
    const corpus::Ledger none;
    Charger charger(none, judgement);
    const auto law = law_of(corpus);
    EXPECT_TRUE(law) << law.error().message;
    judge_protocol(
        {unasked(R"({"jsonrpc":"2.0","method":"a","params":{"_meta":{")" + key + R"(":1}}})")},
        **law, charger);
    EXPECT_TRUE(judgement.exercised.contains("reserved"));
    return !judgement.findings.empty();
  };
  const std::string june = "meta-keys-reserved-before-the-last";
  const std::string later = "meta-keys-reserved";
  EXPECT_TRUE(is_charged(june, "mcp.dev/x"));
  EXPECT_FALSE(is_charged(later, "mcp.dev/x"));
  EXPECT_TRUE(is_charged(june, "api.tools.mcp.com/x"));
  EXPECT_FALSE(is_charged(later, "api.tools.mcp.com/x"));
  EXPECT_FALSE(is_charged(june, "com.mcp/x"));
  EXPECT_TRUE(is_charged(later, "com.mcp/x"));
  EXPECT_TRUE(is_charged(june, "com.mcp.tools/x"));
  EXPECT_TRUE(is_charged(later, "com.mcp.tools/x"));
  EXPECT_FALSE(is_charged(june, "com.example.mcp/x"));
}

// Who takes any version there is charged where it had to refuse one (mcp-st-version-unsupported).
TEST(Protocol, TheVersionInUseIsAmongThoseThatDiscoverNames) {
  const auto times = [](const std::string& asked, const std::string& named) {
    return times_broken(
        "discover-names-version",
        {sent(R"({"jsonrpc":"2.0","id":7,"method":"server/discover","params":{"_meta":)"
              R"({"io.modelcontextprotocol/protocolVersion":")" +
              asked + R"("}}})"),
         received(R"({"jsonrpc":"2.0","id":7,"result":{"supportedVersions":[")" + named +
                  R"("]}})")});
  };
  EXPECT_EQ(times("3", "3"), 0U);
  EXPECT_EQ(times("3", "2"), 1U);
  EXPECT_EQ(times("1999-01-01", "3"), 0U);
}

TEST(Protocol, ArgumentsThatBreakTheSchemaOfAToolMustBeRefused) {
  corpus::Corpus corpus = house();
  corpus.profile.rules = {{"arguments-are-validated", "validated"}};
  const auto made = law_of(corpus);
  ASSERT_TRUE(made) << made.error().message;
  Law law = **made;
  corpus::Catalogue catalogue;
  catalogue.lists["tools"] = *json::parse(R"([{"name": "add", "inputSchema": {"type": "object",
    "properties": {"a": {"type": "integer"}}, "required": ["a"]}}])")
                                  .value;
  law.catalogue = std::make_shared<const corpus::Catalogue>(std::move(catalogue));
  const auto charged = [&](const std::string& tool, const std::string& arguments,
                           const std::string& answer) {
    Judgement judgement;
    const corpus::Ledger none;
    Charger charger(none, judgement);
    judge_protocol({sent(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")" +
                         tool + R"(","arguments":)" + arguments + "}}"),
                    received(R"({"jsonrpc":"2.0","id":7,)" + answer + "}")},
                   law, charger);
    return judgement.findings.size();
  };
  const std::string served = R"("result":{"content":[]})";
  EXPECT_EQ(charged("add", "{}", served), 1U);
  EXPECT_EQ(charged("add", R"({"a":{}})", served), 1U);
  EXPECT_EQ(charged("add", R"({"a":1})", served), 0U);
  EXPECT_EQ(charged("add", R"({"a":"1"})", served), 0U) << "some read a text as a number";
  EXPECT_EQ(charged("other", "{}", served), 0U);
  EXPECT_EQ(charged("add", "{}", R"("result":{"content":[],"isError":true})"), 0U);
  EXPECT_EQ(charged("add", "{}", R"("result":{"task":{"taskId":"1"}})"), 0U);
  EXPECT_EQ(charged("add", "{}", R"("error":{"code":-32602,"message":"no"})"), 0U);
}

// MCP server/tools § Structured Content.
TEST(Protocol, StructuredContentIsSerializedInATextBlock) {
  auto corpus = house();
  corpus.profile.rules = {{"structured-content-as-text", "as-text"}};
  const auto law = law_of(corpus);
  ASSERT_TRUE(law) << law.error().message;
  const auto is_charged = [&](const std::string& content, const std::string& structured) {
    Judgement judgement;
    const corpus::Ledger none;
    Charger charger(none, judgement);
    judge_protocol({sent(R"({"jsonrpc":"2.0","id":7,"method":"tools/call"})"),
                    received(R"({"jsonrpc":"2.0","id":7,"result":{"content":)" + content +
                             R"(,"structuredContent":)" + structured + "}}")},
                   **law, charger);
    EXPECT_TRUE(judgement.exercised.contains("as-text"));
    return !judgement.findings.empty();
  };
  const std::string serialized =
      R"([{"type":"text","text":"It is"},{"type":"text","text":"{ \"a\": 1.0 }"}])";
  EXPECT_FALSE(is_charged(serialized, R"({"a":1})"));
  EXPECT_TRUE(is_charged(serialized, R"({"a":2})"));
  EXPECT_TRUE(is_charged(R"([{"type":"text","text":"done"}])", R"({"a":1})"));
  EXPECT_TRUE(is_charged("[]", R"({"a":1})"));
  EXPECT_FALSE(is_charged(R"([{"type":"text","text":"done"}])", R"({"result":"done"})"));
  EXPECT_TRUE(is_charged("[]", R"({"result":"done"})"));
}

TEST(Protocol, CodesAreNumbersInAnySpelling) {
  const auto answered_with = [](const std::string& code) {
    return std::vector<Event>{
        sent(kCall),
        received(R"({"jsonrpc":"2.0","id":7,"error":{"message":"No","code":)" + code + "}}")};
  };
  EXPECT_EQ(times_broken("eth-codes-of-groups", answered_with("-3.2e4")), 0U);
  EXPECT_EQ(times_broken("eth-codes-of-groups", answered_with("-5")), 1U);
  EXPECT_EQ(times_broken("lsp-codes-reserved", answered_with("-3.2805e4")), 1U);
  EXPECT_EQ(times_broken("lsp-codes-reserved", answered_with("-3.28e4")), 0U);
}

TEST(Protocol, ProgressIsComparedExactly) {
  const auto told = [](const std::string& one, const std::string& other) {
    const auto progress = [](const std::string& number) {
      return unasked(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                     R"("params":{"progressToken":"t","progress":)" +
                     number + "}}");
    };
    return times_broken("progress-increases", {sent(R"({"jsonrpc":"2.0","id":7,"method":"rooms",)"
                                                    R"("params":{"_meta":{"progressToken":"t"}}})"),
                                               progress(one), progress(other)});
  };
  EXPECT_EQ(told("9007199254740992", "9007199254740993"), 0U);
  EXPECT_EQ(told("1", "1.0"), 1U);
}

TEST(Protocol, NamesOfToolsAreStrings) {
  const auto listed = [](const std::string& tools) {
    return times_broken("tool-names-unique",
                        {sent(R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})"),
                         received(R"({"jsonrpc":"2.0","id":7,"result":{"tools":)" + tools + "}}")});
  };
  EXPECT_EQ(listed(R"([{"name":1},{"name":"1"},{"name":null},{"name":[]}])"), 0U);
  EXPECT_EQ(listed(R"([{"name":"1"},{"name":"1"}])"), 1U);
}

TEST(Protocol, MetaBelowANameWithoutEndIsLetBe) {
  const auto below = [](const std::string& name) {
    return times_broken("meta-keys", {unasked(R"({"jsonrpc":"2.0","method":"m","params":{")" +
                                              name + R"(":[{"_meta":{"a b":1}}]}})")});
  };
  EXPECT_EQ(below("data"), 1U);
  EXPECT_EQ(below(std::string(20'000, 'x')), 0U);
}

TEST(Protocol, ARuleThatNobodyWroteIsAnError) {
  auto corpus = house();
  corpus.profile.rules.push_back({"no-such-rule", "ids"});
  EXPECT_FALSE(law_of(corpus));
}

TEST(Protocol, EveryRuleHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const auto rows : all_rules()) {
    for (const auto& row : rows) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
}

}  // namespace protocol_test
}  // namespace jrpcheck::judge
