#include "targets/target.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::targets {
namespace target_test {

constexpr std::string_view kJayson = R"({
  "$schema": "./target.schema.json", "kind": "server", "group": "library",
  "about": "A server", "home": "https://example.org", "licence": "MIT", "version": "5.0.0",
  "install": {"npm": ["jayson@5.0.0"]}, "start": ["node", "{wrapper}", "{port}"], "door": "http",
  "target": "http://127.0.0.1:{port}/", "limits": ["None."]})";

TEST(Target, HoldsWhatItsFileSays) {
  const auto target = read_target("targets/jayson.json", kJayson);
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->name, "jayson");
  EXPECT_EQ(target->kind, Kind::server);
  EXPECT_EQ(target->group, Group::library);
  EXPECT_EQ(target->npm, std::vector<std::string>{"jayson@5.0.0"});
  EXPECT_EQ(target->start.back(), "{port}");
  EXPECT_EQ(target->limits, std::vector<std::string>{"None."});
}

TEST(Target, MembersThatNobodyKnowsAreMistakes) {
  const auto target = read_target("targets/x.json", R"({"kind": "server", "licens": "MIT"})");
  ASSERT_FALSE(target);
  EXPECT_NE(target.error().message.find("licens"), std::string::npos) << target.error().message;
}

TEST(Target, ChoicesThatNobodyKnowsAreMistakes) {
  std::string text(kJayson);
  text.replace(text.find("library"), 7, "toolbox");
  const auto target = read_target("targets/x.json", text);
  ASSERT_FALSE(target);
  EXPECT_NE(target.error().message.find("\"toolbox\" is no group"), std::string::npos)
      << target.error().message;
}

TEST(Target, WhatIsNoJsonIsToldWithItsPlace) {
  const auto target = read_target("targets/x.json", "{\n oops");
  ASSERT_FALSE(target);
  EXPECT_TRUE(target.error().message.starts_with("targets/x.json:2:")) << target.error().message;
}

TEST(Target, IsKnownByItsFolderOrItsSchema) {
  EXPECT_TRUE(is_target_file("targets/x.json", "{"));
  EXPECT_TRUE(is_target_file("/a/targets/x.json", "{}"));
  EXPECT_TRUE(is_target_file("mine/x.json", R"({"$schema": "../target.schema.json"})"));
  EXPECT_FALSE(is_target_file("cases/core/batch.json", R"({"$schema": "../case.schema.json"})"));
  EXPECT_FALSE(is_target_file("targets/target.schema.json", "{}"));
}

TEST(Target, IsNamedAfterItsFileAlsoBesideARun) {
  EXPECT_EQ(target_name("targets/json-rpc-2.0-http.json"), "json-rpc-2.0-http");
  EXPECT_EQ(target_name("json-rpc-2.0-http.target.json"), "json-rpc-2.0-http");
}

}  // namespace target_test
}  // namespace jrpcheck::targets
