// Answers that are lost now and then: found where the same is sent often, and passed over nowhere.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "fuzz/properties/lost_answers.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "fuzz/properties/trials.hpp"

namespace jrpcheck::properties {
namespace lost_answers_test {

using IsLost = std::function<bool(int served)>;

// Leaves unanswered those of its messages, counted from 1 over all executors, that are lost.
class ForgetfulExecutor : public fuzz::Executor {
 public:
  ForgetfulExecutor(std::unique_ptr<fuzz::Executor> executor, IsLost is_lost,
                    std::shared_ptr<int> served)
      : executor_(std::move(executor)), is_lost_(std::move(is_lost)), served_(std::move(served)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    auto observed = executor_->execute(step);
    if (!observed || !is_lost_(++*served_)) return observed;
    observed->exchange.replies.clear();
    observed->exchange.ending = dialogue::Ending::timed_out;
    return observed;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  IsLost is_lost_;
  std::shared_ptr<int> served_;
};

Server forgetful(IsLost is_lost) {
  const auto make = [reference = make_reference_for_testing({}), is_lost = std::move(is_lost),
                     served = std::make_shared<int>(0)] {
    return std::make_unique<ForgetfulExecutor>(reference.careful_executor(), is_lost, served);
  };
  return {make, make, wire::known_binding("lines")};
}

constexpr std::size_t kMost = 250;

AskedAgain asked_again(IsLost is_lost) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Circumstances circumstances{oracle, wire::known_binding("lines"),
                                    Deadline::at(Clock::time_point::max())};
  const auto executor = forgetful(std::move(is_lost)).careful_executor();
  TestSession session(circumstances, *executor, *executor, 1);
  return ask_again(R"({"jsonrpc":"2.0","method":"jrpcheckX","id":1})", kMost, session);
}

TEST(LostAnswers, AreFoundWhereSomeAreLostAndOthersNot) {
  const auto each_50th = asked_again([](int served) { return served % 50 == 0; });
  EXPECT_TRUE(each_50th.is_at_times);
  EXPECT_EQ(each_50th.finding.requirement, "res-always");
  EXPECT_EQ(each_50th.finding.actual, "nothing, 2 of the 101 times that it was sent");

  const auto never = asked_again([](int) { return false; });
  EXPECT_FALSE(never.is_at_times);
  EXPECT_EQ(never.answered, kMost);

  const auto once = asked_again([](int served) { return served == 3; });
  EXPECT_FALSE(once.is_at_times) << "it may have been late";
  EXPECT_EQ(once.answered, kMost - 1);

  const auto always = asked_again([](int) { return true; });
  EXPECT_FALSE(always.is_at_times) << "that shows where it is tried";
  EXPECT_EQ(always.answered, 0U);

  const auto from_then_on = asked_again([](int served) { return served > 20; });
  EXPECT_FALSE(from_then_on.is_at_times) << "it has fallen silent";
  EXPECT_EQ(from_then_on.answered, 20U);
}

PropertyResult tried(IsLost is_lost) {
  const auto server = forgetful(std::move(is_lost));
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Words words{{{"subtract", "subtract"}, {"echo", "echo"}}, {}};
  return std::move(Trials(server, oracle, words, {.tests = 40}, 1)
                       .run({find_property("call-answered")})
                       .front());
}

TEST(LostAnswers, EachFiftiethIsAFailureThoughNoCallIsLostEachTime) {
  const auto result = tried([](int served) { return served % 50 == 30; });
  ASSERT_EQ(result.found.size(), 1U);
  EXPECT_EQ(result.found.front().finding.requirement, "res-always");
  EXPECT_TRUE(result.found.front().is_at_times);
  EXPECT_FALSE(result.loses_answers());
}

TEST(LostAnswers, OneThatIsNeverLostAgainLeavesThePropertyOpen) {
  const auto result = tried([](int served) { return served == 20; });
  EXPECT_TRUE(result.found.empty());
  EXPECT_TRUE(result.loses_answers());
  EXPECT_EQ(result.gap(), "1 of 40 tests left a call unanswered that was answered when sent again");
  EXPECT_EQ(tried([](int) { return false; }).gap(), "");
}

}  // namespace lost_answers_test
}  // namespace jrpcheck::properties
