#include "client/trial.hpp"

#include <gtest/gtest.h>

#include "client/trial_judge.hpp"
#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace trial_test {

using corpus::CallOutcome;

TEST(Outcomes, AreReadFromTheLinesOfADriver) {
  const std::array<std::string, 4> results = {"", "101", "102", "103"};
  const auto outcomes = outcomes_of(
      "noise\n{\"n\":1,\"ok\":101}\n{\"n\":2,\"err\":{\"message\":\"x\"}}\n{\"n\":3,\"ok\":999}\n",
      results, CallOutcome::waits);
  EXPECT_EQ(outcomes[1], CallOutcome::value);
  EXPECT_EQ(outcomes[2], CallOutcome::error);
  EXPECT_EQ(outcomes[3], CallOutcome::wrong);
  const auto silent = outcomes_of("{\"n\":1}\n{\"n\":2,\"ok\":null}\n", results, CallOutcome::died);
  EXPECT_EQ(silent[1], CallOutcome::nothing);
  EXPECT_EQ(silent[2], CallOutcome::nothing);
  EXPECT_EQ(silent[3], CallOutcome::died);
}

TEST(Outcomes, NumberOfACallMayHaveAFraction) {
  EXPECT_EQ(printed_calls("{\"n\":1.0,\"ok\":101}\n{\"n\":2e0,\"ok\":102.0}\n").size(), 2U);
  EXPECT_TRUE(
      printed_calls("{\"n\":1.5}\n{\"n\":0.0}\n{\"n\":-1}\n{\"n\":1e9}\n{\"n\":\"1\"}\n").empty());
}

TEST(ClientEnd, NodeThatAwaitsForEverHasNotDied) {
  ClientEnd end;
  EXPECT_FALSE(has_died(end)) << "it had to be ended";
  end.status = transport::ExitStatus{false, 13};
  EXPECT_TRUE(is_left_awaiting(end)) << "as Node 20 ends";
  EXPECT_FALSE(has_died(end));
  end.standard_error = "Warning: Detected unsettled top-level await at file:///client.mjs:3\n";
  EXPECT_TRUE(is_left_awaiting(end)) << "as Node 22 ends";
  end.standard_error = "(node:4242) ExperimentalWarning: fetch\n";
  EXPECT_TRUE(is_left_awaiting(end)) << "as Node 20 ends that has warned of something before";
  end.standard_error = "Error: broken\n";
  EXPECT_FALSE(is_left_awaiting(end));
  EXPECT_TRUE(has_died(end));
  end.status = transport::ExitStatus{true, 13};
  end.standard_error.clear();
  EXPECT_TRUE(has_died(end)) << "that is SIGPIPE";
  end.status = transport::ExitStatus{false, 0};
  EXPECT_FALSE(has_died(end));
}

class JudgeTrial : public ::testing::Test {
 protected:
  JudgeTrial() {
    scenario_.id = "client/x";
    scenario_.requirements = {"cl-unknown-id"};
    scenario_.accept = {CallOutcome::error, CallOutcome::waits};
    trial_.was_played = true;
    trial_.outcomes.fill(CallOutcome::value);
  }
  std::string judged(CallOutcome second, bool has_driver = true) {
    trial_.outcomes[2] = second;
    const auto result = judge_trial(scenario_, trial_, has_driver, corpus_.ledger);
    std::string text(name_of(result.verdict));
    for (const auto& each : result.findings) text += " " + each.requirement;
    return text;
  }
  const corpus::Corpus& corpus_ = corpus::corpus_for_testing();
  corpus::Scenario scenario_;
  Trial trial_;
};

TEST_F(JudgeTrial, WhatIsNotAcceptedIsChargedToTheSubject) {
  EXPECT_EQ(judged(CallOutcome::error), "pass");
  EXPECT_EQ(judged(CallOutcome::waits), "pass");
  EXPECT_EQ(judged(CallOutcome::wrong), "fail cl-unknown-id");
  scenario_.warn = {CallOutcome::wrong};
  EXPECT_EQ(judged(CallOutcome::wrong), "warn cl-unknown-id");
}

TEST_F(JudgeTrial, FailedControlNamesTheCallThatHasFailed) {
  EXPECT_EQ(why_control_fails(trial_), "");
  trial_.outcomes[3] = CallOutcome::died;
  trial_.shown[2] = R"({"n":2,"ok":102})";
  trial_.shown[3] = "the program exited with code 1, and has said nothing of the call";
  trial_.standard_error = "Error: no network";
  const std::string why = why_control_fails(trial_);
  EXPECT_NE(why.find("The program ends before call 3 has. the program exited with code 1"),
            std::string::npos)
      << why;
  EXPECT_EQ(why.find("102"), std::string::npos) << "that call has its result: " << why;
  EXPECT_NE(why.find("no network"), std::string::npos) << why;
}

