#include "client/bent_values.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace bent_values_test {

using corpus::CallOrder;
using corpus::CallOutcome;

std::string call(int id) {
  return R"({"jsonrpc":"2.0","method":"echo","params":[)" + std::to_string(id) +
         "],\"id\":" + std::to_string(id) + "}";
}
std::string answer(int id) {
  return R"({"jsonrpc":"2.0","result":[)" + std::to_string(id) + "],\"id\":" + std::to_string(id) +
         "}";
}

TEST(Rounds, ThreeAnswersAreHeldAndGoOutAsTheScenarioSays) {
  corpus::Scenario scenario;
  scenario.order = CallOrder::together;
  scenario.answer = {"${good3}", R"({"id":${id2},"v":${value}})", "${good1}"};
  Bend bend(scenario, 1);
  for (const int id : {1, 2, 3}) bend.hear(call(id));
  const auto first = bend.take(answer(2), false);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->messages.empty()) << "it is held";
  EXPECT_TRUE(bend.take(answer(3), false));
  const auto all = bend.take(answer(1), false);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->messages, (std::vector<std::string>{answer(3), R"({"id":2,"v":[2]})", answer(1)}));
  EXPECT_EQ(bend.notes().bent, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Rounds, WhatIsHeldGoesOutAsItCameWhereTheOthersStayAway) {
  corpus::Scenario scenario;
  scenario.order = CallOrder::together;
  scenario.answer = {"x"};
  Bend bend(scenario, 1);
  bend.hear(call(1));
  EXPECT_FALSE(bend.give_up_waiting());
  bend.take(answer(1), false);
  EXPECT_FALSE(bend.give_up_waiting(2)) << "of another connection";
  const auto held = bend.give_up_waiting();
  ASSERT_TRUE(held);
  EXPECT_EQ(held->messages, std::vector<std::string>{answer(1)});
  EXPECT_FALSE(bend.notes().was_played);
  EXPECT_EQ(bend.notes().rounds, 0U);
}

TEST(Rounds, BatchIsBentWhereThreeCallsOfOneArrayAreAnswered) {
  corpus::Scenario scenario;
  scenario.order = CallOrder::batch;
  scenario.answer = {"[${good1},${good3}]"};
  const std::string batch = "[" + call(1) + "," + call(2) + "," + call(3) + "]";
  const std::string of_three = "[" + answer(3) + "," + answer(1) + "," + answer(2) + "]";
  Bend alone(scenario, 1);
  for (const int id : {1, 2, 3}) alone.hear(call(id));
  EXPECT_FALSE(alone.take(of_three, false)) << "they were no batch";
  Bend short_one(scenario, 1);
  short_one.hear(batch);
  EXPECT_FALSE(short_one.take("[" + answer(3) + "," + answer(1) + "]", false));
  Bend bend(scenario, 1);
  bend.hear(batch);
  const auto bent = bend.take(of_three, false);
  ASSERT_TRUE(bent);
  EXPECT_EQ(bent->messages, std::vector<std::string>{"[" + answer(1) + "," + answer(3) + "]"});
  Bend control(scenario, Bend::kNone);
  control.hear(batch);
  EXPECT_FALSE(control.take(of_three, false));
  EXPECT_EQ(control.notes().rounds, 1U);
}

