#include "json/pointer.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::json {
namespace pointer_test {

TEST(Pointer, FindsMembersAndElements) {
  const auto parsed = parse(R"({"a": [{"b/c": 1, "d~e": 2}], "": 3})");
  ASSERT_TRUE(parsed);
  const Value& value = *parsed.value;
  EXPECT_EQ(at(value, ""), &value);
  EXPECT_EQ(at(value, "/a/0/b~1c")->text(), "1");
  EXPECT_EQ(at(value, "/a/0/d~0e")->text(), "2");
  EXPECT_EQ(at(value, "/")->text(), "3");
}

TEST(Pointer, IsNullWhereNothingStands) {
  const auto parsed = parse(R"({"a": [1], "b": "text"})");
  ASSERT_TRUE(parsed);
  for (const char* pointer : {"/x", "/a/1", "/a/-", "/a/0x", "/b/0", "a", "/a//"}) {
    EXPECT_EQ(at(*parsed.value, pointer), nullptr) << pointer;
  }
}

TEST(Pointer, ReadsTheTextOfAStringAlone) {
  const auto parsed = parse(R"({"a": {"b": "text", "c": 1}})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(text_at(*parsed.value, "/a/b"), "text");
  for (const char* pointer : {"/x", "/a", "/a/c"}) EXPECT_EQ(text_at(*parsed.value, pointer), "");
}

TEST(Pointer, EscapesWhatItJoins) { EXPECT_EQ(joined("/a", "b/c~d"), "/a/b~1c~0d"); }

}  // namespace pointer_test
}  // namespace jrpcheck::json
