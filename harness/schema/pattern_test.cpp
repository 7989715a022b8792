#include "schema/pattern.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::schema {
namespace {

using Match = Pattern::Match;

Match match(const std::string& expression, const std::string& text) {
  const auto pattern = Pattern::compile(expression);
  EXPECT_TRUE(pattern) << expression;
  return pattern ? pattern->find_in(text) : Match::unknown;
}

TEST(Pattern, IsLookedForAnywhereInTheText) {
  EXPECT_EQ(match("b+", "abc"), Match::yes);
  EXPECT_EQ(match("^b", "abc"), Match::no);
  EXPECT_EQ(match("c$", "abc"), Match::yes);
  EXPECT_EQ(match("b$", "ab\n"), Match::no);
}

TEST(Pattern, CountsCharactersAndNotBytes) {
  EXPECT_EQ(match("^.{2}$", "\xc3\xa9\xc3\xa9"), Match::yes);
  EXPECT_EQ(match("^[\xc3\xa9]$", "\xc3\xa9"), Match::yes);
  EXPECT_EQ(match("^\\p{L}+$", "\xc3\xa9t\xc3\xa9"), Match::yes);
}

TEST(Pattern, TakesNoMoreTimeThanTheTextIsLong) {
  EXPECT_EQ(match("^(a+)+$", std::string(1 << 20, 'a') + "b"), Match::no);
  EXPECT_EQ(match("^0x([0-9a-f][0-9a-f])*$", "0x" + std::string(1 << 22, 'a')), Match::yes);
}

TEST(Pattern, IsNoneWhereOthersReadItOtherwise) {
  for (const char* each : {"(?=a)", "(a)\\1", "[", "\\Aa", "(?i)a", "[[:alpha:]]"}) {
    EXPECT_FALSE(Pattern::compile(each)) << each;
  }
}

TEST(Pattern, SaysNothingWhereBlanksAndEndsOfLinesDiffer) {
  EXPECT_EQ(match("^\\S+$", "a\xc2\xa0z"), Match::unknown);
  EXPECT_EQ(match("^\\S+$", "az"), Match::yes);
  EXPECT_EQ(match("^.*$", "a\rb"), Match::unknown);
}

}  // namespace
}  // namespace jrpcheck::schema
