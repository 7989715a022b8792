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

bool fits(const std::string& of, const std::string& text) {
  return !schema(of).violation(value(text));
}

TEST(Schema, FollowsReferencesWithinItsDocumentAlone) {
  const auto list = schema(R"({"type": "array", "items": {"$ref": "#/$defs/n"},
                               "$defs": {"n": {"type": "integer"}}})");
  EXPECT_TRUE(list.violation(value("[1, null]")));
  for (const char* elsewhere :
       {"http://127.0.0.1:1/schema.json", "nowhere", "#name", "#/nowhere"}) {
    const std::string of = R"({"$ref": ")" + std::string(elsewhere) + R"("})";
    EXPECT_TRUE(fits(of, "1")) << of;
    EXPECT_TRUE(fits(R"({"not": )" + of + "}", "1")) << of;
  }
}

TEST(Schema, EndsWhereReferencesGoInACircle) {
  EXPECT_TRUE(fits(R"({"$ref": "#"})", "1"));
  EXPECT_TRUE(fits(R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
                       "allOf": [{"$ref": "#/$defs/a"}]})",
                   "1"));
  EXPECT_FALSE(fits(R"({"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "type": "string",
                        "allOf": [{"$ref": "#/$defs/a"}]})",
                    "1"));
  // Twice as many at each step.
  EXPECT_TRUE(fits(R"({"allOf": [{"$ref": "#"}, {"$ref": "#"}]})", "1"));
}

TEST(Schema, GoesDownARecursiveValue) {
  const std::string tree = R"({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false})";
  EXPECT_TRUE(fits(tree, R"({"a": {"a": {"a": {}}}})"));
  EXPECT_FALSE(fits(tree, R"({"a": {"a": {"b": {}}}})"));
}

TEST(Schema, KnowsNumbersByTheirValue) {
  for (const char* whole : {"3", "3.0", "1e3", "100000000000000000000", "-0.0"}) {
    EXPECT_TRUE(fits(R"({"type": "integer"})", whole)) << whole;
  }
  EXPECT_FALSE(fits(R"({"type": "integer"})", "3.5"));
  EXPECT_TRUE(fits(R"({"const": 1})", "1.0"));
  EXPECT_TRUE(fits(R"({"multipleOf": 0.01})", "4.35"));
  EXPECT_FALSE(fits(R"({"multipleOf": 0.01})", "4.355"));
  EXPECT_FALSE(fits(R"({"maximum": 9007199254740992})", "9007199254740993"));
  EXPECT_FALSE(fits(R"({"exclusiveMinimum": 1})", "1.0"));
  EXPECT_TRUE(fits(R"({"maxLength": 3.0})", R"("abc")"));
  EXPECT_FALSE(fits(R"({"type": "string"})", "1e999"));
}

TEST(Schema, TellsOfDraftsWhatTheyAgreeOn) {
  // Since 2020-12 "items" is about those behind "prefixItems"; before, there is no such keyword.
  const std::string pair = R"("prefixItems": [{"type": "string"}], "items": {"type": "number"}})";
  EXPECT_TRUE(fits("{" + pair, R"(["a", 1])"));
  EXPECT_FALSE(fits("{" + pair, R"(["a", "b"])"));
  EXPECT_FALSE(
      fits(R"({"$schema": "http://json-schema.org/draft-07/schema#", )" + pair, R"(["a", 1])"));
  EXPECT_TRUE(fits(R"({"contains": {"type": "string"}, "minContains": 0})", "[]"));
  EXPECT_FALSE(fits(R"({"contains": {"type": "string"}})", "[1]"));
  EXPECT_TRUE(fits(R"({"format": "date-time"})", R"("yesterday")"));
  EXPECT_TRUE(fits(R"({"dependencies": {"a": ["b"]}})", R"({"a": 1})"));
  EXPECT_TRUE(fits(
      R"({"$schema": "http://json-schema.org/draft-07/schema#", "dependentRequired": {"a": ["b"]}})",
      R"({"a": 1})"));
  EXPECT_TRUE(fits(R"({"unevaluatedProperties": false})", R"({"a": 1})"));
  const std::string beside = R"("$defs": {"n": true}, "$ref": "#/$defs/n", "type": "string"})";
  EXPECT_TRUE(fits("{" + beside, "1"));
  EXPECT_TRUE(fits("{\"not\": {\"not\": {" + beside + "}}", "1"));
  EXPECT_FALSE(
      fits(R"({"$schema": "https://json-schema.org/draft/2020-12/schema", )" + beside, "1"));
  EXPECT_TRUE(
      fits(R"({"$defs": {"n": {"$id": "n", "$ref": "#/$defs/m"}}, "$ref": "#/$defs/n"})", "1"));
}

TEST(Schema, SaysNothingWhereAPatternCannotBeMatched) {
  EXPECT_TRUE(fits(R"({"pattern": "^(?=b)c"})", R"("a")"));
  EXPECT_TRUE(fits(R"({"not": {"pattern": "^(?=b)c"
}
})",
                   R"("a")"));
  EXPECT_FALSE(fits(R"({"pattern": "^b"})", R"("a")"));
}

TEST(Schema, HasAllThatIsSaidOfValues) {
  const std::pair<const char*, const char*> kUnfit[] = {
      {"false", "1"},
      {R"({"type": ["string", "null"]})", "1"},
      {R"({"enum": [1, "a"]})", "2"},
      {R"({"minLength": 2})", R"("é")"},
      {R"({"maxLength": 1})", R"("éé")"},
      {R"({"minItems": 1})", "[]"},
      {R"({"maxItems": 1})", "[1, 2]"},
      {R"({"uniqueItems": true})", "[1, 1.0]"},
      {R"({"items": [{"type": "string"}], "additionalItems": false})", R"(["a", 1])"},
      {R"({"minProperties": 1})", "{}"},
      {R"({"maxProperties": 0})", R"({"a": 1})"},
      {R"({"required": ["a"]})", "{}"},
      {R"({"patternProperties": {"^x-": {"type": "string"}}})", R"({"x-a": 1})"},
      {R"({"properties": {"a": true}, "patternProperties": {"^x-": true}, "additionalProperties": false})",
       R"({"b": 1})"},
      {R"({"propertyNames": {"maxLength": 1}})", R"({"aa": 1})"},
      {R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})"},
      {R"({"dependentSchemas": {"a": {"required": ["b"]}}})", R"({"a": 1})"},
      {R"({"if": {"required": ["a"]}, "then": {"required": ["b"]}})", R"({"a": 1})"},
      {R"({"if": {"required": ["a"]}, "else": {"required": ["b"]}})", "{}"},
      {R"({"not": {"type": "string"}})", R"("a")"},
      {R"({"oneOf": [{"type": "number"}, {"minimum": 1}]})", "1"},
      {R"({"anyOf": [{"type": "string"}, {"minimum": 2}]})", "1"},
      {R"({"allOf": [{"type": "number"}, {"minimum": 2}]})", "1"}};
  for (const auto& [of, text] : kUnfit) EXPECT_FALSE(fits(of, text)) << of;
  const std::pair<const char*, const char*> kFit[] = {
      {"true", "1"},
      {R"({"uniqueItems": true})", "[1, true, 0, false, \"1\"]"},
      {R"({"oneOf": [{"type": "number"}, {"type": "string"}]})", "1"},
      {R"({"properties": {"a": true}, "patternProperties": {"^x-": true}, "additionalProperties": false})",
       R"({"a": 1, "x-b": 2})"},
      {R"({"if": {"required": ["a"]}, "then": {"required": ["b"]}})", "{}"},
      {R"({"properties": {"$ref": {"type": "number"}}})", R"({"$ref": 1})"},
      {R"({"type": "object", "required": ["a"]})", R"({"a": null})"}};
  for (const auto& [of, text] : kFit) EXPECT_TRUE(fits(of, text)) << of;
}

TEST(Schema, TellsWhatIsWrongInTheBranchThatCameFurthest) {
  const auto either =
      schema(R"({"anyOf": [{"type": "string"}, {"properties": {"a": {"type": "number"}}}]})");
  EXPECT_EQ(either.violation(value(R"({"a": "b"})"))->at, "/a");
  const auto fitting =
      schema(R"({"anyOf": [{"properties": {"a": {"type": "number"}}}, {"type": "object"}],
                                  "required": ["c"]})");
  EXPECT_EQ(fitting.violation(value(R"({"a": "b"})"))->at, "");
}

TEST(Schema, TellsWhatAValueLacksAndNotThatItIsOfNoOtherType) {
  const auto either = schema(
      R"({"anyOf": [{"type": "null"}, {"type": ["array"]}, {"type": "object", "required": ["a"]}]})");
  EXPECT_NE(either.violation(value("{}"))->what.find("\"a\""), std::string::npos)
      << either.violation(value("{}"))->what;
  EXPECT_NE(either.violation(value("1"))->what.find("null"), std::string::npos);
}

TEST(Schema, TellsWhatIsWrongWithTheKindThatAnObjectSaysItIs) {
  const auto edits = schema(R"({"$defs": {
      "Create": {"type": "object", "required": ["uri"], "properties": {"kind": {"const": "create"}}},
      "Rename": {"type": "object", "required": ["newUri"], "properties": {"kind": {"const": "rename"}}}},
    "anyOf": [{"$ref": "#/$defs/Create"}, {"$ref": "#/$defs/Rename"}, {"type": "null"}]})");
  const auto what = [&](const std::string& text) { return edits.violation(value(text))->what; };
  EXPECT_NE(what(R"({"kind": "rename"})").find("newUri"), std::string::npos);
  EXPECT_NE(what(R"({"kind": "create"})").find("\"uri\""), std::string::npos);
  EXPECT_EQ(what("5"), "is a Number, and not of type object or null");
}

