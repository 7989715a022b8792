// What secrets_test.cpp asks of `run`, asked of the commands that find, keep, watch and tell.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "testing/judgement_for_testing.hpp"
#include "testing/secret_for_testing.hpp"
#include "testing/terminal_for_testing.hpp"

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

// One that somebody else runs, and that says on standard error where it is.
class RunningServer {
 public:
  RunningServer(const Words& words, const Words& environment)
      : program_(words, environment), said_(program_.first_error_line()) {}
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  ~RunningServer() { program_.send_signal(SIGTERM); }

  std::string url() const { return said_.substr(said_.rfind(' ') + 1); }

 private:
  RunningProgram program_;
  std::string said_;
};

TEST_F(SecretsOfAProgram, AreInNoFindingNoCorpusAndNoCaseThatIsMadeOfThem) {
  expect_silent(Words{"fuzz", "--runs", "1000", "--max-time", "60", "--keep-going", "--findings",
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

TEST_F(SecretsOfAProgram, AreInNoListOfWhatWouldBeAsked) {
  EXPECT_EQ(expect_silent(Words{"run", "--dry-run"} + server_).exit_code, 0);
  const Words http = {"run", "--dry-run", "--header", "X-Api-Key: " + token_,
                      "http://me:" + of_script_ + "@127.0.0.1:1/v3/" + variable_};
  EXPECT_EQ(expect_silent(http).exit_code, 0);
}

TEST_F(SecretsOfAProgram, AreOnNoLiveScreen) {
  const Words silent = {"--", "/bin/sh", "-c",  "echo \"$2\"; echo \"$2\" >&2; exec sleep 100",
                        "sh", "--token", token_};
  for (const auto& [words, until] : std::vector<std::pair<Words, std::string>>{
           {Words{"run"} + silent, "it says ..."}, {Words{"run"} + server_, " failed, "}}) {
    const auto screen = run_on_terminal(Words{jrpcheck_program()} + words, until);
    EXPECT_NE(screen.shown.find(until), std::string::npos) << screen.shown;
    expect_none_in(screen.shown, secrets(), "the screen until " + until);
  }
}

TEST_F(SecretsOfAProgram, AreInNoReportOfAClient) {
  const Words client = {"--", "/bin/sh", "-c",  "echo \"$2 $GITHUB_TOKEN\" | tee /dev/stderr",
                        "sh", "--token", token_};
  EXPECT_EQ(expect_silent(Words{"client", "--max-time", "20"} + in_every_format("client") + client)
                .exit_code,
            3);
  expect_none_in_files(folder_.path(), secrets());
}

// It tells its server and standard error all that it was given, and dies of what is no Object.
constexpr const char* kTalkativeClient = R"(
import json, os, subprocess, sys
server = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def call(method, params, number):
    call = {"jsonrpc": "2.0", "method": method, "params": params, "id": number}
    print(json.dumps(call), file=server.stdin, flush=True)
    answer = server.stdout.readline()
    print(answer, sys.argv, dict(os.environ), file=sys.stderr, flush=True)
    if not isinstance(json.loads(answer), dict): os.abort()
call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": {"name": sys.argv[2], "version": "1"}}, 1)
call("subtract", [2, 1], 2)
call(sys.argv[2], [2, 1], 3)
)";

TEST_F(SecretsOfAProgram, AreInNothingThatIsWrittenOfAClientThatSaysThem) {
  const Words client = {"--",   "/usr/bin/python3", "-c", kTalkativeClient, "--token",
                        token_, "{server}"};
  const Words upstream = {"--upstream-command",
                          misbehaving_program() + " --repeats-secrets --token " + of_script_};
  const Words campaign = {"fuzz", "--client", "--door", "stdio", "--max-time", "8", "--keep-going"};
  const auto kept_in = [this](const std::string& name) {
    return Words{"--findings", folder_.file(name), "--corpus", folder_.file(name + ".corpus")};
  };
  const std::map<std::string, Words> commands = {
      {"plain", {"client", "--door", "stdio"}},
      {"upstream", Words{"client"} + upstream},
      {"mcp", {"client", "--profile", "mcp"}},
      {"campaign", campaign + kept_in("found")},
      {"bent campaign", campaign + kept_in("bent") + upstream}};
  for (const auto& [name, words] : commands) {
    EXPECT_EQ(expect_silent(words + in_every_format(name) + client).exit_code, 1) << name;
    EXPECT_NE(read_file(folder_.file(name + ".json")).find("..."), std::string::npos) << name;
  }
  for (const std::string name : {"found", "bent"}) {
    EXPECT_FALSE(std::filesystem::is_empty(folder_.file(name + "/client"))) << name;
  }
  expect_none_in_files(folder_.path(), secrets());
}

// What only the server knows, and says once more in each error.
TEST_F(SecretsOfAProgram, CookiesThatAServerSetsAreInNothingThatAnyCommandWrites) {
  const Secret cookie;
  const RunningServer server({misbehaving_program(), "--repeats-secrets", "--http", "0"},
                             {"SET_COOKIE=" + cookie});
  const std::map<std::string, Words> commands = {
      {"run", {"run", "--select", "json/truncated*", server.url()}},
      {"properties", {"properties", "--max-time", "10", "--tests", "5", server.url()}},
      {"fuzz",
       {"fuzz", "--max-time", "8", "--keep-going", "--findings", folder_.file("found"), "--corpus",
        folder_.file("corpus"), server.url()}},
      {"client",
       {"client", "--upstream", server.url(), "--", "/bin/sh", "-c",
        R"(curl -s --json '{"jsonrpc":"2.0","method":"a","id":1}' "$1" >&2)", "sh", "{url}"}}};
  for (const auto& [name, words] : commands) {
    const auto result = jrpcheck(Words{words.front()} + in_every_format(name) +
                                 Words(words.begin() + 1, words.end()));
    EXPECT_LE(result.exit_code, 3) << result.error;
    expect_none_in(result.output + result.error, {cookie}, name);
    EXPECT_NE(read_file(folder_.file(name + ".json")).find("..."), std::string::npos) << name;
  }
  for (const auto& each : std::filesystem::directory_iterator(folder_.file("found"))) {
    const auto again = jrpcheck({"replay", each.path().string(), server.url()});
    expect_none_in(again.output + again.error, {cookie}, "replay");
  }
  expect_none_in_files(folder_.path(), {cookie});
}

// What one side is given in its head the other repeats; over WebSocket both say it in messages.
TEST_F(SecretsOfAProgram, AreInNothingThatIsWrittenOfWatchedTraffic) {
  const Secret cookie;
  const TemporaryFolder given;
  write_file(given.file("opening.json"),
             R"([{"jsonrpc":"2.0","method":"echo","params":[")" + token_ + R"("],"id":"o"}])");
  struct Watched {
    std::string scheme;
    Words server;
    Words opening;
  };
  for (const auto& [scheme, program, opening] : std::vector<Watched>{
           {"http", {misbehaving_program(), "--repeats-secrets", "--http", "0"}, {}},
           {"ws", {reference_program(), "--ws", "0"}, {"--opening", given.file("opening.json")}}}) {
    const RunningServer server(program, {"SET_COOKIE=" + cookie});
    const auto port = std::to_string(free_port());
    const auto recording = folder_.file(scheme + ".jsonl");
    RunningProgram watching(
        Words{jrpcheck_program(), "watch", "--listen", port, "--verbose", "--record", recording} +
        in_every_format(scheme) + Words{server.url()});
    watching.first_error_line();
    expect_silent(Words{"run", "--select", "json/truncated*", "--select", "calibration/*",
                        "--header", "Authorization: Bearer " + token_} +
                  opening + Words{scheme + "://127.0.0.1:" + port + "/"});
    watching.send_signal(SIGTERM);
    const auto told = watching.finish();
    expect_none_in(told.output + told.error, {token_, cookie}, "watch over " + scheme);
    EXPECT_NE(read_file(recording).find("..."), std::string::npos) << scheme;
    expect_silent(Words{"judge", recording} + in_every_format("judged " + scheme));
  }
  expect_none_in_files(folder_.path(), {token_, cookie});
}

}  // namespace secrets_everywhere_test
}  // namespace jrpcheck::testing
