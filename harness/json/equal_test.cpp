#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "json/test_support.hpp"
#include "json/value.hpp"

namespace jrpcheck::json {
namespace equal_test {

bool texts_equal(std::string_view a, std::string_view b) { return equal(parsed(a), parsed(b)); }

TEST(Equal, TypesAreToldApart) {
  const std::string_view texts[] = {"null", "false", "0", "\"\"", "[]", "{}", "true", "\"0\""};
  for (const auto a : texts) {
    for (const auto b : texts) EXPECT_EQ(texts_equal(a, b), a == b) << a << " " << b;
  }
}

TEST(Equal, NumbersByValue) {
  EXPECT_TRUE(texts_equal("[1,1.0,10e-1]", "[1.0,1e0,1]"));
  EXPECT_FALSE(texts_equal("9007199254740992", "9007199254740993"));
}

TEST(Equal, StringsByCodePointAndNotByEscape) {
  EXPECT_TRUE(texts_equal(R"("\u0061\/\ud83d\ude00")", "\"a/\xF0\x9F\x98\x80\""));
  EXPECT_FALSE(texts_equal("\"\xC3\xA9\"", "\"e\xCC\x81\""));  // no normalisation
  EXPECT_FALSE(texts_equal(R"("\ud83d")", R"("\ud83e")"));
}

TEST(Equal, ArraysInOrder) {
  EXPECT_TRUE(texts_equal("[1,[2,3]]", " [ 1 , [ 2 , 3 ] ] "));
  EXPECT_FALSE(texts_equal("[1,2]", "[2,1]"));
  EXPECT_FALSE(texts_equal("[1]", "[1,1]"));
}

TEST(Equal, ObjectsWhateverTheOrderOfTheirMembers) {
  EXPECT_TRUE(texts_equal(R"({"a":1,"b":{"c":2,"d":3}})", R"({"b":{"d":3,"c":2},"a":1})"));
  EXPECT_FALSE(texts_equal(R"({"a":1,"b":2})", R"({"a":2,"b":1})"));
  EXPECT_FALSE(texts_equal(R"({"a":1})", R"({"A":1})"));
  EXPECT_FALSE(texts_equal(R"({"a":1})", R"({"a":1,"b":1})"));
}

TEST(Equal, DuplicateMembersCount) {
  EXPECT_TRUE(texts_equal(R"({"a":1,"a":2})", R"({"a":2,"a":1})"));
  EXPECT_TRUE(texts_equal(R"({"a":[1],"b":0,"a":1.0})", R"({"a":1,"a":[1e0],"b":0})"));
  EXPECT_FALSE(texts_equal(R"({"a":1,"a":1})", R"({"a":1})"));
  EXPECT_FALSE(texts_equal(R"({"a":1,"a":1,"a":2})", R"({"a":1,"a":2,"a":2})"));
  EXPECT_FALSE(texts_equal(R"({"a":1,"a":1,"b":1})", R"({"a":1,"b":1,"b":1})"));
  EXPECT_FALSE(texts_equal(R"({"a":"1","a":2})", R"({"a":2,"a":1})"));
  EXPECT_TRUE(texts_equal(R"({"x":{"a":{},"a":[]},"x":{"a":[],"a":[]}})",
                          R"({"x":{"a":[],"a":[]},"x":{"a":[],"a":{}}})"));
}

TEST(Equal, DuplicatesWithinDuplicatesAreToldApart) {
  EXPECT_FALSE(texts_equal(R"({"x":{"a":{},"a":[]},"x":{"a":[],"a":[]}})",
                           R"({"x":{"a":[],"a":[]},"x":{"a":[],"a":[]}})"));
  EXPECT_FALSE(texts_equal(R"({"a":[[1],2],"a":0})", R"({"a":[1,[2]],"a":0})"));
  EXPECT_FALSE(texts_equal(R"({"a":null,"a":"z"})", R"({"a":null,"a":false})"));
  EXPECT_FALSE(texts_equal(R"({"a":{"b":1},"a":0})", R"({"a":["b",1],"a":0})"));
}

// An object of members NAME0 .. or all of one name, in ascending or descending order.
Value wide_object(std::size_t count, bool one_name, bool descending) {
  Value object = Value::object();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = descending ? count - 1 - i : i;
    object.append(one_name ? "name" : "name" + std::to_string(number),
                  Value::number(static_cast<long long>(number)));
  }
  return object;
}

// The sizes are such that a comparison of every member with every other would take minutes.
TEST(Equal, WideObjectsAreComparedInAnyOrder) {
  constexpr std::size_t kMembers = 200'000;
  for (const bool one_name : {false, true}) {
    const Value ascending = wide_object(kMembers, one_name, false);
    Value descending = wide_object(kMembers, one_name, true);
    EXPECT_TRUE(equal(ascending, descending)) << one_name;
    descending.children()[kMembers / 2] = Value::number(-1);
    EXPECT_FALSE(equal(ascending, descending)) << one_name;
  }
}

// Compares two deep texts on a small stack.
bool deep_texts_equal(const std::string& a, const std::string& b) {
  bool result = false;
  run_on_small_stack([&] { result = texts_equal(a, b); });
  return result;
}

TEST(Equal, DeepTreesAreComparedWithoutRecursion) {
  const std::string deep = nested_text("[", "1", "]");
  EXPECT_TRUE(deep_texts_equal(deep, nested_text("[", "1.0", "]")));
  EXPECT_FALSE(deep_texts_equal(deep, nested_text("[", "2", "]")));
}

TEST(Equal, DeepTreesFullOfDuplicatesAreComparedWithoutRecursion) {
  constexpr std::size_t kDepth = kDeep / 4;
  const std::string left = nested_text(R"({"a":0,"a":)", "1", "}", kDepth);
  EXPECT_TRUE(deep_texts_equal(left, nested_text(R"({"a":)", "1", R"(,"a":0})", kDepth)));
  EXPECT_FALSE(deep_texts_equal(left, nested_text(R"({"a":)", "2", R"(,"a":0})", kDepth)));
}

// Reverses the members of every object; that must not matter.
Value with_members_reversed(const Value& value) {
  Value reversed = value.clone();
  std::vector<Value*> pending{&reversed};
  while (!pending.empty()) {
    Value& next = *pending.back();
    pending.pop_back();
    if (next.is(Kind::object)) {
      std::reverse(next.children().begin(), next.children().end());
      std::reverse(next.names().begin(), next.names().end());
    }
    for (Value& child : next.children()) pending.push_back(&child);
  }
  return reversed;
}

RC_GTEST_PROP(Equal, IgnoresTheOrderOfMembers, (const std::vector<std::uint8_t>& decisions)) {
  const Value value = value_from(decisions);
  RC_ASSERT(equal(value, value));
  RC_ASSERT(equal(value, with_members_reversed(value)));
}

RC_GTEST_PROP(Equal, SeesAChangedLeaf, (const std::vector<std::uint8_t>& decisions)) {
  const Value value = value_from(decisions);
  Value changed = value.clone();
  std::vector<Value*> all{&changed};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (Value& child : all[i]->children()) all.push_back(&child);
  }
  *all[*rc::gen::inRange<std::size_t>(0, all.size())] = Value::string("found nowhere else");
  RC_ASSERT(!equal(value, changed));
  RC_ASSERT(!equal(changed, value));
}

}  // namespace equal_test
}  // namespace jrpcheck::json
