#include "corpus/reply_count.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace jrpcheck::corpus {
namespace reply_count_test {

using LeastAndMost = std::pair<std::size_t, std::size_t>;

Outcome outcome(Outcome::Shape shape, std::size_t responses = 1, Verdict verdict = Verdict::pass) {
  Outcome one;
  one.shape = shape;
  one.verdict = verdict;
  one.responses.resize(responses);
  return one;
}

template <typename... Outcomes>
LeastAndMost count(Outcomes... accepted) {
  Step step;
  (step.accept.push_back(std::move(accepted)), ...);
  const ReplyCount found = count_replies(step);
  return {found.least, found.most};
}

TEST(ReplyCount, CallWithoutOutcomesHasOneAnswer) { EXPECT_EQ(count(), LeastAndMost(1, 1)); }

TEST(ReplyCount, BatchIsOneMessageAndResponsesAreSeveral) {
  EXPECT_EQ(count(outcome(Outcome::Shape::batch, 3)), LeastAndMost(1, 1));
  EXPECT_EQ(count(outcome(Outcome::Shape::responses, 3)), LeastAndMost(3, 3));
}

TEST(ReplyCount, AnArrayAmongSeveralMessagesIsOneMore) {
  auto several = outcome(Outcome::Shape::responses, 3);
  several.array.emplace(2);
  EXPECT_EQ(count(std::move(several)), LeastAndMost(4, 4));
}

TEST(ReplyCount, SpansFromTheFewestToTheMost) {
  EXPECT_EQ(count(outcome(Outcome::Shape::response), outcome(Outcome::Shape::silence, 0)),
            LeastAndMost(0, 1));
  EXPECT_EQ(count(outcome(Outcome::Shape::responses, 2), outcome(Outcome::Shape::response)),
            LeastAndMost(1, 2));
  EXPECT_EQ(count(outcome(Outcome::Shape::closed, 0)), LeastAndMost(0, 0));
  EXPECT_EQ(count(outcome(Outcome::Shape::exited, 0)), LeastAndMost(0, 0));
}

TEST(ReplyCount, AnythingMayBeNothingToo) {
  EXPECT_EQ(count(outcome(Outcome::Shape::anything, 0)), LeastAndMost(0, 1));
}

TEST(ReplyCount, WhatNoSilenceShowsIsNotWaitedForInSilence) {
  EXPECT_EQ(count(outcome(Outcome::Shape::response), outcome(Outcome::Shape::refused, 0)),
            LeastAndMost(1, 1));
  EXPECT_EQ(count(outcome(Outcome::Shape::response), outcome(Outcome::Shape::closed, 0)),
            LeastAndMost(1, 1));
}

TEST(ReplyCount, OutcomesThatFailAreNotWaitedFor) {
  EXPECT_EQ(count(outcome(Outcome::Shape::silence, 0),
                  outcome(Outcome::Shape::responses, 2, Verdict::fail)),
            LeastAndMost(0, 0));
  EXPECT_EQ(count(outcome(Outcome::Shape::response, 1, Verdict::warn)), LeastAndMost(1, 1));
  EXPECT_EQ(count(outcome(Outcome::Shape::response, 1, Verdict::fail)), LeastAndMost(0, 0));
}

}  // namespace reply_count_test
}  // namespace jrpcheck::corpus
