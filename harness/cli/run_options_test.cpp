#include "cli/run_options.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/join.hpp"
#include "cli/help.hpp"
#include "cli/parse_words.hpp"
#include "reports/report.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::cli {
namespace run_options_test {

using Words = std::vector<std::string>;

Result<RunOptions> parsed(const Words& words) {
  CLI::App app({}, "jrpcheck run");
  const auto read = declare_run_options(app);
  const auto line = split_command_line(words);
  const auto ok = parse_words(app, line.words);
  return ok ? read(line) : ok.error();
}

RunOptions options(const Words& words) {
  auto result = parsed(words);
  if (!result) ADD_FAILURE() << result.error().message;
  return result ? *std::move(result) : RunOptions();
}

std::string error(const Words& words) {
  const auto result = parsed(words);
  return result ? "no error" : result.error().message;
}

std::string format_names() { return joined(reports::kFormats, ", ", &reports::Format::name); }

// A file that is there for one test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(testing::TempDir() + "jrpcheck_options_" + std::to_string(::getpid())) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Require, TakesNoFailureWhereNothingIsSaid) {
  EXPECT_FALSE(options({"http://127.0.0.1:1"}).require_conforms);
  EXPECT_FALSE(options({"--require", "no-failure", "http://127.0.0.1:1"}).require_conforms);
  EXPECT_TRUE(options({"--require", "conforms", "http://127.0.0.1:1"}).require_conforms);
}

TEST(Require, ConformanceIsNoKnownFailure) {
  result::Run run;
  run.verdict = result::RunVerdict::fails;
  run.counts.fail = 1;
  run.baseline = result::BaselineSummary{"known.json", 1};
  VerdictOptions chosen;
  EXPECT_EQ(verdict_code(run, chosen), ExitCode::ok);
  chosen.require_conforms = true;
  EXPECT_EQ(verdict_code(run, chosen), ExitCode::failed);
}

TEST(Require, RefusesWhatCannotBeRequired) {
  EXPECT_EQ(error({"--require", "pass", "http://127.0.0.1:1"}),
            "--require: 'pass' is none of conforms, no-failure");
  EXPECT_EQ(error({"--require", "conforms", "--shard-index", "0", "--shard-count", "2",
                   "http://127.0.0.1:1"}),
            "--require conforms takes a run of all cases: a shard alone never conforms");
}

TEST(CommandLine, IsCutAtTheFirstPairOfDashes) {
  const auto line = split_command_line({"--quiet", "--", "node", "a.js", "--", "--quiet"});
  EXPECT_EQ(line.words, (Words{"--quiet"}));
  EXPECT_EQ(line.command, (Words{"node", "a.js", "--", "--quiet"}));
  EXPECT_TRUE(line.has_command);
}

TEST(CommandLine, MayHaveNoCommand) {
  const auto without = split_command_line({"http://a/"});
  EXPECT_FALSE(without.has_command);
  const auto empty = split_command_line({"--"});
  EXPECT_TRUE(empty.has_command);
  EXPECT_TRUE(empty.command.empty());
}

TEST(RunOptions, ATargetIsEnough) {
  const auto chosen = options({"http://127.0.0.1:8545/rpc"});
  ASSERT_TRUE(chosen.run.target);
  EXPECT_EQ(chosen.run.target->path, "/rpc");
  EXPECT_TRUE(chosen.run.command.empty());
  EXPECT_EQ(chosen.run.timeout, milliseconds(5000));
  EXPECT_EQ(chosen.run.jobs, 0);
  EXPECT_EQ(chosen.run.seed, 0U);
  EXPECT_EQ(chosen.color, Color::automatic);
  EXPECT_FALSE(chosen.strict);
}

TEST(RunOptions, ACommandIsEnough) {
  const auto chosen = options({"--", "node", "server.js", "--port", "1"});
  EXPECT_FALSE(chosen.run.target);
  EXPECT_EQ(chosen.run.command, (Words{"node", "server.js", "--port", "1"}));
}

