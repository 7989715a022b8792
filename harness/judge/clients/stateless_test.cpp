#include "judge/clients/stateless.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "judge/clients/client_for_testing.hpp"
#include "judge/meta_keys.hpp"

namespace jrpcheck::judge {
namespace client_stateless_test {

using Line = std::pair<std::string, wire::HttpFields>;

// What is asked over HTTP, or with no fields on a stream; lines that begin with < are the server's.
std::string charged(const std::vector<Line>& lines, bool knows_all = false,
                    bool over_http = false) {
  ClientRules rules(law_for_testing());
  if (knows_all) rules.know_all_that_was_told();
  for (const auto& [line, fields] : lines) {
    const auto value = json::parse(std::string_view(line).substr(line.front() == '<' ? 1 : 0));
    EXPECT_TRUE(value) << line;
    if (line.front() == '<') {
      rules.tell(*value.value);
    } else {
      rules.hear(*value.value, over_http ? &fields : nullptr);
    }
  }
  return charged_by(rules.take());
}

const std::string kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}})";

std::string asked(const std::string& id, const std::string& method,
                  const std::string& params = "") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + params +
         (params.empty() ? "" : ",") + kMeta + "}}";
}

wire::HttpFields head(const std::string& method, wire::HttpFields more = {}) {
  wire::HttpFields all = {{"Accept", "application/json, text/event-stream"},
                          {"MCP-Protocol-Version", "2026-07-28"},
                          {"Mcp-Method", method}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(StatelessClients, EachRequestSaysAllOfIt) {
  EXPECT_EQ(charged({{asked("1", "tools/list"), {}}}), "");
  EXPECT_EQ(charged({{asked("1", "tools/list"), {}}, {R"({"id":2,"method":"tools/list"})", {}}}),
            "mcp-c-st-meta mcp-c-st-clientinfo");
  EXPECT_EQ(
      charged(
          {{R"({"id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":5}}})",
            {}}}),
      "mcp-c-st-meta mcp-c-st-clientinfo");
  EXPECT_EQ(charged({{asked("1", "tools/list"), {}}, {R"({"id":9,"result":{}})", {}}}),
            "mcp-c-st-no-response");
}

TEST(StatelessClients, OneConnectionMaySpeakBothEras) {
  const std::string open =
      R"({"id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}})";
  const std::string answer =
      R"(<{"id":7,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}})";
  EXPECT_EQ(charged({{open, {}},
                     {answer, {}},
                     {R"({"method":"notifications/initialized"})", {}},
                     {asked("8", "tools/list"), {}},
                     {R"({"id":9,"method":"tools/list"})", {}},
                     {R"({"id":"s","result":{}})", {}}}),
            "");
  EXPECT_EQ(charged({{open, {}},
                     {answer, {}},
                     {R"({"id":9,"method":"tools/list"})", {}},
                     {asked("10", "tools/list"), {}}}),
            "mcp-c-initialized");
}

TEST(StatelessClients, IdsAreFreeOnStreamsAndNobodysOverHttp) {
  const auto twice = asked("1", "tools/list");
  EXPECT_EQ(charged({{twice, {}}, {twice, {}}}), "mcp-c-request-id-free");
  EXPECT_EQ(charged({{twice, {}}, {R"(<{"id":1,"result":{}})", {}}, {twice, {}}}), "");
  const std::string cancel = R"({"method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(charged({{twice, {}}, {cancel, {}}, {twice, {}}}), "");
  EXPECT_EQ(charged({{asked("2", "tools/list"), {}}, {cancel, {}}}), "mcp-c-cancel-own");
  EXPECT_EQ(charged({{twice, head("tools/list")}, {twice, head("tools/list")}, {cancel, {}}}, false,
                    true),
            "mcp-c-http-accept")
      << "of the cancellation, which has no head";
}

