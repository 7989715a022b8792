#include "fuzz/campaign.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "fuzz/observer_for_testing.hpp"
#include "judge/test_support.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace campaign_test {

constexpr std::size_t kTogether = 4;

const std::string kCall = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";
const std::string kRight =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":7})";

// Answers each call that is sent by itself, or dies of it. Those that are sent together are lost,
// and the server has ended then, if this says how.
class LosingExecutor : public Executor {
 public:
  explicit LosingExecutor(std::string how, bool dies_alone = false)
      : how_(std::move(how)), dies_alone_(dies_alone) {}

  std::size_t most_together() const override { return kTogether; }
  std::string how_it_ended() const override { return how_; }

 private:
  Result<Observed> do_execute(const corpus::Step&) override {
    Observed observed;
    if (dies_alone_) {
      observed.exchange = judge::ended(dialogue::Ending::exited, how_);
      observed.survival = {dialogue::Survival::dead, how_, ""};
    } else {
      observed.exchange = judge::replied({kRight});
      observed.exchange.control_answered = true;
      observed.survival.survival = dialogue::Survival::alive;
    }
    return observed;
  }
  bool do_send_all(const std::vector<const corpus::Step*>&, std::optional<Cut>) override {
    return true;
  }

  std::string how_;
  bool dies_alone_;
};

// What is found where two groups of calls are sent, of which the first is taken.
std::vector<Finding> found_with(LosingExecutor executor) {
  Limits limits;
  limits.keep_going = true;
  run::FakeEndpoint endpoint;
  SilentObserver observer;
  Campaign campaign(Oracle(judge::real_ledger(), {}), limits, endpoint, executor, executor,
                    observer, 0);
  for (std::size_t i = 0; i < 2 * kTogether; ++i) campaign.feed(kCall);
  campaign.conclude();
  return campaign.findings();
}

TEST(Campaign, TellsThatTheServerEndedAmidMessagesOfWhichNoneEndsIt) {
  const auto found = found_with(LosingExecutor("the program exited with code 7"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().symptom, judge::Symptom::went_away);
  EXPECT_EQ(found.front().actual, "the program exited with code 7");
  EXPECT_TRUE(found_with(LosingExecutor("")).empty());
}

TEST(Campaign, AnEndThatOneOfTheMessagesExplainsIsToldOnce) {
  const auto found = found_with(LosingExecutor("the program exited with code 7", true));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().symptom, judge::Symptom::died);
}

// Answers what is sent together, and what is sent alone when a call has been sent behind it.
class HoldingExecutor : public Executor {
 public:
  std::size_t most_together() const override { return kTogether; }
  std::size_t bytes_of_call_behind() const override { return 1; }
  std::size_t times_alone() const { return times_alone_; }
  void let_go() { holds_ = false; }

 private:
  Observed answered() const {
    Observed observed;
    observed.exchange = judge::replied({kRight});
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }
  Result<Observed> do_execute(const corpus::Step&) override {
    ++times_alone_;
    Observed observed = answered();
    if (holds_) observed.exchange.held_until_more = "nothing in 1 s";
    return observed;
  }
  bool do_send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut>) override {
    sent_ = steps.size();
    return true;
  }
  std::optional<std::vector<Observed>> do_take_all() override {
    return std::vector<Observed>(sent_, answered());
  }

  bool holds_ = true;
  std::size_t sent_ = 0;
  std::size_t times_alone_ = 0;
};

std::vector<Finding> found_of_those_sent_together(HoldingExecutor& executor) {
  Limits limits;
  limits.keep_going = true;
  run::FakeEndpoint endpoint;
  SilentObserver observer;
  Campaign campaign(Oracle(judge::real_ledger(), {}), limits, endpoint, executor, executor,
                    observer, 0);
  for (std::size_t i = 0; i < 5 * kTogether; ++i) campaign.feed(kCall);
  return campaign.findings();
}

TEST(Campaign, TellsThatAnAnswerComesOnlyWhenMoreIsSent) {
  HoldingExecutor executor;
  const auto found = found_of_those_sent_together(executor);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().requirement, "res-always");
  EXPECT_EQ(found.front().particulars, "The answer comes only when something more is sent.");
}

TEST(Campaign, AsksOnceForAKindOfAnswersThatComesByItself) {
  HoldingExecutor executor;
  executor.let_go();
  EXPECT_TRUE(found_of_those_sent_together(executor).empty());
  EXPECT_EQ(executor.times_alone(), 1U);
}

// Leaves one call unanswered, and serves nobody any more after so many messages.
class SilentExecutor : public Executor {
 public:
  void end_after(int messages) { left_ = messages; }
  bool has_ended() const { return left_ == 0; }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    if (has_ended()) return Error{"interrupted"};
    if (left_ > 0) --left_;
    Observed observed;
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    if (step.messages.front().text().find("silent") == std::string::npos) {
      observed.exchange.replies.push_back({kRight, 0});
    } else {
      observed.exchange.ending = dialogue::Ending::timed_out;
    }
    return observed;
  }

  int left_ = -1;
};

TEST(Campaign, ASilenceThatTheEndKeepsFromBeingReducedIsNotChargedBesideOneThatIsKnown) {
  const auto silent = [](const std::string& id) {
    return R"({"jsonrpc":"2.0","method":"jrpcheckX","params":["silent"],"id":)" + id + "}";
  };
  SilentExecutor executor;
  Limits limits;
  limits.keep_going = true;
  limits.interrupted = [&] { return executor.has_ended(); };
  run::FakeEndpoint endpoint;
  SilentObserver observer;
  Campaign campaign(Oracle(judge::real_ledger(), {}), limits, endpoint, executor, executor,
                    observer, 0);
  campaign.feed(silent("7"));
  EXPECT_EQ(campaign.findings().size(), 1U);
  executor.end_after(3);  // itself, and what confirms it
  campaign.feed(silent("0"));
  EXPECT_EQ(campaign.findings().size(), 1U) << campaign.findings().back().requirement;
  EXPECT_EQ(campaign.tally().unsettled, 1U);
}

}  // namespace campaign_test
}  // namespace jrpcheck::fuzz
