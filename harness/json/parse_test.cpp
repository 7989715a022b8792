#include "json/parse.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "json/test_support.hpp"

namespace jrpcheck::json {
namespace parse_test {

using std::string_literals::operator""s;

std::string message_for(std::string_view text) {
  const ParseResult result = parse(text);
  return result ? "accepted" : result.error.message;
}

TEST(Parse, NumbersKeepTheirTokens) {
  const Value value = parsed("[1, 1.0, 1e0, -0, 9007199254740993, 1E+400]");
  ASSERT_EQ(value.size(), 6U);
  const std::string tokens[] = {"1", "1.0", "1e0", "-0", "9007199254740993", "1E+400"};
  for (std::size_t i = 0; i < value.size(); ++i) {
    EXPECT_TRUE(value.children()[i].is(Kind::number));
    EXPECT_EQ(value.children()[i].text(), tokens[i]);
  }
}

TEST(Parse, MembersKeepTheirOrderAndTheirDuplicates) {
  const Value value = parsed(R"({"b":1,"a":{"x":2,"b":3},"b":4})");
  EXPECT_EQ(value.names(), (std::vector<std::string>{"b", "a", "b"}));
  EXPECT_EQ(value.find("b")->text(), "4");
  EXPECT_EQ(value.find("a")->names(), (std::vector<std::string>{"x", "b"}));
}

TEST(Parse, EscapesAreResolved) {
  EXPECT_EQ(parsed(R"("\"\\\/\b\f\n\r\t")").text(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(parsed(R"("a\u0000b\u00e9\u20AC")").text(), "a\0b\xC3\xA9\xE2\x82\xAC"s);
  EXPECT_EQ(parsed(R"({"m\u0065thod":1})").names().front(), "method");
}

TEST(Parse, SurrogatePairsAreJoinedAndLoneSurrogatesKept) {
  EXPECT_EQ(parsed(R"("\ud83d\ude00")").text(), "\xF0\x9F\x98\x80");
  EXPECT_EQ(parsed(R"("\udbff\udfff")").text(), "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(parsed(R"("\ud83d")").text(), "\xED\xA0\xBD");
  EXPECT_EQ(parsed(R"("\ude00\ud83d")").text(), "\xED\xB8\x80\xED\xA0\xBD");
  EXPECT_EQ(parsed(R"("\ud83d\ud83d\ude00")").text(), "\xED\xA0\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(parsed(R"("\ud83d\u0041\ud83d\n\ud83d!")").text(),
            "\xED\xA0\xBD"
            "A\xED\xA0\xBD\n\xED\xA0\xBD!");
}

TEST(Parse, EveryValueKnowsWhereItStood) {
  const std::string text = R"( {"a": [10, "x\u0041"] , "b":{ },"c":true} )";
  const Value value = parsed(text);
  const auto source = [&text](const Value& of) {
    return text.substr(of.begin(), of.end() - of.begin());
  };
  EXPECT_EQ(source(value), R"({"a": [10, "x\u0041"] , "b":{ },"c":true})");
  EXPECT_EQ(source(*value.find("a")), R"([10, "x\u0041"])");
  EXPECT_EQ(source(value.find("a")->children()[0]), "10");
  EXPECT_EQ(source(value.find("a")->children()[1]), R"("x\u0041")");
  EXPECT_EQ(source(*value.find("b")), "{ }");
  EXPECT_EQ(source(*value.find("c")), "true");
}

TEST(Parse, SaysInPlainWordsWhatWasExpected) {
  EXPECT_EQ(message_for("{\"a\" 1}"), "expected ':' after the member name");
  EXPECT_EQ(message_for("[1 2]"), "expected ',' or ']' after the element");
  EXPECT_EQ(message_for("{\"a\":1 2}"), "expected ',' or '}' after the member");
  EXPECT_EQ(message_for("[1,]"), "expected a value after ','");
  EXPECT_EQ(message_for("[}"), "expected a value or ']' after '['");
  EXPECT_EQ(message_for("{\"a\":1,}"), "expected a member name in double quotes after ','");
  EXPECT_EQ(message_for("{1:1}"), "expected a member name in double quotes or '}' after '{'");
  EXPECT_EQ(message_for("{\"a\":,"), "expected a value after ':'");
  EXPECT_EQ(message_for("NaN"), "expected a value");
  EXPECT_EQ(message_for("tree"), "expected the literal true");
  EXPECT_EQ(message_for("1 2"), "nothing but white space may follow the value");
  EXPECT_EQ(message_for("01"), "a number must not have leading zeros");
  EXPECT_EQ(message_for("\"\n\""), "control characters in a string must be escaped");
  EXPECT_EQ(message_for("\"\xFF\""), "the string is not UTF-8");
  EXPECT_EQ(message_for("\xEF\xBB\xBF{}"), "a byte order mark is not allowed");
  EXPECT_EQ(message_for("[1"), "the text ends too early: expected ',' or ']' after the element");
  EXPECT_EQ(message_for(""), "the text ends too early: expected a value");
}

TEST(Parse, NestingIsAcceptedToTheLimitAndNotBeyond) {
  EXPECT_TRUE(parse("[[{}]]", {3}));
  EXPECT_TRUE(parse("[[],[[]]]", {3}));
  EXPECT_TRUE(parse("1", {0}));
  const ParseResult beyond = parse("[[{\"a\":[]}]]", {3});
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error.offset, 7U);
  EXPECT_EQ(beyond.error.message, "arrays and objects may be nested 3 deep and not deeper");
  EXPECT_EQ(parse("[]", {0}).error.offset, 0U);
}

TEST(Parse, OneMillionLevelsAreReadOnASmallStack) {
  bool accepted = false;
  std::size_t offset = 0;
  run_on_small_stack([&] {
    accepted = parse(nested_text("[", "", "]")).value.has_value();
    offset = parse(nested_text("{\"a\":", "", "", kDeep + 1)).error.offset;
  });
  EXPECT_TRUE(accepted);
  EXPECT_EQ(offset, 5 * kDeep);
}

// Checks an error's offset against its definition.
void check_offset(const std::string& text) {
  const ParseResult result = parse(text);
  if (result) return;
  const std::size_t offset = result.error.offset;
  RC_ASSERT(offset <= text.size());
  // What stands before the offset is valid or merely cut off...
  const ParseResult before = parse(text.substr(0, offset));
  RC_ASSERT(before || before.error.offset == offset);
  // ... and the byte at the offset spoils it, whatever follows.
  if (offset < text.size())
    RC_ASSERT(parse(text.substr(0, offset + 1) + "]").error.offset == offset);
}

RC_GTEST_PROP(Parse, ErrorsAreWhereTheTextCannotGoOn,
              (const std::vector<std::uint8_t>& decisions)) {
  std::string text = write(value_from(decisions));
  check_offset(text.substr(0, *rc::gen::inRange<std::size_t>(0, text.size())));
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] =
      *rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf("[]{},:\"\\u0e.-t \xC3"s));
  check_offset(text);
}

RC_GTEST_PROP(Parse, AnyBytesAreAcceptedOrRefusedAtAnOffset, (const std::string& bytes)) {
  check_offset(bytes);
  check_offset("[\"" + bytes);
}

TEST(Parse, NumberOfValuesIsBounded) {
  EXPECT_TRUE(parse("[1,[2],{\"a\":3}]", {.max_values = 6}));
  const auto refused = parse("[1,[2],{\"a\":3}]", {.max_values = 5});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error.message, "more than 5 values are not read");
  EXPECT_EQ(refused.error.offset, 12U);
}

