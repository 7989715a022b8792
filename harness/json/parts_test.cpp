#include "json/parts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck::json {
namespace parts_test {

using Texts = std::vector<std::string>;

Texts parts_of(std::string_view text) {
  Texts texts;
  for (Parts parts(text); parts.next();) texts.emplace_back(parts.text());
  return texts;
}

TEST(Parts, StandInTheirOrderWithoutWhiteSpace) {
  EXPECT_EQ(parts_of(R"( [ 1 , -2.5e1,true , "a" ,[2, [3]], {"b" : [4]} ] )"),
            (Texts{"1", "-2.5e1", "true", "\"a\"", "[2, [3]]", R"({"b" : [4]})"}));
  EXPECT_EQ(parts_of(R"({"a" : 1, "b":{"c":[]},"d":null})"), (Texts{"1", R"({"c":[]})", "null"}));
}

TEST(Parts, AreNotEndedByWhatStandsInStrings) {
  EXPECT_EQ(parts_of(R"([["]"],{"}":"{\"["},"\\",",",1])"),
            (Texts{R"(["]"])", R"({"}":"{\"["})", R"("\\")", R"(",")", "1"}));
}

TEST(Parts, AreNoneInWhatHoldsNone) {
  for (const auto* text : {"", " ", "[]", "{ }", "1", "\"[1]\"", "null"}) {
    EXPECT_EQ(parts_of(text), Texts{}) << text;
  }
}

TEST(Parts, EndWithATextThatIsCutOff) {
  const std::string text = R"({"a":[1,"\"",{"b":2}],"c\\":"d"})";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    EXPECT_LE(parts_of(text.substr(0, length)).size(), 2U);
    EXPECT_LE(parts_of("[" + text.substr(length)).size(), text.size());
  }
}

TEST(ValueAt, IsTheOneThatBeginsThere) {
  const std::string_view text = R"({"a": [1, "]"], "b": 25})";
  EXPECT_EQ(value_at(text, 6), R"([1, "]"])");
  EXPECT_EQ(value_at(text, 10), R"("]")");
  EXPECT_EQ(value_at(text, 21), "25");
  EXPECT_EQ(value_at(text, 0), text);
  EXPECT_EQ(value_at(text, text.size()), "");
}

TEST(MemberText, IsThatOfTheLastOfItsName) {
  EXPECT_EQ(member_text(R"({"a":1,"b":2,"\u0061":[3],"x":{"a":4}})", "a"), "[3]");
  EXPECT_EQ(member_text(R"({"":1,"a\"":2})", "a\""), "2");
  EXPECT_EQ(member_text(R"({"":1})", ""), "1");
}

TEST(MemberText, IsEmptyWhereThereIsNone) {
  for (const auto* text : {"", "{}", "[\"a\",1]", "\"a\"", R"({"b":{"a":1},"c":"a"})"}) {
    EXPECT_EQ(member_text(text, "a"), "") << text;
  }
}

}  // namespace parts_test
}  // namespace jrpcheck::json
