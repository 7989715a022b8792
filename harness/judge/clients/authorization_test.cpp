#include "judge/clients/authorization.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::judge {
namespace client_authorization_test {

using corpus::OAuthPlace;

const std::string kVerifier = "a-verifier-that-is-as-long-as-pkce-wants-it-to-be";
constexpr const char* kMetadata =
    R"({"token_endpoint_auth_methods_supported": ["client_secret_basic"], "scopes_supported": ["read"]})";

OAuthTurn resource(const std::string& call, const std::string& token, int status = 200) {
  OAuthTurn turn;
  turn.place = OAuthPlace::resource;
  turn.method = "POST";
  turn.target = turn.path = "/mcp";
  turn.call = call;
  turn.status = status;
  if (!token.empty()) turn.authorization = "Bearer " + token;
  if (status == 200) turn.given = token;
  return turn;
}

OAuthTurn place_at(OAuthPlace place, const std::string& path, const std::string& given = "") {
  OAuthTurn turn;
  turn.place = place;
  turn.method = "GET";
  turn.target = turn.path = path;
  turn.given = given;
  turn.status = 200;
  return turn;
}

// A client that does all as it should.
enum Turn { kRefused, kDocument, kRegister, kAsk, kRedeem, kFirst, kSecond };
OAuthRecord good() {
  OAuthRecord record;
  record.origin = "http://127.0.0.1:1";
  record.resource = record.origin + "/mcp";
  record.version = "2026-07-28";
  record.resource_metadata = R"({"scopes_supported": ["list"]})";
  record.server_metadata = {kMetadata};
  record.turns = {resource("server/discover", "", 401),
                  place_at(OAuthPlace::resource_metadata, "/resource-metadata"),
                  place_at(OAuthPlace::registration, "/register", "client-1"),
                  place_at(OAuthPlace::authorization, "/authorize", "code-1"),
                  place_at(OAuthPlace::token, "/token", "token-1"),
                  resource("server/discover", "token-1"),
                  resource("tools/list", "token-1")};
  record.turns[kRefused].scope = "read";
  auto& registration = record.turns[kRegister];
  registration.content_type = "application/json";
  registration.status = 201;
  registration.body = R"({"redirect_uris": ["http://localhost:1/cb"], "application_type": "native",
                          "grant_types": ["authorization_code", "refresh_token"]})";
  record.turns[kAsk].parameters = {{"client_id", "client-1"},
                                   {"redirect_uri", "http://localhost:2/cb"},
                                   {"code_challenge", wire::pkce_challenge(kVerifier)},
                                   {"code_challenge_method", "S256"},
                                   {"state", "s"},
                                   {"scope", "read"},
                                   {"resource", "http://127.0.0.1:1/mcp"}};
  record.turns[kRedeem].parameters = {{"grant_type", "authorization_code"},
                                      {"client_id", "client-1"},
                                      {"code", "code-1"},
                                      {"code_verifier", kVerifier},
                                      {"redirect_uri", "http://localhost:2/cb"},
                                      {"resource", "http://127.0.0.1:1/mcp"}};
  return record;
}

void set(OAuthTurn& turn, const std::string& name, const std::string& value) {
  std::erase_if(turn.parameters, [&](const auto& each) { return each.first == name; });
  if (!value.empty()) turn.parameters.emplace_back(name, value);
}

Judgement judged(const OAuthRecord& record) {
  return judge_authorization(record, "mcp", corpus::corpus_for_testing("mcp").ledger);
}

// Without mcp-c-auth-.
std::string charged(const std::function<void(OAuthRecord&)>& edit) {
  OAuthRecord record = good();
  edit(record);
  std::string text;
  for (const auto& each : judged(record).findings) {
    text += (text.empty() ? "" : " ") + each.requirement.substr(std::string("mcp-c-auth-").size());
  }
  return text;
}

std::string charged_at(Turn place, const std::string& name, const std::string& value) {
  return charged([&](OAuthRecord& record) { set(record.turns[place], name, value); });
}

