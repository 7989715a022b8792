#include <gtest/gtest.h>

#include "base/contains.hpp"
#include "client/dialogue_for_testing.hpp"
#include "client/dialogue_judge.hpp"
#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace dialogue_judge_test {

using corpus::Dialogue;
using result::CaseResult;

class JudgeDialogue : public ::testing::Test {
 protected:
  JudgeDialogue() {
    dialogue_.id = "x/client-x";
    control_.is_steady = true;
    control_.trial.notes.was_opened = trial_.notes.was_opened = true;
    control_.trial.notes.after_opening = trial_.notes.after_opening = 2;
    trial_.notes.by_rules.exercised = {"mcp-c-batch-none"};
  }
  CaseResult judged() { return judge_dialogue(dialogue_, trial_, &control_, ledger_); }

  Dialogue dialogue_;
  DialogueTrial trial_;
  DialogueControl control_;
  corpus::Ledger ledger_;
};

TEST_F(JudgeDialogue, WhatWasNotSaidIsNotPassed) {
  dialogue_.requirements = {"mcp-c-ping"};
  dialogue_.say = {R"({"id":1,"method":"ping"})"};
  dialogue_.owed["1"] = {};
  EXPECT_EQ(told(judged()), "not-exercised");
  EXPECT_NE(judged().reason, "");
  trial_.notes.was_said = true;
  trial_.notes.answers["1"] = R"({"id":1,"result":{}})";
  EXPECT_EQ(told(judged()), "pass");
}

TEST_F(JudgeDialogue, WhoAnswersNoneAloneShowsNothingByABatch) {
  dialogue_.requirements = {"mcp-c-batch-receive"};
  dialogue_.say = {R"({"id":0,"method":"ping"})", R"([{"id":1,"method":"ping"}])"};
  dialogue_.owed = {{"0", {.may_stay_away = true}}, {"1", {}}};
  trial_.notes.was_said = trial_.notes.has_had_time = true;
  EXPECT_EQ(told(judged()), "not-exercised");
  trial_.notes.answers["0"] = R"({"id":0,"result":{}})";
  EXPECT_EQ(told(judged()), "warn mcp-c-batch-receive");
  trial_.notes.answers["1"] = R"({"id":1,"result":{}})";
  EXPECT_EQ(told(judged()), "pass");
}

TEST_F(JudgeDialogue, WhatIsWrongIsShownInItsSession) {
  const auto says = [&](dialogue::Side side, const std::string& text, milliseconds at) {
    auto& event = trial_.end.traffic.emplace_back();
    event.side = side;
    event.message = text;
    event.at = at;
  };
  dialogue_.requirements = {"lsp-c-init-first"};
  says(dialogue::Side::client, R"({"id":5,"method":"shutdown"})", milliseconds(100));
  says(dialogue::Side::server, R"({"id":5,"result":null})", milliseconds(1300));
  EXPECT_TRUE(judged().transcript.empty());
  trial_.notes.by_rules.findings = {finding_of("lsp-c-shutdown-exit", "shutdown comes twice")};
  const auto shown = judged().transcript;
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].direction, dialogue::Direction::received);
  EXPECT_EQ(shown[1].direction, dialogue::Direction::sent);
  EXPECT_EQ(shown[1].note, "answers after 1.2 s");
}

TEST_F(JudgeDialogue, AClientThatASignalEndsHasDiedOfWhatItWasTold) {
  dialogue_.requirements = {"mcp-c-ping"};
  trial_.end.status.emplace();
  trial_.end.status->by_signal = true;
  EXPECT_EQ(told(judged()), "warn cl-survives");
  trial_.notes.was_opened = false;
  EXPECT_EQ(told(judged()), "not-exercised") << "which was nothing";
  trial_.notes.methods = {"initialize"};
  EXPECT_EQ(told(judged()), "warn cl-survives");
}

TEST_F(JudgeDialogue, WhoFailsAtARequestHasNotLeftBeforeItCouldAnswer) {
  dialogue_.requirements = {"lsp-c-unknown-request"};
  dialogue_.say = {R"({"id":1,"method":"x"})"};
  dialogue_.owed["1"] = {};
  const auto control = trial_with({"initialize", "initialized", "shutdown"}, 0);
  control_.trial.notes.methods = control.notes.methods;
  control_.trial.end.status = control.end.status;
  trial_.notes.was_said = true;
  trial_.notes.methods = {"initialize", "initialized"};
  trial_.end.status = trial_with({}, 0).end.status;
  EXPECT_EQ(told(judged()), "not-exercised") << "it may leave";
  trial_.end.status->value = 1;
  EXPECT_EQ(told(judged()), "warn lsp-c-unknown-request");
  EXPECT_NE(judged().findings.front().actual.find("exited with code 1"), std::string::npos);
  trial_.notes.methods = control.notes.methods;
  EXPECT_EQ(told(judged()), "not-exercised") << "it has come as far as ever";
  trial_.notes.methods.pop_back();
  control_.trial.end.status->value = 1;
  EXPECT_EQ(told(judged()), "not-exercised") << "it always fails";
  control_.trial.end.status->value = 0;
  control_.is_steady = false;
  EXPECT_EQ(told(judged()), "not-exercised") << "nobody can tell";
}

