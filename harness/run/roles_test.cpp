#include "run/roles.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace {

// --- the methods file ---

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
            "1:15: unknown role \"substract\"; there are subtract, sum, echo, nothing, no-params "
            "and fails");
  EXPECT_EQ(error(R"({"echo": "my.echo"})"), "1:10: an object is expected here, not a string");
  EXPECT_EQ(error(R"({"echo": {}})"), "1:10: member \"method\" is missing");
  EXPECT_EQ(error(R"({"echo": {"method": ""}})"), "1:21: member \"method\" must not be empty");
  EXPECT_EQ(error(R"({"echo": {"method": 1}})"),
            "1:21: member \"method\" must be a string, not a number");
  EXPECT_EQ(error(R"({"echo": {"method": "x", "params": []}})"), "1:36: unknown member \"params\"");
  EXPECT_EQ(error(R"({"echo": {"method": "a"}, "echo": {"method": "b"}})"),
            "1:10: role \"echo\" is there twice");
}

TEST(MethodsFile, ThatCannotBeReadIsNamed) {
  const auto roles = load_methods_file("/nonexistent/methods.json");
  ASSERT_FALSE(roles);
  EXPECT_EQ(roles.error().message, "the methods file '/nonexistent/methods.json' cannot be read");
}

// --- discovery ---

// A server whose methods are named in a table, with the members of their Responses.
FakeServer server_with(std::map<std::string, std::string> methods) {
  return answering([methods = std::move(methods)](const json::Value& request) {
    const json::Value* method = request.find("method");
    const auto found = methods.find(method != nullptr ? method->text() : "");
    return found == methods.end() ? error_member(-32601) : found->second;
  });
}

corpus::RoleBindings discovered(FakeServer server, corpus::RoleBindings bound = {}) {
  FakeConversation conversation(std::move(server));
  return discover_roles(std::move(bound), conversation);
}

TEST(Discovery, BindsMethodsThatDoWhatTheirNamesSay) {
  EXPECT_EQ(discovered(server_with({{"subtract", R"("result":19)"},
                                    {"sum", R"("result":7.0)"},
                                    {"echo", R"("result":["jrpcheck",{"a":[1]}])"},
                                    {"update", R"("result":null)"},
                                    {"get_data", R"("result":["hello",5])"},
                                    {"fail", R"("error":{"code":-32000,"message":"No"})"}})),
            (corpus::RoleBindings{{"subtract", "subtract"},
                                  {"sum", "sum"},
                                  {"echo", "echo"},
                                  {"nothing", "update"},
                                  {"no-params", "get_data"},
                                  {"fails", "fail"}}));
}

TEST(Discovery, DoesNotBindMethodsThatDoSomethingElse) {
  EXPECT_EQ(discovered(server_with({{"subtract", R"("result":-19)"},
                                    {"sum", R"("result":"7")"},
                                    {"echo", R"("result":"jrpcheck")"},
                                    {"nothing", R"("result":0)"},
                                    {"fails", error_member(-32603)},
                                    {"ping", error_member(-32602)}})),
            corpus::RoleBindings{});
}

TEST(Discovery, LeavesAloneWhatIsBound) {
  const corpus::RoleBindings bound = {{"subtract", "my.subtract"}};
  FakeConversation conversation(server_with({{"subtract", R"("result":19)"}}));
  EXPECT_EQ(discover_roles(bound, conversation), bound);
  for (const auto& message : conversation.sent) {
    EXPECT_EQ(message.find("\"subtract\""), std::string::npos) << message;
  }
}

TEST(Discovery, TakesTheFirstNameThatPlays) {
  EXPECT_EQ(
      discovered(server_with({{"ping", R"("result":"pong")"}, {"getblockcount", R"("result":1)"}})),
      (corpus::RoleBindings{{"no-params", "ping"}}));
}

// Such a server shows nothing about the methods asked for: it does the same with any name.
TEST(Discovery, BindsNothingToAServerThatAnswersEveryNameAlike) {
  EXPECT_EQ(discovered(answering([](const json::Value&) { return error_member(-32000); })),
            corpus::RoleBindings{});
  EXPECT_EQ(discovered(answering([](const json::Value&) { return R"("result":null)"; })),
            corpus::RoleBindings{});
}

TEST(Discovery, AsksWithIdsThatNoCaseHas) {
  FakeConversation conversation(server_without_methods());
  discover_roles({}, conversation);
  EXPECT_FALSE(conversation.sent.empty());
  for (const auto& message : conversation.sent) {
    const auto request = json::parse(message);
    ASSERT_TRUE(request);
    const json::Value* id = request.value->find("id");
    ASSERT_NE(id, nullptr);
    EXPECT_GE(std::stoll(id->text()), 4'000'000) << message;
  }
}

TEST(Discovery, StopsWhenTheServerIsGone) {
  FakeConversation conversation(server_without_methods());
  conversation.is_usable = false;
  EXPECT_EQ(discover_roles({}, conversation), corpus::RoleBindings{});
  EXPECT_TRUE(conversation.sent.empty());
}

TEST(Discovery, LooksAfterAServerThatDoesNotAnswer) {
  FakeConversation conversation(server_without_methods());
  conversation.ending = session::Ending::timed_out;
  EXPECT_EQ(discover_roles({}, conversation), corpus::RoleBindings{});
  EXPECT_EQ(static_cast<std::size_t>(conversation.checks), conversation.sent.size());
}

}  // namespace
}  // namespace jrpcheck::run
