#include "base/utf8.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck {
namespace utf8_test {

using std::string_view_literals::operator""sv;

std::string encoded(std::uint32_t code_point) {
  std::string out;
  append_utf8(out, code_point);
  return out;
}

TEST(Utf8, EncodesTheFirstAndLastCodePointOfEachLength) {
  EXPECT_EQ(encoded(0), "\0"sv);
  EXPECT_EQ(encoded(0x7F), "\x7F");
  EXPECT_EQ(encoded(0x80), "\xC2\x80");
  EXPECT_EQ(encoded(0x7FF), "\xDF\xBF");
  EXPECT_EQ(encoded(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(encoded(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(encoded(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(encoded(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(Utf8, ALoneSurrogateIsKeptInAFormThatIsNotUtf8) {
  EXPECT_EQ(encoded(0xD83D), "\xED\xA0\xBD");
  EXPECT_EQ(find_invalid_utf8(encoded(0xD83D)), 0U);
}

TEST(Utf8, IllFormedSequencesAreFoundWhereTheyBegin) {
  const struct {
    std::string_view bytes;
    std::size_t offset;
  } kIllFormed[] = {
      {"\x80", 0},  // a continuation byte that continues nothing
      {"ab\xBF", 2},
      {"\xC0\x80", 0},  // overlong NUL
      {"\xC1\xBF", 0},
      {"\xE0\x80\x80", 0},  // overlong, three bytes
      {"\xE0\x9F\xBF", 0},
      {"\xF0\x80\x80\x80", 0},  // overlong, four bytes
      {"\xF0\x8F\xBF\xBF", 0},
      {"\xED\xA0\x80", 0},      // the first surrogate
      {"\xED\xBF\xBF", 0},      // the last surrogate
      {"\xF4\x90\x80\x80", 0},  // U+110000
      {"\xF5\x80\x80\x80", 0},
      {"\xFE", 0},
      {"\xFF", 0},
      {"x\xC3", 1},  // cut off
      {"x\xE2\x82", 1},
      {"x\xF0\x9F\x98", 1},
      {"\xC3(", 0},
      {"\xE2\x82(", 0},
      {"\xE2(\xA1", 0},
      {"\xF0\x9F\x98(", 0},
      {"\xE2\x82\xAC\xE2\x82", 3},
  };
  for (const auto& [bytes, offset] : kIllFormed) {
    EXPECT_EQ(find_invalid_utf8(bytes), offset) << ::testing::PrintToString(bytes);
  }
}

TEST(Utf8, ACharacterBeginsWithAllThatMayBeginOne) {
  const struct {
    std::string_view text;
    std::size_t length;
    bool is_whole;
  } kTexts[] = {
      {"", 0, false},
      {"ab", 1, true},
      {"\x80", 0, false},
      {"\xC1\x80", 0, false},
      {"\xC3", 1, false},
      {"\xC3(", 1, false},
      {"\xC3\xA9\xA9", 2, true},
      {"\xE0\x9F", 1, false},
      {"\xE2\x82", 2, false},
      {"\xE2\x82(", 2, false},
      {"\xED\xA0\x80", 1, false},
      {"\xF0\x9F\x98", 3, false},
      {"\xF0\x9F\x98\x80", 4, true},
      {"\xF4\x90", 1, false},
      {"\xF5\x80", 0, false},
  };
  for (const auto& [text, length, is_whole] : kTexts) {
    const auto character = first_character(text);
    EXPECT_EQ(character.length, length) << ::testing::PrintToString(text);
    EXPECT_EQ(character.is_whole, is_whole) << ::testing::PrintToString(text);
  }
}

TEST(Utf8, AnIllFormedByteIsFoundAtEveryPlaceOfALongText) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\x80';
    EXPECT_EQ(find_invalid_utf8(text), at);
  }
}

TEST(Utf8, AsciiAndTheEmptyTextAreWellFormed) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("\0\x01 plain \x7F"sv));
}

RC_GTEST_PROP(Utf8, WhatIsEncodedIsWellFormedUnlessASurrogateIsInIt, ()) {
  const auto code_points =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 0x110000));
  std::string text;
  std::optional<std::size_t> first_surrogate;
  for (const std::uint32_t code_point : code_points) {
    const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (is_surrogate && !first_surrogate) first_surrogate = text.size();
    append_utf8(text, code_point);
  }
  RC_ASSERT(find_invalid_utf8(text) == first_surrogate);
}

}  // namespace utf8_test
}  // namespace jrpcheck
