#include "traffic/latency.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::traffic {
namespace latency_test {

TEST(Latencies, MedianIsWithinAnEighthAndTheWorstIsExact) {
  for (const long long unit : {1, 7, 1000, 123'456}) {
    Latencies latencies;
    for (long long i = 1; i <= 999; ++i) latencies.add(microseconds(i * unit));
    const double truth = 500.0 * static_cast<double>(unit);
    EXPECT_NEAR(static_cast<double>(latencies.median().count()), truth, truth / 8 + 1);
    EXPECT_EQ(latencies.worst(), microseconds(999 * unit));
  }
}

TEST(Latencies, WhatCannotBeIsTakenAllTheSame) {
  Latencies latencies;
  EXPECT_EQ(latencies.median(), microseconds(0));
  latencies.add(microseconds(-5));
  latencies.add(microseconds::max());
  EXPECT_EQ(latencies.count(), 2U);
}

}  // namespace latency_test
}  // namespace jrpcheck::traffic
