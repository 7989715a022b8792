#include "judge/clients/rules.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"
#include "json/parse.hpp"
#include "judge/clients/client_for_testing.hpp"

namespace jrpcheck::judge {
namespace client_rules_test {

class RulesOfClients : public testing::Test {
 protected:
  static std::string charged(const std::string& family, const std::vector<std::string>& lines) {
    ClientRules rules(law_for_testing(family));
    hear_lines(rules, lines);
    return charged_by(rules.take());
  }
};

const std::string kMcp =
    R"(>{"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"a","version":"1"}}})";
const std::string kMcpAnswer =
    R"(<{"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}})";
const std::string kReady = R"(>{"method":"notifications/initialized"})";
const std::string kTools = R"(>{"id":2,"method":"tools/list"})";

const std::string kLsp =
    R"(>{"id":1,"method":"initialize","params":{"processId":1,"rootUri":null,"capabilities":{"workspace":{"configuration":true}}}})";
const std::string kLspAnswer = R"(<{"id":1,"result":{"capabilities":{"hoverProvider":true}}})";
const std::string kLspReady = R"(>{"method":"initialized","params":{}})";

// A request of 2026-07-28, with more of its params and of its metadata.
std::string asked_stateless(int id, const std::string& method, const std::string& params,
                            const std::string& meta = "") {
  return R"(>{"id":)" + std::to_string(id) + R"(,"method":")" + method + R"(","params":{)" +
         params + (params.empty() ? "" : ",") +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{},)"
         R"("io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"})" +
         (meta.empty() ? "" : ",") + meta + "}}}";
}

TEST_F(RulesOfClients, UsualHandshakeOfMcpIsRight) {
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, kTools}), "");
  EXPECT_EQ(charged("mcp", {kMcp, R"(>{"id":9,"method":"ping"})", kMcpAnswer, kReady}), "");
  EXPECT_EQ(
      charged("mcp", {asked_stateless(0, "server/discover", ""), kMcp, kMcpAnswer, kReady, kTools}),
      "")
      << "whoever asks for the era first has a handshake then";
}

TEST_F(RulesOfClients, HandshakeOfMcpHasItsOrder) {
  EXPECT_EQ(charged("mcp", {kTools}), "mcp-c-init-first");
  EXPECT_EQ(
      charged(
          "mcp",
          {R"(>{"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}})"}),
      "mcp-c-init-first");
  EXPECT_EQ(charged("mcp", {kMcp, kTools}), "mcp-c-init-wait");
  EXPECT_EQ(charged("mcp", {kMcp, kReady}), "mcp-c-initialized");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kTools}), "mcp-c-initialized");
}

TEST_F(RulesOfClients, IdsOfMcpAreNewAndNeverNull) {
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, R"(>{"id":1,"method":"tools/list"})"}),
            "mcp-c-request-id-unique");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, R"(>{"id":null,"method":"tools/list"})"}),
            "mcp-c-request-id");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, R"(>{"id":1.5,"method":"tools/list"})"}),
            "mcp-c-request-id");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, R"(>{"id":3.0,"method":"tools/list"})"}), "");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, R"(>{"id":"1","method":"tools/list"})"}), "");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, kMcp, kMcpAnswer, kReady, kTools}), "")
      << "another session";
}

std::string of_version(std::string text, const std::string& version) {
  return text.replace(text.find("2025-11-25"), version.size(), version);
}

TEST_F(RulesOfClients, OnlyTheVersionThatWasAgreedOnIsAskedFor) {
  const std::string batch = R"(>[{"id":3,"method":"tools/list"}])";
  const std::string prompts = R"(>{"id":2,"method":"prompts/list"})";
  const auto in = [&](const std::string& version, const std::string& line) {
    return charged("mcp", {kMcp, of_version(kMcpAnswer, version), kReady, line});
  };
  EXPECT_EQ(in("2025-06-18", batch), "mcp-c-batch-none");
  EXPECT_EQ(in("2025-03-26", batch), "");
  EXPECT_EQ(charged("mcp", {of_version(kMcp, "2025-03-26"), batch}), "mcp-c-init-wait")
      << "what is asked for holds before the answer";
  const std::string cancel = R"(>{"method":"notifications/cancelled","params":{"requestId":3}})";
  EXPECT_EQ(charged("mcp", {kMcp, of_version(kMcpAnswer, "2025-03-26"),
                            R"(>[{"method":"notifications/initialized"},{"id":3,"method":"ping"}])",
                            kTools, cancel}),
            "")
      << "what is in a batch is said";
  EXPECT_EQ(charged("mcp", {R"(>[])"}), "") << "nobody knows the version";
  EXPECT_EQ(in("2025-06-18", prompts), "mcp-c-caps-server");
  EXPECT_EQ(in("2025-03-26", prompts), "");
  EXPECT_EQ(in("1900-01-01", kTools), "");
}

