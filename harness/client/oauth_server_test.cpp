#include "client/oauth_server.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "wire/oauth.hpp"

namespace jrpcheck::client {
namespace oauth_server_test {

using corpus::AuthorizationPlan;
using corpus::OAuthPlace;

class Asked {
 public:
  explicit Asked(const AuthorizationPlan& plan) : plan_(plan), server_(plan_) {
    server_.stand_at("http://127.0.0.1:1");
  }

  std::optional<OAuthServer::Reply> ask(const std::string& method, const std::string& target,
                                        const std::string& body = "",
                                        const std::string& authorization = "") {
    wire::HttpMessage request;
    request.method = method;
    request.target = target;
    request.fields = {{"Host", "127.0.0.1:1"}};
    if (!authorization.empty()) request.fields.emplace_back("Authorization", authorization);
    request.body = body;
    return server_.hear(request);
  }
  int status(const std::string& method, const std::string& target, const std::string& body = "",
             const std::string& authorization = "") {
    const auto reply = ask(method, target, body, authorization);
    return reply ? reply->status : 0;
  }
  int call(const std::string& method, const std::string& token) {
    return status("POST", "/mcp", R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"("})",
                  token.empty() ? "" : "Bearer " + token);
  }

  static std::string member(const OAuthServer::Reply& reply, const std::string& pointer) {
    const auto parsed = json::parse(reply.body);
    const json::Value* found = parsed ? json::at(*parsed.value, pointer) : nullptr;
    return found == nullptr ? "" : found->text();
  }
  static std::string field(const OAuthServer::Reply& reply, const std::string& name) {
    for (const auto& [each, value] : reply.fields) {
      if (each == name) return value;
    }
    return "";
  }
  wire::Parameters answer(const std::string& query) {
    const auto reply =
        ask("GET", "/oauth/authorize?redirect_uri=http%3A%2F%2Flocalhost%2Fcb&" + query);
    const auto location = field(*reply, "Location");
    return wire::read_parameters(location.substr(location.find('?') + 1));
  }
  OAuthServer::Reply redeem(const std::string& more) {
    return *ask("POST", "/oauth/token", "grant_type=authorization_code&" + more);
  }
  std::string token_for(const std::string& scope) {
    const auto code = *wire::parameter(answer("scope=" + scope), "code");
    return member(redeem("code=" + code), "/access_token");
  }
  OAuthServer& server() { return server_; }

 private:
  AuthorizationPlan plan_;
  OAuthServer server_;
};

AuthorizationPlan plain() {
  AuthorizationPlan plan;
  plan.server_metadata_at = corpus::kServerMetadata;
  return plan;
}

TEST(OAuthServer, ATokenIsDemandedByAChallengeThatNamesTheMetadata) {
  Asked asked(plain());
  const auto refused = asked.ask("POST", "/mcp", R"({"id":1,"method":"initialize"})");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);
  EXPECT_EQ(Asked::field(*refused, "WWW-Authenticate"),
            R"(Bearer resource_metadata="http://127.0.0.1:1/resource-metadata")");
  const auto document = asked.ask("GET", "/resource-metadata");
  EXPECT_EQ(Asked::member(*document, "/resource"), "http://127.0.0.1:1/mcp");
  EXPECT_EQ(Asked::member(*document, "/authorization_servers/0"), "http://127.0.0.1:1");
}

TEST(OAuthServer, MetadataStandsAtTheAddressOfThePlanAlone) {
  auto plan = plain();
  plan.issuer = "/tenant";
  plan.server_metadata_at = "/.well-known/openid-configuration/tenant";
  plan.server_metadata = R"({"code_challenge_methods_supported": null, "issuer": "${issuer}/x"})";
  Asked asked(plan);
  EXPECT_EQ(asked.status("GET", "/.well-known/oauth-authorization-server/tenant"), 404);
  const auto document = *asked.ask("GET", plan.server_metadata_at);
  EXPECT_EQ(Asked::member(document, "/issuer"), "http://127.0.0.1:1/tenant/x");
  EXPECT_EQ(Asked::member(document, "/token_endpoint"), "http://127.0.0.1:1/tenant/oauth/token");
  EXPECT_EQ(document.body.find("code_challenge"), std::string::npos);
}

TEST(OAuthServer, ACodeIsGoodForOneToken) {
  Asked asked(plain());
  const auto answer = asked.answer("state=s%20t&scope=read");
  EXPECT_EQ(wire::parameter(answer, "state"), "s t");
  EXPECT_EQ(wire::parameter(answer, "iss"), "http://127.0.0.1:1");
  const std::string code = *wire::parameter(answer, "code");
  const auto token = asked.redeem("code=" + code);
  EXPECT_EQ(token.status, 200);
  EXPECT_EQ(Asked::member(token, "/scope"), "read");
  EXPECT_EQ(asked.redeem("code=" + code).status, 400);
  EXPECT_EQ(asked.call("tools/list", Asked::member(token, "/access_token")), 0);
  EXPECT_EQ(asked.call("tools/list", "another"), 401);
}

TEST(OAuthServer, AnswersAreBentAsThePlanSays) {
  auto plan = plain();
  plan.redirect = {{"state", "other"}, {"iss", std::nullopt}};
  Asked asked(plan);
  const auto answer = asked.answer("state=mine");
  EXPECT_EQ(wire::parameter(answer, "state"), "other");
  EXPECT_EQ(wire::parameter(answer, "iss"), std::nullopt);
  EXPECT_EQ(wire::parameter(asked.answer(""), "state"), std::nullopt);
}