TEST_F(JudgeDialogue, WhoFailsAtWhatItHasNotDeclaredShowsNothing) {
  dialogue_.requirements = {"lsp-c-create-answer"};
  dialogue_.say = {R"({"id":1,"method":"window/workDoneProgress/create"})"};
  dialogue_.owed["1"] = {};
  control_.trial.notes.methods = {"initialize", "shutdown"};
  trial_.notes.was_said = true;
  trial_.notes.methods = {"initialize"};
  trial_.end.status = trial_with({}, 1).end.status;
  EXPECT_EQ(told(judged()), "not-exercised");
  trial_.notes.capabilities = R"({"window":{"workDoneProgress":true}})";
  EXPECT_EQ(told(judged()), "warn lsp-c-create-answer");
}

TEST_F(JudgeDialogue, WhatWasNotDeclaredIsNotAskedOfIt) {
  dialogue_.requirements = {"lsp-c-create-answer"};
  dialogue_.say = {R"({"id":1,"method":"window/workDoneProgress/create"})"};
  dialogue_.owed["1"] = {};
  trial_.notes.was_said = trial_.notes.has_had_time = true;
  const std::string declared = R"({"window":{"workDoneProgress":true}})";
  EXPECT_EQ(told(judged()), "not-exercised") << "it need not answer";
  trial_.notes.capabilities = declared;
  EXPECT_EQ(told(judged()), "warn lsp-c-create-answer");
  trial_.notes.answers["1"] = R"({"id":1,"error":{"code":-32601,"message":"?"}})";
  EXPECT_EQ(told(judged()), "warn lsp-c-create-answer");
  trial_.notes.capabilities = R"({"window":{"workDoneProgress":false}})";
  EXPECT_EQ(told(judged()), "not-exercised");
  trial_.notes.answers["1"] = R"({"id":1,"result":null})";
  EXPECT_EQ(told(judged()), "not-exercised");
  trial_.notes.capabilities = declared;
  EXPECT_EQ(told(judged()), "pass");
}

TEST_F(JudgeDialogue, WhatIsNotShownHasAReason) {
  const auto reason_of = [&](const std::string& subject, const std::string& capabilities) {
    dialogue_.requirements = {subject};
    trial_.notes.capabilities = capabilities;
    EXPECT_EQ(told(judged()), "not-exercised") << subject;
    return judged().reason;
  };
  trial_.notes.was_said = true;
  dialogue_.in_turn["tools/list"] = {};
  EXPECT_EQ(reason_of("mcp-c-page-opaque", "{}"), "nothing that the client does shows it");
  dialogue_.in_turn = {};
  dialogue_.say = {R"({"id":1,"method":"elicitation/create"})"};
  dialogue_.owed = {{"1", {.may_stay_away = true}}};
  const char* declared = R"({"elicitation":{}})";
  const char* silent = "the client has not answered, and need not";
  EXPECT_EQ(reason_of("mcp-c-caps-undeclared", declared), silent);
  trial_.notes.answers["1"] = R"({"id":1,"result":{"action":"decline"}})";
  const char* served = "the client has declared that it serves it";
  EXPECT_EQ(reason_of("mcp-c-caps-undeclared", declared), served);
  EXPECT_EQ(reason_of("mcp-c-elicit-content", declared),
            "what the client answers does not show it");
  EXPECT_EQ(reason_of("mcp-c-elicit-content", "{}"),
            "the client has not declared that it serves it");
  trial_.notes.by_rules.exercised = {"mcp-c-elicit-content"};
  EXPECT_EQ(told(judged()), "pass");
}

TEST_F(JudgeDialogue, ItemsAreCountedWhereTheyWereDeclared) {
  dialogue_.requirements = {"lsp-c-configuration-count"};
  dialogue_.say = {R"({"id":1,"method":"workspace/configuration"})"};
  dialogue_.owed["1"].items = 3;
  trial_.notes.was_said = true;
  trial_.notes.answers["1"] = R"({"id":1,"result":null})";
  EXPECT_EQ(told(judged()), "not-exercised");
  trial_.notes.capabilities = R"({"workspace":{"configuration":true}})";
  EXPECT_EQ(told(judged()), "warn lsp-c-configuration-count");
  trial_.notes.answers["1"] = R"({"id":1,"result":[1,null,2]})";
  EXPECT_EQ(told(judged()), "pass");
}

