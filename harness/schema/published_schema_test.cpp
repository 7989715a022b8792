#include "schema/published_schema.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::schema {
namespace {

constexpr const char* kPublished = R"({"$defs": {
  "ListRequest": {"properties": {"method": {"const": "list"}}},
  "ListResult": {"type": "object", "required": ["items"]},
  "PingRequest": {"properties": {"method": {"const": "ping"}}},
  "EmptyResult": {"type": "object"},
  "ChangedNotification": {"properties": {"method": {"const": "changed"}}, "required": ["params"]},
  "JSONRPCError": {"required": ["id"]}}})";

bool refuses(Subject subject, std::string_view method, const std::string& value) {
  const auto schema = PublishedSchema::load(kPublished);
  EXPECT_TRUE(schema) << schema.error().message;
  const auto parsed = json::parse(value);
  return schema->judge(subject, method, *parsed.value).violation.has_value();
}

TEST(PublishedSchema, FindsOutWhichDefinitionIsAboutWhat) {
  EXPECT_TRUE(refuses(Subject::result, "list", "{}"));
  EXPECT_FALSE(refuses(Subject::result, "list", R"({"items":[]})"));
  EXPECT_TRUE(refuses(Subject::result, "ping", "1"));
  EXPECT_TRUE(refuses(Subject::notification, "changed", R"({"method":"changed"})"));
  EXPECT_TRUE(refuses(Subject::error, "list", R"({"error":{}})"));
}

TEST(PublishedSchema, HasNoOpinionOfWhatItDoesNotName) {
  const auto schema = PublishedSchema::load(kPublished);
  EXPECT_FALSE(schema->judge(Subject::result, "other", json::Value::null()).is_known);
}

TEST(PublishedSchema, SaysWhyATextIsNone) {
  EXPECT_NE(PublishedSchema::load("{\n bad}").error().message.find("line 2"), std::string::npos);
  EXPECT_FALSE(PublishedSchema::load("{}"));
  EXPECT_FALSE(PublishedSchema::load(R"({"definitions":{"A":{"type":"object"}}})"));
}

}  // namespace
}  // namespace jrpcheck::schema
