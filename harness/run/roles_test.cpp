#include "run/roles.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "corpus/bindings.hpp"
#include "run/role_parts.hpp"

namespace jrpcheck::run {
namespace roles_test {

Result<corpus::RoleBindings> loaded(const std::string& text) {
  const std::string path = testing::TempDir() + "jrpcheck_methods_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << text;
  auto roles = load_methods_file(path);
  std::remove(path.c_str());
  return roles;
}

// Behind the file's name.
std::string error(const std::string& text) {
  const auto roles = loaded(text);
  if (roles) return "no error";
  const std::string& message = roles.error().message;
  return message.substr(message.find(':') + 1);
}

TEST(MethodsFile, BindsRolesToMethods) {
  const auto roles = loaded(R"({"echo": {"method": "my.echo"}, "no-params": {"method": "né\"w"}})");
  ASSERT_TRUE(roles) << roles.error().message;
  EXPECT_EQ(*roles, (corpus::RoleBindings{{"echo", "my.echo"}, {"no-params", "né\"w"}}));
}

TEST(MethodsFile, MistakesNameTheirPlace) {
  EXPECT_EQ(
      error("{"),
      "1:2: not JSON: the text ends too early: expected a member name in double quotes or '}' "
      "after '{'");
  EXPECT_EQ(error("[]"), "1:1: an object is expected: {\"ROLE\": {\"method\": \"NAME\"}}");
  EXPECT_EQ(error(R"({"substract": {"method": "x"}})"),
            "1:15: unknown role \"substract\"; there are subtract, sum, echo, nothing, no-params, "
            "fails, state-set, state-get, add, add-named");
  EXPECT_EQ(error(R"({"echo": "my.echo"})"), "1:10: an object is expected here, not a string");
  EXPECT_EQ(error(R"({"echo": {}})"), "1:10: member \"method\" is missing");
  EXPECT_EQ(error(R"({"echo": {"method": ""}})"), "1:21: member \"method\" must not be empty");
  EXPECT_EQ(error(R"({"echo": {"method": 1}})"),
            "1:21: member \"method\" must be a string, not a number");
  EXPECT_EQ(error(R"({"echo": {"method": "x", "params": []}})"), "1:36: unknown member \"params\"");
  EXPECT_EQ(error(R"({"echo": {"method": "a"}, "echo": {"method": "b"}})"),
            "1:10: role \"echo\" is there twice");
}

TEST(MethodsFile, AsItIsWrittenIsReadAgain) {
  const corpus::RoleBindings found = {{"echo", "my.echo"}, {"no-params", "n\u00e9\"w"}};
  const std::string text =
      roles_file(found, {{"sum", "math.sum", false, "[1,2,4]", R"({"result":8})"}});
  const auto roles = loaded(text);
  ASSERT_TRUE(roles) << roles.error().message << text;
  EXPECT_EQ(*roles, found);
  EXPECT_NE(text.find(R"(math.sum: [1,2,4] got {\"result\":8})"), std::string::npos) << text;
  for (const auto& role : corpus::known_roles()) {
    EXPECT_NE(text.find("\"" + role + "\": {"), std::string::npos) << role;
    EXPECT_NE(duty_of(role), "") << role;
  }
}

TEST(MethodsFile, NothingThatAServerSaysIsACommandToATerminalOrALog) {
  const std::string text =
      roles_file({}, {{"sum", "math.sum", false, "[1,2,4]", "##[error]\xC2\x9B"}});
  EXPECT_NE(text.find(R"(got \u0023#[error]\u009b)"), std::string::npos) << text;
}

TEST(MethodsFile, ThatCannotBeReadIsNamed) {
  const auto roles = load_methods_file("/nonexistent/methods.json");
  ASSERT_FALSE(roles);
  EXPECT_EQ(
      roles.error().message,
      "the methods file '/nonexistent/methods.json' cannot be read: No such file or directory");
}

}  // namespace roles_test
}  // namespace jrpcheck::run
