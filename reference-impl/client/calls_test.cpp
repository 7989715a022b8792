#include "reference-impl/client/calls.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::reference {
namespace calls_test {

std::string result_for(Calls::Id id, int value) {
  return R"({"jsonrpc":"2.0","result":)" + std::to_string(value) + R"(,"id":)" +
         std::to_string(id) + "}";
}

class CallsInFlight : public ::testing::Test {
 protected:
  Calls calls;
  const Calls::Id first = calls.begin();
  const Calls::Id second = calls.begin();
};

TEST_F(CallsInFlight, EachResponseEndsTheCallWithItsId) {
  calls.take(result_for(second, 22));
  EXPECT_TRUE(calls.is_waiting(first));
  calls.take(result_for(first, 11));
  EXPECT_EQ(calls.end_of(first).result, 11);
  EXPECT_EQ(calls.end_of(second).result, 22);
}

TEST_F(CallsInFlight, FirstAnswerCounts) {
  calls.take(result_for(first, 11));
  calls.take(result_for(first, 999));
  EXPECT_EQ(calls.end_of(first).result, 11);
}

TEST_F(CallsInFlight, NumbersAreComparedByValueAndTextsAreNone) {
  calls.take(R"({"jsonrpc":"2.0","result":1,"id":"1"})");
  EXPECT_TRUE(calls.is_waiting(first));
  calls.take(R"({"jsonrpc":"2.0","result":1,"id":1.0})");
  EXPECT_FALSE(calls.is_waiting(first));
}

TEST_F(CallsInFlight, BrokenResponseEndsItsOwnCallAlone) {
  calls.take(R"({"jsonrpc":"2.0","id":1})");
  EXPECT_FALSE(calls.end_of(first).error.empty());
  EXPECT_TRUE(calls.is_waiting(second));
}

TEST_F(CallsInFlight, WhatNamesNoCallEndsAll) {
  for (const char* text : {"nonsense", "null", "[]", "{}",
                           R"({"jsonrpc":"2.0","error":{"code":1,"message":"x"},"id":null})"}) {
    Calls all;
    const auto id = all.begin();
    all.take(text);
    EXPECT_FALSE(all.is_waiting(id)) << text;
  }
}

TEST_F(CallsInFlight, CallOfTheServerIsAnsweredAndItsNotificationIsNot) {
  const auto owed = calls.take(R"({"jsonrpc":"2.0","method":"ask","id":1})");
  EXPECT_NE(owed.find("-32601"), std::string::npos);
  EXPECT_EQ(calls.take(R"({"jsonrpc":"2.0","method":"tell"})"), "");
  EXPECT_TRUE(calls.is_waiting(first));
}

TEST_F(CallsInFlight, ArrayEndsEveryCallOfItsBatch) {
  calls.take("[" + result_for(second, 22) + "]", {first, second});
  EXPECT_FALSE(calls.end_of(first).error.empty());
  EXPECT_EQ(calls.end_of(second).result, 22);
}

}  // namespace calls_test
}  // namespace jrpcheck::reference
