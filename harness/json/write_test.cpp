#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/utf8.hpp"
#include "json/test_support.hpp"
#include "json/value.hpp"

namespace jrpcheck::json {
namespace write_test {

using std::string_literals::operator""s;

std::string written(std::string text) { return write(Value::string(std::move(text))); }

TEST(Write, ScalarsAndEmptyContainers) {
  EXPECT_EQ(write(Value::null()), "null");
  EXPECT_EQ(write(Value::boolean(true)), "true");
  EXPECT_EQ(write(Value::boolean(false)), "false");
  EXPECT_EQ(write(Value::array()), "[]");
  EXPECT_EQ(write(Value::object()), "{}");
}

TEST(Write, NumberTokensStandAsTheyWere) {
  const std::string text = "[1,1.0,1e0,-0,0.10,1E+2,9007199254740993,1e400]";
  EXPECT_EQ(write(parsed(text)), text);
}

TEST(Write, MembersKeepTheirOrderAndTheirDuplicates) {
  const std::string text = R"({"b":1,"a":[true,{}],"b":null,"":""})";
  EXPECT_EQ(write(parsed(text)), text);
}

TEST(Write, WhatMustBeEscapedIsEscaped) {
  EXPECT_EQ(written("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(written("\0\x01\x0B\x1F"s), R"("\u0000\u0001\u000b\u001f")");
}

TEST(Write, WhatNeedsNoEscapeStaysAsItIs) {
  EXPECT_EQ(written("a/b\x7F\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80"),
            "\"a/b\x7F\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80\"");
}

TEST(Write, LoneSurrogatesBecomeEscapes) {
  EXPECT_EQ(written("a\xED\xA0\xBDz"), R"("a\ud83dz")");
  EXPECT_EQ(written("\xED\xB8\x80\xED\xA0\xBD"), R"("\ude00\ud83d")");
  Value object = Value::object();
  object.append("\xED\xBF\xBF", Value::null());
  EXPECT_EQ(write(object), R"({"\udfff":null})");
}

TEST(Write, BytesThatAreNeitherUtf8NorSurrogatesAreReplaced) {
  EXPECT_EQ(written("a\xFFz\xED\xA0"), R"("a\ufffdz\ufffd\ufffd")");
}

TEST(Write, ADeepTreeIsWrittenWithoutRecursion) {
  const std::string text = nested_text("{\"a\":[", "1", "],\"b\":2}", kDeep / 2);
  std::string rewritten;
  run_on_small_stack([&] { rewritten = write(parsed(text)); });
  EXPECT_TRUE(rewritten == text);
}

RC_GTEST_PROP(Write, IsReadBackAsTheSameValue, (const std::vector<std::uint8_t>& decisions)) {
  const Value value = value_from(decisions);
  const std::string text = write(value);
  RC_ASSERT(is_valid_utf8(text));
  const ParseResult again = parse(text);
  RC_ASSERT(again.value.has_value());
  RC_ASSERT(equal(*again.value, value));
  RC_ASSERT(write(*again.value) == text);
}

RC_GTEST_PROP(Write, AnyCodePointsAreReadBack, ()) {
  const auto code_points =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 0x110000));
  std::string text;
  for (const std::uint32_t code_point : code_points) {
    // A surrogate next to another would be read back as the character that the pair stands for.
    if (code_point >= 0xD800 && code_point <= 0xDFFF) text += ' ';
    append_utf8(text, code_point);
  }
  const ParseResult again = parse(written(text));
  RC_ASSERT(again.value.has_value());
  RC_ASSERT(again.value->text() == text);
}

}  // namespace write_test
}  // namespace jrpcheck::json