TEST_F(JudgeDialogue, WhoNeverSaysAnythingHasNotLeft) {
  dialogue_.requirements = {"mcp-c-init-version-unknown"};
  dialogue_.leaves = true;
  trial_.notes.methods = {"initialize", "notifications/initialized"};
  EXPECT_EQ(told(judged()), "warn mcp-c-init-version-unknown");
  trial_.notes.after_opening = 0;
  EXPECT_EQ(told(judged()), "pass");
  control_.trial.notes.after_opening = 0;
  EXPECT_EQ(told(judged()), "not-exercised");
}

TEST_F(JudgeDialogue, SilenceOfWhoLeavesShowsNothing) {
  dialogue_.requirements = {"mcp-c-notification-silent"};
  dialogue_.say = {R"({"method":"x"})"};
  dialogue_.goes_on = dialogue_.stays_silent = true;
  trial_.notes.was_said = true;
  EXPECT_EQ(told(judged()), "not-exercised");
  trial_.notes.has_had_time = true;
  EXPECT_EQ(told(judged()), "pass");
  control_.is_steady = false;
  control_.difference = "it ends otherwise";
  EXPECT_EQ(told(judged()), "not-exercised");
  EXPECT_EQ(judged().reason, "it ends otherwise");
  trial_.notes.strays = {R"({"id":null})"};
  EXPECT_EQ(told(judged()), "warn mcp-c-notification-silent");
}

TEST_F(JudgeDialogue, WhatIsLeftOutIsShownByWhoAsksForItElse) {
  dialogue_.requirements = {"mcp-c-caps-server"};
  EXPECT_EQ(told(judged()), "not-exercised");
  control_.trial.notes.by_rules.exercised = {"mcp-c-caps-server"};
  EXPECT_EQ(told(judged()), "pass");
  trial_.notes.after_opening = 0;
  EXPECT_EQ(told(judged()), "not-exercised");
}

TEST_F(JudgeDialogue, OfSeveralClientsNobodyKnowsWhoBeginsAnew) {
  dialogue_.requirements = {"mcp-c-http-session-404"};
  dialogue_.forgets_session = true;
  trial_.notes.was_sent_away = trial_.notes.has_begun_anew = true;
  trial_.notes.by_rules.exercised = {"mcp-c-http-session-404"};
  control_.trial.notes.sessions_begun = 2;
  EXPECT_EQ(judged().verdict, result::Verdict::not_exercised);
  control_.trial.notes.sessions_begun = 1;
  EXPECT_EQ(judged().verdict, result::Verdict::pass);
  control_.is_steady = false;
  EXPECT_EQ(judged().verdict, result::Verdict::not_exercised);
}

TEST_F(JudgeDialogue, WhoFallsBackAfterOneErrorDoesSoAfterAnother) {
  dialogue_.requirements = {"mcp-c-st-fallback-code"};
  dialogue_.refuses_stateless = R"({"error":{"code":-32602,"message":"a"}})";
  dialogue_.falls_back = true;
  trial_.notes.was_said = true;
  DialogueTrial other;
  const auto with = [&] {
    return judge_dialogue(dialogue_, trial_, &control_, ledger_, &other).verdict;
  };
  EXPECT_EQ(with(), result::Verdict::not_exercised) << "it never does";
  other.notes.fell_back = true;
  EXPECT_EQ(judge_dialogue(dialogue_, trial_, &control_, ledger_, &other).findings.size(), 1U);
  trial_.notes.fell_back = true;
  EXPECT_EQ(with(), result::Verdict::pass);
}

TEST_F(JudgeDialogue, WhoGoesOnInANewerVersionHasNotAskedForIt) {
  dialogue_.requirements = {"mcp-c-init-latest"};
  dialogue_.is_newer = true;
  dialogue_.answers = {{"initialize", R"({"result":{"protocolVersion":"2025-11-25"}})"}};
  DialogueTrial other;
  const auto told_with = [&] {
    return told(judge_dialogue(dialogue_, trial_, &control_, ledger_, &other));
  };
  trial_.notes.version_asked = "2025-06-18";
  EXPECT_EQ(told_with(), "warn mcp-c-init-latest");
  other.notes.after_opening = 2;
  EXPECT_EQ(told_with(), "not-exercised") << "it goes on in any version";
  other.notes.after_opening = trial_.notes.after_opening = 0;
  EXPECT_EQ(told_with(), "pass") << "it leaves, and has no newer one";
  trial_.notes.version_asked = "2025-11-25";
  EXPECT_EQ(told_with(), "not-exercised");
}