TEST(StatelessClients, HeadsSayWhatTheBodySays) {
  const auto over_http = [](const std::string& body, const wire::HttpFields& fields) {
    return charged({{body, fields}}, false, true);
  };
  const auto call = [](const std::string& name) {
    return asked("1", "tools/call", R"("name":")" + name + "\"");
  };
  EXPECT_EQ(over_http(call("echo"), head("tools/call", {{"mcp-name", "echo"}})), "");
  EXPECT_EQ(over_http(call("echo"), head("tools/call", {{"Mcp-Name", "=?base64?ZWNobw==?="}})), "");
  EXPECT_EQ(over_http(call("echo"), head("tools/call")), "mcp-c-hdr-name");
  EXPECT_EQ(over_http(call("echo"), head("tools/list", {{"Mcp-Name", "echo"}})),
            "mcp-c-hdr-method");
  EXPECT_EQ(over_http(call("\xc3\xa9"), head("tools/call", {{"Mcp-Name", "=?base64?w6k=?="}})), "");
  EXPECT_EQ(over_http(call("\xc3\xa9"), head("tools/call", {{"Mcp-Name", "\xc3\xa9"}})),
            "mcp-c-hdr-encode");
  EXPECT_EQ(over_http(call(" a"), head("tools/call", {{"Mcp-Name", "a"}})), "mcp-c-hdr-encode");
  EXPECT_EQ(
      over_http(call("=?base64?w6k=?="), head("tools/call", {{"Mcp-Name", "=?base64?w6k=?="}})),
      "mcp-c-hdr-encode");
  auto old = head("tools/list");
  old[1].second = "2025-11-25";
  EXPECT_EQ(over_http(asked("1", "tools/list"), old), "mcp-c-hdr-version");
  EXPECT_EQ(over_http(asked("1", "resources/read", R"("uri":"file:///a")"),
                      head("resources/read", {{"Mcp-Name", "file:///a"}})),
            "");
}

std::string tools_with(const std::string& properties) {
  return R"(<{"id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{)" +
         properties + "}}}]}}";
}

std::string charged_for_call(const std::string& properties, const std::string& arguments,
                             wire::HttpFields fields) {
  fields.emplace_back("Mcp-Name", "t");
  return charged({{asked("1", "tools/list"), head("tools/list")},
                  {tools_with(properties), {}},
                  {asked("2", "tools/call", R"("name":"t","arguments":{)" + arguments + "}"),
                   head("tools/call", fields)}},
                 true, true);
}

TEST(StatelessClients, ArgumentsAreMirroredAsTheToolSays) {
  const std::string text = R"("a":{"type":"string","x-mcp-header":"A"})";
  const std::string number = R"("n":{"type":"integer","x-mcp-header":"N"})";
  EXPECT_EQ(charged_for_call(text, R"("a":"b")", {{"mcp-param-a", "b"}}), "");
  EXPECT_EQ(charged_for_call(text, R"("a":"b")", {}), "mcp-c-hdr-param");
  EXPECT_EQ(charged_for_call(text, "", {}), "");
  EXPECT_EQ(charged_for_call(text, R"("a":null)", {{"Mcp-Param-A", "null"}}),
            "mcp-c-hdr-param mcp-c-tool-listed");
  EXPECT_EQ(charged_for_call(text, R"("a":"b")", {{"Mcp-Param-A", "c"}}), "mcp-c-hdr-param-types");
  EXPECT_EQ(charged_for_call(number, R"("n":42)", {{"Mcp-Param-N", "42"}}), "");
  EXPECT_EQ(charged_for_call(number, R"("n":42.0)", {{"Mcp-Param-N", "42"}}), "");
  EXPECT_EQ(charged_for_call(number, R"("n":42)", {{"Mcp-Param-N", "42.0"}}),
            "mcp-c-hdr-param-types");
  const std::string nested =
      R"("o":{"type":"object","properties":{"b":{"type":"boolean","x-mcp-header":"B"}}})";
  EXPECT_EQ(charged_for_call(nested, R"("o":{"b":true})", {{"Mcp-Param-B", "true"}}), "");
  EXPECT_EQ(charged_for_call(nested, R"("o":{"b":true})", {{"Mcp-Param-B", "True"}}),
            "mcp-c-hdr-param-types");
}

