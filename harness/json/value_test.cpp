#include "json/value.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "json/test_support.hpp"

namespace jrpcheck::json {
namespace value_test {

TEST(Value, EachKindHasItsName) {
  EXPECT_EQ(name_of(Value::null().kind()), "null");
  EXPECT_EQ(name_of(Value::boolean(true).kind()), "boolean");
  EXPECT_EQ(name_of(Value::number(1).kind()), "number");
  EXPECT_EQ(name_of(Value::string("").kind()), "string");
  EXPECT_EQ(name_of(Value::array().kind()), "array");
  EXPECT_EQ(name_of(Value::object().kind()), "object");
}

TEST(Value, KeepsWhatItWasMadeFrom) {
  EXPECT_TRUE(Value::boolean(true).as_boolean());
  EXPECT_FALSE(Value::boolean(false).as_boolean());
  EXPECT_EQ(Value::number("-0.10e+05").text(), "-0.10e+05");
  EXPECT_EQ(Value::number(-9223372036854775807LL - 1).text(), "-9223372036854775808");
  EXPECT_EQ(Value::string("caf\xC3\xA9").text(), "caf\xC3\xA9");
}

TEST(Value, FindGivesTheLastMemberOfAName) {
  Value object = Value::object();
  object.append("a", Value::number(1));
  object.append("b", Value::number(2));
  object.append("a", Value::number(3));
  ASSERT_NE(object.find("a"), nullptr);
  EXPECT_EQ(object.find("a")->text(), "3");
  EXPECT_EQ(object.find("A"), nullptr);
  EXPECT_EQ(object.count("a"), 2U);
  EXPECT_EQ(object.count("c"), 0U);
  EXPECT_EQ(object.size(), 3U);
}

TEST(Value, OtherKindsHaveNoMembers) {
  EXPECT_EQ(Value::number(1).find(""), nullptr);
  EXPECT_EQ(Value::array().count("a"), 0U);
}

TEST(Value, AppendGivesTheAppendedValue) {
  Value array = Value::array();
  array.append(Value::array()).append(Value::number(7));
  EXPECT_EQ(write(array), "[[7]]");
  Value object = Value::object();
  object.append("x", Value::object()).append("y", Value::null());
  EXPECT_EQ(write(object), R"({"x":{"y":null}})");
}

TEST(Value, ACloneIsEqualKeepsSpansAndStandsOnItsOwn) {
  Value original = parsed(R"( {"a":[1,{"b":"x"}],"a":null} )");
  const Value copy = original.clone();
  EXPECT_EQ(write(copy), write(original));
  EXPECT_EQ(copy.children()[0].begin(), original.children()[0].begin());
  EXPECT_EQ(copy.children()[0].end(), original.children()[0].end());
  original.children()[0].append(Value::null());
  EXPECT_EQ(write(copy), R"({"a":[1,{"b":"x"}],"a":null})");
}

TEST(Value, MayBeReplacedByAPartOfItself) {
  Value value = parsed(R"([1,[2,{"a":[3,4]}]])");
  value = std::move(value.children()[1]);
  EXPECT_EQ(write(value), R"([2,{"a":[3,4]}])");
  value = std::move(value.children()[1].children()[0]);
  EXPECT_EQ(write(value), "[3,4]");
}

TEST(Value, SurvivesBeingMovedToItself) {
  Value value = parsed("[1,2]");
  Value& same = value;
  value = std::move(same);
  EXPECT_EQ(write(value), "[1,2]");
}

TEST(DeepValue, IsDestroyedWithoutRecursion) {
  std::size_t size = 0;
  run_on_small_stack([&] { size = parsed(nested_text("[", "", "]")).size(); });
  EXPECT_EQ(size, 1U);
  run_on_small_stack([&] { size = parsed(nested_text("{\"a\":1,\"b\":", "2", "}")).size(); });
  EXPECT_EQ(size, 2U);
}

TEST(DeepValue, IsReplacedWithoutRecursion) {
  std::string replaced;
  run_on_small_stack([&] {
    Value value = parsed(nested_text("[0,", "1", "]"));
    value = Value::number(1);
    replaced = write(value);
  });
  EXPECT_EQ(replaced, "1");
}

TEST(DeepValue, IsClonedWithoutRecursion) {
  const std::string text = nested_text("[0,", "1", ",null]");
  std::string cloned;
  run_on_small_stack([&] { cloned = write(parsed(text).clone()); });
  EXPECT_TRUE(cloned == text);
}

TEST(DeepValue, MemoryIsCountedWithoutRecursion) {
  std::size_t memory = 0;
  run_on_small_stack([&] { memory = parsed(nested_text("[", "1", "]")).memory(); });
  EXPECT_GE(memory, kDeep * sizeof(Value));
}

TEST(DeepValue, CanBeBuiltFromWithin) {
  std::string built;
  run_on_small_stack([&] {
    Value value = Value::array();
    for (std::size_t i = 1; i < kDeep; ++i) {
      Value around = Value::array();
      around.append(std::move(value));
      value = std::move(around);
    }
    built = write(value);
  });
  EXPECT_TRUE(built == nested_text("[", "", "]"));
}

}  // namespace value_test
}  // namespace jrpcheck::json
