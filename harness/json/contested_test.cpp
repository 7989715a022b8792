#include "json/contested.hpp"

#include <gtest/gtest.h>

#include <string>

#include "json/parse.hpp"

namespace jrpcheck::json {
namespace contested_test {

bool is_contested_text(const std::string& text) {
  const auto parsed = json::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed && is_contested(*parsed.value);
}

TEST(Content, WhatEveryParserTakesAlikeIsNotContested) {
  for (const std::string text :
       {"1", "-0", "1.5", "1e2", "9007199254740991", "[[{}],\"\\ud83d\\ude00\"]",
        "{\"a\":{\"a\":null}}", "\"\\u0000\"", "123456.789012345"}) {
    EXPECT_FALSE(is_contested_text(text)) << text;
  }
}

TEST(Content, WhatParsersMayRefuseOrAlterIsContested) {
  for (const std::string text :
       {"1e400", "1e-400", "9007199254740993", "1e99999999999999999999", "0.12345678901234567",
        "[{\"a\":1,\"a\":1}]", "\"\\ud800\"", "{\"\\udc00\":1}", "0e999999"}) {
    EXPECT_TRUE(is_contested_text(text)) << text;
  }
  EXPECT_TRUE(is_contested_text(std::string(11, '[') + std::string(11, ']')));
  EXPECT_FALSE(is_contested_text(std::string(10, '[') + std::string(10, ']')));
}

TEST(Content, WhatEveryParserTakesIsNotRefusable) {
  const auto is_refusable_text = [](const std::string& text) {
    const auto parsed = json::parse(text);
    EXPECT_TRUE(parsed) << text;
    return parsed && is_refusable(*parsed.value);
  };
  std::string many = "[0";
  for (int i = 0; i < 10'000; ++i) many += ",0";
  for (const std::string& text :
       {many + "]", "\"" + std::string(100'000, 'x') + "\"", std::string("9007199254740993"),
        std::string("1732621000123456789"), std::string("-9223372036854775808"),
        std::string("0.12345678901234567"), std::string("1e20")}) {
    EXPECT_FALSE(is_refusable_text(text)) << text.substr(0, 80);
  }
  for (const std::string text : {"1e400", "1e-400", "12345678901234567890", "0e999999",
                                 "[{\"a\":1,\"a\":1}]", "\"\\ud800\"", "{\"\\udc00\":1}"}) {
    EXPECT_TRUE(is_refusable_text(text)) << text;
  }
  EXPECT_TRUE(is_refusable_text(std::string(31, '[') + std::string(31, ']')));
  EXPECT_FALSE(is_refusable_text(std::string(30, '[') + std::string(30, ']')));
}

TEST(Content, BracketsThatDoNotCloseAreSurelyBroken) {
  for (const std::string text :
       {"{", "[", R"({"a":1)", R"([1,{"a":2])", R"({"a":1])", R"({"a":"b)", R"([1,2,)"}) {
    EXPECT_TRUE(is_surely_broken(text)) << text;
  }
}

TEST(Content, WhatAnExtensionOfJsonMightAllowIsNotSurelyBroken) {
  for (const std::string text : {"", "hello", "1", R"({"a":1}})", "[1,/*]*/2]", "[']']", "{a:1,}",
                                 "[1 2]", "[\xFF", "[\"\t", "[1]garbage", "[#]", "tru"}) {
    EXPECT_FALSE(is_surely_broken(text)) << text;
  }
}

}  // namespace contested_test
}  // namespace jrpcheck::json
