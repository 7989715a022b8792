#include "fuzz/confirm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "corpus/reply_count.hpp"
#include "fuzz/suspicion_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace confirm_test {

const std::string kWrongId =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":8})";

// The last of every so many tries is wrong.
Replies wrong_once_in(std::size_t many, const std::string& wrong) {
  Replies replies(1000, kRight);
  for (std::size_t i = many - 1; i < replies.size(); i += many) replies[i] = wrong;
  return replies;
}

// Brings the replies one after the other, and then the last again. Time is up with the execution
// `last`, which is cut short.
class ScriptedExecutor : public Executor {
 public:
  explicit ScriptedExecutor(Replies replies, int last = 0)
      : replies_(std::move(replies)), last_(last) {}
  std::size_t executed() const { return executed_; }
  ~ScriptedExecutor() override { end_of_time = std::chrono::steady_clock::time_point::max(); }

 private:
  Result<Observed> do_execute(const corpus::Step&) override {
    const auto index = std::min<std::size_t>(executed_, replies_.size() - 1);
    if (++executed_ == static_cast<std::size_t>(last_)) {
      end_of_time = std::chrono::steady_clock::now();
    }
    Observed observed;
    observed.exchange.replies.push_back({replies_.at(index), 0});
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }

  Replies replies_;
  int last_;
  std::size_t executed_ = 0;
};

// Dies of each message that holds these characters, and answers every other one rightly.
class DyingExecutor : public Executor {
 public:
  explicit DyingExecutor(std::string deadly) : deadly_(std::move(deadly)) {}

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    if (step.messages.front().text().find(deadly_) != std::string::npos) return death();
    Observed observed;
    observed.exchange = judge::replied({kRight});
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }

  std::string deadly_;
};

// Answers each message rightly, and has died of one that holds these characters by the time that
// the next is sent, which the server that was started then answers.
class DyingLateExecutor : public Executor {
 public:
  explicit DyingLateExecutor(std::string deadly) : deadly_(std::move(deadly)) {}

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    Observed observed;
    observed.exchange = judge::replied({kRight});
    observed.survival.survival = dialogue::Survival::alive;
    const bool is_dying =
        std::exchange(is_dying_, step.messages.front().text().find(deadly_) != std::string::npos);
    // Where nothing was waited for, what is sent next meets the end.
    if (is_dying && step.listen_first_ms == 0) return death();
    if (is_dying) observed.ended_before = "exited with code 1";
    return observed;
  }

  std::string deadly_;
  bool is_dying_ = false;
};

// Answers every call twice: the second answer is heard by who waits for one.
class AnsweringTwice : public Executor {
  Result<Observed> do_execute(const corpus::Step& step) override {
    Observed observed;
    observed.exchange.replies.resize(corpus::count_replies(step).most, {kRight, 0});
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }
};

TEST(Confirm, ASecondAnswerIsWaitedFor) {
  AnsweringTwice executor;
  OneSuspicion one(executor);
  const Suspicion twice{kCall, one.judgement_of({kRight, kRight}).findings.at(0), {}};
  const auto confirmation = confirm(twice, {}, one.repeater());
  EXPECT_EQ(confirmation.outcome, Confirmation::Outcome::always);
  EXPECT_EQ(confirmation.suspicion.finding.requirement, "res-once");
}

// Of a batch it answers the first element alone.
class StopsBehindTheFirst : public Executor {
  Result<Observed> do_execute(const corpus::Step& step) override {
    const bool is_batch = step.messages.front().text().starts_with('[');
    Observed observed;
    observed.exchange = judge::replied({is_batch ? "[" + kRight + "]" : kRight});
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }
};

TEST(Confirm, WhatIsLostWhereAPlainCallIsLostAsWellIsNotLostForWhatItIs) {
  for (const std::string lost : {"1", "[]", R"({"jsonrpc":"2.0","method":"","id":null})",
                                 R"({"jsonrpc":1,"id":5})", kCall.c_str()}) {
    StopsBehindTheFirst executor;
    OneSuspicion one(executor);
    auto suspicion = one.repeater().repeat("[" + kCall + "," + lost + "]");
    ASSERT_TRUE(suspicion) << lost;
    const auto least = reduced(*std::move(suspicion), one.repeater());
    EXPECT_EQ(least.finding.about, "call") << lost << " " << least.sent;
    EXPECT_EQ(least.finding.requirement, "bat-each") << lost;
  }
}

TEST(Confirm, TellsOfHowManyTriesItShowed) {
  ScriptedExecutor executor({kWrong, kRight});
  OneSuspicion one(executor);
  const auto confirmation = confirm(one.suspicion(), {}, one.repeater());
  EXPECT_EQ(confirmation.outcome, Confirmation::Outcome::at_times);
  EXPECT_EQ(confirmation.shown, 1U);
  EXPECT_EQ(confirmation.tries, 2U);
}

