// Which texts are JSON and which are not, and where the latter go wrong. Offsets are the first byte
// behind which no continuation could make the text valid.
#include <gtest/gtest.h>

#include <string_view>

#include "base/bytes.hpp"
#include "json/parse.hpp"

namespace jrpcheck::json {
namespace acceptance_test {

using std::string_view_literals::operator""sv;

struct Invalid {
  std::string_view text;
  std::size_t offset;
};

void expect_refused(const Invalid& invalid) {
  const ParseResult result = parse(invalid.text);
  ASSERT_FALSE(result) << to_visible(invalid.text);
  EXPECT_EQ(result.error.offset, invalid.offset)
      << to_visible(invalid.text) << ": " << result.error.message;
  EXPECT_FALSE(result.error.message.empty());
}

TEST(Acceptance, TextsOfRfc8259AreAccepted) {
  const std::string_view valid[] = {
      // any value stands alone, in any white space (§2)
      "null", "true", "false", "0", "\"\"", "[]", "{}", " 1 ", "\n1\n", "\t1\t", "\r1\r",
      "\r\n \t[]", "[ ]", "{ }", "[\n]", "{\t}",
      // arrays (§5)
      "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]", "[[],[]]", "[[[[[[]]]]]]", "[null,true,false]", "[{}]",
      "[1,\"a\",null,{\"b\":[]}]", "[1\n,\n2]",
      // objects (§4): names may be empty, repeated, escaped
      "{\"\":0}", "{\"a\":1}", "{ \"a\" : 1 }", "{\"a\":1,\"a\":2}", "{\"a\":1,\"b\":2}",
      "{\"a\":{\"a\":{\"a\":{}}}}", "{\"\\u0061\":1}", "{\"a\":[]}", "{\"a\\u0000b\":1}",
      "{\"__proto__\":null}", "{\n\"a\"\n:\n1\n}",
      // numbers (§6)
      "-0", "1", "-1", "10", "1234567890", "0.0", "-0.0", "0.5", "1.50", "1e1", "1E1", "1e+1",
      "1e-1", "0e0", "0e+00", "0E-0", "1.5e10", "-1.5E-10", "1e0001", "1e400", "-1e400", "1e-400",
      "123456789012345678901234567890", "0.1000000000000000055511151231257827021181583404541015625",
      "1e999999999999999999999999999", "[0]", "[-0]", "[1.0,1]",
      // strings (§7)
      "\"a\"", "\" \"", "\"'\"", "\"/\"", "\"\x7F\"", R"("\"")", R"("\\")", R"("\/")",
      R"("\b\f\n\r\t")", R"("\u0000")", R"("\u00e9\u00E9")", R"("\uabcd\uABCD")", R"("\\u0041")",
      R"("\ud83d\ude00")", R"("\uD83D\uDE00")", R"("\ud83d")", R"("\ude00")", R"("\ude00\ud83d")",
      R"("\ud83dx")", R"("\ud83d\n")", R"("\ud83d\u0041")", R"("\ud83d\ud83d\ude00")",
      R"("\uffff")", "\"\xC2\x80\"", "\"\xDF\xBF\"", "\"\xE0\xA0\x80\"", "\"\xED\x9F\xBF\"",
      "\"\xEE\x80\x80\"", "\"\xEF\xBF\xBF\"", "\"\xF0\x90\x80\x80\"", "\"\xF4\x8F\xBF\xBF\"",
      "\"\xE2\x80\xA8\"", "\"\xEF\xBB\xBF\"", "\"/* */ // #\"", "[\"\xC3\xA9\",\"\\u00e9\"]"};
  for (const std::string_view text : valid) {
    const ParseResult result = parse(text);
    EXPECT_TRUE(result) << to_visible(text) << ": " << result.error.message << " at "
                        << result.error.offset;
  }
}

TEST(Acceptance, StructureThatIsBrokenIsRefused) {
  const Invalid invalid[] = {
      {"[,1]", 1},
      {"[1,]", 3},
      {"[1,,2]", 3},
      {"[1 2]", 3},
      {"[1;2]", 2},
      {"[1}", 2},
      {"{]", 1},
      {"]", 0},
      {"}", 0},
      {",", 0},
      {":", 0},
      {"[]]", 2},
      {"{}}", 2},
      {"[1],", 3},
      {"1 2", 2},
      {"[] []", 3},
      {"{}{}", 2},
      {"null null", 5},
      {"[1:2]", 2},
      {"{\"a\",1}", 4},
      {"{\"a\" 1}", 5},
      {"{\"a\":}", 5},
      {"{\"a\"::1}", 5},
      {"{\"a\":1,}", 7},
      {"{,}", 1},
      {"{\"a\":1,,}", 7},
      {"{\"a\":1;}", 6},
      {"{\"a\":1 \"b\":2}", 7},
      {"{a:1}", 1},
      {"{'a':1}", 1},
      {"{1:1}", 1},
      {"{null:1}", 1},
      {"{[]:1}", 1},
      {"{\"a\":1]", 6},
      {"{\"a\"}", 4},
      {"{:1}", 1},
      {"[[1]", 4},
      {"{\"a\":{}", 7},
      {"(1)", 0},
      {"<null>", 0},
      {"{\"a\":1}x", 7},
      {"[1]\"", 3},
      {"[\"a\"\"b\"]", 4},
      {"{\"a\":1 ,\n}", 9},
  };
  for (const Invalid& each : invalid) expect_refused(each);
}

TEST(Acceptance, TextsThatAreCutOffFailAtTheirEnd) {
  const std::string_view texts[] = {"",
                                    " ",
                                    "\n\t ",
                                    "[",
                                    "[ ",
                                    "[1",
                                    "[1,",
                                    "[1, ",
                                    "[[",
                                    "{",
                                    "{ ",
                                    "{\"",
                                    "{\"a",
                                    "{\"a\"",
                                    "{\"a\":",
                                    "{\"a\": ",
                                    "{\"a\":1",
                                    "{\"a\":1,",
                                    "\"",
                                    "\"abc",
                                    "\"\\",
                                    "\"\\u",
                                    "\"\\u0",
                                    "\"\\u00e",
                                    "\"\\u00e9",
                                    "\"\\ud83d\\",
                                    "\"\\ud83d\\u",
                                    "\"\\ud83d\\ude0",
                                    "-",
                                    "1.",
                                    "-0.",
                                    "1e",
                                    "1E+",
                                    "1e-",
                                    "t",
                                    "tru",
                                    "fals",
                                    "n",
                                    "nul",
                                    "\"\xC3",
                                    "\"\xE2\x82",
                                    "\"\xF0\x9F\x98",
                                    "\"\xF0",
                                    "[\"a\",\"b"};
  for (const std::string_view text : texts) expect_refused({text, text.size()});
}

TEST(Acceptance, LiteralsAndExtensionsAreRefused) {
  const Invalid invalid[] = {
      {"nil", 1},
      {"nulL", 3},
      {"NULL", 0},
      {"True", 0},
      {"tRUE", 1},
      {"truee", 4},
      {"nullx", 4},
      {"falsy", 4},
      {"NaN", 0},
      {"-NaN", 1},
      {"Infinity", 0},
      {"-Infinity", 1},
      {"inf", 0},
      {"undefined", 0},
      {"'a'", 0},
      {"`a`", 0},
      {"// x\n1", 0},
      {"1 // x", 2},
      {"/* */1", 0},
      {"[1/**/]", 2},
      {"#\n1", 0},
      {"a", 0},
      {"\\u0031", 0},
      {"[a]", 1},
      {"\f1", 0},
      {"\v1", 0},
      {"1\f", 1},
      {"\xC2\xA0"
       "1",
       0},
      {"1\xE2\x80\xA8", 1},
      {"1\0"sv, 1},
      {"\0"sv, 0},
      {"[\0]"sv, 1},
      {"\xEF\xBB\xBF{}", 0},
      {"\xFF\xFE[\0]\0"sv, 0},
      {"\xEF\xBB", 0},
      {"\x1E{}", 0},
      {"{}\x1A", 2},
      {"[1]\x7F", 3},
      {"[nul]", 4},
      {"[truE]", 4},
  };
  for (const Invalid& each : invalid) expect_refused(each);
}

TEST(Acceptance, NumbersThatAreMisspeltAreRefused) {
  const Invalid invalid[] = {
      {"+1", 0},    {"01", 1},      {"-01", 2},   {"00", 1},    {"-00", 2},   {"0123", 1},
      {".5", 0},    {"-.5", 1},     {"1.]", 2},   {"1.e1", 2},  {"[1.]", 3},  {"0.e1", 2},
      {"1ee1", 2},  {"1e1.5", 3},   {"1e+-1", 3}, {"1e 1", 2},  {"1 e1", 2},  {"--1", 1},
      {"-+1", 1},   {"- 1", 1},     {"1-", 1},    {"1+1", 1},   {"1.2.3", 3}, {"0x10", 1},
      {"0b1", 1},   {"0o7", 1},     {"1_000", 1}, {"1,000", 1}, {"1n", 1},    {"1f", 1},
      {"1a", 1},    {"[-]", 2},     {"[1e]", 3},  {"[1e+]", 4}, {"[-a]", 2},  {"\xEF\xBC\x91", 0},
      {"[0 1]", 3}, {"[0.0.0]", 4}, {"0e", 2},    {"$1", 0},    {"1\"\"", 1},
  };
  for (const Invalid& each : invalid) expect_refused(each);
}

TEST(Acceptance, StringsThatAreMisspeltAreRefused) {
  const Invalid invalid[] = {
      {"\"\n\"", 1},
      {"\"a\tb\"", 2},
      {"\"\0\""sv, 1},
      {"\"\x1F\"", 1},
      {"\"a\rb\"", 2},
      {R"("\a")", 2},
      {R"("\x41")", 2},
      {R"("\'")", 2},
      {R"("\0")", 2},
      {R"("\U0041")", 2},
      {R"("\ ")", 2},
      {"\"\\\n\"", 2},
      {R"("\u004")", 6},
      {R"("\u00g0")", 5},
      {R"("\u{41}")", 3},
      {R"("\u+041")", 3},
      {R"("\u 041")", 3},
      {R"("\ud83d\u")", 9},
      {R"("\ud83d\u12x4")", 11},
      {R"("\ud83d\x")", 8},
      {R"("a\")", 4},
      {R"("a\\"")", 5},
      {R"("""")", 2},
      {"{\"a\nb\":1}", 3},
      {R"({"\q":1})", 3},
      {"[\"a\\u12\"]", 7},
      {"\"\\\xC3\xA9\"", 2},
      {"\"\\u00\xC3\xA9\"", 5},
  };
  for (const Invalid& each : invalid) expect_refused(each);
}

TEST(Acceptance, StringsThatAreNotUtf8AreRefusedAtTheByteThatBreaksThem) {
  const Invalid invalid[] = {
      {"\"\x80\"", 1},  // a continuation byte that continues nothing
      {"\"a\xBF\"", 2},
      {"\"\xC0\x80\"", 1},  // overlong
      {"\"\xC1\xBF\"", 1},
      {"\"\xE0\x80\x80\"", 2},
      {"\"\xE0\x9F\xBF\"", 2},
      {"\"\xF0\x8F\xBF\xBF\"", 2},
      {"\"\xED\xA0\x80\"", 2},  // surrogates
      {"\"\xED\xBF\xBF\"", 2},
      {"\"\xED\xA0\xBD\xED\xB8\x80\"", 2},
      {"\"\xF4\x90\x80\x80\"", 2},  // beyond U+10FFFF
      {"\"\xF5\x80\x80\x80\"", 1},
      {"\"\xFF\"", 1},
      {"\"\xFE\"", 1},
      {"\"\xF8\x88\x80\x80\x80\"", 1},
      {"\"\xC3\"", 2},  // cut off by the quotation mark
      {"\"\xE2\x82\"", 3},
      {"\"\xF0\x9F\x98\"", 4},
      {"\"\xE2(\xA1\"", 2},
      {"\"\xE2\x82(\"", 3},
      {"\"\xC3\\u0041\"", 2},
      {"{\"\xFF\":1}", 2},
      {"[\"\xC3\xA9\xE9\"]", 5},  // Latin-1 behind UTF-8
      {"\xE9", 0},
      {"[\xC3\xA9]", 1},
  };
  for (const Invalid& each : invalid) expect_refused(each);
}

}  // namespace acceptance_test
}  // namespace jrpcheck::json