TEST(OAuthServer, ASecretIsTakenInTheWayThatIsSupported) {
  auto plan = plain();
  plan.server_metadata = R"({"token_endpoint_auth_methods_supported": ["client_secret_basic"]})";
  Asked asked(plan);
  const auto registered = *asked.ask("POST", "/oauth/register", R"({"client_name": "a"})");
  EXPECT_EQ(registered.status, 201);
  EXPECT_EQ(Asked::member(registered, "/client_name"), "a");
  const auto id = Asked::member(registered, "/client_id");
  const auto secret = Asked::member(registered, "/client_secret");
  const auto by = [&](const std::string& form, const std::string& pair) {
    return asked.status("POST", "/oauth/token", "grant_type=client_credentials&" + form,
                        pair.empty() ? "" : "Basic " + to_base64(pair));
  };
  EXPECT_EQ(by("", id + ":" + secret), 200);
  EXPECT_EQ(by("", id + ":wrong"), 401);
  EXPECT_EQ(by("client_id=" + id + "&client_secret=" + secret, ""), 401);
  EXPECT_EQ(by("client_id=" + id + "&client_secret=" + secret, id + ":" + secret), 401);
  EXPECT_EQ(by("client_id=" + id, ""), 401);
  EXPECT_EQ(asked.status("POST", "/oauth/register", "a=b"), 400);
}

TEST(OAuthServer, TheFirstTokenEndsWhereThePlanSaysSo) {
  auto plan = plain();
  plan.expires_after = 2;
  Asked asked(plan);
  const std::string first = asked.token_for("");
  EXPECT_EQ(asked.call("initialize", first), 0);
  EXPECT_EQ(asked.call("tools/list", first), 0);
  EXPECT_EQ(asked.call("tools/list", first), 401);
  const std::string second = asked.token_for("");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(asked.call("tools/list", second), 0);
}

TEST(OAuthServer, AnotherAuthorizationServerTakesItsPlace) {
  auto plan = plain();
  plan.expires_after = 1;
  plan.moves_to = "/other";
  Asked asked(plan);
  const std::string token = asked.token_for("");
  const auto code = *wire::parameter(asked.answer(""), "code");
  EXPECT_EQ(asked.call("tools/list", token), 0);
  EXPECT_EQ(asked.call("tools/list", token), 401);
  EXPECT_EQ(Asked::member(*asked.ask("GET", "/resource-metadata"), "/authorization_servers/0"),
            "http://127.0.0.1:1/other");
  EXPECT_EQ(asked.status("GET", "/.well-known/oauth-authorization-server/other"), 200);
  EXPECT_EQ(asked.redeem("code=" + code).status, 400);
  const auto there = asked.ask("POST", "/other/oauth/token", "grant_type=client_credentials");
  EXPECT_EQ(asked.call("tools/list", Asked::member(*there, "/access_token")), 0);
}

TEST(OAuthServer, CallsWithoutTheScopeAreRefusedUntilAnotherTokenComes) {
  auto plan = plain();
  plan.insufficient = "write";
  Asked asked(plan);
  const std::string narrow = asked.token_for("read");
  EXPECT_EQ(asked.call("notifications/initialized", narrow), 0);
  EXPECT_EQ(asked.call("tools/list", narrow), 403);
  EXPECT_EQ(asked.call("tools/list", narrow), 403);
  EXPECT_EQ(asked.call("tools/list", asked.token_for("read+write")), 0);
  EXPECT_EQ(asked.call("tools/list", asked.token_for("read")), 0);
  EXPECT_EQ(asked.server().record().turns[3].scope, "write");
}

TEST(OAuthServer, WhoAsksForEverIsSeenToGoInCircles) {
  auto plan = plain();
  plan.insufficient = "write";
  plan.is_never_sufficient = true;
  Asked asked(plan);
  for (int i = 0; i < 21; ++i) EXPECT_EQ(asked.call("tools/list", asked.token_for("write")), 403);
  EXPECT_FALSE(asked.server().goes_in_circles());
  EXPECT_EQ(asked.call("tools/list", asked.token_for("write")), 403);
  EXPECT_TRUE(asked.server().goes_in_circles());
}

TEST(OAuthServer, CallsAreRedirectedToAnotherHost) {
  auto plan = plain();
  plan.sends_elsewhere = true;
  Asked asked(plan);
  const std::string token = asked.token_for("");
  const auto reply =
      asked.ask("POST", "/mcp", R"({"id":1,"method":"tools/list"})", "Bearer " + token);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 307);
  EXPECT_EQ(Asked::field(*reply, "Location"), "http://localhost:1/elsewhere");
}

TEST(OAuthServer, WhatWasAskedIsRecorded) {
  Asked asked(plain());
  asked.ask("POST", "/mcp",
            R"({"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  asked.ask("GET", "/.well-known/nothing");
  const auto record = asked.server().record();
  EXPECT_EQ(record.version, "2025-06-18");
  asked.ask("POST", "/mcp",
            R"({"id":2,"method":"tools/list","params":{"_meta":)"
            R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  EXPECT_EQ(asked.server().record().version, "2026-07-28");
  ASSERT_EQ(record.turns.size(), 2U);
  EXPECT_EQ(record.turns[0].call, "initialize");
  EXPECT_EQ(record.turns[0].place, OAuthPlace::resource);
  EXPECT_EQ(record.turns[1].place, OAuthPlace::elsewhere);
  EXPECT_EQ(record.turns[1].status, 404);
}

}  // namespace oauth_server_test
}  // namespace jrpcheck::client
