// What secrets_test.cpp asks of `run`, asked of the commands that find, keep, watch and tell.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/judgement_for_testing.hpp"
#include "testing/secret_for_testing.hpp"

namespace jrpcheck::testing {
namespace secrets_everywhere_test {

// A program that repeats, in many spellings, all that it was given.
class SecretsOfAProgram : public ::testing::Test {
 protected:
  ProgramResult jrpcheck(const Words& words, const Words& before = {}) {
    return run_program(before + (Words{jrpcheck_program()} + words), {"GITHUB_TOKEN=" + variable_});
  }

  // Nothing that the command prints holds one; what it writes is looked at in the end.
  ProgramResult expect_silent(const Words& words) {
    auto result = jrpcheck(words);
    expect_none_in(result.output, secrets(), words.front() + " on standard output");
    expect_none_in(result.error, secrets(), words.front() + " on standard error");
    return result;
  }

  Words in_every_format(const std::string& name) const {
    Words words;
    for (const std::string format :
         {"json", "html", "junit", "sarif", "tap", "markdown", "badge"}) {
      words = words + Words{"--report", format + "=" + folder_.file(name + "." + format)};
    }
    return words;
  }

  std::vector<std::string> secrets() const { return {token_, of_script_, variable_}; }

  TemporaryFolder folder_;
  Secret token_;
  Secret of_script_;
  Secret variable_;
  Words server_ = {"--",
                   "/bin/sh",
                   "-c",
                   "API_TOKEN=" + of_script_ + " exec \"$@\"",
                   "sh",
                   misbehaving_program(),
                   "--repeats-secrets",
                   "--token",
                   token_};
};

TEST_F(SecretsOfAProgram, AreInNoFindingNoCorpusAndNoCaseThatIsMadeOfThem) {
  expect_silent(Words{"fuzz", "--max-time", "12", "--keep-going", "--findings",
                      folder_.file("found"), "--corpus", folder_.file("corpus")} +
                in_every_format("fuzz") + server_);
  std::size_t findings = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder_.file("found"))) {
    ++findings;
    const std::string path = each.path().string();
    EXPECT_EQ(expect_silent(Words{"replay", path} + server_).exit_code, 1) << path;
    expect_silent({"promote", path, "-o", folder_.file("case" + std::to_string(findings))});
  }
  EXPECT_GT(findings, 0U);
  EXPECT_FALSE(std::filesystem::is_empty(folder_.file("corpus")));
  expect_none_in_files(folder_.path(), secrets());
}

TEST_F(SecretsOfAProgram, AreInNoSiteNoIssueAndNoComparison) {
  const auto stored = folder_.file("run.json");
  expect_silent(Words{"run", "--select", "json/truncated*", "--select", "calibration/*", "--report",
                      "json=" + stored} +
                server_);
  const auto judgement = read_report(read_file(stored));
  std::string failing;
  for (const auto& one : judgement.cases) {
    if (one.verdict == "fail") failing = one.id;
  }
  ASSERT_FALSE(failing.empty());
  expect_silent({"report", "site=" + folder_.file("site"), stored});
  expect_silent({"report", "issue=" + folder_.file("issue"), stored, "--case", failing});
  expect_silent({"report", "markdown=" + folder_.file("comparison"), stored, stored});
  expect_none_in_files(folder_.path(), secrets());
}

// What it writes to its own streams is its own; what is recorded and told of it is not.
TEST_F(SecretsOfAProgram, AreInNoRecordingAndNothingThatIsJudgedFromIt) {
  const auto recording = folder_.file("traffic.jsonl");
  const auto watched =
      jrpcheck(Words{"watch", "--framing", "lines", "--record", recording} +
                   in_every_format("watch") + server_,
               {"sh", "-c",
                R"(printf '%s\n' '{"jsonrpc":"2.0","method":"a","id":1}' '[]' '{' | "$@")", "sh"});
  EXPECT_NE(watched.output.find(token_), std::string::npos) << "the server says nothing of it";
  EXPECT_NE(read_file(recording).find("environ"), std::string::npos) << read_file(recording);
  expect_silent(Words{"judge", recording} + in_every_format("judged"));
  expect_none_in_files(folder_.path(), secrets());
}

// A browser's recording holds what its user was logged in with.
TEST_F(SecretsOfAProgram, ThoseOfARecordedLoginAreInNothingThatIsJudgedFromIt) {
  const auto recording = folder_.file("recorded.har");
  const TemporaryFolder reports;
  const std::string& token = token_;
  std::ofstream(recording)
      << R"({"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[)"
      << R"({"startedDateTime":"2024-01-01T00:00:00.000Z","time":5,"request":{"method":"POST",)"
      << R"("url":"http://a/","headers":[{"name":"Authorization","value":"Bearer )" << token
      << R"("}],"postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}"}},)"
      << R"("response":{"status":200,"headers":[],"content":{"mimeType":"application/json",)"
      << R"("text":"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":\")" << token
      << R"(\"},\"id\":1}"}}}]}})";
  const auto judged =
      expect_silent({"judge", recording, "--report", "json=" + reports.file("judged.json"),
                     "--report", "markdown=" + reports.file("judged.md")});
  EXPECT_EQ(judged.exit_code, 1) << judged.error;
  EXPECT_NE(read_file(reports.file("judged.json")).find("..."), std::string::npos);
  expect_none_in_files(reports.path(), secrets());
}

TEST_F(SecretsOfAProgram, AreInNoReportOfAClient) {
  const Words client = {"--", "/bin/sh", "-c",  "echo \"$2 $GITHUB_TOKEN\" | tee /dev/stderr",
                        "sh", "--token", token_};
  EXPECT_EQ(expect_silent(Words{"client", "--max-time", "20"} + in_every_format("client") + client)
                .exit_code,
            3);
  expect_none_in_files(folder_.path(), secrets());
}

}  // namespace secrets_everywhere_test
}  // namespace jrpcheck::testing