TEST(Schema, TellsWhatAPatternStandsFor) {
  const auto what = [](const std::string& of) {
    return schema(of).violation(value("\"a\""))->what;
  };
  EXPECT_EQ(what(R"({"pattern": "^b$"})"), "does not match ^b$");
  EXPECT_EQ(what(R"({"pattern": "^b$", "means": "a letter b"})"), "is not a letter b");
}

TEST(Schema, TellsNothingOfWhatWouldTakeForEver) {
  const auto holding = [](int members) {
    std::string text;
    for (int i = 0; i < members; ++i) {
      text.append(i == 0 ? "" : ",").append("\"x").append(std::to_string(i)).append("\":false");
    }
    return "{" + text + "}";
  };
  const auto refuses = [&](int members) {
    return !fits(R"({"properties": )" + holding(members) + "}", holding(members));
  };
  EXPECT_TRUE(refuses(100));
  EXPECT_FALSE(refuses(20'000));
}

TEST(Schema, IsRefusedWhereItIsNone) {
  for (const char* text :
       {"[]", "1", "null", R"({"type": 5})", R"({"type": "any"})",
        R"({"type": "object", "properties": []})", R"({"minimum": "1"})", R"({"multipleOf": 0})",
        R"({"maxLength": -1})", R"({"required": true})", R"({"exclusiveMinimum": true})",
        R"({"properties": {"a": 1}})", R"({"$ref": 1})"}) {
    EXPECT_FALSE(Schema::compile(value(text))) << text;
  }
  const auto refused = Schema::compile(value(R"({"properties": {"a/b": {"type": 5}}})"));
  EXPECT_EQ(refused.error().message.find("/properties/a~1b/type"), 0U) << refused.error().message;
}

}  // namespace schema_test
}  // namespace jrpcheck::schema