TEST(RunOptions, EveryOptionIsRead) {
  const auto chosen = options({"--report",
                               "json=a=b.json",
                               "--report",
                               "console=-",
                               "--select",
                               "batch/*",
                               "--select",
                               "id-*",
                               "--skip",
                               "id/null",
                               "--strict",
                               "--timeout",
                               "0.25",
                               "--start-timeout",
                               "90",
                               "--jobs",
                               "3",
                               "--seed",
                               "18446744073709551615",
                               "--header",
                               "X-A: 1",
                               "--header",
                               "X-B:2",
                               "--cases",
                               "my-cases",
                               "--color",
                               "never",
                               "--verbose",
                               "http://h/"});
  ASSERT_EQ(chosen.reports.size(), 2U);
  EXPECT_EQ(chosen.reports[0].format, "json");
  EXPECT_EQ(chosen.reports[0].path, "a=b.json");
  EXPECT_EQ(chosen.reports[1].path, "-");
  EXPECT_EQ(chosen.run.selection.select, (Words{"batch/*", "id-*"}));
  EXPECT_EQ(chosen.run.selection.skip, (Words{"id/null"}));
  EXPECT_TRUE(chosen.strict);
  EXPECT_EQ(chosen.run.timeout, milliseconds(250));
  EXPECT_EQ(chosen.run.start_bound(), milliseconds(90'000));
  EXPECT_EQ(chosen.run.jobs, 3);
  EXPECT_EQ(chosen.run.seed, 18446744073709551615U);
  EXPECT_EQ(chosen.cases_folder, "my-cases");
  EXPECT_EQ(chosen.color, Color::never);
  EXPECT_TRUE(chosen.verbose);
}

TEST(RunOptions, AHeadersValueIsWhatStandsBehindTheWhiteSpace) {
  const auto headers = [](const std::string& word) {
    return options({"--header", word, "http://h/"}).run.headers;
  };
  using Fields = wire::HttpFields;
  EXPECT_EQ(headers("Authorization: Bearer a:b c"), (Fields{{"Authorization", "Bearer a:b c"}}));
  EXPECT_EQ(headers("X:1"), (Fields{{"X", "1"}}));
  EXPECT_EQ(headers("X: \t 1 "), (Fields{{"X", "1 "}}));
  EXPECT_EQ(headers("X:"), (Fields{{"X", ""}}));
}

TEST(RunOptions, ACookieFileIsALogin) {
  const std::string file = ::testing::TempDir() + "jrpcheck-cookie-" + std::to_string(::getpid());
  std::ofstream(file) << "__cookie__:0123abcd\n";
  const auto login = [](const RunOptions& all) { return all.run.target->authorization; };
  EXPECT_EQ(login(options({"--cookie-file", file, "http://h/"})),
            login(options({"http://__cookie__:0123abcd@h/"})));
  EXPECT_EQ(error({"--cookie-file", file, "http://a:b@h/"}),
            "--cookie-file: there is another login in the URL or in --header");
  EXPECT_EQ(error({"--cookie-file", file, "--header", "authorization: x", "http://h/"}),
            "--cookie-file: there is another login in the URL or in --header");
  EXPECT_EQ(error({"--cookie-file", file, "--", "x"}),
            "--cookie-file is for HTTP and WebSocket targets, not for streams");
  std::ofstream(file) << "no colon\n";
  EXPECT_EQ(error({"--cookie-file", file, "http://h/"}),
            "--cookie-file: " + file + " does not hold USER:PASSWORD");
  std::remove(file.c_str());
  EXPECT_NE(error({"--cookie-file", file, "http://h/"}).find("cannot be read"), std::string::npos);
}

TEST(RunOptions, AFramingIsForPrograms) {
  EXPECT_EQ(options({"--framing", "content-length", "--", "x"}).run.framing,
            wire::binding_named("content-length"));
  EXPECT_FALSE(options({"--", "x"}).run.framing);
}

TEST(RunOptions, AMethodsFileBindsRoles) {
  const TemporaryFile file(R"({"echo": {"method": "my.echo"}})");
  const auto chosen = options({"--methods", file.path(), "--", "x"});
  EXPECT_EQ(chosen.run.roles, (corpus::RoleBindings{{"echo", "my.echo"}}));
}

TEST(RunOptions, AnOpeningIsKnownByNameOrReadFromAFile) {
  EXPECT_EQ(options({"--opening", "mcp", "--", "x"}).run.opening.messages.size(), 2U);
  EXPECT_EQ(options({"--opening", "lsp", "--", "x"}).run.framing->name, "content-length");
  EXPECT_EQ(options({"--opening", "lsp", "--framing", "lines", "--", "x"}).run.framing->name,
            "lines");
  const TemporaryFile file(R"([{"id": 1.0}])");
  EXPECT_EQ(options({"--opening", file.path(), "--", "x"}).run.opening.messages,
            (Words{R"({"id":1.0})"}));
}

TEST(RunOptions, AnOpeningIsSentAsItsProtocolHasItWhateverTheLaw) {
  run::Options chosen = options({"--opening", "mcp", "--", "x"}).run;
  const auto fields = chosen.http_habits.fields;
  EXPECT_FALSE(fields.empty());
  const corpus::Profile plain{"jsonrpc-2.0", "", corpus::Dialect::json_rpc_2_0, {}};
  run::adopt(plain, chosen);
  EXPECT_EQ(chosen.http_habits.fields, fields);
}

TEST(RunOptions, AProgramHasTwentySecondsToComeUpUnlessAnswersAreWantedSooner) {
  EXPECT_EQ(options({"--", "x"}).run.start_bound(), milliseconds(20'000));
  EXPECT_EQ(options({"--timeout", "30", "--", "x"}).run.start_bound(), milliseconds(20'000));
  EXPECT_EQ(options({"--timeout", "0.5", "--", "x"}).run.start_bound(), milliseconds(6'000));
}

TEST(RunOptions, HelpShowsTheOptionsWhateverElseIsSaid) {
  CLI::App app({}, "jrpcheck run");
  declare_run_options(app);
  const auto read = parse_words(app, {"--help"});
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, Parsed::help);
  const auto help = render_help(form_of(app));
  for (const auto* option :
       {"--framing", "--report", "--select", "--skip", "--strict", "--timeout", "--start-timeout",
        "--jobs", "--methods", "--opening", "--header", "--cases", "--seed", "--color", "--quiet",
        "--verbose", "TARGET", "Exit codes"}) {
    EXPECT_NE(help.find(option), std::string::npos) << option;
  }
}

TEST(RunOptions, WrongCommandLinesSayWhatIsWrongAndWhatIsRight) {
  const std::string no_target =
      "what is to be judged? Give a URL (http://127.0.0.1:8545/, ws://127.0.0.1:8546), a socket "
      "(unix:/run/server.sock) or a program after -- (-- node server.js)";
  const std::vector<std::pair<Words, std::string>> table = {
      {{}, no_target},
      {{"--quiet"}, no_target},
      {{"--"}, "there is no program after --"},
      {{"http://h/", "--"}, "there is no program after --"},
      {{"http://a/", "http://b/"},
       "there is more than one TARGET; a program stands behind --, such as jrpcheck run -- node "
       "server.js; see jrpcheck run --help"},
      {{"--colour", "never", "http://a/"},
       "there is no option '--colour'; did you mean '--color'?; see jrpcheck run --help"},
      {{"http://h/", "--framing", "lines"}, "--framing is for streams, not for HTTP and WebSocket"},
      {{"ws://h/", "--framing", "lines"}, "--framing is for streams, not for HTTP and WebSocket"},
      {{"--subprotocol", "jsonrpc", "http://h/"}, "--subprotocol is for ws:// and wss:// targets"},
      {{"--subprotocol", "a, b", "ws://h/"}, "--subprotocol takes one name, such as jsonrpc"},
      {{"--framing", "smoke", "--", "x"},
       "--framing: 'smoke' is none of " + wire::framing_names(", ")},
      {{"--header", "A: b", "--", "x"},
       "--header is for HTTP and WebSocket targets, not for streams"},
      {{"--header", "no-colon", "http://h/"}, "--header takes 'Name: value', on one line"},
      {{"--header", ": value", "http://h/"}, "--header takes 'Name: value', on one line"},
      {{"--header", "a b: c", "http://h/"}, "--header takes 'Name: value', on one line"},
      {{"--header", "A: b\r\nC: d", "http://h/"}, "--header takes 'Name: value', on one line"},
      {{"--header", "content-length: 5", "http://h/"},
       "--header: content-length tells where a message ends (RFC 9112 §6), and is written with "
       "each request"},
      {{"--header", "Transfer-Encoding: chunked", "http://h/"},
       "--header: Transfer-Encoding tells where a message ends (RFC 9112 §6), and is written with "
       "each request"},
      {{"--timeout", "0", "--", "x"}, "--timeout takes seconds from 0.001 to 3600"},
      {{"--timeout", "-1", "--", "x"}, "--timeout takes seconds from 0.001 to 3600"},
      {{"--timeout", "3601", "--", "x"}, "--timeout takes seconds from 0.001 to 3600"},
      {{"--timeout", "nan", "--", "x"}, "--timeout takes seconds from 0.001 to 3600"},
      {{"--timeout", "inf", "--", "x"}, "--timeout takes seconds from 0.001 to 3600"},
      {{"--start-timeout", "-1", "--", "x"}, "--start-timeout takes seconds from 0.001 to 3600"},
      {{"--start-timeout", "0", "--", "x"}, "--start-timeout takes seconds from 0.001 to 3600"},
      {{"--report", "json=-", "--report", "html=/dev/stdout", "--", "x"},
       "--report: two reports would be written to '-'"},
      {{"--report", "json=a", "--report", "junit=./a", "--", "x"},
       "--report: two reports would be written to './a'"},
      {{"--report", "json=-", "--report", "tap=/dev/stdout", "--", "x"},
       "--report: two reports would be written to '-'"},
      {{"--jobs", "0", "--", "x"}, "--jobs takes a number from 1 to 64"},
      {{"--jobs", "-2", "--", "x"}, "--jobs takes a number from 1 to 64"},
      {{"--jobs", "65", "--", "x"}, "--jobs takes a number from 1 to 64"},
      {{"--cacert", "/", "https://h/"}, "--cacert: '/' is a folder: name a file in PEM"},
      {{"--color", "pink", "--", "x"}, "--color: 'pink' is none of auto, always, never"},
      {{"--quiet", "--verbose", "--", "x"}, "--quiet and --verbose exclude each other"},
      {{"--report", "xml=a", "--", "x"},
       "--report: unknown format 'xml'; there are " + format_names()},
      {{"--report", "json", "--", "x"},
       "--report: write FORMAT=PATH, such as json=report.json, or json=- for standard output"},
      {{"--report", "json=", "--", "x"},
       "--report: write FORMAT=PATH, such as json=report.json, or json=- for standard output"},
      {{"--report", "markdown", "--", "x"},
       "--report: write FORMAT=PATH, such as markdown=report.markdown, or markdown=- for standard "
       "output; alone it takes GITHUB_STEP_SUMMARY, which is not set"},
      {{"--report", "=a", "--", "x"}, "--report: unknown format ''; there are " + format_names()},
      {{"--methods", "/nonexistent", "--", "x"},
       "the methods file '/nonexistent' cannot be read: No such file or directory"},
      {{"--opening", "/nonexistent", "--", "x"},
       "--opening takes lsp, mcp, mcp-2025-03-26, mcp-2025-06-18, mcp-2025-11-25 or a file; the "
       "file '/nonexistent' cannot be read: No such file "
       "or directory"},
  };
  ::unsetenv("GITHUB_STEP_SUMMARY");  // a step of GitHub's has it
  for (const auto& [words, message] : table) EXPECT_EQ(error(words), message);
}

TEST(RunOptions, ValuesThatCannotBeReadNameTheirOption) {
  for (const Words& words :
       {Words{"--timeout", "soon", "--", "x"}, Words{"--jobs", "many", "--", "x"},
        Words{"--seed", "-1", "--", "x"}, Words{"--timeout"}, Words{"--report"}}) {
    const std::string message = error(words);
    EXPECT_NE(message.find("; see jrpcheck run --help"), std::string::npos) << message;
    EXPECT_NE(message.find(words[0]), std::string::npos) << message;
  }
}

TEST(RunOptions, WhatIsNoNumberIsToldWhatIsOne) {
  const std::string hint = "; see jrpcheck run --help";
  EXPECT_EQ(error({"--timeout", "soon", "--", "x"}),
            "--timeout takes a number of seconds, such as 2 or 0.5, not 'soon'" + hint);
  EXPECT_EQ(error({"--jobs", "many", "--", "x"}), "--jobs takes a whole number, not 'many'" + hint);
  EXPECT_EQ(error({"--jobs", "010", "--", "x"}), "--jobs takes a whole number, not '010'" + hint);
  EXPECT_EQ(error({"--seed", "010", "--", "x"}), "--seed takes a whole number, not '010'" + hint);
  EXPECT_EQ(error({"--timeout", "0x2", "--", "x"}),
            "--timeout takes a number of seconds, such as 2 or 0.5, not '0x2'" + hint);
  EXPECT_EQ(error({"--timeout", "0.5", "--seed", "0", "--", "x"}), "no error");
  for (const std::string seed : {"x", "-1", "1.5", "99999999999999999999"}) {
    EXPECT_EQ(error({"--seed", seed, "--", "x"}),
              "--seed: '" + seed + "' is no whole number from 0 to 18446744073709551615" + hint);
  }
  EXPECT_EQ(error({"--seed", "18446744073709551615", "--", "x"}), "no error");
}

TEST(RunOptions, WhatLacksAValueOrIsThereTwiceIsToldWhatToWrite) {
  const std::string hint = "; see jrpcheck run --help";
  EXPECT_EQ(error({"--timeout"}),
            "--timeout takes a value, and none stands behind it; write --timeout SECONDS" + hint);
  EXPECT_EQ(error({"--seed"}),
            "--seed takes a value, and none stands behind it; write --seed N" + hint);
  EXPECT_EQ(error({"--seed", "1", "--seed", "2", "--", "x"}),
            "--seed is there more than once; leave it there once" + hint);
  EXPECT_EQ(error({"--strict=perhaps", "--", "x"}), "--strict takes no value" + hint);
}

// So it is where a variable of a shell is not set.
TEST(RunOptions, AnEmptyValueIsNotTakenForAnOptionThatIsNotThere) {
  const std::string hint = "; see jrpcheck run --help";
  EXPECT_EQ(error({"--cacert", "", "https://h/"}),
            "--cacert takes a value, and none stands behind it; write --cacert FILE" + hint);
  EXPECT_EQ(error({"--baseline=", "--", "x"}),
            "--baseline takes a value, and none stands behind it; write --baseline FILE" + hint);
  EXPECT_EQ(error({"--", "x", "--cacert", ""}), "no error");
}

TEST(RunOptions, NoMessageRepeatsASecret) {
  const std::string secret = "s3cr3t";
  for (const Words& words :
       {Words{"--header", "Authorization Bearer s3cr3t", "http://h/"},
        Words{"--header", "Authorization: s3cr3t", "--", "x"},
        Words{"--header", "Authorization: s3cr3t\nX: y", "http://h/"},
        Words{"--heder", "Authorization: s3cr3t", "http://h/"},
        Words{"--heder=Authorization: s3cr3t", "http://h/"},
        Words{"http://a/", "http://user:s3cr3t@h/"}, Words{"wss://user:s3cr3t@h:port/"},
        Words{"user:s3cr3t@h"}, Words{"http://user:s3cr3t@h:port/"},
        Words{"--header", "Authorization: s3cr3t", "--timeout", "0", "http://h/"}}) {
    const std::string message = error(words);
    EXPECT_NE(message, "no error");
    EXPECT_EQ(message.find(secret), std::string::npos) << message;
  }
}

}  // namespace run_options_test
}  // namespace jrpcheck::cli
