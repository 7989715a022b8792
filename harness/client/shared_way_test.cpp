#include "client/shared_way.hpp"

#include <gtest/gtest.h>

#include <set>

#include "client/shared_script.hpp"

namespace jrpcheck::client {
namespace shared_way_test {

using corpus::CallOutcome;
using corpus::Scenario;

TEST(Telling, ReadsCallsInTheirOrderAndNoFurther) {
  Telling telling;
  telling.note("hello\n{\"n\":1,\"ok\":101}\n{\"n\":2,", "");
  EXPECT_EQ(telling.told(), 1U);
  telling.note("hello\n{\"n\":1,\"ok\":101}\n{\"n\":2,\"err\":\"x\"}\n", "");
  EXPECT_EQ(telling.told(), 2U);
  EXPECT_EQ(telling.line_of(2), R"({"n":2,"err":"x"})");
  EXPECT_EQ(telling.line_of(3), "");
  EXPECT_FALSE(telling.is_out_of_order());
  telling.note("hello\n{\"n\":1,\"ok\":101}\n{\"n\":2,\"err\":\"x\"}\n{\"n\":2,\"ok\":102}\n", "");
  EXPECT_TRUE(telling.is_out_of_order());
  EXPECT_EQ(telling.told(), 2U);
}

TEST(Telling, KnowsAfterWhichCallThereWasAComplaint) {
  Telling telling;
  telling.note("", "starts");
  telling.note("{\"n\":1,\"ok\":101}\n", "starts");
  telling.note("{\"n\":1,\"ok\":101}\n", "starts, and stumbles");
  EXPECT_TRUE(telling.has_complaint_after(0));
  EXPECT_TRUE(telling.has_complaint_after(1));
  EXPECT_FALSE(telling.has_complaint_after(2));
}

TEST(SharedScript, EveryOtherCallIsTheSubjectOfItsScenario) {
  Scenario first;
  first.answer = {R"({"id":${id},"before":${id1},"v":${value}})"};
  Scenario second;
  second.answer = {R"({"id":"nobody","v":${wrong}})"};
  SharedScript script({&first, &second});
  const auto answer = [&](int n) {
    const auto number = std::to_string(n);
    const auto given = script.take(
        R"({"jsonrpc":"2.0","method":"echo","params":[)" + number + R"(],"id":"c)" + number + "\"}",
        1);
    return given ? given->messages.front() : "";
  };
  EXPECT_EQ(answer(1), R"({"jsonrpc":"2.0","result":101,"id":"c1"})");
  EXPECT_EQ(answer(2), R"({"id":"c2","before":"c1","v":102})");
  EXPECT_EQ(answer(3), R"({"jsonrpc":"2.0","result":103,"id":"c3"})");
  EXPECT_FALSE(script.of(1).was_played());
  EXPECT_EQ(answer(4), R"({"id":"nobody","v":999})");
  EXPECT_EQ(answer(5), R"({"jsonrpc":"2.0","result":105,"id":"c5"})");
  EXPECT_TRUE(script.of(0).was_played() && script.of(1).was_played());
  EXPECT_EQ(script.of(1).told(), std::vector<std::string>{R"({"id":"nobody","v":999})"});
}

TEST(CanBeShared, NotWhatIsLikeAnIdOfAFreshClient) {
  const Door& http = *door_named("http");
  Scenario scenario;
  scenario.requirements = {"cl-unknown-id"};
  const auto is_shared = [&](const std::string& answer) {
    scenario.answer = {answer};
    return can_be_shared(scenario, http);
  };
  EXPECT_TRUE(is_shared(R"({"result":${wrong},"id":"nobody"})"));
  EXPECT_TRUE(is_shared(R"({"result":${wrong},"id":${id}})"));
  EXPECT_TRUE(is_shared("hello"));
  EXPECT_FALSE(is_shared(R"({"result":${wrong},"id":true})"));
  EXPECT_FALSE(is_shared(R"({"result":${wrong},"id":0.5})"));
  EXPECT_TRUE(is_shared("hello"));
  EXPECT_FALSE(can_be_shared(scenario, *door_named("https")));
  scenario.then = "close";
  EXPECT_FALSE(can_be_shared(scenario, http));
}

/// A client by what it makes of each scenario, in a process whose calls are counted.
class SharedWayTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kScenarios = 20;

  SharedWayTest() {
    control_.id = "good";
    for (std::size_t i = 0; i < kScenarios; ++i) {
      Scenario one;
      one.id = "s" + std::to_string(i);
      one.requirements = {"r" + std::to_string(i / 4)};
      one.accept = {CallOutcome::error, CallOutcome::waits};
      scenarios_.push_back(one);
    }
  }

  Settled settle() {
    Scenarios all;
    for (const auto& each : scenarios_) all.push_back(&each);
    return SharedWay(
               control_, milliseconds(100),
               [this](const Scenarios& several, microseconds) { return play(several); },
               [this](const Scenario& one) { EXPECT_TRUE(left_.insert(one.id).second); })
        .settle(all);
  }

