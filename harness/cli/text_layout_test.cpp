#include "cli/text_layout.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::cli {
namespace text_layout_test {

TEST(TextLayout, LongSentencesAreWrappedBesideTheirLabel) {
  std::string sentence;
  for (int i = 0; i < 20; ++i) sentence += "seven77 ";
  TextLayout page("heading");
  page.entry("Why", sentence);
  EXPECT_EQ(page.text(),
            "heading\n"
            "  Why          seven77 seven77 seven77 seven77 seven77 seven77 seven77 seven77\n"
            "               seven77 seven77 seven77 seven77 seven77 seven77 seven77 seven77\n"
            "               seven77 seven77 seven77 seven77\n");
}

TEST(TextLayout, WhatIsToBeCopiedStaysOnItsLine) {
  const std::string line(200, 'x');
  TextLayout page("h");
  page.verbatim("Try", line);
  EXPECT_EQ(page.text(), "h\n  Try          " + line + "\n");
}

TEST(TextLayout, AnEntryWithoutSentenceIsLeftOut) {
  TextLayout page("h");
  page.entry("Why", "");
  EXPECT_EQ(page.text(), "h\n");
}

}  // namespace text_layout_test
}  // namespace jrpcheck::cli