TEST(ClientAuthorization, WhoDoesAllAsItShouldIsChargedWithNothing) {
  EXPECT_EQ(charged([](auto&) {}), "");
  const auto shown = judged(good()).exercised;
  for (const auto* each :
       {"header", "401", "resource", "pkce", "state", "redirect", "issued-token", "scope-challenge",
        "dynamic-registration", "application-type", "token-method", "offline"}) {
    EXPECT_TRUE(shown.contains("mcp-c-auth-" + std::string(each))) << each;
  }
  for (const auto* each : {"cimd", "preregistered", "step-up", "scope-supported", "server-change",
                           "token-elsewhere", "retry-limit"}) {
    EXPECT_FALSE(shown.contains("mcp-c-auth-" + std::string(each))) << each;
  }
}

TEST(ClientAuthorization, TheTokenComesWithEachRequestAndInNoUrl) {
  EXPECT_EQ(charged([](auto& all) { all.turns[kSecond] = resource("tools/list", "", 401); }),
            "header");
  EXPECT_EQ(charged([](auto& all) { all.turns[kSecond].target = "/mcp?t=token%2D1"; }), "header");
  // Of another client of the program, and of one whose token has ended, that is no fault.
  EXPECT_EQ(charged([](auto& all) { all.turns[kSecond] = resource("server/discover", "", 401); }),
            "");
  EXPECT_EQ(charged([](auto& all) {
              all.turns[kSecond] = resource("tools/list", "token-1", 401);
              all.turns.push_back(resource("tools/list", "", 401));
            }),
            "");
  EXPECT_EQ(charged([](auto& all) { all.turns[kSecond].authorization = "bEARER token-1"; }), "");
}

TEST(ClientAuthorization, NoOtherTokenIsSent) {
  EXPECT_EQ(charged([](auto& all) { all.turns[kSecond] = resource("tools/list", "mine", 401); }),
            "issued-token");
  // Who has one before the server was asked for any was given it otherwise.
  EXPECT_EQ(charged([](auto& all) { all.turns[kRefused].authorization = "Bearer mine"; }), "");
}

TEST(ClientAuthorization, TheTokenGoesToNoOtherHost) {
  const auto redirected_with = [](const std::string& authorization) {
    return charged([&](auto& all) {
      all.turns.push_back(place_at(OAuthPlace::elsewhere, "/elsewhere"));
      all.turns.back().authorization = authorization;
    });
  };
  EXPECT_EQ(redirected_with("Bearer token-1"), "token-elsewhere");
  EXPECT_EQ(redirected_with(""), "");
}

TEST(ClientAuthorization, WhatTheChallengeNamesIsFetched) {
  EXPECT_EQ(charged([](auto& all) { all.turns[kDocument].place = OAuthPlace::elsewhere; }), "401");
  EXPECT_EQ(charged([](auto& all) {
              all.turns[kDocument].place = OAuthPlace::elsewhere;
              all.plan.challenge = "Bearer";
            }),
            "");
}

TEST(ClientAuthorization, EachGrantSaysForWhichResource) {
  for (const auto place : {kAsk, kRedeem}) {
    EXPECT_EQ(charged_at(place, "resource", ""), "resource");
    EXPECT_EQ(charged_at(place, "resource", "https://elsewhere.example/mcp"), "resource");
    EXPECT_EQ(charged_at(place, "resource", "http://127.0.0.1:1/mcp#a"), "resource");
    EXPECT_EQ(charged_at(place, "resource", "HTTP://127.0.0.1:1/mcp/"), "");
    EXPECT_EQ(charged_at(place, "resource", "http://127.0.0.1:1"), "");
  }
}

TEST(ClientAuthorization, CodesAreProvedByS256) {
  EXPECT_EQ(charged_at(kAsk, "code_challenge", ""), "pkce");
  EXPECT_EQ(charged_at(kAsk, "code_challenge_method", ""), "pkce pkce");
  EXPECT_EQ(charged_at(kRedeem, "code_verifier", ""), "pkce");
  EXPECT_EQ(charged_at(kRedeem, "code_verifier", kVerifier + "x"), "pkce");
  EXPECT_EQ(charged([](auto& all) {
              set(all.turns[kAsk], "code_challenge", wire::pkce_challenge("short"));
              set(all.turns[kRedeem], "code_verifier", "short");
            }),
            "pkce");
}

TEST(ClientAuthorization, AStateIsSent) { EXPECT_EQ(charged_at(kAsk, "state", ""), "state"); }

