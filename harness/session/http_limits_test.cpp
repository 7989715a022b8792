#include "session/http_limits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace jrpcheck::session {
namespace http_limits_test {

// How long is waited first where a refusal says this.
microseconds wait_for(const std::string& retry_after) {
  wire::HttpMessage refusal;
  refusal.fields = {{"Date", "Sun, 06 Nov 1994 08:49:37 GMT"}, {"Retry-After", retry_after}};
  return HttpLimits().wait_after(refusal).value_or(microseconds(-1));
}

TEST(HttpLimits, WaitAsLongAsTheRefusalSaysInSecondsOrByADate) {
  EXPECT_EQ(wait_for("1"), std::chrono::seconds(1));
  EXPECT_EQ(wait_for("Sun, 06 Nov 1994 08:49:38 GMT"), std::chrono::seconds(1));
  EXPECT_EQ(wait_for("Mon, 07 Nov 1994 08:49:37 GMT"), std::chrono::seconds(2)) << "no longer";
  EXPECT_EQ(wait_for("Sun, 06 Nov 1994 08:00:00 GMT"), milliseconds(100)) << "has passed";
  EXPECT_EQ(wait_for("soon"), milliseconds(100));
}

TEST(HttpLimits, HaveBeenMetWhereACallIsRefused) {
  HttpLimits limits;
  EXPECT_FALSE(limits.have_been_met());
  limits.wait_after({});
  EXPECT_TRUE(limits.have_been_met());
}

TEST(HttpLimits, AreWaitedForAFewTimesHoweverOftenACallIsRefused) {
  HttpLimits limits;
  int waits = 0;
  for (int i = 0; i < 100; ++i) waits += limits.wait_after({}) ? 1 : 0;
  EXPECT_EQ(waits, kTriesWithinLimits);
}

// Refused and served by turns, until it has been enough.
microseconds wait_in_all(const wire::HttpMessage& refusal) {
  HttpLimits limits;
  microseconds all{0};
  while (const auto wait = limits.wait_after(refusal)) {
    all += *wait;
    limits.note_served();
  }
  return all;
}

TEST(HttpLimits, AreWaitedForLongerInAllWhereRefusalsSayWhen) {
  wire::HttpMessage refusal;
  EXPECT_EQ(wait_in_all(refusal), std::chrono::seconds(40));
  refusal.fields = {{"Retry-After", "1"}};
  EXPECT_EQ(wait_in_all(refusal), std::chrono::seconds(120));
}

TEST(HttpLimits, PauseLongerEachTimeUntilItHasBeenEnough) {
  HttpLimits limits;
  EXPECT_EQ(limits.pause(0), milliseconds(100));
  EXPECT_EQ(limits.pause(2), milliseconds(400));
  microseconds all{0};
  for (int i = 0; i < 100; ++i) all += limits.pause(4);
  EXPECT_EQ(all + milliseconds(500), milliseconds(40'000));
}

}  // namespace http_limits_test
}  // namespace jrpcheck::session
