#include "reports/wrap.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::reports {
namespace wrap_test {

TEST(Wrap, BreaksAtSpacesAndIndentsWhatFollows) {
  EXPECT_EQ(wrap("- ", "one two three four", 12), "- one two\n  three four\n");
  EXPECT_EQ(wrap("- ", "", 12), "- \n");
  EXPECT_EQ(wrap("", "exactly twelve", 14), "exactly twelve\n");
}

TEST(Wrap, BreaksJsonBehindAComma) {
  EXPECT_EQ(wrap("", R"({"first":1,"second":2})", 16), "{\"first\":1,\n\"second\":2}\n");
}

TEST(Wrap, BreaksWhatCanBeBrokenNowhereAtTheEndOfTheLine) {
  EXPECT_EQ(wrap("", std::string(25, 'x'), 12),
            std::string(12, 'x') + "\n" + std::string(12, 'x') + "\nx\n");
}

TEST(Wrap, CountsCharactersAndBreaksNone) {
  const std::string umlauts = "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4";
  EXPECT_EQ(columns_of(umlauts), 6U);
  EXPECT_EQ(wrap("", umlauts + umlauts, 10),
            "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\n\u00e4\u00e4\n");
}

TEST(WrapShell, KeepsWordsWithTheirQuotesAndGoesOnBehindABackslash) {
  EXPECT_EQ(wrap_shell("$ ", "printf 'a b c' | server", 16),
            "$ printf \\\n  'a b c' | \\\n  server\n");
  EXPECT_EQ(wrap_shell("$ ", "printf 'a word that is too long'", 16), "") << "not to be broken";
}

TEST(Shortened, LeavesOutWholeWords) {
  EXPECT_EQ(shortened("one two three", 13), "one two three");
  EXPECT_EQ(shortened("one two three four", 13), "one two ...");
}

}  // namespace wrap_test
}  // namespace jrpcheck::reports
