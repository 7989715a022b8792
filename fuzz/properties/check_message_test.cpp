// What comes for a call when nothing is waited for any more.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "fuzz/properties/test_session.hpp"

namespace jrpcheck::properties {
namespace check_message_test {

// Says each answer once more when nothing is waited for.
class AnsweringLater : public fuzz::Executor {
 public:
  explicit AnsweringLater(std::unique_ptr<fuzz::Executor> executor)
      : executor_(std::move(executor)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    auto observed = executor_->execute(step);
    if (!observed) return observed;
    if (step.listen_first_ms > 0) observed->late = std::exchange(said_, {});
    for (const auto& reply : observed->exchange.replies) said_.push_back(reply);
    return observed;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  std::vector<dialogue::Message> said_;
};

TEST(AnsweredOnce, ASecondAnswerIsSeenWhenNothingIsWaitedFor) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Circumstances circumstances{oracle, wire::known_binding("lines"),
                                    Deadline::at(Clock::time_point::max())};
  const Scenario calls{{R"({"jsonrpc":"2.0","method":"jrpcheckX","id":1})",
                        R"({"jsonrpc":"2.0","method":"jrpcheckX","id":"a"})"}};
  const auto quick = make_reference_for_testing({}).quick_executor();
  TestSession proper(circumstances, *quick, *quick, 1);
  EXPECT_TRUE(check_answered_once(calls, proper).findings.empty());

  AnsweringLater patient(make_reference_for_testing({}).careful_executor());
  TestSession session(circumstances, *quick, patient, 1);
  const auto trial = check_answered_once(calls, session);
  ASSERT_EQ(trial.findings.size(), 1U);
  EXPECT_EQ(trial.findings.front().requirement, "res-once");
  EXPECT_EQ(trial.findings.front().step, 0U);
}

}  // namespace check_message_test
}  // namespace jrpcheck::properties
