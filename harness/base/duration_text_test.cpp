#include "base/duration_text.hpp"

#include <gtest/gtest.h>

namespace jrpcheck {
namespace duration_text_test {

using std::chrono::seconds;

TEST(DurationText, HasTheUnitThatReadsBest) {
  EXPECT_EQ(duration_text(microseconds(0)), "0 ms");
  EXPECT_EQ(duration_text(microseconds(250)), "0.25 ms");
  EXPECT_EQ(duration_text(milliseconds(3)), "3 ms");
  EXPECT_EQ(duration_text(milliseconds(99)), "99 ms");
  EXPECT_EQ(duration_text(milliseconds(250)), "0.25 s");
  EXPECT_EQ(duration_text(milliseconds(1500)), "1.5 s");
  EXPECT_EQ(duration_text(seconds(5)), "5 s");
  EXPECT_EQ(duration_text(seconds(10)), "10 s");
  EXPECT_EQ(duration_text(seconds(120)), "120 s");
}

}  // namespace duration_text_test
}  // namespace jrpcheck