TEST(FirstWords, AreThoseOfTheClient) {
  EXPECT_EQ(first_words_of({}), "");
  dialogue::TrafficEvent opened{dialogue::TrafficEvent::Kind::closed, dialogue::Side::client};
  dialogue::TrafficEvent answer{dialogue::TrafficEvent::Kind::message, dialogue::Side::server};
  answer.message = "{}";
  dialogue::TrafficEvent call{dialogue::TrafficEvent::Kind::message, dialogue::Side::client};
  call.message = "\xEF\xBB\xBF[1]";
  EXPECT_EQ(first_words_of({opened, answer}), "");
  const auto words = first_words_of({opened, answer, call});
  EXPECT_NE(words.find("[1]"), std::string::npos) << words;
  EXPECT_EQ(words.find("{}"), std::string::npos) << words;
  EXPECT_EQ(words.find("Notification"), std::string::npos) << words;
  call.message = R"({"jsonrpc":"2.0","method":"echo","params":[1],"id":1})";
  EXPECT_EQ(first_words_of({call}).find("Notification"), std::string::npos);
  call.message = R"({"jsonrpc":"2.0","method":"echo","params":[1]})";
  EXPECT_NE(first_words_of({call}).find("Notification"), std::string::npos);
}

TEST_F(JudgeTrial, DeathIsChargedAsDeath) {
  EXPECT_EQ(judged(CallOutcome::died), "fail cl-survives");
}

// Of a scenario several requirements may be charged.
TEST_F(JudgeTrial, ScenarioIsWhatIsToBeExplained) {
  scenario_.id = "client/call-first";
  trial_.outcomes[2] = CallOutcome::died;
  EXPECT_EQ(judge_trial(scenario_, trial_, true, corpus_.ledger).reproduce,
            "jrpcheck explain client/call-first");
}

TEST_F(JudgeTrial, OtherCallsKeepTheirResults) {
  trial_.outcomes[3] = CallOutcome::wrong;
  EXPECT_EQ(judged(CallOutcome::error), "fail cl-unknown-id");
  scenario_.others_may_fail = true;
  EXPECT_EQ(judged(CallOutcome::error), "pass");
}

TEST_F(JudgeTrial, OfCallsAtOnceNoneHasTheResultOfAnotherWhateverFails) {
  scenario_.others_may_fail = true;
  for (const auto order : {corpus::CallOrder::together, corpus::CallOrder::batch}) {
    scenario_.order = order;
    trial_.outcomes[3] = CallOutcome::wrong;
    EXPECT_EQ(judged(CallOutcome::error), "fail cl-unknown-id");
    for (const auto outcome : {CallOutcome::error, CallOutcome::waits, CallOutcome::value}) {
      trial_.outcomes[3] = outcome;
      EXPECT_EQ(judged(CallOutcome::error), "pass");
    }
  }
}

TEST_F(JudgeTrial, GoodAnswerWithoutAnyResultIsMoreThanAnInexactOne) {
  scenario_.requirements = {"cl-result-exact", "cl-good"};
  scenario_.accept = {CallOutcome::value};
  EXPECT_EQ(judged(CallOutcome::value), "pass");
  EXPECT_EQ(judged(CallOutcome::nothing), "warn cl-result-exact");
  EXPECT_EQ(judged(CallOutcome::wrong), "warn cl-result-exact");
  EXPECT_EQ(judged(CallOutcome::error), "fail cl-good");
  EXPECT_EQ(judged(CallOutcome::waits), "fail cl-good");
  EXPECT_EQ(judged(CallOutcome::died), "fail cl-survives");
}

TEST_F(JudgeTrial, ChargeShowsTheLineOfTheCallThatItIsOf) {
  scenario_.accept = {CallOutcome::value};
  trial_.outcomes[3] = CallOutcome::wrong;
  trial_.shown = {"", "first", "second", "third"};
  const auto result = judge_trial(scenario_, trial_, true, corpus_.ledger);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].actual, "third");
}

TEST_F(JudgeTrial, EvidenceIsWhatWentOutAndThatTheConnectionEnded) {
  using dialogue::Direction;
  trial_.told = {"[1]", "{\"result\":999}"};
  trial_.shown[2] = "line";
  scenario_.cut = 5;
  scenario_.then = "close";
  const auto events = judge_trial(scenario_, trial_, true, corpus_.ledger).transcript;
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].bytes, "[1]");
  EXPECT_EQ(events[1].bytes, "{\"result\"");
  EXPECT_EQ(events[2].direction, Direction::closed);
  EXPECT_EQ(events[3].bytes, "line");
}

TEST_F(JudgeTrial, ExitCodeTellsSuccessWhateverTheValue) {
  EXPECT_EQ(judged(CallOutcome::value, false), "fail cl-unknown-id");
  scenario_.accept = {CallOutcome::nothing};
  EXPECT_EQ(judged(CallOutcome::value, false), "pass");
}

