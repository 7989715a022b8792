#include "base/letter_case.hpp"

#include <gtest/gtest.h>

namespace jrpcheck {
namespace letter_case_test {

TEST(LetterCase, OnlyLettersOfAsciiAreFolded) {
  EXPECT_EQ(in_lower_case("Content-TYPE: \xC3\x84[@"), "content-type: \xC3\x84[@");
  EXPECT_TRUE(same_ignoring_case("Set-Cookie", "set-cOOKIE"));
  EXPECT_FALSE(same_ignoring_case("@", "`"));
  EXPECT_FALSE(same_ignoring_case("ab", "abc"));
}

TEST(LetterCase, ABeginningIsFoundInWhatIsLongEnough) {
  EXPECT_TRUE(begins_ignoring_case("HTTP://a/", "http://"));
  EXPECT_TRUE(begins_ignoring_case("a", ""));
  EXPECT_FALSE(begins_ignoring_case("htt", "http"));
}

}  // namespace letter_case_test
}  // namespace jrpcheck
