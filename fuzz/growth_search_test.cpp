#include "fuzz/growth_search.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/interruption.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::fuzz {
namespace growth_search_test {

const std::string kCall = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";

enum class Fate { goes_on, is_lost, is_cut_off };

// Answers, or is there no more, or its time is up while it answers.
class CountingExecutor : public Executor {
 public:
  explicit CountingExecutor(Fate fate) : fate_(fate) {}
  ~CountingExecutor() override { end_of_time = std::chrono::steady_clock::time_point::max(); }
  CountingExecutor(const CountingExecutor&) = delete;
  CountingExecutor& operator=(const CountingExecutor&) = delete;

  std::size_t executed() const { return executed_; }

 private:
  Result<Observed> do_execute(const corpus::Step&) override {
    ++executed_;
    if (fate_ == Fate::is_lost) return Error{"there is no server any more"};
    if (fate_ == Fate::is_cut_off) end_of_time = std::chrono::steady_clock::now();
    return Observed{judge::replied({}), {}};
  }

  Fate fate_;
  std::size_t executed_ = 0;
};

TEST(GrowthWithEach, AsksNoMoreWhereThereIsNoServerAnyMore) {
  CountingExecutor executor(Fate::is_lost);
  EXPECT_EQ(
      growth_with_each(executor, corpus::step_sending(kCall), Deadline::in(milliseconds(200))), 0);
  EXPECT_EQ(executor.executed(), 1U);
}

TEST(GrowthSearch, OnlyOneThatWasNotCutShortLeavesGrowthUnexplained) {
  for (const Fate fate : {Fate::goes_on, Fate::is_cut_off}) {
    CountingExecutor executor(fate);
    History history;
    history.note(kCall);
    GrowthSearch search(1);
    EXPECT_FALSE(search.find_cause(history, {}, executor));
    EXPECT_EQ(search.is_unexplained(), fate == Fate::goes_on);
  }
}

}  // namespace growth_search_test
}  // namespace jrpcheck::fuzz
