// Whatever a user gives as a secret, and however a server repeats it: no output holds it.
#include <gtest/gtest.h>

#include "testing/judgement_for_testing.hpp"
#include "testing/secret_for_testing.hpp"

namespace jrpcheck::testing {
namespace secrets_test {

class Outputs {
 public:
  // What `jrpcheck run` says and writes, in every format.
  explicit Outputs(const Words& words, const Words& environment = {}) {
    Words all = {jrpcheck_program(), "run",           "--verbose",
                 "--select",         "calibration/*", "--select",
                 "json/truncated*",  "--timeout",     "2"};
    for (const std::string format : kFormats) {
      all.insert(all.end(), {"--report", format + "=" + folder_.file("run." + format)});
    }
    result_ = run_program(testing::operator+(all, words), environment);
  }

  void expect_none_of(const std::vector<std::string>& secrets) const {
    EXPECT_LE(result_.exit_code, 3) << result_.error;
    expect_none_in(result_.output, secrets, "standard output");
    expect_none_in(result_.error, secrets, "standard error");
    for (const std::string format : kFormats) {
      EXPECT_FALSE(report(format).empty()) << format;
      expect_none_in(report(format), secrets, format);
    }
  }

  std::string report(const std::string& format) const {
    return read_file(folder_.file("run." + format));
  }
  Judgement judgement() const { return read_report(report("json")); }

 private:
  static constexpr const char* kFormats[] = {"json", "html",     "junit", "sarif",
                                             "tap",  "markdown", "badge"};
  TemporaryFolder folder_;
  ProgramResult result_;
};

TEST(SecretsOfHttpTargets, AreInNoOutputThoughTheServerRepeatsThem) {
  const Secret header;
  const Secret cookie;
  const Secret password;
  const Secret path;
  const Secret query;
  const Secret argument;
  const Secret variable;
  const auto port = std::to_string(free_port());
  const Outputs outputs(
      {"--header", "Authorization: Bearer " + header, "--header",
       "Cookie: theme=dark; id=" + cookie,
       "http://mallory:" + password + "@127.0.0.1:" + port + "/v3/" + path +
           "?chain=main&api_key=" + query,
       "--", misbehaving_program(), "--repeats-secrets", "--http", port, "--token", argument},
      {"BACKEND_SECRET=" + variable});
  outputs.expect_none_of({header, cookie, password, path, query, argument, variable});
  auto judgement = outputs.judgement();
  EXPECT_GT(judgement.counts["fail"], 0) << "the server was reached";
  EXPECT_TRUE(contains(judgement.json, "theme=dark") || contains(judgement.json, "Cookie"))
      << "what the server repeats is there but for the secrets";
}

TEST(SecretsOfPrograms, AreInNoOutputThoughTheProgramPrintsThemAsItDies) {
  const Secret token;
  // In base64 some of these are + and /, and those in that for URLs - and _.
  const Secret key(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/+~~~~~~>>>>>>??????");
  const Secret url;
  const Secret variable;
  const Outputs outputs({"--", misbehaving_program(), "--repeats-secrets", "--token", token,
                         "--api-key=" + key, "--backend", "https://host/v3/" + url},
                        {"GITHUB_TOKEN=" + variable});
  outputs.expect_none_of({token, key, url, variable});
  auto judgement = outputs.judgement();
  EXPECT_EQ(judgement.failing().count("rob-survives"), 1U) << "the program did not die";
}

TEST(SecretsOfPrograms, AreInNoOutputOfAnyOtherCommand) {
  const Secret token;
  const Secret of_script;
  const Secret variable;
  const std::vector<std::string> secrets = {token, of_script, variable};
  const TemporaryFolder folder;
  const Words server = {"--",
                        "/bin/sh",
                        "-c",
                        "API_TOKEN=" + of_script + " exec \"$@\"",
                        "sh",
                        misbehaving_program(),
                        "--repeats-secrets",
                        "--token",
                        token};
  const std::vector<Words> commands = {
      {"methods"},
      {"properties", "--max-time", "10", "--tests", "5", "--report",
       "json=" + folder.file("properties.json"), "--report", "html=" + folder.file("p.html")},
      {"run", "--select", "batch/*", "--select", "json/*", "--report",
       "json=" + folder.file("run.json"), "--baseline", folder.file("baseline.json"),
       "--update-baseline"}};
  for (const auto& command : commands) {
    const auto result =
        run_program(Words{jrpcheck_program()} + command + server, {"GITHUB_TOKEN=" + variable});
    EXPECT_LE(result.exit_code, 3) << result.error;
    expect_none_in(result.output + result.error, secrets, command.front());
  }
  EXPECT_TRUE(contains(read_file(folder.file("run.json")), "environ")) << "the server says nothing";
  for (const Words& command :
       {Words{"judge", folder.file("run.json"), "--report", "markdown=" + folder.file("again.md")},
        Words{"report", "sarif=" + folder.file("run.sarif"), folder.file("run.json")}}) {
    const auto result = run_program(Words{jrpcheck_program()} + command);
    EXPECT_LE(result.exit_code, 1) << result.error;
    expect_none_in(result.output + result.error, secrets, command.front());
  }
  expect_none_in_files(folder.path(), secrets);
}

TEST(SecretsOfPrograms, AreVariablesInTheLinesThatReproduce) {
  const Secret token;
  const Outputs outputs({"--", misbehaving_program(), "--repeats-secrets", "--token", token});
  const auto judgement = outputs.judgement();
  ASSERT_FALSE(judgement.cases.empty());
  const auto& line = judgement.cases.front().reproduce;
  EXPECT_TRUE(contains(line, "${TOKEN}")) << line;
  const auto repeated = run_program({"/bin/sh", "-c", line}, {"TOKEN=" + token});
  EXPECT_TRUE(contains(repeated.output, "\"jsonrpc\"")) << repeated.output << repeated.error;
  EXPECT_TRUE(contains(repeated.output, token)) << "the program was given another token";
}

TEST(SecretsOfHttpTargets, AreVariablesInTheLinesThatReproduce) {
  const Secret header;
  const Secret path;
  const auto port = std::to_string(free_port());
  const Outputs outputs({"--header", "X-Api-Key: " + header,
                         "http://127.0.0.1:" + port + "/v3/" + path, "--", misbehaving_program(),
                         "--ordinary", "--http", port});
  const auto judgement = outputs.judgement();
  ASSERT_FALSE(judgement.cases.empty());
  const auto& line = judgement.cases.front().reproduce;
  EXPECT_TRUE(contains(line, "-H \"X-Api-Key: ${X_API_KEY}\"")) << line;
  EXPECT_TRUE(contains(line, "/v3/\"${URL_KEY}\"")) << line;
}

TEST(SecretsOfUnreachedTargets, AreInNoComplaintAndNoReport) {
  const Secret path;
  const Secret password;
  const Outputs refused(
      {"http://mallory:" + password + "@127.0.0.1:" + std::to_string(free_port()) + "/v3/" + path});
  refused.expect_none_of({path, password});
  const Secret token;
  const Outputs dead({"--", "/bin/sh", "-c", "echo \"$2\" >&2; exit 1", "sh", "--token", token});
  dead.expect_none_of({token});
}

}  // namespace secrets_test
}  // namespace jrpcheck::testing