class BentValues : public testing::Test {
 protected:
  BentValues() {
    scenario_.id = "client/x";
    scenario_.requirements = {"cl-unknown-id"};
    scenario_.accept = {CallOutcome::error};
    // The first call shows nothing that is printed: a handshake.
    trial_.notes.calls = {{"1", "hello", 0, R"({"a":1})", true},
                          {"2", "x", 0, "[1,2]", true},
                          {"3", "y", 0, R"("b")", true},
                          {"4", "z", 0, "null", true}};
    trial_.notes.was_played = true;
    trial_.notes.answers = 4;
    trial_.end.printed = lines_of(R"("ok":[1,2])", R"("ok":"b")", R"("ok":null)");
    trial_.end.status = transport::ExitStatus{};
    control_.answers = 4;
    trial_.notes.bent = {2};
  }
  static std::string lines_of(const std::string& one, const std::string& two,
                              const std::string& three) {
    return "{\"n\":1," + one + "}\n{\"n\":2," + two + "}\n{\"n\":3," + three + "}\n";
  }
  std::string judged(const std::string& second, const std::string& third = R"("ok":null)") {
    EXPECT_EQ(pair_lines(trial_, control_), "");
    auto trial = trial_;
    trial.end.printed = lines_of(R"("ok":[1,2])", second, third);
    auto result = judge_bent(scenario_, trial, control_, corpus_.ledger);
    judge_bent_values(scenario_, trial, control_, corpus_.ledger, result);
    std::string text(name_of(result.verdict));
    for (const auto& each : result.findings) text += " " + each.requirement;
    reason_ = result.reason;
    return text;
  }
  const corpus::Corpus& corpus_ = corpus::corpus_for_testing();
  corpus::Scenario scenario_;
  Control control_;
  BentTrial trial_;
  std::string reason_;
};

TEST_F(BentValues, LinesArePairedWithTheCallsWhoseResultsTheyShow) {
  EXPECT_EQ(pair_lines(trial_, control_), "");
  EXPECT_EQ(control_.lines, (std::map<std::size_t, std::size_t>{{1, 1}, {2, 2}, {3, 3}}));
  EXPECT_FALSE(has_line(control_, 1));
  EXPECT_TRUE(has_line(control_, 3));
  EXPECT_EQ(usual_answer_with_line(control_), 3U);
  trial_.end.printed = "{\"n\":1,\"ok\":\"a part of it\"}\n";
  EXPECT_NE(pair_lines(trial_, control_).find("a part of it"), std::string::npos);
  trial_.end.printed = "done\n";
  EXPECT_NE(pair_lines(trial_, control_).find("prints no line"), std::string::npos);
}

TEST_F(BentValues, ValueIsHeldAgainstWhatTheServerHasAnswered) {
  EXPECT_EQ(judged(R"("err":"x")"), "pass");
  EXPECT_EQ(judged(R"("ok":999)"), "fail cl-unknown-id");
  EXPECT_EQ(judged(R"("ok":"b")"), "fail cl-unknown-id") << "it is to be an error";
  scenario_.accept = {CallOutcome::value};
  EXPECT_EQ(judged(R"("ok":"b")"), "pass");
  EXPECT_EQ(judged(R"("ok":[1,2])"), "fail cl-unknown-id") << "that is another call's";
  EXPECT_EQ(judged(R"("ok":"b")", R"("ok":5)"), "fail cl-unknown-id");
  scenario_.others_may_fail = true;
  EXPECT_EQ(judged(R"("ok":"b")", R"("ok":5)"), "pass");
}

TEST_F(BentValues, WhatCannotBeToldIsNotJudged) {
  trial_.notes.bent = {3};
  EXPECT_EQ(judged(R"("ok":"b")", R"("ok":5)"), "pass");
  EXPECT_NE(reason_.find("cannot be told"), std::string::npos) << reason_;
  trial_.notes.bent = {0};
  judged(R"("ok":999)");
  EXPECT_NE(reason_.find("no line"), std::string::npos) << reason_;
}

TEST_F(BentValues, WhoCallsAgainMayTellOfThat) {
  EXPECT_EQ(pair_lines(trial_, control_), "");
  trial_.notes.calls.push_back({"5", "y", 0, R"("b")", true});
  auto result = judge_bent(scenario_, trial_, control_, corpus_.ledger);
  judge_bent_values(scenario_, trial_, control_, corpus_.ledger, result);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_NE(result.reason.find("called again"), std::string::npos) << result.reason;
}

}  // namespace bent_values_test
}  // namespace jrpcheck::client
