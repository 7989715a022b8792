#include "client/look_apart.hpp"

#include <gtest/gtest.h>

#include "client/trial_judge.hpp"
#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace look_apart_test {

using corpus::Scenario;
using result::CaseResult;

class LookApart : public ::testing::Test {
 protected:
  LookApart() {
    scenario_.id = "client/x";
    scenario_.requirements = {"cl-unsolicited"};
    scenario_.answer = {"{}", "${good}"};
  }
  CaseResult result_where(bool fails) const {
    CaseResult result = blank(scenario_);
    result.exercised = {scenario_.requirements.front()};
    if (fails) {
      charge(scenario_.requirements.front(), {"Call 2 is left waiting.", "a result", "nothing"},
             corpus_.ledger, result);
    }
    result.verdict = result::worst_of(result.findings);
    return result;
  }
  std::string told(bool fails_apart, bool fails_together) {
    tries_ = 0;
    const auto result = looked_at_apart(
        scenario_, result_where(true),
        [&](const Scenario& one) -> std::optional<CaseResult> {
          ++tries_;
          EXPECT_NE(one.are_apart, one.in_one_write);
          return result_where(one.are_apart ? fails_apart : fails_together);
        },
        corpus_.ledger);
    std::string text(name_of(result.verdict));
    for (const auto& each : result.findings) text += " " + each.requirement;
    return text;
  }

  const corpus::Corpus& corpus_ = corpus::corpus_for_testing();
  Scenario scenario_;
  int tries_ = 0;
};

TEST_F(LookApart, WhoFailsOverOneReadAloneDoesNotTellMessagesApart) {
  EXPECT_EQ(told(false, true), "fail cl-framing");
  scenario_.in_one_write = true;
  EXPECT_EQ(told(false, true), "fail cl-framing");
  scenario_.requirements = {"cl-framing"};
  EXPECT_EQ(told(false, true), "fail cl-framing");
}

TEST_F(LookApart, WhoFailsOverThemApartFailsByWhatTheySay) {
  EXPECT_EQ(told(true, true), "fail cl-unsolicited");
  scenario_.requirements = {"cl-framing"};
  EXPECT_EQ(told(true, true), "not-exercised");
}

TEST_F(LookApart, WhatIsNoMatterOfWritesStaysAsItWas) {
  EXPECT_EQ(told(false, false), "fail cl-unsolicited");
  scenario_.answer = {"{}"};
  EXPECT_EQ(told(false, true), "fail cl-unsolicited");
  EXPECT_EQ(tries_, 0) << "of one message";
}

TEST_F(LookApart, AnswersToANotificationAndItsCallAreNeverInOneWriteForSure) {
  scenario_.answer = {"{}"};
  scenario_.is_of_notification = true;
  EXPECT_EQ(told(false, true), "pass");
  EXPECT_EQ(told(true, true), "fail cl-unsolicited");
}

}  // namespace look_apart_test
}  // namespace jrpcheck::client
