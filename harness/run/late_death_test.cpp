#include "run/late_death.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace late_death_test {

constexpr int kForever = std::numeric_limits<int>::max();
constexpr int kCalls = 60;  // more than the cases of a test make

struct Habits {
  std::string fatal = {};           ///< the message that ends it so many calls later
  int lifetime = kForever;          ///< in calls, whatever it is sent
  bool is_started_by_hand = false;  ///< so that it is not started anew
};

class DyingConversation : public FakeConversation {
 public:
  explicit DyingConversation(Habits habits)
      : FakeConversation(server_without_methods()), habits_(std::move(habits)) {}

  Result<bool> open(dialogue::Transcript&) override {
    if (!habits_.is_started_by_hand) begin();
    return true;
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    for (const auto& message : step.messages) {
      if (message.text() == habits_.fatal) left_ = std::min(left_, kCalls);
    }
    --left_;
    return FakeConversation::exchange(step, transcript);
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    if (--left_ > 0) return FakeConversation::check_survival(transcript);
    begin();
    return {dialogue::Survival::dead, "the program exited with code 3", ""};
  }

 private:
  void begin() {
    ++generation;
    left_ = habits_.lifetime;
  }

  Habits habits_;
  int left_ = kForever;
};

class LateDeaths : public ::testing::Test {
 protected:
  LateDeaths() {
    for (std::size_t ordinal = 0; ordinals_.size() < 9; ++ordinal) {
      if (corpus_.cases[ordinal].id.rfind("id/", 0) != 0) continue;
      FakeConversation alive(server_without_methods());
      runner_.run(ordinal, alive);
      if (alive.sent.empty()) continue;
      ordinals_.push_back(ordinal);
      messages_.push_back(alive.sent.front());
    }
  }

  std::optional<LateDeath> find(Habits habits) {
    DyingConversation conversation(std::move(habits));
    return find_late_death(ordinals_, runner_, conversation, Deadline::in(milliseconds(60'000)),
                           milliseconds(50));
  }

  const corpus::Corpus& corpus_ = corpus::corpus_for_testing(corpus::kDefaultProfile);
  FakeEndpoint endpoint_;
  CaseRunner runner_{corpus_, endpoint_, 0};
  std::vector<std::size_t> ordinals_;
  std::vector<std::string> messages_;
};

TEST_F(LateDeaths, AreFoundWhereverTheirCaseStands) {
  for (const std::size_t place : {0, 4, 8}) {
    const auto found = find({.fatal = messages_[place]});
    ASSERT_TRUE(found) << place;
    EXPECT_EQ(found->ordinal, ordinals_[place]);
    EXPECT_EQ(found->how.detail, "the program exited with code 3");
  }
}

TEST_F(LateDeaths, OfAServerThatTakesSoManyCallsHaveNoCase) {
  EXPECT_FALSE(find({.lifetime = kCalls}));
}

TEST_F(LateDeaths, AreNotLookedForWhereTheServerIsNotStartedAnew) {
  EXPECT_FALSE(find({.fatal = messages_[4], .is_started_by_hand = true}));
}

TEST_F(LateDeaths, OfAServerThatLivesAreNone) { EXPECT_FALSE(find({})); }

}  // namespace late_death_test
}  // namespace jrpcheck::run