TEST(ClientAuthorization, TheAnswerGoesWhereItIsSafe) {
  const auto with = [](const std::string& uri) {
    return charged([&](auto& all) {
      all.turns[kRegister].body = R"({"application_type": "web", "redirect_uris": [")" + uri +
                                  R"("], "grant_types": ["refresh_token"]})";
      set(all.turns[kAsk], "redirect_uri", uri);
      set(all.turns[kRedeem], "redirect_uri", "");
    });
  };
  for (const auto* each : {"https://a.example/cb", "http://localhost/cb", "http://127.0.0.2:1/cb",
                           "http://[::1]:3/cb", "com.example.app:/cb"}) {
    EXPECT_EQ(with(each), "") << each;
  }
  for (const auto* each :
       {"http://a.example/cb", "http://localhost.example/cb", "http://127.example/cb"}) {
    EXPECT_EQ(with(each), "redirect") << each;
  }
  EXPECT_EQ(charged_at(kRedeem, "redirect_uri", "http://localhost:2/other"), "redirect");
  EXPECT_EQ(charged([](auto& all) {
              for (const auto place : {kAsk, kRedeem}) {
                set(all.turns[place], "redirect_uri", "http://localhost:1/other");
              }
            }),
            "redirect");
}

TEST(ClientAuthorization, TheScopeIsThatOfTheChallenge) {
  EXPECT_EQ(charged_at(kAsk, "scope", ""), "scope-challenge");
  EXPECT_EQ(charged_at(kAsk, "scope", "read list"), "scope-challenge");
  EXPECT_EQ(charged_at(kAsk, "scope", "read profile"), "");
}

TEST(ClientAuthorization, WithoutOneItIsWhatTheResourceSupports) {
  const auto asked_for = [](const std::string& scope, const std::string& metadata) {
    return charged([&](auto& all) {
      all.turns[kRefused].scope.reset();
      all.resource_metadata = metadata;
      set(all.turns[kAsk], "scope", scope);
    });
  };
  const std::string two = R"({"scopes_supported": ["list", "read"]})";
  EXPECT_EQ(asked_for("read list", two), "");
  EXPECT_EQ(asked_for("read", two), "scope-supported");
  EXPECT_EQ(asked_for("", "{}"), "");
  EXPECT_EQ(asked_for("read", "{}"), "scope-supported");
}

TEST(ClientAuthorization, AWiderScopeIsAskedForWithWhatWasHad) {
  const auto again_for = [](const std::string& scope, const std::string& version) {
    return charged([&](auto& all) {
      all.version = version;
      all.plan.insufficient = "write";
      all.turns.push_back(resource("tools/call", "token-1", 403));
      if (scope.empty()) return;
      all.turns.push_back(all.turns[kAsk]);
      set(all.turns.back(), "scope", scope);
    });
  };
  EXPECT_EQ(again_for("read write", "2026-07-28"), "");
  EXPECT_EQ(again_for("write", "2026-07-28"), "step-up");
  EXPECT_EQ(again_for("write", "2025-11-25"), "");
  EXPECT_EQ(again_for("read", "2025-11-25"), "step-up");
  EXPECT_EQ(again_for("", "2025-11-25"), "step-up");
  EXPECT_EQ(again_for("", "2025-06-18"), "");
}

TEST(ClientAuthorization, WhoIsRefusedForEverGivesUp) {
  const auto refused = [](int times) {
    return charged([&](auto& all) {
      all.plan.insufficient = "write";
      all.plan.is_never_sufficient = true;
      for (int i = 0; i < times; ++i) {
        all.turns.push_back(resource("tools/call", "token-1", 403));
        all.turns.push_back(all.turns[kAsk]);
      }
    });
  };
  EXPECT_EQ(refused(20), "");
  EXPECT_EQ(refused(21), "retry-limit");
}

TEST(ClientAuthorization, RefreshTokensAreRegisteredFor) {
  EXPECT_EQ(charged_at(kAsk, "scope", "read offline_access"), "offline");
  EXPECT_EQ(charged([](auto& all) {
              all.server_metadata = {R"({"scopes_supported": ["offline_access"]})"};
              set(all.turns[kAsk], "scope", "read offline_access");
            }),
            "");
  EXPECT_EQ(charged([](auto& all) {
              all.turns[kRegister].body = R"({"redirect_uris": ["http://localhost:1/cb"],
                                              "application_type": "native"})";
              all.turns.push_back(all.turns[kRedeem]);
              all.turns.back().given = "token-2";
              set(all.turns.back(), "grant_type", "refresh_token");
            }),
            "offline");
}