TEST_F(RulesOfClients, VersionWithoutHandshakeHasNone) {
  const auto meta = asked_stateless(1, "tools/list", "");
  EXPECT_EQ(charged("mcp", {meta, R"(<{"id":1,"result":{}})", meta}), "") << "no id is in flight";
  EXPECT_EQ(charged("mcp", {meta, R"(>[])"}), "mcp-c-batch-none");
  EXPECT_EQ(charged("mcp", {asked_stateless(1, "server/discover", ""), kMcp, kMcpAnswer, kTools}),
            "mcp-c-initialized")
      << "whoever falls back has a handshake";
}

TEST_F(RulesOfClients, WhatTheLedgerDoesNotHaveIsNotCharged) {
  const auto& corpus = corpus::corpus_for_testing("mcp-2025-03-26");
  ASSERT_EQ(corpus.ledger.find("mcp-c-batch-none"), nullptr);
  ClientRules rules(client_law_of(corpus));
  for (const auto& line : {kMcp, kMcpAnswer, kReady, std::string(">[]")}) {
    const auto value = json::parse(std::string_view(line).substr(1));
    line.front() == '>' ? rules.hear(*value.value) : rules.tell(*value.value);
  }
  const auto judgement = rules.take();
  EXPECT_TRUE(judgement.findings.empty());
  EXPECT_FALSE(judgement.exercised.contains("mcp-c-batch-none"));
}

TEST_F(RulesOfClients, IdsOfLspHaveTheirBoundsAndAreFreeWhenUsed) {
  const auto asks = [](const std::string& id) {
    return R"(>{"method":"textDocument/hover","params":{},"id":)" + id + "}";
  };
  const auto with = [&](std::vector<std::string> lines) {
    lines.insert(lines.begin(), {kLsp, kLspAnswer, kLspReady});
    return charged("lsp", lines);
  };
  EXPECT_EQ(with({asks("2147483647"), asks("-2147483648"), asks("7.0"), asks("\"a\"")}), "");
  EXPECT_EQ(with({asks("2147483648")}), "lsp-c-id");
  EXPECT_EQ(with({asks("7.5")}), "lsp-c-id");
  EXPECT_EQ(with({asks("7"), asks("7")}), "lsp-c-id");
  EXPECT_EQ(with({asks("7"), R"(<{"id":7,"result":null})", asks("7")}), "");
}

TEST_F(RulesOfClients, InitializedOfLspComesOnceAndBeforeAllElse) {
  const std::string open = R"(>{"method":"textDocument/didOpen","params":{}})";
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, kLspReady}), "lsp-c-initialized");
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, open, kLspReady}), "lsp-c-initialized");
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, open}), "");
}

TEST_F(RulesOfClients, WhoIsRefusedMayAskAgainOrLeave) {
  const std::string refusal =
      R"(<{"id":1,"error":{"code":-32603,"message":"no","data":{"retry":true}}})";
  const std::string exit = R"(>{"method":"exit"})";
  const std::string shutdown = R"(>{"id":2,"method":"shutdown"})";
  EXPECT_EQ(charged("lsp", {kLsp, refusal, kLsp, kLspAnswer, kLspReady, shutdown, exit}), "");
  EXPECT_EQ(charged("lsp", {kLsp, refusal, exit}), "");
  EXPECT_EQ(charged("lsp", {kLsp, refusal, shutdown, exit}), "");
  EXPECT_EQ(charged("lsp", {kLsp, exit}), "") << "it gives up";
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLsp}), "lsp-c-init-first");
  EXPECT_EQ(charged("lsp", {kLsp, refusal, kLsp, kLspAnswer, kLspReady, exit}),
            "lsp-c-shutdown-exit");
  EXPECT_EQ(charged("mcp", {kMcp, refusal, kMcp, kMcpAnswer, kReady, kTools}), "");
}

TEST_F(RulesOfClients, OnlyWhatWasDeclaredIsUsed) {
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, R"(>{"id":2,"method":"prompts/list"})"}),
            "mcp-c-caps-server");
  const std::string roots = R"(<{"id":"r","method":"roots/list"})";
  const std::string no = R"(>{"id":"r","error":{"code":-32601,"message":"no"}})";
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, roots, no}), "mcp-c-caps-kept");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, roots,
                            R"(>{"id":"r","result":{"roots":[{"uri":"file:///a"}]}})"}),
            "");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, roots,
                            R"(>{"id":"r","result":{"roots":[{"uri":"/a"}]}})"}),
            "mcp-c-roots-shape");
  const std::string sample = R"(<{"id":"r","method":"sampling/createMessage"})";
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, sample, no}), "");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, sample, R"(>{"id":"r","result":{}})"}),
            "mcp-c-caps-undeclared");
}