TEST_F(JudgeDialogue, WhoHasAcceptedMayFetchWhereItIsLed) {
  dialogue_.requirements = {"mcp-c-elicit-no-prefetch"};
  dialogue_.never_fetches = true;
  dialogue_.say = {R"({"id":1,"method":"elicitation/create"})"};
  dialogue_.owed = {{"1", {.may_stay_away = true}}};
  trial_.notes.was_said = trial_.notes.has_fetched = true;
  const auto told_after = [&](const std::string& answer) {
    trial_.notes.answers = {{"1", R"({"id":1,)" + answer + "}"}};
    return told(judged());
  };
  const std::string declines = R"("result":{"action":"decline"})";
  EXPECT_EQ(told_after(declines), "not-exercised") << "it serves no URLs";
  trial_.notes.capabilities = R"({"elicitation":{"url":{}}})";
  EXPECT_EQ(told_after(declines), "warn mcp-c-elicit-no-prefetch");
  EXPECT_EQ(told_after(R"("result":{"action":"accept"})"), "not-exercised");
  trial_.notes.has_fetched = false;
  EXPECT_EQ(told_after(declines), "pass");
}

TEST_F(JudgeDialogue, ServerOnStdioIsEndedByItsInputFirst) {
  const auto judge_end = [](std::vector<std::string> ended) {
    Dialogue dialogue;
    dialogue.id = "x/client-x";
    dialogue.requirements = {"mcp-c-ping"};
    DialogueTrial trial;
    trial.notes.was_opened = true;
    trial.end.status = transport::ExitStatus{};
    trial.end.servers_ended = std::move(ended);
    return judge_dialogue(dialogue, trial, nullptr, corpus::corpus_for_testing().ledger);
  };
  const auto shows = [](const CaseResult& result) {
    return contains(result.exercised, "mcp-c-shutdown");
  };
  EXPECT_FALSE(shows(judge_end({})));
  EXPECT_TRUE(shows(judge_end({"closed"})));
  EXPECT_TRUE(judge_end({"closed", "closed"}).findings.empty());
  EXPECT_EQ(told(judge_end({"closed", "terminated"})), "warn mcp-c-shutdown");
}

TEST_F(JudgeDialogue, WhatMustNotBeTakenIsNotCalled) {
  dialogue_.requirements = {"mcp-c-hdr-annotation-bad"};
  dialogue_.never_calls = "bad";
  dialogue_.calls = "good";
  EXPECT_EQ(judged().verdict, result::Verdict::not_exercised);
  trial_.notes.tools_called = {"good"};
  EXPECT_EQ(judged().verdict, result::Verdict::pass);
  trial_.notes.tools_called = {"good", "bad"};
  EXPECT_EQ(judged().findings.size(), 1U);
}

TEST_F(JudgeDialogue, WhoSaysNothingAsksForNoFurtherPage) {
  dialogue_.requirements = {"mcp-c-page-opaque"};
  dialogue_.follows_cursors = true;
  DialogueTrial other;
  other.notes.asked_by_cursor = true;
  const auto result = judge_dialogue(dialogue_, trial_, &control_, ledger_, &other);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().actual, "nothing");
}

class JudgeResumption : public JudgeDialogue {
 protected:
  JudgeResumption() {
    ledger_ = corpus::corpus_for_testing("mcp").ledger;
    dialogue_.requirements = {"mcp-c-http-sse-resume"};
    dialogue_.breaks_stream = true;
    trial_.notes.was_broken = true;
    trial_.notes.version_of_broken = "2025-11-25";
    trial_.notes.resumed_behind = kBrokenBehind;
    trial_.notes.resumed_after = kRetry;
  }
};

TEST_F(JudgeResumption, WhereAndWhenItEnded) {
  EXPECT_EQ(told(judged()), "pass");
  trial_.notes.resumed_behind = "0";
  EXPECT_EQ(told(judged()), "warn mcp-c-http-sse-resume");
  trial_.notes.resumed_behind = kBrokenBehind;
  trial_.notes.resumed_after = kRetry / 2;
  EXPECT_EQ(told(judged()), "fail mcp-c-http-sse-retry");
  trial_.notes.version_of_broken = "2025-06-18";
  EXPECT_EQ(told(judged()), "pass") << "that version names no time";
}

TEST_F(JudgeResumption, WhoDoesNotIsChargedSinceItIsAsked) {
  trial_.notes.resumed_behind.reset();
  EXPECT_EQ(told(judged()), "warn mcp-c-http-sse-poll");
  trial_.notes.version_of_broken = "2025-06-18";
  EXPECT_EQ(told(judged()), "not-exercised");
  trial_.notes.was_broken = false;
  EXPECT_EQ(told(judged()), "not-exercised");
}

}  // namespace dialogue_judge_test
}  // namespace jrpcheck::client