TEST_F(JudgeTrial, CallOfTheServerIsToBeAnswered) {
  scenario_.requirements = {"cl-unsolicited", "cl-server-call"};
  EXPECT_EQ(judged(CallOutcome::error), "warn cl-server-call");
  trial_.own_answer = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":"jrpcheck"})";
  EXPECT_EQ(judged(CallOutcome::error), "pass");
}

TEST_F(JudgeTrial, CallOfTheServerIsToBeRefusedAsUnknown) {
  scenario_.requirements = {"cl-unsolicited", "cl-server-call"};
  const auto after = [&](const std::string& members) {
    trial_.own_answer = R"({"jsonrpc":"2.0",)" + members + R"(,"id":"jrpcheck"})";
    return judged(CallOutcome::error);
  };
  EXPECT_EQ(after(R"("result":null)"), "warn cl-server-call");
  EXPECT_EQ(after(R"("error":{"code":-32000,"message":"x"})"), "warn cl-server-call");
  EXPECT_EQ(after(R"("error":{"code":-32601.0,"message":"x","data":1})"), "pass");
  // What is no Response is charged as that, and once.
  EXPECT_EQ(after(R"("error":{"code":"-32601","message":"x"})"), "pass");
  EXPECT_EQ(after(R"("error":{"code":-32601,"message":"x"},"result":null)"), "pass");
  EXPECT_EQ(after(R"("error":"x")"), "pass");
}

TEST_F(JudgeTrial, NotificationHasNoIdAndDoesNotFail) {
  scenario_.is_of_notification = true;
  scenario_.requirements = {"cl-http-notification", "cl-ntf-no-id"};
  scenario_.accept = {CallOutcome::value};
  EXPECT_EQ(judged(CallOutcome::value), "pass");
  EXPECT_EQ(judged(CallOutcome::waits), "fail cl-http-notification");
  trial_.has_notification_failed = true;
  EXPECT_EQ(judged(CallOutcome::value), "fail cl-http-notification");
  trial_.has_notification_an_id = true;
  for (const auto outcome : {CallOutcome::value, CallOutcome::error, CallOutcome::waits}) {
    EXPECT_EQ(judged(outcome), "fail cl-ntf-no-id") << "that is its answer, and no other fault";
  }
  scenario_.requirements = {"cl-ntf-answered", "cl-ntf-no-id"};
  trial_.has_notification_an_id = false;
  EXPECT_EQ(judged(CallOutcome::value), "pass") << "an error may be told of";
}

TEST_F(JudgeTrial, WhoNamesNoTimeLimitIsNotHeldToOne) {
  scenario_.is_unanswered = true;
  scenario_.requirements = {"cl-timeout"};
  scenario_.accept = {CallOutcome::error};
  EXPECT_EQ(judged(CallOutcome::waits), "not-exercised");
  trial_.has_limit = true;
  EXPECT_EQ(judged(CallOutcome::waits), "warn cl-timeout");
  EXPECT_EQ(judged(CallOutcome::error), "pass");
}

TEST(Outcomes, WhatADriverSaysBesideItsCalls) {
  EXPECT_TRUE(tells_of_failed_note("{\"note\":2,\"err\":\"x\"}\n"));
  EXPECT_FALSE(tells_of_failed_note("{\"n\":2,\"err\":\"x\"}\n{\"note\":2}\n"));
  EXPECT_TRUE(tells_of_limit("hello\n{\"limit\":0.5}\n"));
  EXPECT_FALSE(tells_of_limit("{\"limit\":null}\n{\"n\":1}\n"));
}

TEST(FilledCommand, ServerIsSeveralWordsWhereItStandsAlone) {
  using Words = std::vector<std::string>;
  const Words server = {"/a b/relay", "/tmp/1.sock"};
  EXPECT_EQ(filled_command({"client", "{server}"}, "", "", server),
            (Words{"client", "/a b/relay", "/tmp/1.sock"}));
  EXPECT_EQ(filled_command({"sh", "-c", "client {server}"}, "", "", server).back(),
            "client '/a b/relay' /tmp/1.sock");
  EXPECT_EQ(filled_command({"c", "--at={url}", "{cacert}"}, "https://h/", "/ca.pem", {}),
            (Words{"c", "--at=https://h/", "/ca.pem"}));
}

TEST_F(JudgeTrial, WhatTheIdsOfItsCallsHinderIsNotJudged) {
  trial_.hindrance = "two calls of the client have the same id";
  EXPECT_EQ(judged(CallOutcome::wrong), "not-exercised");
}

TEST_F(JudgeTrial, WhatTheClientDidNotComeToIsNotJudged) {
  trial_.was_played = false;
  EXPECT_EQ(judged(CallOutcome::wrong), "not-exercised");
}

}  // namespace trial_test
}  // namespace jrpcheck::client