TEST(Confirm, ATryThatAnInterruptionCutShortIsNone) {
  ScriptedExecutor executor({kWrong, kRight}, 2);
  OneSuspicion one(executor);
  const auto confirmation = confirm(one.suspicion(), {}, one.repeater());
  EXPECT_EQ(confirmation.shown, 1U);
  EXPECT_EQ(confirmation.tries, 1U);
}

TEST(Investigator, AFindingThatDidNotShowEachTimeIsFlakyThoughTimeIsUpBehindIt) {
  ScriptedExecutor executor({kWrong, kRight}, 3);
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  investigator.investigate(one.suspicion(), {});
  ASSERT_EQ(one.findings().size(), 1U);
  EXPECT_TRUE(one.findings().front().is_flaky());
  EXPECT_EQ(one.findings().front().tries, 2U);
}

TEST(Investigator, WhatShowsOnceInManyTriesIsAFlakyFinding) {
  ScriptedExecutor executor(wrong_once_in(40, kWrongId));
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 3; ++i) investigator.investigate(one.suspicion(kWrongId), {});
  ASSERT_EQ(one.findings().size(), 1U);
  EXPECT_TRUE(one.findings().front().is_flaky());
  EXPECT_EQ(one.findings().front().requirement, one.suspicion(kWrongId).finding.requirement);
  EXPECT_EQ(one.findings().front().shown, 3U);
  EXPECT_EQ(investigator.unconfirmed(), 0U);
  EXPECT_TRUE(investigator.sightings().empty());
}

TEST(Investigator, TellsHowOftenWasSeenWhatNeverShowsAgain) {
  ScriptedExecutor executor({kRight});
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 3; ++i) investigator.investigate(one.suspicion(kWrongId), {});
  EXPECT_FALSE(investigator.worst_new(expectation_of(kCall, {}), one.judgement_of({kWrongId})));
  EXPECT_TRUE(one.findings().empty());
  EXPECT_EQ(investigator.unconfirmed(), 3U);
  const auto sightings = investigator.sightings();
  ASSERT_EQ(sightings.size(), 1U);
  EXPECT_EQ(sightings.front().times, 4U);
  EXPECT_NE(in_words(sightings.front()).find(" looked broken 4 times, and not when"),
            std::string::npos);
}

TEST(Investigator, CountsWhatSeveralElementsShowOnceForTheirBatch) {
  ScriptedExecutor executor({kRight});
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 3; ++i) investigator.investigate(one.suspicion(kWrongId), {});
  auto judgement = one.judgement_of({kWrongId});
  judgement.findings.push_back(judge::Finding(judgement.findings.front()));
  EXPECT_FALSE(investigator.worst_new(expectation_of(kCall, {}), judgement));
  ASSERT_EQ(investigator.sightings().size(), 1U);
  EXPECT_EQ(investigator.sightings().front().times, 4U);
}

TEST(Investigator, TellsThatItShowedOnceWhenSentAgain) {
  Replies replies(1000, kRight);
  replies[50] = kWrongId;
  ScriptedExecutor executor(replies);
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 3; ++i) investigator.investigate(one.suspicion(kWrongId), {});
  EXPECT_TRUE(one.findings().empty());
  const auto sightings = investigator.sightings();
  ASSERT_EQ(sightings.size(), 1U);
  EXPECT_NE(in_words(sightings.front()).find(" 3 times, and once when"), std::string::npos);
}

TEST(Investigator, WhatHasNoSentenceOfItsOwnIsToldWithoutOne) {
  EXPECT_EQ(in_words({"mcp-x", judge::Symptom::rule_broken, 3}),
            "mcp-x looked broken 3 times, and not when the message was sent again.");
}

// As who is asked too often may do.
TEST(Investigator, ACodeOfItsOwnAtTimesIsNoFinding) {
  ScriptedExecutor executor(wrong_once_in(40, kWrong));
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 3; ++i) investigator.investigate(one.suspicion(kWrong), {});
  EXPECT_TRUE(one.findings().empty());
  EXPECT_EQ(investigator.sightings().size(), 1U);
}

TEST(Investigator, SilenceIsCountedAndNotTriedOnAndOn) {
  ScriptedExecutor executor({kRight});
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 3; ++i) investigator.investigate(one.suspicion_of_silence(), {});
  EXPECT_EQ(investigator.sightings().size(), 1U);
  EXPECT_LT(executor.executed(), 100U);
}

const std::string kDeadly =
    R"({"jsonrpc":"2.0","method":"jrpcheckX","params":[2147483648],"id":7})";

TEST(Investigator, ADeathIsChargedToTheMessageBeforeThatEndsTheServerAlone) {
  DyingExecutor executor("2147483648");
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  investigator.investigate(one.suspicion_of_death(), {kDeadly, kCall, kCall});
  investigator.tell_unexplained_ends();
  ASSERT_EQ(one.findings().size(), 1U);
  const Finding& finding = one.findings().front();
  EXPECT_NE(finding.sent.find("2147483648"), std::string::npos) << finding.sent;
  EXPECT_EQ(finding.symptom, judge::Symptom::died);
  EXPECT_FALSE(finding.is_flaky());
}