TEST(Parse, WhatIsLeftOutOfTheTreeIsReadAsStrictly) {
  const auto parsed = parse(R"({"a":["\u0062",{"c":1}]})", {.max_values = 1, .kept_depth = 0});
  ASSERT_TRUE(parsed) << parsed.error.message;
  EXPECT_EQ(parsed.value->size(), 0U);
  for (const auto* text : {R"({"a":["\x"]})", "{\"a\":[\"\xFF\"]}", R"({"a\" 1})", "[[1}]"}) {
    EXPECT_FALSE(parse(text, {.kept_depth = 0})) << text;
  }
}

TEST(Locate, LinesAndColumnsAreCountedFromOne) {
  const std::string_view text = "{\n  \"a\": x\r\n}";
  const auto expect_at = [text](std::size_t offset, std::size_t line, std::size_t column) {
    const Position position = locate(text, offset);
    EXPECT_EQ(position.line, line) << offset;
    EXPECT_EQ(position.column, column) << offset;
  };
  expect_at(0, 1, 1);
  expect_at(1, 1, 2);  // the line feed belongs to the line it ends
  expect_at(2, 2, 1);
  expect_at(9, 2, 8);
  expect_at(12, 3, 1);
  expect_at(13, 3, 2);
  expect_at(99, 3, 2);  // beyond the text: its end
}

}  // namespace parse_test
}  // namespace jrpcheck::json
