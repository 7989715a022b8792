#include "fuzz/find_repetition.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "corpus/reply_count.hpp"
#include "fuzz/observer_for_testing.hpp"
#include "judge/test_support.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace find_repetition_test {

const std::string kCall = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":1})";
const std::string kNotification = R"({"jsonrpc":"2.0","method":"jrpcheckX","params":[1,2,3]})";

// Serves so many Notifications on a connection, and then nothing more; on each connection so many
// more than on the one before.
class WornOutExecutor : public Executor {
 public:
  WornOutExecutor(std::size_t served, dialogue::Survival then, std::size_t more = 0)
      : served_(served), then_(then), more_(more) {}

  bool begin_connection() override {
    notifications_ = 0;
    served_ += more_;
    return false;
  }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    Observed observed;
    observed.survival.survival = dialogue::Survival::alive;
    observed.exchange.control_answered = true;
    const bool is_notification = corpus::count_replies(step).most == 0;
    if (is_notification && ++notifications_ > served_) {
      observed.survival.survival = then_;
      observed.exchange.control_answered = false;
      observed.exchange.ending = dialogue::Ending::timed_out;
      notifications_ = 0;  // on another connection
    } else if (!is_notification) {
      observed.exchange.replies.push_back(
          {R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":1})", 0});
    }
    return observed;
  }

  std::size_t served_;
  dialogue::Survival then_;
  std::size_t more_;
  std::size_t notifications_ = 0;
};

class FindRepetition : public ::testing::Test {
 protected:
  std::optional<Suspicion> found_with(WornOutExecutor executor) {
    Repeater repeater(oracle_, findings_, wire::default_stream_binding(), executor, executor);
    return find_repetition({kCall, kNotification}, repeater);
  }

 private:
  Oracle oracle_{judge::real_ledger(), {}};
  Limits limits_;
  run::FakeEndpoint endpoint_;
  SilentObserver observer_;
  FindingLog findings_{limits_, endpoint_, observer_, 0};
};

TEST_F(FindRepetition, AMessageThatIsServedSoManyTimesOnlyIsShownBehindAllOfThem) {
  const auto found = found_with({5, dialogue::Survival::deaf});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->finding.requirement, "rob-survives");
  EXPECT_EQ(found->before, Messages(5, found->sent));
  EXPECT_LT(found->sent.size(), kNotification.size());
}

TEST_F(FindRepetition, OneThatIsNeverServedShowsThatAlone) {
  EXPECT_FALSE(found_with({0, dialogue::Survival::deaf}));
}

TEST_F(FindRepetition, WhoStopsBehindAnotherNumberEachTimeStopsForAnotherReason) {
  EXPECT_FALSE(found_with({5, dialogue::Survival::deaf, 1}));
}

TEST_F(FindRepetition, AServerThatGoesOnIsNotWornOut) {
  EXPECT_FALSE(found_with({5, dialogue::Survival::alive}));
  EXPECT_FALSE(found_with({1000, dialogue::Survival::deaf}));
}

}  // namespace find_repetition_test
}  // namespace jrpcheck::fuzz
