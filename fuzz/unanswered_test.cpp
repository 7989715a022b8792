// What becomes of calls that are left unanswered, or answered only when more is sent.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "fuzz/confirm.hpp"
#include "fuzz/suspicion_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace unanswered_test {

// Leaves out what holds these characters, alone and in a batch of two.
class LeavingOut : public Executor {
 public:
  explicit LeavingOut(bool leaves_out_alone) : leaves_out_alone_(leaves_out_alone) {}

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    const std::string& text = step.messages.front().text();
    const bool is_batch = text.starts_with('[');
    Observed observed;
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    if (is_batch) {
      observed.exchange.replies.push_back({"[" + kRight + "]", 0});
    } else if (leaves_out_alone_ && text.find("silent") != std::string::npos) {
      observed.exchange.ending = dialogue::Ending::timed_out;
    } else {
      observed.exchange.replies.push_back({kRight, 0});
    }
    return observed;
  }

  bool leaves_out_alone_;
};

TEST(FindUnansweredElement, FindsTheOneThatIsNotAnsweredAloneEither) {
  const std::string silent = R"({"jsonrpc":"2.0","method":"silent","id":1})";
  const std::string batch = "[" + kCall + "," + silent + "]";
  for (const bool leaves_out_alone : {true, false}) {
    LeavingOut executor(leaves_out_alone);
    OneSuspicion one(executor);
    const auto suspicion = one.repeater().repeat(batch);
    ASSERT_TRUE(suspicion);
    const auto element = find_unanswered_element(*suspicion, one.repeater());
    ASSERT_EQ(element.has_value(), leaves_out_alone);
    if (!element) continue;
    EXPECT_EQ(element->finding.requirement, "res-always");
    EXPECT_EQ(element->sent, silent);
  }
}

// Lets the answers to its first messages go only when more is sent.
class HoldingBack : public Executor {
 public:
  explicit HoldingBack(std::size_t times) : left_(times) {}

 private:
  Result<Observed> do_execute(const corpus::Step&) override {
    Observed observed;
    observed.exchange = judge::replied({kRight});
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    if (left_ > 0) {
      --left_;
      observed.exchange.held_until_more = "nothing in 1 s";
    }
    return observed;
  }

  std::size_t left_;
};

TEST(Investigator, AnAnswerThatComesOnlyWhenMoreIsSentIsAFindingWhereItIsSoEachTime) {
  for (const std::size_t times : {0U, 1U, 2U}) {
    HoldingBack executor(times);
    OneSuspicion one(executor);
    auto investigator = one.investigator();
    EXPECT_EQ(investigator.investigate_held(kCall), times == 2);
    ASSERT_EQ(one.findings().size(), times == 2 ? 1U : 0U);
    if (one.findings().empty()) continue;
    EXPECT_EQ(one.findings().front().requirement, "res-always");
    EXPECT_EQ(one.findings().front().particulars,
              "The answer comes only when something more is sent.");
  }
}

// Leaves batches unanswered that hold an Array, or these characters.
class HangingOnBatches : public Executor {
 public:
  std::size_t waits() const { return waits_; }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    const std::string& text = step.messages.front().text();
    const bool is_batch = text.starts_with('[');
    const bool hangs = text.find('[', 1) != std::string::npos || text.find("silent") < text.size();
    Observed observed;
    observed.exchange.control_answered = true;
    observed.survival.survival = dialogue::Survival::alive;
    if (is_batch && hangs) {
      ++waits_;
      observed.exchange.ending = dialogue::Ending::timed_out;
    } else {
      observed.exchange.replies.push_back({is_batch ? "[" + kRight + "]" : kRight, 0});
    }
    return observed;
  }

  std::size_t waits_ = 0;
};

TEST(Investigator, ABatchThatIsSilentForAnElementThatIsToldIsNotWaitedForOnceMore) {
  HangingOnBatches executor;
  OneSuspicion one(executor);
  auto investigator = one.investigator();
  const auto investigate = [&](const std::string& batch) {
    auto suspicion = one.repeater().repeat(batch);
    ASSERT_TRUE(suspicion) << batch;
    investigator.investigate(*std::move(suspicion), {});
  };
  investigate("[[]]");
  ASSERT_EQ(one.findings().size(), 1U);
  EXPECT_EQ(one.findings().front().requirement, "bat-nested");
  EXPECT_EQ(investigator.unanswered_element_of(one.repeater().expectation_for("[1,[2]]")), "Array");
  EXPECT_FALSE(investigator.unanswered_element_of(one.repeater().expectation_for("[1]")));

  const std::string beside = "[" + kCall + ",[]]";
  const auto waits = executor.waits();
  investigate(beside);
  EXPECT_EQ(executor.waits(), waits + 1);  // the suspicion itself
  EXPECT_EQ(one.findings().size(), 1U);

  investigate(R"([{"jsonrpc":"2.0","method":"silent","id":1},[]])");
  ASSERT_EQ(one.findings().size(), 2U);
  EXPECT_NE(one.findings().back().sent.find("silent"), std::string::npos);
}

}  // namespace unanswered_test
}  // namespace jrpcheck::fuzz
