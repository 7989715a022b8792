#include "schema/schema.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::schema {
namespace schema_test {

json::Value value(const std::string& text) { return *json::parse(text).value; }

Schema schema(const std::string& text) {
  auto compiled = Schema::compile(value(text));
  EXPECT_TRUE(compiled) << compiled.error().message;
  return *std::move(compiled);
}

TEST(Schema, TellsTheDeepestPlaceThatDoesNotFit) {
  const auto numbers = schema(
      R"({"type": "object", "properties": {"a/b": {"type": "array", "items": {"type": "number"}}}})");
  EXPECT_FALSE(numbers.violation(value(R"({"a/b": [1, 2.5]})")));
  const auto violation = numbers.violation(value(R"({"a/b": [1, "2"]})"));
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->at, "/a~1b/1");
}

TEST(Schema, FollowsReferencesWithinItsDocumentAlone) {
  const auto list = schema(R"({"type": "array", "items": {"$ref": "#/$defs/n"},
                               "$defs": {"n": {"type": "integer"}}})");
  EXPECT_TRUE(list.violation(value("[1, null]")));
  EXPECT_FALSE(Schema::compile(value(R"({"$ref": "http://127.0.0.1:1/schema.json"})")));
}

TEST(Schema, IsRefusedWhereItIsNone) {
  for (const char* text :
       {"[]", "1", "null", R"({"type": 5})", R"({"type": "object", "properties": []})"}) {
    EXPECT_FALSE(Schema::compile(value(text))) << text;
  }
}

TEST(Schema, SaysNothingOfWhatItCannotRead) {
  EXPECT_FALSE(schema(R"({"type": "string"})").violation(value("1e999")));
}

}  // namespace schema_test
}  // namespace jrpcheck::schema
