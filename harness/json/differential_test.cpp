// Our parser against nlohmann/json: on any text both accept or both refuse, but for known cases.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "json/test_support.hpp"
#include "json/value.hpp"

namespace jrpcheck::json {
namespace differential_test {

enum class Reading { accepted, refused, out_of_range };

Reading nlohmann_reading(const std::string& text) {
  try {
    [[maybe_unused]] const auto read = nlohmann::json::parse(text);
    return Reading::accepted;
  } catch (const nlohmann::json::out_of_range&) {
    return Reading::out_of_range;
  } catch (const nlohmann::json::parse_error&) {
    return Reading::refused;
  }
}

// nlohmann/json skips a byte order mark, and takes a NUL for the end of the text.
bool has_mark_or_nul(const std::string& text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" || text.find('\0') != std::string::npos;
}

// nlohmann/json refuses escapes of lone surrogates; the grammar of RFC 8259 allows them (§8.2).
bool has_lone_surrogate(const Value& value) {
  const std::string text = write(value);
  for (std::size_t at = text.find("\\ud"); at != std::string::npos;
       at = text.find("\\ud", at + 1)) {
    if (std::string_view("89abcdef").find(text[at + 3]) != std::string_view::npos) return true;
  }
  return false;
}

void compare_readings(const std::string& text) {
  const ParseResult ours = parse(text);
  if (has_mark_or_nul(text)) {
    RC_ASSERT(!ours);
    return;
  }
  if (ours && has_lone_surrogate(*ours.value)) return;
  const Reading theirs = nlohmann_reading(text);
  // It refuses numbers beyond double, which RFC 8259 §6 allows: no verdict on the rest of the text.
  if (theirs == Reading::out_of_range) return;
  RC_LOG() << ::testing::PrintToString(text) << " " << ours.error.message << "\n";
  RC_ASSERT(static_cast<bool>(ours) == (theirs == Reading::accepted));
  if (ours) RC_ASSERT(nlohmann::json::parse(write(*ours.value)) == nlohmann::json::parse(text));
}

const std::vector<std::string> kPieces = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\"a\"",
                                          "\"a\":",
                                          "\\",
                                          "\\u",
                                          "\\ud83d",
                                          "\\ude00",
                                          "00e9",
                                          "\\n",
                                          "\\x",
                                          "0",
                                          "-",
                                          "12",
                                          ".5",
                                          "e",
                                          "E+3",
                                          "e-7",
                                          "1e400",
                                          "true",
                                          "false",
                                          "null",
                                          "nul",
                                          " ",
                                          "\n",
                                          "\t",
                                          "\r",
                                          "\f",
                                          "\x01",
                                          "\x7F",
                                          "\xC3\xA9",
                                          "\xC3",
                                          "\xA9",
                                          "\xE2\x82\xAC",
                                          "\xED\xA0\xBD",
                                          "\xF0\x9F\x98\x80",
                                          "\xF4\x90\x80\x80",
                                          "\xC0\x80",
                                          "\xEF\xBB\xBF",
                                          "/*",
                                          "//",
                                          "NaN",
                                          "'a'",
                                          std::string(1, '\0')};

RC_GTEST_PROP(Differential, TextsOfRandomPiecesAreReadAlike, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  compare_readings(text);
  compare_readings("[\"" + text + "\"]");
}

RC_GTEST_PROP(Differential, MutatedTextsAreReadAlike,
              (const std::vector<std::uint8_t>& decisions)) {
  std::string text = write(value_from(decisions));
  compare_readings(text);
  for (int edits = *rc::gen::inRange(1, 4); edits > 0; --edits) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const auto removed = *rc::gen::inRange<std::size_t>(0, 3);
    text.replace(at, removed, *rc::gen::elementOf(kPieces));
  }
  compare_readings(text);
}

RC_GTEST_PROP(Differential, AnyBytesAreReadAlike, (const std::string& bytes)) {
  compare_readings(bytes);
  compare_readings("\"" + bytes + "\"");
}

RC_GTEST_PROP(Differential, SequencesThatLookLikeUtf8AreReadAlike, ()) {
  const auto lead = *rc::gen::inRange(0x80, 0x100);
  std::string text = "\"";
  text += static_cast<char>(lead);
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    text +=
        static_cast<char>(*rc::gen::oneOf(rc::gen::inRange(0x80, 0xC0), rc::gen::inRange(1, 256)));
  }
  compare_readings(text + "\"");
}

TEST(Differential, TheKnownDifferencesAreStillThere) {
  EXPECT_FALSE(parse("\xEF\xBB\xBF{}"));
  EXPECT_EQ(nlohmann_reading("\xEF\xBB\xBF{}"), Reading::accepted);
  EXPECT_TRUE(parse("1e400"));
  EXPECT_EQ(nlohmann_reading("1e400"), Reading::out_of_range);
  EXPECT_TRUE(parse(R"("\ud83d")"));
  EXPECT_EQ(nlohmann_reading(R"("\ud83d")"), Reading::refused);
  const std::string with_nul("1\0", 2);
  EXPECT_FALSE(parse(with_nul));
  EXPECT_EQ(nlohmann_reading(with_nul), Reading::accepted);
}

}  // namespace differential_test
}  // namespace jrpcheck::json
