// Rules of the Language Server Protocol: whom they are about.
#include <gtest/gtest.h>

#include "judge/rules/rule_for_testing.hpp"

namespace jrpcheck::judge {
namespace lsp_rules_test {

using dialogue::Direction;
using dialogue::Event;

Event said(Direction direction, const std::string& text) { return {direction, {}, text}; }

/// Whether the rule is broken by who declares this in initialize and then registers that method,
/// for these documents.
bool registers_twice(const std::string& capabilities, const std::string& method,
                     const std::string& options = "{}") {
  const std::string registration =
      R"({"id":"r","method":")" + method + R"(","registerOptions":)" + options + "}";
  return times_broken(
             "lsp-registers-once",
             {said(Direction::sent,
                   R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"),
              said(Direction::received,
                   R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":)" + capabilities + "}}"),
              said(Direction::unasked,
                   R"({"jsonrpc":"2.0","id":"own","method":"client/registerCapability",)"
                   R"("params":{"registrations":[)" +
                       registration + "]}}")}) == 1;
}

TEST(LspRegistrations, WhatIsDeclaredUnderAnotherNameIsNotRegisteredAsWell) {
  EXPECT_TRUE(registers_twice(R"({"hoverProvider":true})", "textDocument/hover"));
  EXPECT_TRUE(registers_twice(R"({"colorProvider":{}})", "textDocument/documentColor"));
  EXPECT_TRUE(registers_twice(R"({"documentFormattingProvider":true})", "textDocument/formatting"));
  EXPECT_TRUE(registers_twice(R"({"documentRangeFormattingProvider":true})",
                              "textDocument/rangeFormatting"));
  EXPECT_TRUE(
      registers_twice(R"({"callHierarchyProvider":true})", "textDocument/prepareCallHierarchy"));
  EXPECT_FALSE(
      registers_twice(R"({"documentFormattingProvider":false})", "textDocument/formatting"));
}

TEST(LspRegistrations, DocumentsAreDeclaredByTheirKindOrByOptions) {
  EXPECT_TRUE(registers_twice(R"({"textDocumentSync":2})", "textDocument/didOpen"));
  EXPECT_TRUE(
      registers_twice(R"({"textDocumentSync":{"openClose":true}})", "textDocument/didClose"));
  EXPECT_TRUE(registers_twice(R"({"textDocumentSync":{"change":1}})", "textDocument/didChange"));
  EXPECT_TRUE(registers_twice(R"({"textDocumentSync":{"save":{}}})", "textDocument/didSave"));
  EXPECT_FALSE(registers_twice(R"({"textDocumentSync":2})", "textDocument/didSave"));
  EXPECT_FALSE(registers_twice(R"({"textDocumentSync":0})", "textDocument/didOpen"));
  EXPECT_FALSE(registers_twice(R"({"textDocumentSync":{"change":0}})", "textDocument/didChange"));
  EXPECT_FALSE(registers_twice(R"({"textDocumentSync":{"change":1}})", "textDocument/didOpen"));
}

TEST(LspRegistrations, OtherDocumentsMayBeRegisteredAsWell) {
  EXPECT_FALSE(registers_twice(R"({"textDocumentSync":2})", "textDocument/didOpen",
                               R"({"documentSelector":[{"language":"b"}]})"));
}

TEST(LspRegistrations, OtherCommandsMayBeRegisteredAsWell) {
  const std::string declared = R"({"executeCommandProvider":{"commands":["a","b"]}})";
  const std::string method = "workspace/executeCommand";
  EXPECT_FALSE(registers_twice(declared, method, R"({"commands":["c"]})"));
  EXPECT_TRUE(registers_twice(declared, method, R"({"commands":["c","b"]})"));
}

constexpr std::string_view kTwoTypesAndAModifier =
    R"({"legend":{"tokenTypes":["a","b"],"tokenModifiers":["c"]}})";

/// Whether tokens of these numbers break the rule where this is declared, and said before them.
bool misstates_tokens(const std::string& numbers, std::string_view provider = kTwoTypesAndAModifier,
                      const std::vector<Event>& said_before = {},
                      const std::string& kind = "full") {
  std::vector<Event> events = {
      said(Direction::sent, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"),
      said(Direction::received,
           R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{"semanticTokensProvider":)" +
               std::string(provider) + "}}}")};
  events.insert(events.end(), said_before.begin(), said_before.end());
  events.push_back(said(Direction::sent, R"({"jsonrpc":"2.0","id":2,"params":{},)"
                                         R"("method":"textDocument/semanticTokens/)" +
                                             kind + "\"}"));
  events.push_back(
      said(Direction::received, R"({"jsonrpc":"2.0","id":2,"result":{"data":[)" + numbers + "]}}"));
  return times_broken("lsp-semantic-tokens", events) == 1;
}

TEST(LspTokens, AreOfFiveNumbersAndOfWhatTheLegendHas) {
  EXPECT_FALSE(misstates_tokens(""));
  EXPECT_FALSE(misstates_tokens("0,0,3,1,1"));
  EXPECT_TRUE(misstates_tokens("0,0,3,1"));
  EXPECT_TRUE(misstates_tokens("0,0,3,1,1,0,0,3,2,0"));
  EXPECT_TRUE(misstates_tokens("0,0,3,1,2"));
  EXPECT_TRUE(misstates_tokens("0,0,3,2,0", kTwoTypesAndAModifier, {}, "full/delta"));
}

TEST(LspTokens, MayBeOfALegendThatIsRegisteredLater) {
  const std::string registration =
      R"({"jsonrpc":"2.0","id":"own","method":"client/registerCapability","params":)"
      R"({"registrations":[{"id":"r","method":"textDocument/semanticTokens","registerOptions":)"
      R"({"legend":{"tokenTypes":["a","b","c"],"tokenModifiers":[]}}}]}})";
  const std::vector<Event> registered = {said(Direction::unasked, registration)};
  EXPECT_FALSE(misstates_tokens("0,0,3,2,2", kTwoTypesAndAModifier, registered));
  EXPECT_TRUE(misstates_tokens("0,0,3,2", kTwoTypesAndAModifier, registered));
}

TEST(LspTokens, AreNotHeldAgainstALegendThatNobodyKnows) {
  EXPECT_FALSE(misstates_tokens("0,0,3,7,7", "{}"));
  std::string modifiers = "\"0\"";
  for (int i = 1; i < 32; ++i) modifiers += ",\"" + std::to_string(i) + "\"";
  EXPECT_FALSE(
      misstates_tokens("0,0,3,0,2147483647",
                       R"({"legend":{"tokenTypes":["a"],"tokenModifiers":[)" + modifiers + "]}}"));
}

/// What is said from the opening on, in an initialize with this token.
std::vector<Event> opened_with(const std::vector<Event>& more) {
  std::vector<Event> events = {said(Direction::sent,
                                    R"({"jsonrpc":"2.0","id":1,"method":"initialize",)"
                                    R"("params":{"capabilities":{},"workDoneToken":"w"}})")};
  events.insert(events.end(), more.begin(), more.end());
  return events;
}

Event reported(const std::string& token, const std::string& kind) {
  return said(Direction::unasked, R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":")" +
                                      token + R"(","value":{"kind":")" + kind +
                                      R"(","title":"Work"}}})");
}

