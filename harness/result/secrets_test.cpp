#include "result/secrets.hpp"
#include "base/contains.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace jrpcheck::result {
namespace secrets_test {

using Words = std::vector<std::string>;

Words values(const std::vector<Secret>& secrets) {
  Words values;
  for (const auto& each : secrets) values.push_back(each.value);
  return values;
}

bool holds(const std::vector<Secret>& secrets, const std::string& value) {
  return contains(values(secrets), value);
}

TEST(SecretsOfHeaders, AreTheValueAndItsParts) {
  const auto secrets = secrets_of_header("X-Api-Key", "Bearer hush-hush");
  EXPECT_EQ(values(secrets), (Words{"Bearer hush-hush", "hush-hush"}));
  EXPECT_EQ(secrets[0].variable, "X_API_KEY");
  EXPECT_TRUE(holds(secrets_of_header("Cookie", "theme=dark; id=hush-hush"), "hush-hush"));
}

TEST(SecretsOfHeaders, AreNotWhatEverybodySaysNorWhatIsShort) {
  EXPECT_TRUE(secrets_of_header("X-Version", "1").empty());
  EXPECT_TRUE(secrets_of_header("Content-Type", "application/json").empty());
  EXPECT_TRUE(secrets_of_header("ACCEPT", "application/json").empty());
  EXPECT_FALSE(secrets_of_header("Accept-Key", "application/json").empty());
  // These stand in every message, or in many.
  EXPECT_TRUE(secrets_of_header("Sec-WebSocket-Protocol", "jsonrpc").empty());
  EXPECT_TRUE(secrets_of_header("Mcp-Method", "tools/call").empty());
  EXPECT_TRUE(secrets_of_header("Mcp-Name", "get_weather").empty());
}

TEST(SecretsOfHeaders, AreNoAttributesOfACookie) {
  EXPECT_EQ(values(secrets_of_header("set-cookie", "id=hush-hush; Path=/; Secure; HttpOnly")),
            (Words{"id=hush-hush", "hush-hush"}));
}

TEST(SecretsOfUrls, ArePasswordsAndLoneUsers) {
  EXPECT_EQ(values(secrets_of_url("http://me:hush-hush@host/rpc")), (Words{"hush-hush"}));
  EXPECT_EQ(values(secrets_of_url("http://hush-hush@host")), (Words{"hush-hush"}));
  EXPECT_TRUE(holds(secrets_of_url("http://me:hush%2Dhush@host"), "hush-hush"));
}

TEST(SecretsOfUrls, AreKeysInPathAndQuery) {
  EXPECT_EQ(values(secrets_of_url("https://host/v3/0123abcd4567ef890123abcd4567ef89")),
            (Words{"0123abcd4567ef890123abcd4567ef89"}));
  EXPECT_EQ(values(secrets_of_url("http://host/rpc?chain=main&api_key=hush-hush&x=1")),
            (Words{"hush-hush"}));
  EXPECT_EQ(values(secrets_of_url("http://host/token/hush-hush/rpc")), (Words{"hush-hush"}));
  EXPECT_EQ(secrets_of_url("http://host/?apiKey=hush-hush")[0].variable, "APIKEY");
}

TEST(SecretsOfUrls, AreNotOrdinaryPaths) {
  for (const std::string url :
       {"http://127.0.0.1:8545/", "http://host/ext/bc/C/rpc", "http://host/api/v2/json-rpc",
        "http://host/conformance-suite-endpoint", "http://host/services/accounting/jsonrpc.php",
        "http://host/?format=json&version=2"}) {
    EXPECT_EQ(values(secrets_of_url(url)), Words{}) << url;
  }
}

TEST(SecretsOfCommands, AreValuesThatAreNamedSo) {
  EXPECT_EQ(values(secrets_of_command({"node", "server.js", "--token", "hush1", "--port", "8545"})),
            (Words{"hush1"}));
  EXPECT_EQ(values(secrets_of_command({"server", "--api-key=hush-hush"})), (Words{"hush-hush"}));
  EXPECT_EQ(values(secrets_of_command({"env", "DB_PASSWORD=hush-hush", "server"})),
            (Words{"hush-hush"}));
  EXPECT_TRUE(
      holds(secrets_of_command({"proxy", "-H", "Authorization: Bearer hush-hush"}), "hush-hush"));
  EXPECT_TRUE(
      holds(secrets_of_command({"proxy", "--to=postgres://me:hush-hush@db/x"}), "hush-hush"));
}

TEST(SecretsOfCommands, AreFoundInScripts) {
  EXPECT_EQ(values(secrets_of_command({"sh", "-c", "API_TOKEN=hush-1 exec node x --key 'hush-2'"})),
            (Words{"hush-1", "hush-2"}));
  EXPECT_EQ(values(secrets_of_command({"sh", "-c", "export DB_PASSWORD=\"hush hush\"; exec x"})),
            (Words{"hush hush"}));
  EXPECT_TRUE(holds(secrets_of_command({"sh", "-c", "curl -H 'X-Api-Key: hush-1' h"}), "hush-1"));
  EXPECT_EQ(values(secrets_of_command({"bash", "-c", "sh -c \"TOKEN=hush-hush x\""})),
            (Words{"hush-hush"}));
}

TEST(SecretsOfCommands, AreFoundInJsonAndInSources) {
  const auto found = [](const std::string& text) {
    return holds(secrets_of_command({"program", "-c", text}), "hush-hush1");
  };
  EXPECT_TRUE(found(R"({"port": 1, "apiKey": "hush-hush1", "a": "b"})"));
  EXPECT_TRUE(found(R"(headers={'Authorization':'Bearer hush-hush1','Accept':'x'})"));
  EXPECT_TRUE(found(R"({\"token\":\"hush-hush1\"})"));
  EXPECT_TRUE(found(R"(os.environ["API_TOKEN"] = 'hush-hush1')"));
  const Words none = {};
  EXPECT_EQ(values(secrets_of_command({"python3", "-c", "token = request(); a == 'x'"})), none);
}

TEST(SecretsOfCommands, AreInHeadersWithoutASpaceAndBehindUsers) {
  EXPECT_EQ(values(secrets_of_command({"proxy", "-H", "X-Api-Key:hush-hush"})),
            (Words{"hush-hush"}));
  EXPECT_EQ(values(secrets_of_command({"proxy", "-HX-Api-Key:hush-hush"})), (Words{"hush-hush"}));
  EXPECT_EQ(values(secrets_of_command({"curl", "-u", "me:hush-hush"})), (Words{"hush-hush"}));
}

TEST(SecretsOfCommands, AreNotFilesNumbersAndChoices) {
  EXPECT_EQ(values(secrets_of_command({"server", "--token-file", "/run/token", "--max-tokens",
                                       "4096", "--auth", "none", "--auth=basic", "--key",
                                       "--verbose", "--pass", "src/server.js"}))
                .size(),
            1U)
      << "what --pass takes may be one";
}

TEST(SecretsOfTheEnvironment, AreVariablesThatAreNamedSo) {
  const auto secrets = secrets_of_environment({{"GITHUB_TOKEN", "hush-hush-1"},
                                               {"AWS_SECRET_ACCESS_KEY", "hush-hush-2"},
                                               {"HOME", "/home/someone"},
                                               {"PWD", "/nowhere/at/all"},
                                               {"SSH_AUTH_SOCK", "/tmp/agent.17"},
                                               {"XAUTHORITY", "/tmp"},
                                               {"API_KEY", "short"},
                                               {"DATABASE_URL", "pg://me:hush-hush-3@db/x"}});
  EXPECT_EQ(values(secrets), (Words{"hush-hush-1", "hush-hush-2", "hush-hush-3"}));
  EXPECT_EQ(secrets[0].variable, "GITHUB_TOKEN");
}

TEST(NamesOfSecrets, EndInAWordThatSaysSo) {
  for (const auto* name : {"token", "--api-key", "apiKey", "ACCESS_TOKEN", "X-Auth", "clientSecret",
                           "DB_PASSWORD", "SECRET_KEY_BASE", "TOKEN_2", "sig"}) {
    EXPECT_TRUE(names_secret(name)) << name;
  }
  for (const auto* name : {"token-file", "keyboard", "PWD", "author", "passenger", "monkey",
                           "session-timeout", "key-id", ""}) {
    EXPECT_FALSE(names_secret(name)) << name;
  }
}

RC_GTEST_PROP(LongRandomTexts, LookRandom, ()) {
  const auto hex =
      *rc::gen::container<std::string>(32, rc::gen::elementOf(std::string("0123456789abcdef")));
  const bool words = hex.find_first_of("0123456789") == std::string::npos;
  RC_PRE(!words);
  RC_ASSERT(looks_random(hex));
}

}  // namespace secrets_test
}  // namespace jrpcheck::result