TEST_F(RulesOfClients, OwnRequestsAreCancelledAndNoOthers) {
  const std::string cancel = R"(>{"method":"notifications/cancelled","params":{"requestId":2}})";
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, kTools, cancel}), "");
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, kTools, R"(<{"id":2,"result":{}})", cancel}),
            "")
      << "they have crossed";
  EXPECT_EQ(charged("mcp", {kMcp, kMcpAnswer, kReady, cancel}), "mcp-c-cancel-own");
  EXPECT_EQ(
      charged("mcp", {kMcp, R"(>{"method":"notifications/cancelled","params":{"requestId":1}})"}),
      "mcp-c-init-not-cancelled");
}

TEST_F(RulesOfClients, HeadsOfHttpAreThoseOfTheSession) {
  ClientRules rules(law_for_testing("mcp"));
  const auto say = [&](const std::string& line, const wire::HttpFields& fields) {
    const auto value = json::parse(std::string_view(line).substr(1));
    rules.hear(*value.value, &fields);
    std::string text;
    for (const auto& each : rules.take().findings) {
      text += (text.empty() ? "" : " ") + each.requirement;
    }
    return text;
  };
  const std::pair<std::string, std::string> accept = {"accept",
                                                      "application/json, text/event-stream"};
  EXPECT_EQ(say(kMcp, {accept}), "");
  const auto answer = json::parse(std::string_view(kMcpAnswer).substr(1));
  rules.tell(*answer.value);
  rules.begin_session("s1");
  EXPECT_EQ(say(kReady, {accept, {"Mcp-Session-Id", "s1"}, {"MCP-Protocol-Version", "2025-11-25"}}),
            "");
  EXPECT_EQ(say(kTools, {accept}), "mcp-c-http-session mcp-c-http-version");
  EXPECT_EQ(
      say(R"(>{"id":3,"method":"tools/list"})",
          {{"Accept", "*/*"}, {"Mcp-Session-Id", "s1"}, {"MCP-Protocol-Version", "2025-03-26"}}),
      "mcp-c-http-accept mcp-c-http-version-value");
  rules.forget_session();
  EXPECT_EQ(say(kMcp, {accept, {"Mcp-Session-Id", "s1"}}), "mcp-c-http-session-404");
}

TEST_F(RulesOfClients, LifecycleOfLspHasItsOrder) {
  const std::string shutdown = R"(>{"id":2,"method":"shutdown"})";
  const std::string exit = R"(>{"method":"exit"})";
  const std::string hover = R"(>{"id":3,"method":"textDocument/hover","params":{}})";
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, hover, shutdown, exit}), "");
  const auto shutdown_with = [](const std::string& params) {
    return R"(>{"id":2,"method":"shutdown","params":)" + params + "}";
  };
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, shutdown_with("{}"), exit}),
            "lsp-c-shutdown-params");
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, shutdown_with("null"), exit}), "")
      << "which cl-req-params says";
  EXPECT_EQ(charged("lsp", {exit}), "") << "whoever has not begun may leave";
  EXPECT_EQ(charged("lsp", {hover}), "lsp-c-init-first");
  EXPECT_EQ(charged("lsp", {kLsp, hover}), "lsp-c-init-wait");
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, hover}), "lsp-c-initialized");
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, exit}), "lsp-c-shutdown-exit");
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, shutdown, hover, exit}),
            "lsp-c-shutdown-exit");
  EXPECT_EQ(charged("lsp", {R"(>{"id":1,"method":"initialize","params":{"capabilities":{}}})"}),
            "lsp-c-init-capabilities lsp-c-init-capabilities");
}

TEST_F(RulesOfClients, OfLspOnlyWhatWasDeclaredIsAskedFor) {
  const std::string rename = R"(>{"id":3,"method":"textDocument/rename","params":{}})";
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, rename}), "lsp-c-provider-undeclared");
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady,
                            R"(<{"id":"r","method":"client/registerCapability"})", rename}),
            "");
  const std::string ask = R"(<{"id":"c","method":"workspace/configuration"})";
  EXPECT_EQ(charged("lsp", {kLsp, kLspAnswer, kLspReady, ask,
                            R"(>{"id":"c","error":{"code":-32601,"message":"no"}})"}),
            "lsp-c-capability-kept");
  ClientRules rules(law_for_testing("lsp"));
  rules.hear_unframed("{}", "no head");
  EXPECT_EQ(rules.take().findings.at(0).requirement, "lsp-c-header");
}