TEST(StatelessClients, AnnotationsThatAreInvalidAskForNothing) {
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [properties, argument] :
       {Pair(R"("a":{"type":"number","x-mcp-header":"A"})", "1.5"),
        Pair(R"("a":{"type":"string","x-mcp-header":"a b"})", R"("b")"),
        Pair(R"("a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"})",
             R"("b")"),
        Pair(R"("a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}})", R"(["b"])")}) {
    EXPECT_EQ(charged_for_call(properties, "\"a\":" + argument, {}), "") << properties;
  }
}

const std::string kWanted =
    R"(<{"id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"roots/list"}}}})";
const std::string kRoots = R"("inputResponses":{"k":{"roots":[{"uri":"file:///"}]}})";

std::string charged_for_retry(const std::string& wanted, const std::string& retry, bool knows_all) {
  return charged({{asked("1", "tools/call", R"("name":"t")"), {}}, {wanted, {}}, {retry, {}}},
                 knows_all);
}

TEST(StatelessClients, RequestsAreRepeatedWithWhatWasWanted) {
  const auto retry = [](const std::string& id, const std::string& more) {
    return asked(id, "tools/call", R"("name":"t",)" + more);
  };
  EXPECT_EQ(charged_for_retry(kWanted, retry("2", R"("requestState":"s",)" + kRoots), true), "");
  EXPECT_EQ(charged_for_retry(kWanted, retry("1", R"("requestState":"s",)" + kRoots), true),
            "mcp-c-mrtr-id");
  EXPECT_EQ(charged_for_retry(kWanted, retry("2", R"("requestState":"s")"), true),
            "mcp-c-mrtr-answer");
  EXPECT_EQ(charged_for_retry(kWanted, retry("2", R"("requestState":"x",)" + kRoots), true),
            "mcp-c-mrtr-state");
  EXPECT_EQ(charged_for_retry(kWanted, retry("2", kRoots), true), "mcp-c-mrtr-state");
  EXPECT_EQ(charged_for_retry(kWanted, retry("2", R"("requestState":"x",)" + kRoots), false), "")
      << "it may be of a server that was there before";
  EXPECT_EQ(charged_for_retry(kWanted, asked("2", "prompts/list", R"("requestState":"s")"), false),
            "mcp-c-mrtr-scope");
  EXPECT_EQ(charged_for_retry(
                kWanted,
                retry("2", R"("requestState":"s","inputResponses":{"k":{"roots":[{"uri":"/"}]}})"),
                false),
            "mcp-c-roots-shape");
}

TEST(StatelessClients, OneStateForTwoRequestsTellsNothing) {
  EXPECT_EQ(charged({{asked("1", "tools/call", R"("name":"t")"), {}},
                     {kWanted, {}},
                     {asked("1", "tools/call", R"("name":"u")"), {}},
                     {kWanted, {}},
                     {asked("1", "prompts/get", R"("name":"t","requestState":"s")"), {}}}),
            "");
}