Event created() {
  return said(Direction::unasked,
              R"({"jsonrpc":"2.0","id":"own","method":"window/workDoneProgress/create",)"
              R"("params":{"token":"t"}})");
}

Event granted() { return said(Direction::sent, R"({"jsonrpc":"2.0","id":"own","result":null})"); }

Event refused() {
  return said(Direction::sent,
              R"({"jsonrpc":"2.0","id":"own","error":{"code":-32603,"message":"Refused"}})");
}

TEST(LspProgress, OfACreatedTokenBeginsOnce) {
  const auto again =
      opened_with({created(), granted(), reported("t", "begin"), reported("t", "end"),
                   reported("t", "begin"), reported("t", "end")});
  EXPECT_EQ(times_broken("lsp-token-once", again), 1U);
  EXPECT_EQ(times_broken("lsp-progress-order", again), 0U);
}

TEST(LspProgress, OfATokenOfTheClientMayBeginAgain) {
  const auto again = opened_with(
      {reported("w", "begin"), reported("w", "end"), reported("w", "begin"), reported("w", "end")});
  EXPECT_EQ(times_broken("lsp-token-once", again), 0U);
  EXPECT_EQ(times_broken("lsp-progress-order", again), 0U);
}

TEST(LspProgress, HasAnOrder) {
  const auto breaks = [](const std::vector<std::string>& kinds) {
    std::vector<Event> reports;
    for (const auto& kind : kinds) reports.push_back(reported("w", kind));
    return times_broken("lsp-progress-order", opened_with(reports)) != 0;
  };
  EXPECT_FALSE(breaks({"begin", "report", "report", "end"}));
  EXPECT_TRUE(breaks({"report"}));
  EXPECT_TRUE(breaks({"end"}));
  EXPECT_TRUE(breaks({"begin", "end", "end"}));
  EXPECT_TRUE(breaks({"begin", "end", "report"}));
}

