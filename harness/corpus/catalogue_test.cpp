#include "corpus/catalogue.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace catalogue_test {

json::Value value(const std::string& text) { return *json::parse(text).value; }

Catalogue three_tools() {
  Catalogue catalogue;
  catalogue.lists["tools"] = value(R"([
    {"name": "echo", "annotations": {"readOnlyHint": true}},
    {"name": "get-env", "annotations": {"readOnlyHint": true}},
    {"name": "write"}])");
  ItemSelection safe{"tools",
                     {{"/annotations/readOnlyHint", "true"}, {"/name", {}, {}, {"ENV", "secret"}}},
                     "/name"};
  catalogue.selections["safe"] = safe;
  return catalogue;
}

std::vector<std::string> names(const Catalogue& catalogue, std::string_view of) {
  std::vector<std::string> found;
  for (const auto* item : catalogue.items(of)) found.push_back(item->find("name")->text());
  return found;
}

TEST(Catalogue, SelectsWhatMeetsAllConditions) {
  EXPECT_EQ(names(three_tools(), "safe"), std::vector<std::string>{"echo"});
  EXPECT_EQ(names(three_tools(), "tools").size(), 3U);
  EXPECT_TRUE(names(three_tools(), "prompts").empty());
}

TEST(Catalogue, SelectsWhatIsAllowedByName) {
  auto catalogue = three_tools();
  catalogue.allowed = {"write"};
  EXPECT_EQ(names(catalogue, "safe"), (std::vector<std::string>{"echo", "write"}));
}

std::string made(const std::string& schema) {
  const auto arguments = arguments_for(value(schema));
  return arguments ? json::write(*arguments) : "none";
}

TEST(Arguments, HoldWhatIsRequiredAndNothingElse) {
  EXPECT_EQ(made(R"({"type": "object", "required": ["a", "b", "c", "d", "e"], "properties": {
    "a": {"type": "string", "minLength": 3}, "b": {"type": "integer", "minimum": 7},
    "c": {"enum": ["x", "y"]}, "d": {"type": "array", "minItems": 2, "items": {"type": "boolean"}},
    "e": {"$ref": "#/$defs/e"}, "f": {"type": "string"}}, "$defs": {"e": {"const": 5}}})"),
            R"({"a":"aaa","b":7,"c":"x","d":[false,false],"e":5})");
  EXPECT_EQ(made(R"({"type": "object"})"), "{}");
}

TEST(Arguments, AreNotMadeWhereTheSchemaAsksForMore) {
  EXPECT_EQ(made(R"({"type": "object", "required": ["a"],
                     "properties": {"a": {"type": "string", "pattern": "^[0-9]+$"}}})"),
            "none");
  EXPECT_EQ(made(R"({"type": "string"})"), "none");
  EXPECT_EQ(made(R"({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}})"),
            "none");
}

TEST(Arguments, CanBreakTheirSchemaInOneMember) {
  const auto wrong = wrong_arguments_for(value(R"({"type": "object", "required": ["a", "b"],
    "properties": {"a": {"type": "number"}, "b": {"type": "string"}}})"));
  ASSERT_TRUE(wrong);
  EXPECT_EQ(json::write(*wrong), R"({"b":"a","a":"jrpcheck"})");
  EXPECT_FALSE(wrong_arguments_for(value(R"({"type": "object"})")));
}

TEST(Arguments, DoNotBreakTheirSchemaWhereAnotherReadingFits) {
  for (const char* property :
       {R"({"type": ["integer", "string"]})", R"({"properties": {}})", R"({"type": "any"})",
        R"({"type": "array"})", R"({"anyOf": [{"type": "integer"}, {"type": "string"}]})"}) {
    const std::string schema =
        std::string(R"({"required": ["a"], "type": "object", "properties": {"a": )") + property +
        "}}";
    EXPECT_EQ(made(schema).substr(0, 4), R"({"a")") << property;
    EXPECT_FALSE(wrong_arguments_for(value(schema))) << property;
  }
  const auto wrong = wrong_arguments_for(value(R"({"type": "object", "required": ["a"],
    "properties": {"a": {"type": "boolean"}}})"));
  ASSERT_TRUE(wrong);
  EXPECT_EQ(json::write(*wrong), R"({"a":{}})") << "a text may be read as a flag";
}

// An Object with a hundred members, each of which is `member`.
std::string hundred_of(const std::string& member) {
  std::string required;
  std::string properties;
  for (int i = 0; i < 100; ++i) {
    const std::string name = '"' + std::to_string(i) + '"';
    required.append(i == 0 ? "" : ",").append(name);
    properties.append(i == 0 ? "" : ",").append(name).append(":").append(member);
  }
  return R"({"type":"object","required":[)" + required + R"(],"properties":{)" + properties + "}}";
}

TEST(Arguments, AreNotMadeWhereASmallSchemaAsksForMuch) {
  const std::string inner = R"(,"$defs":{"b":)" + hundred_of(R"({"$ref":"#/$defs/c"})") +
                            R"(,"c":)" + hundred_of(R"({"type":"boolean"})") + "}}";
  std::string schema = hundred_of(R"({"$ref":"#/$defs/b"})");
  schema.replace(schema.size() - 1, 1, inner);
  EXPECT_EQ(made(schema), "none");
  std::string names = R"("0")";
  for (int i = 1; i < 2000; ++i) names += ",\"" + std::to_string(i) + '"';
  EXPECT_EQ(made(R"({"type":"object","required":[)" + names + "]}"), "none");
  EXPECT_EQ(made(R"({"type":"object","required":["a","a"]})"), R"({"a":null})");
}

TEST(Arguments, BreakASchemaOnlyInWhatNobodyReadsOtherwise) {
  const auto schema = value(R"({"type": "object", "required": ["n", "s", "d"], "properties": {
    "n": {"type": "integer"}, "s": {"type": "string"}, "d": {"type": "object", "default": {}},
    "more": {"type": "boolean"}}})");
  for (const char* wrong :
       {R"({"s": "a"})", R"({"n": 1})", R"({"n": "word", "s": "a"})", R"({"n": {}, "s": "a"})",
        R"({"n": 1, "s": {}})", R"({"n": 1, "s": ["a"]})"}) {
    EXPECT_TRUE(how_arguments_break(schema, value(wrong))) << wrong;
  }
  for (const char* right :
       {R"({"n": "Infinity", "s": "a"})", R"({"n": 1, "s": "a"})",
        R"({"n": 1.0, "s": "a", "d": null})", R"({"n": "1", "s": 2})", R"({"n": "0xF", "s": "a"})",
        R"({"n": null, "s": true})", R"({"n": 1, "s": "a", "more": {}, "other": 1})", R"([])"}) {
    EXPECT_FALSE(how_arguments_break(schema, value(right))) << right;
  }
  EXPECT_FALSE(how_arguments_break(value("true"), value("{}")));
  EXPECT_FALSE(how_arguments_break(value(R"({"required": ["x"]})"), value("{}")))
      << "of what is no property nothing is known";
}

}  // namespace catalogue_test
}  // namespace jrpcheck::corpus
