#include "reference-impl/mutants/json_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace jrpcheck::reference {
namespace json_text_test {

TEST(ObjectText, KeepsEveryTokenAsItWasSpelled) {
  const std::string text = R"({"a":1e400,"b":"\u0041\/","c":[1, {"d":2}],"a":-0})";
  const auto object = object_of(text);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->text(), text);
}

TEST(ObjectText, TakesTheLastOfMembersWithOneName) {
  EXPECT_TRUE(object_of(R"({"a":1,"a":2})")->is("a", "2"));
}

TEST(ObjectText, ReadsEscapedNamesAndWhiteSpace) {
  const auto object = object_of(" \t{ \"\\u0069d\" : [ 1 ] \n, \"b\" :\"}]\" } ");
  ASSERT_TRUE(object);
  EXPECT_TRUE(object->is("id", "[ 1 ]"));
  EXPECT_TRUE(object->is("b", "\"}]\""));
  EXPECT_EQ(object->members.size(), 2U);
}

TEST(ObjectText, IsNothingForOtherValues) {
  for (const char* text : {"[]", "1", "\"{}\"", "null", ""}) EXPECT_FALSE(object_of(text)) << text;
}

TEST(ObjectText, ReadsTheEmptyObject) { EXPECT_EQ(object_of("{ }")->text(), "{}"); }

TEST(ObjectText, ChangesMembersInTheirPlace) {
  ObjectText object = *object_of(R"({"a":1,"b":2,"c":3})");
  object.set("b", "[]");
  object.set("d", "4");
  object.rename("a", "A");
  object.remove("c");
  EXPECT_EQ(object.text(), R"({"A":1,"b":[],"d":4})");
}

TEST(Elements, AreTheTextsBetweenTheCommas) {
  const std::vector<std::string> elements = {R"({"a":[1,2]})", "\",\"", "[]", "-1.50"};
  EXPECT_EQ(elements_of(" [ {\"a\":[1,2]} ,\",\", [] ,-1.50 ]"), elements);
  EXPECT_EQ(array_of(elements), R"([{"a":[1,2]},",",[],-1.50])");
}

TEST(Elements, OfTheEmptyArrayAreNone) {
  EXPECT_TRUE(elements_of("[ ]").empty());
  EXPECT_EQ(array_of({}), "[]");
}

TEST(Elements, AreReadWithoutRecursion) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  ASSERT_EQ(elements_of(deep).size(), 1U);
}

RC_GTEST_PROP(ObjectText, NeverReadsBeyondTheText, (std::string text)) {
  const auto object = object_of("{" + text);
  RC_ASSERT(object.has_value());
  elements_of("[" + text);
}

RC_GTEST_PROP(ObjectText, ReadsWhatItWrote, (std::vector<std::string> names)) {
  ObjectText object;
  for (const std::string& name : names) {
    object.add(is_json(encoded(name)) ? decoded(encoded(name)) : "x", encoded(name));
  }
  RC_ASSERT(object_of(object.text())->members == object.members);
}

}  // namespace json_text_test
}  // namespace jrpcheck::reference
