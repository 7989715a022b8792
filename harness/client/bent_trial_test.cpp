#include "client/bent_trial.hpp"

#include <gtest/gtest.h>

#include "base/contains.hpp"
#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace bent_trial_test {

using corpus::CallOutcome;

corpus::Scenario answering(std::vector<std::string> answer) {
  corpus::Scenario scenario;
  scenario.answer = std::move(answer);
  return scenario;
}

std::string result_of(int id) {
  return R"({"jsonrpc":"2.0","result":{"a":1.50},"id":)" + std::to_string(id) + "}";
}

TEST(Bends, OneAnswerIsAnotherAndAllElsePasses) {
  const auto scenario = answering({R"({"v":${value},"id":${id},"before":${id1}})", "${good}"});
  Bend bend(scenario, 2);
  bend.hear(R"([{"method":"a","id":7},{"method":"b"}])");
  EXPECT_TRUE(bend.is_due());
  EXPECT_FALSE(bend.take(result_of(7), false));
  EXPECT_FALSE(bend.is_due());
  EXPECT_FALSE(bend.take(R"({"jsonrpc":"2.0","error":{},"id":8})", false)) << "has no result";
  EXPECT_FALSE(bend.take(R"({"jsonrpc":"2.0","method":"x","result":1,"id":8})", false));
  EXPECT_FALSE(bend.take("hello", false));
  const auto answer = bend.take(result_of(9), false);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->messages,
            (std::vector<std::string>{R"({"v":{"a":1.50},"id":9,"before":7})", result_of(9)}));
  EXPECT_FALSE(bend.take(result_of(10), false));
  const auto notes = bend.notes();
  EXPECT_TRUE(notes.was_played);
  EXPECT_EQ(notes.answers, 3U);
  EXPECT_EQ(notes.methods, (std::vector<std::string>{"a", "b"}));
}

TEST(Bends, WhatCannotBePlayedPassesAndSaysWhy) {
  const auto of_earlier = answering({R"({"id":${id1}})"});
  Bend first(of_earlier, 1);
  EXPECT_FALSE(first.take(result_of(1), false));
  EXPECT_NE(first.notes().hindrance.find("before the one"), std::string::npos);
  Bend same(of_earlier, 2);
  same.take(result_of(1), false);
  EXPECT_FALSE(same.take(result_of(1), false));
  EXPECT_NE(same.notes().hindrance.find("have the same id"), std::string::npos);
  const auto twice = answering({"${good}", R"({"result":1,"id":${id}})"});
  Bend again(twice, 2);
  again.take(result_of(1), false);
  EXPECT_FALSE(again.take(result_of(1), false)) << "the second could be for the call behind";
  EXPECT_NE(again.notes().hindrance.find("have the same id"), std::string::npos);
  const auto foreign = answering({R"({"result":1,"id":987654321})"});
  Bend own(foreign, 1);
  EXPECT_FALSE(own.take(result_of(987654321), false));
  EXPECT_NE(own.notes().hindrance.find("own call"), std::string::npos);
  auto of_status = answering({"${good}"});
  of_status.http_status = 500;
  Bend late(of_status, 1);
  EXPECT_FALSE(late.take(result_of(1), true));
  EXPECT_FALSE(late.notes().was_played);
  Bend in_time(of_status, 1);
  EXPECT_TRUE(in_time.take(result_of(1), false));
}

TEST(Bends, WhatSpellsOutVersion2IsNotPlayedToAClientOfAnother) {
  constexpr std::string_view kOfVersion1 = R"({"result":5,"error":null,"id":1})";
  const auto hindrance = [&](const corpus::Scenario& scenario) {
    Bend bend(scenario, 1);
    const bool is_bent = bend.take(std::string(kOfVersion1), false).has_value();
    EXPECT_EQ(is_bent, bend.notes().was_played);
    return bend.notes().hindrance;
  };
  EXPECT_NE(hindrance(answering({R"({"id":${id},"result":${value},"jsonrpc":"2.0"})"})), "");
  EXPECT_NE(hindrance(answering({R"({"result":${value},"id":${id}})"})), "");
  EXPECT_EQ(hindrance(answering({"hello"})), "") << "that is JSON in no version";
  EXPECT_EQ(hindrance(answering({"${good}"})), "");
}

TEST(Bends, AnswerOfTheClientToTheServerIsNoticed) {
  const auto scenario = answering({"x"});
  Bend bend(scenario, Bend::kNone);
  bend.hear(R"({"method":"x","id":"jrpcheck"})");
  EXPECT_FALSE(bend.notes().own_answer);
  bend.hear(R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":"jrpcheck"})");
  EXPECT_TRUE(bend.notes().own_answer);
}

TEST(Bends, LastAnswerButOneIsTheUsualOne) {
  EXPECT_EQ(usual_answer(1), 1U);
  EXPECT_EQ(usual_answer(2), 1U);
  EXPECT_EQ(usual_answer(5), 4U);
}

