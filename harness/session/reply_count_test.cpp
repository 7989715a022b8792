#include "session/reply_count.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace jrpcheck::session {
namespace reply_count_test {

using corpus::Outcome;
using Shape = Outcome::Shape;
using LeastAndMost = std::pair<std::size_t, std::size_t>;

Outcome outcome(Shape shape, std::size_t responses = 1,
                corpus::Verdict verdict = corpus::Verdict::pass) {
  Outcome one;
  one.shape = shape;
  one.verdict = verdict;
  one.responses.resize(responses);
  return one;
}

template <typename... Outcomes>
LeastAndMost count(Outcomes... accepted) {
  corpus::Step step;
  (step.accept.push_back(std::move(accepted)), ...);
  const ReplyCount found = count_replies(step);
  return {found.least, found.most};
}

TEST(ReplyCount, CallWithoutOutcomesHasOneAnswer) { EXPECT_EQ(count(), LeastAndMost(1, 1)); }

TEST(ReplyCount, BatchIsOneMessageAndResponsesAreSeveral) {
  EXPECT_EQ(count(outcome(Shape::batch, 3)), LeastAndMost(1, 1));
  EXPECT_EQ(count(outcome(Shape::responses, 3)), LeastAndMost(3, 3));
}

TEST(ReplyCount, AnArrayAmongSeveralMessagesIsOneMore) {
  auto several = outcome(Shape::responses, 3);
  several.array.emplace(2);
  EXPECT_EQ(count(std::move(several)), LeastAndMost(4, 4));
}

TEST(ReplyCount, SpansFromTheFewestToTheMost) {
  EXPECT_EQ(count(outcome(Shape::response), outcome(Shape::silence, 0)), LeastAndMost(0, 1));
  EXPECT_EQ(count(outcome(Shape::responses, 2), outcome(Shape::response)), LeastAndMost(1, 2));
  EXPECT_EQ(count(outcome(Shape::closed, 0)), LeastAndMost(0, 0));
  EXPECT_EQ(count(outcome(Shape::exited, 0)), LeastAndMost(0, 0));
}

TEST(ReplyCount, WhatNoSilenceShowsIsNotWaitedForInSilence) {
  EXPECT_EQ(count(outcome(Shape::response), outcome(Shape::refused, 0)), LeastAndMost(1, 1));
  EXPECT_EQ(count(outcome(Shape::response), outcome(Shape::closed, 0)), LeastAndMost(1, 1));
}

TEST(ReplyCount, OutcomesThatFailAreNotWaitedFor) {
  EXPECT_EQ(count(outcome(Shape::silence, 0), outcome(Shape::responses, 2, corpus::Verdict::fail)),
            LeastAndMost(0, 0));
  EXPECT_EQ(count(outcome(Shape::response, 1, corpus::Verdict::warn)), LeastAndMost(1, 1));
  EXPECT_EQ(count(outcome(Shape::response, 1, corpus::Verdict::fail)), LeastAndMost(0, 0));
}

}  // namespace reply_count_test
}  // namespace jrpcheck::session