TEST_F(RulesOfClients, ParamsFitTheSchemaOfTheVersion) {
  const auto after_opening = [](const std::string& line) {
    return charged("mcp", {kMcp, kMcpAnswer, kReady, line});
  };
  EXPECT_EQ(after_opening(R"(>{"id":2,"method":"tools/call","params":{"name":"a"}})"), "");
  EXPECT_EQ(after_opening(R"(>{"id":2,"method":"tools/call","params":{"name":7}})"),
            "mcp-c-schema");
  EXPECT_EQ(after_opening(R"(>{"id":2,"method":"tools/call"})"), "mcp-c-schema");
  EXPECT_EQ(after_opening(R"(>{"id":2,"method":"tools/list","params":{"cursor":null}})"),
            "mcp-c-schema");
  EXPECT_EQ(after_opening(R"(>{"id":2,"method":"tools/list","params":{"_meta":7}})"),
            "mcp-c-schema");
  EXPECT_EQ(after_opening(R"(>{"id":2,"method":"x/own","params":{"name":7}})"), "")
      << "what no version has, none has a schema for";
  EXPECT_EQ(
      after_opening(
          R"(>{"method":"notifications/progress","params":{"progressToken":1,"progress":"half"}})"),
      "mcp-c-schema");
}

class MemoryOfRules : public testing::Test {
 protected:
  ClientRules rules_{law_for_testing("mcp")};

  // By how many bytes more is kept.
  std::size_t added_by(const std::vector<std::string>& lines) {
    const std::size_t before = rules_.kept();
    hear_lines(rules_, lines);
    const std::size_t after = rules_.kept();
    return after < before ? 0 : after - before;
  }
};

TEST_F(MemoryOfRules, WhatOthersMakeLargeIsCounted) {
  const std::string large(100'000, 'x');
  EXPECT_GE(
      added_by(
          {R"(>{"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"a":")" +
           large + R"("},"clientInfo":{"name":"a","version":"1"}}})"}),
      large.size());
  EXPECT_GE(added_by({R"(<{"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"a":")" +
                      large + "\"}}}"}),
            large.size());
  EXPECT_GE(added_by({R"(<{"id":7,"method":"tasks/get","params":{"taskId":")" + large + "\"}}"}),
            large.size());
  EXPECT_GE(
      added_by({R"(<{"id":8,"method":"elicitation/create","params":{"requestedSchema":{"a":")" +
                large.substr(0, 10'000) + "\"}}}"}),
      10'000U);
}

TEST_F(MemoryOfRules, CallsThatAreAnsweredAreKeptOnceAndNotForEver) {
  hear_lines(rules_, {kMcp, kMcpAnswer, kReady});
  constexpr std::size_t kMany = 20'000;
  std::size_t in_the_middle = 0;
  for (std::size_t i = 2; i < kMany; ++i) {
    if (i == kMany / 2) in_the_middle = rules_.kept();
    const auto id = std::to_string(i);
    hear_lines(rules_, {R"(>{"id":)" + id + R"(,"method":"ping"})",
                        R"(<{"id":)" + id + R"(,"result":{}})"});
  }
  EXPECT_LE(in_the_middle, kMany / 2 * 100);
  EXPECT_LE(rules_.kept(), in_the_middle + 10'000);
}

TEST_F(MemoryOfRules, BatchIsChargedWithEachRuleThatItBreaksHoweverLongItIs) {
  std::string batch = ">[";
  for (int i = 0; i < 3000; ++i) batch += R"({"method":"initialize"},)";
  hear_lines(rules_, {batch + R"({"id":1.5,"method":"x"}])"});
  const auto judgement = rules_.take();
  EXPECT_LE(judgement.findings.size(), 1010U);
  EXPECT_NE(charged_by(judgement).find("mcp-c-request-id"), std::string::npos);
}

TEST_F(MemoryOfRules, NothingIsKeptThatIsReadOnlyWhereAllIsKnown) {
  hear_lines(rules_, {kMcp, kMcpAnswer, kReady, kTools});
  EXPECT_LT(
      added_by({R"(<{"id":2,"result":{"tools":[{"name":")" + std::string(10'000, 'x') +
                R"(","inputSchema":{}}],"nextCursor":")" + std::string(10'000, 'y') + "\"}}"}),
      1000U);
}

TEST_F(RulesOfClients, SchemaIsThatOfTheVersionThatWasAgreedOn) {
  const std::string context =
      R"(>{"id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"a","value":""},"context":7}})";
  const auto with = [&](const std::string& version) {
    const std::string answer = R"(<{"id":1,"result":{"protocolVersion":")" + version +
                               R"(","capabilities":{"completions":{}}}})";
    return charged("mcp", {kMcp, answer, kReady, context});
  };
  EXPECT_EQ(with("2025-03-26"), "") << "which has no context";
  EXPECT_EQ(with("2025-06-18"), "mcp-c-schema");
}

}  // namespace client_rules_test
}  // namespace jrpcheck::judge