class JudgeBent : public testing::Test {
 protected:
  JudgeBent() {
    scenario_.id = "client/x";
    scenario_.requirements = {"cl-unknown-id"};
    scenario_.accept = {CallOutcome::value};
    control_.answer = 2;
    control_.methods = {"a", "b", "c"};
    control_.printed = "1 2 3";
    trial_.notes.was_played = true;
    trial_.notes.methods = control_.methods;
    trial_.end.printed = control_.printed;
    trial_.end.status = transport::ExitStatus{};
  }
  std::string judged() {
    const auto result = judge_bent(scenario_, trial_, control_, corpus_.ledger);
    std::string text(name_of(result.verdict));
    for (const auto& each : result.findings) text += " " + each.requirement;
    exercised_ = result.exercised;
    return text;
  }
  bool is_exercised(const std::string& id) const { return contains(exercised_, id); }
  const corpus::Corpus& corpus_ = corpus::corpus_for_testing();
  corpus::Scenario scenario_;
  Control control_;
  BentTrial trial_;
  std::vector<std::string> exercised_;
};

TEST_F(JudgeBent, WhoDoesAsWithoutHasShownIt) {
  EXPECT_EQ(judged(), "pass");
  EXPECT_TRUE(is_exercised("cl-unknown-id"));
  trial_.end.printed = "1 999 3";
  EXPECT_EQ(judged(), "pass");
  EXPECT_FALSE(is_exercised("cl-unknown-id")) << "another output may say what was passed over";
  EXPECT_TRUE(is_exercised("cl-survives"));
}

TEST_F(JudgeBent, DeathIsChargedWhateverTheAnswer) {
  trial_.end.status = transport::ExitStatus{true, 11};
  EXPECT_EQ(judged(), "fail cl-survives");
  scenario_.accept = {CallOutcome::error, CallOutcome::waits};
  EXPECT_EQ(judged(), "fail cl-survives");
}

TEST_F(JudgeBent, FailureIsChargedWhereTheResultHasComeAlone) {
  trial_.end.status = transport::ExitStatus{false, 1};
  EXPECT_EQ(judged(), "fail cl-unknown-id");
  scenario_.warn = {CallOutcome::error};
  EXPECT_EQ(judged(), "warn cl-unknown-id");
  scenario_.warn.clear();
  scenario_.accept = {CallOutcome::error};
  EXPECT_EQ(judged(), "pass");
  EXPECT_FALSE(is_exercised("cl-unknown-id")) << "nobody saw what the call was told";
}

TEST_F(JudgeBent, WaitingIsChargedWhereTheCallMustEnd) {
  trial_.end.status.reset();
  EXPECT_EQ(judged(), "fail cl-unknown-id");
  scenario_.accept = {CallOutcome::error};
  EXPECT_EQ(judged(), "fail cl-unknown-id");
  trial_.notes.due = 1;
  EXPECT_EQ(judged(), "pass") << "it is the server that is waited for";
  trial_.notes.due = 0;
  trial_.end.is_restless = true;
  EXPECT_EQ(judged(), "pass") << "it may be trying again";
  trial_.end.is_restless = false;
  control_.ends = false;
  EXPECT_EQ(judged(), "pass") << "it always waits";
  control_.ends = true;
  scenario_.accept = {CallOutcome::error, CallOutcome::waits};
  EXPECT_EQ(judged(), "pass");
  scenario_.accept = {CallOutcome::nothing};
  EXPECT_EQ(judged(), "pass") << "the program may wait for another result";
  scenario_.then = "close";
  EXPECT_EQ(judged(), "fail cl-unknown-id") << "none can come";
  trial_.notes.was_on_stream = true;
  EXPECT_EQ(judged(), "pass") << "an event stream may be resumed";
}

TEST_F(JudgeBent, WhoDoesNotGoOnIsDisturbed) {
  trial_.notes.methods = {"a", "b"};
  EXPECT_EQ(judged(), "fail cl-unknown-id");
  control_.is_steady = false;
  EXPECT_EQ(judged(), "pass") << "it never makes the same calls";
  EXPECT_FALSE(is_exercised("cl-unknown-id"));
}

TEST_F(JudgeBent, CallOfTheServerIsToBeAnswered) {
  scenario_.requirements = {"cl-unsolicited", "cl-server-call"};
  EXPECT_EQ(judged(), "warn cl-server-call");
  trial_.notes.own_answer = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":"x"})";
  EXPECT_EQ(judged(), "pass");
  trial_.notes.own_answer = R"({"jsonrpc":"2.0","result":null,"id":"x"})";
  EXPECT_EQ(judged(), "warn cl-server-call");
}

TEST_F(JudgeBent, WhatWasNotPlayedIsNotJudged) {
  trial_.notes.was_played = false;
  trial_.end.status = transport::ExitStatus{true, 11};
  EXPECT_EQ(judged(), "not-exercised");
}

}  // namespace bent_trial_test
}  // namespace jrpcheck::client