TEST(ClientAuthorization, ARegistrationIsAnObjectThatSaysWhatIsNeeded) {
  const auto with = [](const std::string& type, const std::string& body) {
    return charged([&](auto& all) {
      all.turns[kRegister].content_type = type;
      all.turns[kRegister].body = body;
    });
  };
  const std::string uris = R"("redirect_uris": ["http://localhost:1/cb"])";
  EXPECT_EQ(
      with("application/json; charset=utf-8", "{" + uris + R"(, "application_type": "native"})"),
      "");
  EXPECT_EQ(with("text/plain", "{" + uris + "}"), "dynamic-registration");
  EXPECT_EQ(with("application/json", "{" + uris + "}"), "application-type");
  EXPECT_EQ(with("application/json", R"({"application_type": "native"})"), "dynamic-registration");
}

TEST(ClientAuthorization, ADocumentIsAClientIdWhereThatIsSupported) {
  const auto with = [](const std::string& id, const std::string& metadata) {
    return charged([&](auto& all) {
      all.server_metadata = {metadata};
      set(all.turns[kAsk], "client_id", id);
    });
  };
  const std::string knows = R"({"client_id_metadata_document_supported": true})";
  EXPECT_EQ(with("https://a.example/client.json", knows), "");
  EXPECT_EQ(with("https://a.example/client.json", "{}"), "cimd");
  EXPECT_EQ(with("http://a.example/client.json", knows), "cimd");
  EXPECT_EQ(with("https://a.example", knows), "cimd");
}

TEST(ClientAuthorization, AClientIsKnownByAWayThatIsSupported) {
  EXPECT_EQ(charged([](auto& all) { all.turns[kRedeem].status = 401; }), "token-method");
  // Who tries another way then is known by that.
  EXPECT_EQ(charged([](auto& all) {
              all.turns.insert(all.turns.begin() + kRedeem, all.turns[kRedeem]);
              all.turns[kRedeem].status = 401;
              all.turns[kRedeem].given.clear();
            }),
            "");
  // What we have not given out may be good elsewhere.
  EXPECT_EQ(charged([](auto& all) {
              all.turns[kRedeem].status = 401;
              set(all.turns[kRedeem], "client_id", "mine");
            }),
            "");
}

TEST(ClientAuthorization, NothingIsTakenToAnotherAuthorizationServer) {
  const auto then = [](const std::function<void(OAuthRecord&, OAuthTurn&)>& edit) {
    return charged([&](auto& all) {
      all.server_metadata.push_back(kMetadata);
      all.turns.push_back(resource("tools/call", "token-1", 401));
      all.turns.push_back(all.turns[kDocument]);
      OAuthTurn next = all.turns[kAsk];
      next.server = 1;
      set(next, "client_id", "client-2");
      edit(all, next);
      all.turns.push_back(next);
    });
  };
  EXPECT_EQ(then([](auto&, auto&) {}), "");
  EXPECT_EQ(then([](auto&, auto& next) { set(next, "client_id", "client-1"); }), "server-change");
  EXPECT_EQ(then([](auto&, auto& next) { next.server = 0; }), "server-change");
  EXPECT_EQ(then([](auto&, auto& next) { next.authorization = "Bearer token-1"; }),
            "server-change");
  EXPECT_EQ(then([](auto& all, auto& next) {
              all.turns[kRedeem].refresh = "refresh-1";
              next.place = OAuthPlace::token;
              set(next, "refresh_token", "refresh-1");
            }),
            "server-change");
}

TEST(ClientAuthorization, OfAVersionThatDoesNotAskForItNothingIsCharged) {
  EXPECT_EQ(charged([](auto& all) {
              all.version = "2025-03-26";
              for (const auto place : {kAsk, kRedeem}) set(all.turns[place], "resource", "");
              set(all.turns[kAsk], "state", "");
              all.turns[kDocument].place = OAuthPlace::elsewhere;
            }),
            "");
}

}  // namespace client_authorization_test
}  // namespace jrpcheck::judge
