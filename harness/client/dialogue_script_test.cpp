#include "client/dialogue_script.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace dialogue_script_test {

constexpr std::string_view kMcpSession = "Mcp-Session-Id";

class ScriptOfDialogue : public testing::Test {
 protected:
  void use(const std::string& family) {
    static std::map<std::string, corpus::Dialogues> known;
    const auto& corpus = corpus::corpus_for_testing(family);
    if (!known.contains(family)) {
      auto read = corpus::dialogues_of(family, corpus::embedded_files(), corpus.ledger);
      ASSERT_TRUE(read);
      known.emplace(family, *std::move(read));
    }
    const auto& all = known.at(family);
    one_ = all.dialogues.front();
    script_.emplace(all, one_, judge::client_law_of(corpus));
  }
  std::string hear(const std::string& text, const std::string& session) {
    const auto turn = script_->hear(text, session);
    if (turn.answer) script_->tell(*turn.answer, turn.session);
    return turn.answer.value_or("");
  }
  /// The session that it belongs to.
  std::string post(const std::string& text, const std::string& session,
                   const std::string& version = "2025-11-25") {
    wire::HttpFields fields = {{"Accept", "application/json, text/event-stream"}};
    if (!session.empty()) {
      fields.emplace_back(kMcpSession, session);
      fields.emplace_back("MCP-Protocol-Version", version);
    }
    const auto turn = script_->hear(text, session, &fields);
    if (turn.answer) script_->tell(*turn.answer, turn.session);
    return turn.session;
  }
  std::string charged() {
    std::string text;
    for (const auto& each : script_->notes().by_rules.findings) text += each.requirement + " ";
    return text;
  }

  corpus::Dialogue one_;
  std::optional<DialogueScript> script_;
};

const std::string kOpen =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}})";
const std::string kIsReady = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
const std::string kList = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";

TEST_F(ScriptOfDialogue, EachConnectionIsASessionOnStreams) {
  use("mcp");
  for (const auto* name : {"connection 1", "connection 2"}) {
    for (const auto& each : {kOpen, kIsReady, kList}) hear(each, name);
  }
  EXPECT_EQ(charged(), "");
  EXPECT_EQ(script_->notes().after_opening, 4U);
  hear(kList, "connection 2");
  EXPECT_EQ(charged(), "mcp-c-request-id-unique ");
}

TEST_F(ScriptOfDialogue, ServerThatIsStartedAgainIsAnother) {
  use("lsp");
  const std::string open =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":1,"rootUri":null,"capabilities":{}}})";
  hear(open, "connection 1");
  hear(open, "connection 2");
  EXPECT_EQ(charged(), "");
  hear(open, "connection 2");
  EXPECT_EQ(charged(), "lsp-c-init-first ");
}

TEST_F(ScriptOfDialogue, EachInitializeBeginsASessionOverHttp) {
  use("mcp");
  const auto first = post(kOpen, "");
  const auto second = post(kOpen, "");
  EXPECT_NE(first, second);
  for (const auto& session : {first, second}) {
    post(kIsReady, session);
    EXPECT_EQ(post(kList, session), session);
  }
  EXPECT_EQ(charged(), "");
  post(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", "");
  EXPECT_EQ(charged(), "mcp-c-http-session mcp-c-http-version ");
}

TEST_F(ScriptOfDialogue, AnotherInitializeIsNoGoingOn) {
  use("mcp");
  one_.answers["initialize"] = R"({"result":{"protocolVersion":"1900-01-01","capabilities":{}}})";
  hear(kOpen, "connection 1");
  hear(kOpen, "connection 1");
  hear(kOpen, "connection 2");
  EXPECT_EQ(script_->notes().after_opening, 0U);
  hear(kIsReady, "connection 2");
  EXPECT_EQ(script_->notes().after_opening, 1U);
}

TEST_F(ScriptOfDialogue, WhatTheServerSaysItSaysWhereTheClientIsReady) {
  use("mcp");
  one_.say = {R"({"jsonrpc":"2.0","id":"p","method":"ping"})"};
  hear(kOpen, "connection 1");
  hear(kOpen, "connection 2");
  hear(kIsReady, "connection 2");
  EXPECT_TRUE(script_->say("connection 1").empty());
  EXPECT_EQ(script_->say("connection 2").size(), 1U);
}

TEST_F(ScriptOfDialogue, BatchesAreAnswered) {
  use("mcp");
  std::string march = kOpen;
  march.replace(march.find("2025-11-25"), 10, "2025-03-26");
  hear(march, "connection 1");
  hear(kIsReady, "connection 1");
  const auto answer = hear("[" + kList + "," + kIsReady + "]", "connection 1");
  EXPECT_TRUE(answer.starts_with(R"([{"jsonrpc":"2.0","id":1,"result":)")) << answer;
  EXPECT_EQ(hear("[" + kIsReady + "]", "connection 1"), "");
  EXPECT_EQ(charged(), "");
}

TEST_F(ScriptOfDialogue, RequestThatIsNotAnsweredIsNamedAlsoWhereItStandsInABatch) {
  use("mcp");
  one_.withholds = "tools/list";
  const auto turn = script_->hear("[" + kList + "]", "connection 1");
  EXPECT_TRUE(turn.is_withheld);
  EXPECT_EQ(turn.open, "1");
}

TEST_F(ScriptOfDialogue, OnlyTheSessionThatIsGoneIsSentAway) {
  use("mcp");
  one_.forgets_session = true;
  const auto first = post(kOpen, "");
  const auto second = post(kOpen, "");
  EXPECT_FALSE(script_->is_sent_away(first)) << "it is not ready";
  post(kIsReady, first);
  post(kIsReady, second);
  EXPECT_TRUE(script_->is_sent_away(first));
  EXPECT_TRUE(script_->is_sent_away(first));
  EXPECT_FALSE(script_->is_sent_away(second));
  EXPECT_FALSE(script_->is_sent_away(""));
}

TEST_F(ScriptOfDialogue, StreamThatEndsBeforeItsAnswerIsResumedOnce) {
  use("mcp");
  one_.breaks_stream = true;
  const auto session = post(kOpen, "");
  EXPECT_FALSE(script_->breaks_stream(session, "answer", "")) << "it is not ready";
  EXPECT_FALSE(script_->resume(kBrokenBehind)) << "nothing has ended";
  post(kIsReady, session);
  EXPECT_TRUE(script_->breaks_stream(session, "answer", "2025-11-25"));
  EXPECT_FALSE(script_->breaks_stream(session, "another", "2025-11-25"));
  EXPECT_EQ(script_->resume("x"), "answer");
  EXPECT_FALSE(script_->resume(kBrokenBehind));
  const auto notes = script_->notes();
  EXPECT_EQ(notes.version_of_broken, "2025-11-25");
  EXPECT_EQ(notes.resumed_behind, "x");
}

}  // namespace dialogue_script_test
}  // namespace jrpcheck::client
