#include "schema/message_schemas.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::schema {
namespace message_schemas_test {

json::Value value(const std::string& text) { return *json::parse(text).value; }

const std::map<std::string, std::string> kFiles = {
    {"p/schemas/1.json", R"({"requirement": "whole",
      "$defs": {"Room": {"type": "object", "required": ["name"], "requirement": "room",
                         "properties": {"name": {"type": "string", "requirement": "name"}}}},
      "results": {"*": {"type": "object"},
                  "key": {"type": "string", "if": {"type": "string"},
                          "then": {"requirement": "spelling", "pattern": "^[a-z]"}},
                  "rooms": {"type": "object", "required": ["rooms"],
                            "properties": {"rooms": {"type": "array", "items": {"$ref": "#/$defs/Room"}}}}},
      "notifications": {"opened": {"type": "object"}}})"},
    {"p/schemas/2.json", R"({"extends": "1.json", "notifications": {"opened": null},
      "$defs": {"Room": {"type": "object", "required": ["key"]}}})"}};

MessageSchemas schemas(const std::string& path) {
  auto loaded = MessageSchemas::load(path, kFiles);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return *std::move(loaded);
}

TEST(MessageSchemas, ChargeTheClosestRequirement) {
  const auto first = schemas("p/schemas/1.json");
  const auto bad_name =
      first.judge(Subject::result, "rooms", value(R"({"rooms": [{"name": "a"}, {"name": 1}]})"));
  ASSERT_TRUE(bad_name && bad_name->violation);
  EXPECT_EQ(bad_name->violation->at, "/rooms/1/name");
  EXPECT_EQ(bad_name->requirement, "name");
  const auto no_name = first.judge(Subject::result, "rooms", value(R"({"rooms": [{}]})"));
  EXPECT_EQ(no_name->requirement, "room");
  EXPECT_EQ(first.judge(Subject::result, "rooms", value("{}"))->requirement, "whole");
}

TEST(MessageSchemas, ChargeWhatIsAskedOfATypeForThatTypeAlone) {
  const auto first = schemas("p/schemas/1.json");
  EXPECT_EQ(first.judge(Subject::result, "key", value(R"("A")"))->requirement, "spelling");
  EXPECT_EQ(first.judge(Subject::result, "key", value("1"))->requirement, "whole");
}

TEST(MessageSchemas, TellWhatAValueShows) {
  const auto empty =
      schemas("p/schemas/1.json").judge(Subject::result, "rooms", value(R"({"rooms": []})"));
  ASSERT_TRUE(empty);
  EXPECT_FALSE(empty->violation);
  EXPECT_EQ(empty->exercised, std::set<std::string>{"whole"});
}

TEST(MessageSchemas, HaveOneForEveryOtherMethod) {
  const auto first = schemas("p/schemas/1.json");
  EXPECT_TRUE(first.judge(Subject::result, "other", value("[]"))->violation);
  EXPECT_FALSE(first.judge(Subject::request, "other", value("[]")));
}

TEST(MessageSchemas, AreThoseOfAnotherFileButForWhatTheySayThemselves) {
  const auto second = schemas("p/schemas/2.json");
  EXPECT_TRUE(
      second.judge(Subject::result, "rooms", value(R"({"rooms": [{"name": "a"}]})"))->violation);
  EXPECT_FALSE(
      second.judge(Subject::result, "rooms", value(R"({"rooms": [{"key": 1}]})"))->violation);
  EXPECT_FALSE(second.judge(Subject::notification, "opened", value("1")));
  EXPECT_TRUE(schemas("p/schemas/1.json").requirements().count("name"));
}

TEST(MessageSchemas, SayWhichFileIsMissing) {
  EXPECT_FALSE(MessageSchemas::load("p/schemas/3.json", kFiles));
}

}  // namespace message_schemas_test
}  // namespace jrpcheck::schema