TEST(Investigator, ADeathAMomentAfterAnAnswerIsChargedToTheMessageThatWasAnswered) {
  for (const bool was_alone : {false, true}) {
    DyingLateExecutor executor("2147483648");
    OneSuspicion one(executor);
    auto investigator = one.investigator();
    if (was_alone) {
      investigator.investigate(one.suspicion_of_death(), {kDeadly});
    } else {
      investigator.investigate_after(one.suspicion_of_death(), {kDeadly}, std::nullopt);
    }
    investigator.tell_unexplained_ends();
    ASSERT_EQ(one.findings().size(), 1U);
    const Finding& finding = one.findings().front();
    EXPECT_NE(finding.sent.find("2147483648"), std::string::npos) << finding.sent;
    EXPECT_TRUE(finding.before.empty());
    EXPECT_EQ(finding.symptom, judge::Symptom::died_later);
    EXPECT_FALSE(finding.is_flaky());
  }
}

TEST(Investigator, ADeathThatNothingRepeatsIsToldOnceAndAccusesNoMessage) {
  DyingExecutor executor("nothing that is sent");
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 2; ++i) investigator.investigate(one.suspicion_of_death(), {kDeadly});
  EXPECT_TRUE(one.findings().empty());
  investigator.tell_unexplained_ends();
  ASSERT_EQ(one.findings().size(), 1U);
  const Finding& finding = one.findings().front();
  EXPECT_EQ(finding.requirement, "rob-survives");
  EXPECT_EQ(sentence_of(finding),
            "The server ended 2 times; no message that was sent again makes it do so.");
  EXPECT_EQ(finding.before, Messages{kDeadly});
  EXPECT_TRUE(finding.is_flaky());
  EXPECT_EQ(investigator.unconfirmed(), 0U);
}

TEST(Investigator, AnEndBetweenMessagesIsToldWhereItIsKnownHow) {
  for (const std::string how : {"killed by signal 6", ""}) {
    ScriptedExecutor executor({kRight});
    OneSuspicion one(executor);
    auto investigator = one.investigator();
    investigator.investigate_death_after(kCall, {kDeadly}, how);
    investigator.tell_unexplained_ends();
    ASSERT_EQ(one.findings().size(), how.empty() ? 0U : 1U);
    if (how.empty()) continue;
    EXPECT_EQ(one.findings().front().actual, how);
    EXPECT_EQ(sentence_of(one.findings().front()),
              "The server ended 1 time; no message that was sent again makes it do so.");
  }
}

TEST(Investigator, AnEndBetweenMessagesIsChargedToTheOneBeforeThatEndsTheServerAgain) {
  DyingExecutor executor("2147483648");
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  investigator.investigate_death_after(kDeadly, {}, "killed by signal 6");
  investigator.tell_unexplained_ends();
  ASSERT_EQ(one.findings().size(), 1U);
  EXPECT_EQ(one.findings().front().symptom, judge::Symptom::died);
}

TEST(Investigator, AServerThatServesNobodyAgainAndAgainIsTold) {
  for (const int times : {2, 3}) {
    ScriptedExecutor executor({kRight});
    OneSuspicion one(executor);
    auto investigator = one.investigator();
    for (int i = 0; i < times; ++i) investigator.investigate(one.suspicion_of_wedge(), {});
    investigator.tell_unexplained_ends();
    if (times == 2) {
      EXPECT_TRUE(one.findings().empty()) << "a busy machine may do that";
      continue;
    }
    ASSERT_EQ(one.findings().size(), 1U);
    EXPECT_EQ(sentence_of(one.findings().front()),
              "The server served no connection any more, at least 3 times; no message that was "
              "sent again makes it do so.");
  }
}

// As where several messages were under way: the one that it died of is looked into later.
TEST(Investigator, ADeathIsExplainedByTheMessageThatIsFoundToEndTheServerInTheSameWay) {
  DyingExecutor executor("2147483648");
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  investigator.investigate(one.suspicion_of_death(), {});
  Suspicion deadly = one.suspicion_of_death();
  deadly.sent = kDeadly;
  investigator.investigate(deadly, {});
  investigator.investigate(one.suspicion_of_death(), {});
  investigator.tell_unexplained_ends();
  ASSERT_EQ(one.findings().size(), 1U);
  EXPECT_EQ(one.findings().front().symptom, judge::Symptom::died);
}

TEST(Investigator, CountsTheSuspicionThatAnInterruptionLeavesOpen) {
  ScriptedExecutor executor({kRight}, 1);
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  investigator.investigate(one.suspicion(), {});
  EXPECT_TRUE(one.findings().empty());
  EXPECT_EQ(investigator.unsettled(), 1U);
  EXPECT_EQ(investigator.unconfirmed(), 0U);
}

}  // namespace confirm_test
}  // namespace jrpcheck::fuzz
