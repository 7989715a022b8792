#include "fuzz/second_answer.hpp"

#include <gtest/gtest.h>

#include <string>

#include "fuzz/suspicion_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace second_answer_test {

// Answers the call once more a moment after its answer.
class AnsweringAgain : public Executor {
 public:
  std::size_t connections() const { return connections_; }
  bool begin_connection() override { return ++connections_ > 0; }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    Observed observed;
    observed.exchange = judge::replied({kRight});
    observed.survival.survival = dialogue::Survival::alive;
    const bool is_call = step.messages.front().text().find("jrpcheckX") != std::string::npos;
    if (step.listen_first_ms > 0 && has_called_) observed.late.emplace_back(kRight);
    has_called_ = is_call;
    return observed;
  }

  std::size_t connections_ = 0;
  bool has_called_ = false;
};

class AnsweringOnce : public Executor {
  Result<Observed> do_execute(const corpus::Step&) override {
    Observed observed;
    observed.exchange = judge::replied({kRight});
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }
};

const std::string kOther = R"({"jsonrpc":"2.0","method":"jrpcheckY","id":8})";

TEST(Investigator, ASecondAnswerThatComesLaterIsChargedOnceToTheCallThatItAnswers) {
  AnsweringAgain executor;
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(investigator.investigate_again({dialogue::Message(kRight)}, {kCall, kOther}));
  }
  ASSERT_EQ(one.findings().size(), 1U);
  const Finding& finding = one.findings().front();
  EXPECT_EQ(finding.requirement, "res-once");
  EXPECT_EQ(finding.symptom, judge::Symptom::second_response);
  EXPECT_NE(finding.sent.find("jrpcheckX"), std::string::npos) << finding.sent;
  EXPECT_TRUE(finding.before.empty());
  EXPECT_FALSE(finding.is_flaky());
  EXPECT_GT(executor.connections(), 3U);  // each try has its own
}

TEST(Investigator, ASecondAnswerBesideAnotherIsNoFaultOfTheMessageThatItMeets) {
  AnsweringAgain executor;
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  Suspicion met = one.suspicion();
  met.sent = kOther;
  met.observed.exchange = judge::replied({kRight});
  investigator.investigate(met, {kCall});
  ASSERT_EQ(one.findings().size(), 1U);
  EXPECT_NE(one.findings().front().sent.find("jrpcheckX"), std::string::npos);
  EXPECT_EQ(one.findings().front().symptom, judge::Symptom::second_response);
}

TEST(Investigator, NothingIsChargedWhereNoCallIsAnsweredOnceMore) {
  AnsweringOnce executor;
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  EXPECT_FALSE(investigator.investigate_again({dialogue::Message(kRight)}, {kCall, kOther}));
  EXPECT_TRUE(one.findings().empty());
}

}  // namespace second_answer_test
}  // namespace jrpcheck::fuzz