  Result<SharedTrial> play(const Scenarios& several) {
    ++processes_;
    SharedTrial trial;
    trial.duration = of_call_ * static_cast<long>(SharedScript::calls_for(several.size()));
    trial.has_ended = true;
    for (std::size_t i = 0; i < several.size(); ++i) {
      const auto& id = several[i]->id;
      const auto subject = SharedScript::first_call(i) + 1;
      const bool stops = waits_.count(id) != 0 || kills_.count(id) != 0 || subject > most_calls_;
      if (stops && !trial.stopped_at) {
        trial.stopped_at = subject;
        trial.has_failed = kills_.count(id) != 0;
        trial.has_ended = waits_.count(id) == 0;
      }
      const bool passes = !trial.stopped_at && fails_.count(id) == 0;
      result::CaseResult result;
      result.id = id;
      trial.passed.push_back(passes ? std::optional(result) : std::nullopt);
      if (dies_at_end_ == id) trial.was_killed = true;
      // Each answers something, and is excused by the one before all of them.
      if (i > 0 && excuses_ == several.front()->id && answers_.count(id) != 0) {
        ++trial.answers_let_go;
      }
    }
    // The one before the stop is in doubt as well.
    const bool is_doubtful = trial.stopped_at && *trial.stopped_at >= 4;
    if (is_doubtful) trial.passed.at(*trial.stopped_at / 2 - 2) = std::nullopt;
    return trial;
  }

  Scenario control_;
  std::deque<Scenario> scenarios_;
  std::set<std::string> fails_;
  std::set<std::string> waits_;
  std::set<std::string> kills_;
  std::string dies_at_end_;
  std::string excuses_;
  std::set<std::string> answers_;
  std::size_t most_calls_ = 1000;
  std::size_t processes_ = 0;
  milliseconds of_call_{1};
  std::set<std::string> left_;
};

TEST_F(SharedWayTest, OneProcessBesideTheControlIsEnoughWhereAllPass) {
  EXPECT_EQ(settle().passed.size(), kScenarios);
  EXPECT_EQ(processes_, 2U);
  EXPECT_TRUE(left_.empty());
}

TEST_F(SharedWayTest, WhatFailsIsLeftAloneAndTheOthersPassWithoutIt) {
  fails_ = {"s3", "s9"};
  EXPECT_EQ(settle().passed.size(), kScenarios - 2);
  EXPECT_EQ(processes_, 3U);
  EXPECT_EQ(left_, fails_);
}

TEST_F(SharedWayTest, WhoeverWaitsIsNotAskedToUnderThatRequirementAgain) {
  waits_ = {"s5"};
  const auto settled = settle();
  EXPECT_EQ(left_.count("s5") + left_.count("s6"), 2U);
  EXPECT_EQ(settled.passed.size() + left_.size(), kScenarios);
}

TEST_F(SharedWayTest, WhoeverDiesIsStartedAgainWithoutThatAndWithoutTheOneBefore) {
  kills_ = {"s5"};
  EXPECT_EQ(settle().passed.size(), kScenarios - 2);
  EXPECT_EQ(left_, (std::set<std::string>{"s4", "s5"}));
}

TEST_F(SharedWayTest, DeathAtTheEndLetsNothingPassWithWhatItComesOf) {
  dies_at_end_ = "s7";
  const auto settled = settle();
  EXPECT_EQ(settled.passed.count("s7"), 0U);
  EXPECT_EQ(left_.count("s7"), 1U);
  EXPECT_EQ(settled.passed.size() + left_.size(), kScenarios);
  EXPECT_GE(settled.passed.size(), kScenarios / 2);
}

TEST_F(SharedWayTest, NothingPassesWhereOneScenarioMayExcuseWhatAnotherShows) {
  excuses_ = "s0";
  answers_ = {"s2", "s3"};
  const auto settled = settle();
  EXPECT_EQ(settled.passed.count("s2") + settled.passed.count("s3"), 0U);
  EXPECT_EQ(left_.count("s2") + left_.count("s3"), 2U);
  EXPECT_EQ(settled.passed.size() + left_.size(), kScenarios);
  EXPECT_GE(settled.passed.size(), kScenarios / 2);
}

TEST_F(SharedWayTest, WhoseCallsTakeLongIsNotAskedForMany) {
  of_call_ = milliseconds(30);
  EXPECT_TRUE(settle().passed.empty());
  EXPECT_EQ(left_.size(), kScenarios);
  EXPECT_EQ(processes_, 1U);
}

TEST_F(SharedWayTest, WhoCannotMakeSoManyGoodCallsIsNotAskedTo) {
  most_calls_ = 20;
  const auto settled = settle();
  EXPECT_TRUE(settled.passed.empty());
  EXPECT_EQ(left_.size(), kScenarios);
  EXPECT_EQ(processes_, 1U);
  EXPECT_NE(settled.hindrance.find("41 good answers"), std::string::npos) << settled.hindrance;
}

}  // namespace shared_way_test
}  // namespace jrpcheck::client
