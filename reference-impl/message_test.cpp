#include "reference-impl/message.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::reference {
namespace message_test {

using nlohmann::json;

bool is_json(std::string_view text) { return bool(read_message(text, Limits{})); }

TEST(Message, ThatIsNoArrayIsOneElement) {
  const auto message = read_message(R"({"a":[1,{"b":null}],"c":"d"})", Limits{});
  ASSERT_TRUE(message);
  EXPECT_FALSE(message->is_batch);
  ASSERT_EQ(message->elements.size(), 1U);
  EXPECT_EQ(message->elements[0].value, json::parse(R"({"a":[1,{"b":null}],"c":"d"})"));
}

TEST(Message, ThatIsAnArrayIsABatchOfItsElements) {
  const auto message = read_message(R"([1,[2,3],{"a":true}])", Limits{});
  ASSERT_TRUE(message);
  EXPECT_TRUE(message->is_batch);
  ASSERT_EQ(message->elements.size(), 3U);
  EXPECT_EQ(message->elements[0].value, 1);
  EXPECT_EQ(message->elements[1].value, json::parse("[2,3]"));
  EXPECT_EQ(message->elements[2].value, json::parse(R"({"a":true})"));
}

TEST(Message, KeepsTheTokenOfAnIdOnlyAtThePlaceOfAnId) {
  const auto message =
      read_message(R"([{"id":1.50,"params":{"id":2.50}},[3.50],{"a":{"id":4.50}}])", Limits{});
  ASSERT_TRUE(message);
  EXPECT_EQ(message->elements[0].exact_id, "1.50");
  EXPECT_EQ(message->elements[1].exact_id, "");
  EXPECT_EQ(message->elements[2].exact_id, "");
}

TEST(Message, ByteOrderMarkAtTheFrontIsIgnored) {
  EXPECT_TRUE(is_json("\xef\xbb\xbf{}"));
  EXPECT_FALSE(is_json("\xef\xbb{}"));
  EXPECT_FALSE(is_json("{}\xef\xbb\xbf"));
}

TEST(Message, WhiteSpaceAroundAndWithinIsInsignificant) {
  EXPECT_TRUE(is_json(" \t\r\n[ 1 ,\n{ \"a\"\t: 2 } ]\r\n"));
}

TEST(Message, WhatIsNotJsonIsAnError) {
  const std::string_view texts[] = {
      "",       " ",         "{",           "[1,]",         R"({"a":1,})", "{a:1}",
      "'a'",    "nul",       "NaN",         "01",           "+1",          ".5",
      "1.",     "1e",        "{} {}",       "{}x",          "[1 2]",       "// a\n1",
      "\"\n\"", R"("\x41")", R"("\ud83d")", "[1e400",       "[01e400",     "[1e400,.e4]",
      "-",      "[1e400]]",  "\"\xff\"",    "\"\xc0\xaf\"", "\xff",
  };
  for (const auto text : texts) EXPECT_FALSE(is_json(text)) << text;
}

TEST(Message, NulIsNotTheEndOfTheText) {
  using namespace std::string_view_literals;
  EXPECT_FALSE(is_json("{}\0"sv));
  EXPECT_FALSE(is_json("{}\0garbage"sv));
  EXPECT_FALSE(is_json("\"a\0b\""sv));
}

}  // namespace message_test
}  // namespace jrpcheck::reference