TEST(StatelessClients, PathsThatAreLongAndManyAreNotKept) {
  const std::string name(1500, 'x');
  std::string properties;
  for (int i = 0; i < 300; ++i) {
    properties += std::string(i == 0 ? "" : ",") + "\"a" + std::to_string(i) +
                  R"(":{"type":"string","x-mcp-header":"H)" + std::to_string(i) + "\"}";
  }
  std::string opening;
  std::string closing;
  for (int depth = 1; depth <= 3; ++depth) {
    opening.append("\"").append(name).append(R"(":{"properties":{)");
    closing += "}}";
    std::string told = R"(<{"id":1,"result":{"tools":[{"name":"t","inputSchema":{"properties":{)";
    told.append(opening).append(properties).append(closing).append("}}}]}}");
    ClientRules rules(law_for_testing());
    hear_lines(rules, {">" + asked("1", "tools/list"), told});
    EXPECT_LT(rules.kept(), 500'000U);
    const auto fields = head("tools/call", {{"Mcp-Name", "t"}, {"Mcp-Param-H1", "a"}});
    const auto call = json::parse(asked("2", "tools/call", R"("name":"t","arguments":{})"));
    rules.hear(*call.value, &fields);
    EXPECT_EQ(charged_by(rules.take()), "");
  }
}

TEST(StatelessClients, CursorsGoBackAsTheyCame) {
  const auto ask = [](const std::string& cursor, bool knows_all) {
    return charged({{asked("1", "tools/list"), {}},
                    {R"(<{"id":1,"result":{"tools":[],"nextCursor":"c"}})", {}},
                    {asked("2", "tools/list", R"("cursor":)" + cursor), {}}},
                   knows_all);
  };
  EXPECT_EQ(ask("\"c\"", true), "");
  EXPECT_EQ(ask("\"d\"", true), "mcp-c-page-opaque");
  EXPECT_EQ(ask("\"d\"", false), "");
}

TEST(ClientMetadata, KeysHaveAGrammar) {
  for (const char* key :
       {"a", "a_b.c-d", "com.example/", "com.example/a", "x-1/9", "progressToken", ""}) {
    EXPECT_TRUE(is_metadata_key(key)) << key;
  }
  for (const char* key : {"-a", "a-", "a b", "1x/a", "x-/a", "/a", "a//b", "com..x/a", "a/b/c"}) {
    EXPECT_FALSE(is_metadata_key(key)) << key;
  }
}

TEST(ClientMetadata, PrefixesOfMcpAreReserved) {
  for (const char* key : {"com.mcp.tools/x", "dev.mcp/x", "io.modelcontextprotocol/zork"}) {
    EXPECT_TRUE(is_reserved_metadata_key(key)) << key;
  }
  for (const char* key : {"com.example.mcp/x", "mcp.dev/x", "mcp/x", "com.mcp",
                          "io.modelcontextprotocol/related-task"}) {
    EXPECT_FALSE(is_reserved_metadata_key(key)) << key;
  }
  EXPECT_TRUE(is_reserved_metadata_key_before_the_last("mcp.dev/x"));
  EXPECT_TRUE(is_reserved_metadata_key_before_the_last("tools.mcp.com/x"));
  EXPECT_FALSE(is_reserved_metadata_key_before_the_last("dev.mcp/x"));
  EXPECT_FALSE(is_reserved_metadata_key_before_the_last("io.modelcontextprotocol/related-task"));
  const auto with = [](const std::string& key) {
    auto text = asked("1", "tools/list");
    return text.replace(text.find("\"_meta\":{"), 9, "\"_meta\":{\"" + key + "\":1,");
  };
  EXPECT_EQ(charged({{with("com.example/x"), {}}}), "");
  EXPECT_EQ(charged({{with("com.mcp.tools/x"), {}}}), "mcp-c-meta-key-format");
}

TEST(ClientMetadata, TokensAreThoseOfOneOpenRequest) {
  const auto with = [](const std::string& id, const std::string& token) {
    auto text = asked(id, "tools/list");
    return text.replace(text.find("\"_meta\":{"), 9, R"("_meta":{"progressToken":)" + token + ",");
  };
  EXPECT_EQ(charged({{with("1", "1"), {}}, {with("2", "2"), {}}, {with("3", "\"1\""), {}}}), "");
  EXPECT_EQ(charged({{with("1", "1"), {}}, {with("2", "1"), {}}}), "mcp-c-prog-token");
  EXPECT_EQ(charged({{with("1", "1"), {}}, {R"(<{"id":1,"result":{}})", {}}, {with("2", "1"), {}}}),
            "");
  EXPECT_EQ(charged({{with("1", "1.5"), {}}}), "mcp-c-prog-token");
}

}  // namespace client_stateless_test
}  // namespace jrpcheck::judge
