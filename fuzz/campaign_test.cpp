#include "fuzz/campaign.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

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