TEST(LspProgress, WhoseCreationIsRefusedIsChargedHoweverSoonItComes) {
  const std::string rule = "lsp-token-refused";
  const auto late = opened_with({created(), refused(), reported("t", "begin")});
  const auto early = opened_with({created(), reported("t", "begin"), refused()});
  EXPECT_EQ(times_broken(rule, late), 1U);
  EXPECT_EQ(times_broken(rule, early), 1U);
  EXPECT_EQ(times_broken(rule, opened_with({created(), reported("t", "begin"), granted()})), 0U);
  EXPECT_EQ(times_broken(rule, opened_with({created(), refused()})), 0U);
}

/// Whether this result is too much for who has sent symbols in parts.
bool repeats_results(const std::string& result) {
  return times_broken(
             "lsp-results-in-parts",
             {said(Direction::sent, R"({"jsonrpc":"2.0","id":1,"method":"textDocument/completion",)"
                                    R"("params":{"partialResultToken":"p"}})"),
              said(Direction::unasked, R"({"jsonrpc":"2.0","method":"$/progress",)"
                                       R"("params":{"token":"p","value":[{"label":"a"}]}})"),
              said(Direction::received, R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}")}) ==
         1;
}

TEST(LspResultsInParts, EndWithAResultThatHoldsNone) {
  EXPECT_FALSE(repeats_results("null"));
  EXPECT_FALSE(repeats_results("[]"));
  EXPECT_FALSE(repeats_results(R"({"isIncomplete":false,"items":[]})"));
  EXPECT_FALSE(repeats_results(R"({"data":[]})"));
  EXPECT_FALSE(repeats_results(
      R"({"kind":"full","items":[],"relatedDocuments":{"file:///a":{"kind":"full","items":[]}}})"));
  EXPECT_TRUE(repeats_results(R"([{"label":"a"}])"));
  EXPECT_TRUE(repeats_results(R"({"isIncomplete":false,"items":[{"label":"a"}]})"));
  EXPECT_TRUE(repeats_results(R"({"data":[0,0,1,0,0]})"));
}

TEST(LspDocuments, AreReadOnByWhoHasRefusedToShutDown) {
  const auto looks_at_documents = [](const std::string& outcome) {
    return times_broken(
               "lsp-drops-late-documents",
               {said(Direction::sent, R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})"),
                said(Direction::received, R"({"jsonrpc":"2.0","id":1,)" + outcome + "}"),
                said(Direction::sent, R"({"jsonrpc":"2.0","method":"textDocument/didOpen",)"
                                      R"("params":{"textDocument":{"uri":"file:///a"}}})"),
                said(Direction::unasked,
                     R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics",)"
                     R"("params":{"uri":"file:///a","diagnostics":[]}})")}) == 1;
  };
  EXPECT_TRUE(looks_at_documents(R"("result":null)"));
  EXPECT_FALSE(looks_at_documents(R"("error":{"code":-32601,"message":"no"})"));
}

TEST(LspDocuments, ThatWereOpenedTooEarlyAreChargedOnceHoweverSoonTheyAreLookedAt) {
  const auto opening = said(Direction::sent, R"({"jsonrpc":"2.0","method":"textDocument/didOpen",)"
                                             R"("params":{"textDocument":{"uri":"file:///a"}}})");
  const auto initialize =
      said(Direction::sent, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
  const auto answer =
      said(Direction::received, R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})");
  const auto diagnostics_of = [](const std::string& uri) {
    return said(Direction::unasked,
                R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics",)"
                R"("params":{"diagnostics":[],"uri":")" +
                    uri + "\"}}");
  };
  const std::vector<Event> soon = {opening, initialize, diagnostics_of("file:///a"), answer};
  const std::vector<Event> late = {opening, initialize, answer, diagnostics_of("file:///a")};
  for (const auto& events : {soon, late}) {
    EXPECT_EQ(times_broken("lsp-drops-early-documents", events), 1U);
    EXPECT_EQ(times_broken("lsp-quiet-before-initialize", events), 0U);
  }
  const std::vector<Event> of_another = {opening, initialize, diagnostics_of("file:///b"), answer};
  EXPECT_EQ(times_broken("lsp-quiet-before-initialize", of_another), 1U);
}

TEST(LspDocuments, AreLookedAtBecauseOfTheStepThatOpenedThem) {
  Event opening = said(Direction::sent, R"({"jsonrpc":"2.0","method":"textDocument/didOpen",)"
                                        R"("params":{"textDocument":{"uri":"file:///a"}}})");
  Event diagnostics =
      said(Direction::unasked, R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics",)"
                               R"("params":{"uri":"file:///a","diagnostics":[]}})");
  opening.step = 1;
  diagnostics.step = 2;
  const auto found =
      findings_by("lsp-drops-late-documents",
                  {said(Direction::sent, R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})"),
                   said(Direction::received, R"({"jsonrpc":"2.0","id":1,"result":null})"), opening,
                   diagnostics});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().step, 1U);
}

}  // namespace lsp_rules_test
}  // namespace jrpcheck::judge
