#include <gtest/gtest.h>

#include <string>

#include "base/contains.hpp"
#include "reports/report.hpp"
#include "reports/run_for_testing.hpp"
#include "reports/wrap.hpp"

namespace jrpcheck::reports {
namespace console_test {

constexpr const char* kPlain =
    R"(requirements  verdict     pass   warn   fail  not exercised  not applicable
core          fails          1      1      1              1               0

A note.

where the specification leaves it open, this server:
  id null: served

FAIL  id-echo  JSON-RPC 2.0 §5 (2 cases)
  Text of id-echo.
  id/number: The Response has the wrong id.
    sent      {"id":1}
    got       {"id":"1"}
    expected  an error with id 1
    try       printf '{"id":1}' | server
  also in id/string

WARN  json-extensions  RFC 8259 9
  Text of json-extensions.
  json/comment: A comment is accepted.
    sent      /**/
    got       {}
    expected  error -32700 with id null
    try       printf '/**/' | server

fails  node server.js (stdio, lines)
Breaks 1 of 3 core rules; loses or mixes up answers in two cases; batches are
not served.
1 passed, 1 warned, 2 failed, 1 not exercised, 0 not applicable
2 of 3 applicable must exercised (5 cases in 1.5 s)
  FAIL  id-echo: The Response has the wrong id. (2 cases)
  WARN  json-extensions: A comment is accepted.
next    jrpcheck explain id-echo
        --report html=report.html writes a page with everything
)";

TEST(Console, ShowsTheVerdictTheNumbersAndEachViolatedRequirementOnce) {
  EXPECT_EQ(render_console(run_for_testing(), {}), kPlain);
}

TEST(Console, IsAlsoAFormat) {
  const auto* format = find_format("console");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->render(run_for_testing()), kPlain);
  EXPECT_EQ(find_format("consol"), nullptr);
}

TEST(Console, QuietShowsVerdictAndNumbersOnly) {
  EXPECT_EQ(
      render_console(run_for_testing(), {false, true, false}),
      "fails  2 of 3 applicable must exercised  node server.js  (stdio, lines)\n"
      "1 passed, 1 warned, 2 failed, 1 not exercised, 0 not applicable  (5 cases in 1.5 s)\n");
}

TEST(Console, VerboseShowsEveryFindingAndWhatWasNotExercised) {
  const std::string text = render_console(run_for_testing(), {false, false, true});
  EXPECT_TRUE(contains(text,
                       "  id/string: The Response has the wrong id.\n"
                       "    sent      {\"id\":\"x\"}\n"));
  EXPECT_FALSE(contains(text, "also in"));
  EXPECT_TRUE(contains(text,
                       "\nwhere the specification leaves it open, this server:\n"
                       "  id null: served\n"));
  EXPECT_TRUE(contains(text, "\nnot exercised:\n  batch/empty: batches are not served\n"));
}

TEST(Console, HasColourOnlyWhenAsked) {
  for (const bool verbose : {false, true}) {
    EXPECT_FALSE(contains(render_console(run_for_testing(), {false, false, verbose}), "\033"));
  }
  const std::string colored = render_console(run_for_testing(), {true, false, false});
  EXPECT_TRUE(contains(colored, "\033[1;31mfails\033[0m"));
  EXPECT_TRUE(contains(colored, "\033[32m1 passed\033[0m"));
  EXPECT_TRUE(contains(colored, "\033[1;33m1 warned\033[0m"));
  EXPECT_TRUE(contains(colored, "\033[1;31m2 failed\033[0m"));
}

TEST(Console, NothingIsPaintedGreenThatWasNotExercised) {
  auto run = run_for_testing();
  run.verdict = result::RunVerdict::partial;
  run.counts = {};
  run.counts.not_exercised = 5;
  const std::string text = render_console(run, {true, true, false});
  EXPECT_FALSE(contains(text, "\033[32m"));
  EXPECT_FALSE(contains(text, "\033[1;32m"));
  EXPECT_TRUE(contains(text, "0 passed, 0 warned, 0 failed"));
}

TEST(Console, NamesTheReportsThatWereWrittenAndAsksForNoPageTwice) {
  ConsoleOptions options;
  options.written = {"html report.html", "json run.json"};
  const std::string text = render_console(run_for_testing(), options);
  EXPECT_TRUE(contains(text, "report  html report.html\nreport  json run.json\nnext    "));
  EXPECT_FALSE(contains(text, "--report html=")) << text;
}

TEST(Console, RecommendsABaselineOnlyWhereTheCommandTakesOne) {
  const std::string line = "--baseline known.json --update-baseline takes these failures for known";
  ConsoleOptions options;
  EXPECT_FALSE(contains(render_console(run_for_testing(), options), line));
  options.takes_baseline = true;
  EXPECT_TRUE(contains(render_console(run_for_testing(), options), "        " + line + "\n"));
}

TEST(Console, WhatStandsInAFolderOfTheUsersIsExplainedWithThatFolder) {
  ConsoleOptions options;
  options.cases = "my cases";
  EXPECT_TRUE(contains(render_console(run_for_testing(), options),
                       "next    jrpcheck explain --cases 'my cases' id-echo\n"));
}

TEST(Console, WhatIsTooLongToBeTypedIsRepeatedByItsCase) {
  auto run = run_for_testing();
  for (auto& one : run.cases) {
    one.ordinal = 1;
    one.reproduce = "printf " + std::string(100, 'x') + " | server";
  }
  ConsoleOptions options;
  EXPECT_TRUE(contains(render_console(run, options), "try       jrpcheck explain id/number\n"));
  options.takes_selection = true;
  const std::string line = "try       the same command with --select id/number\n";
  EXPECT_TRUE(contains(render_console(run, options), line));
  for (auto& one : run.cases) one.reproduce.clear();
  EXPECT_TRUE(contains(render_console(run, options), line)) << "no shell speaks TLS wrongly";
}

TEST(Console, OneCaseIsNoCases) {
  auto run = run_for_testing();
  run.cases.resize(1);
  EXPECT_TRUE(contains(render_console(run, {}), "exercised (1 case in 1.5 s)\n"));
}

// What kills the server comes before what it answers, however the requirements are ordered.
TEST(Console, FindingsComeInOrderOfHarm) {
  auto run = run_for_testing();
  auto dying = case_named("robust/deep", result::Verdict::fail, "[[[");
  dying.findings.push_back({"req-version",
                            corpus::Verdict::fail,
                            judge::Symptom::died,
                            {},
                            "an "
                            "answer",
                            "exited with code 1"});
  run.cases.push_back(dying);
  const std::string text = render_console(run, {});
  EXPECT_LT(text.find("FAIL  req-version"), text.find("FAIL  id-echo"));
  const auto answer = text.find("\nfails  ");
  EXPECT_LT(text.find("FAIL  req-version", answer), text.find("FAIL  id-echo", answer));
}

TEST(Console, LinesFitIntoEightyColumns) {
  auto run = run_for_testing();
  run.target.text = "node server.js" + std::string(20, 'x') + " --with many --other options " +
                    std::string(40, 'y');
  run.notes = {"A note of many words " + std::string(60, 'z') + " and of some more of them."};
  run.cases[0].findings[0].actual = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},)"
                                    R"("id":"1","more":"members","than":"fit","into":"a line"})";
  run.cases[0].reproduce =
      "curl -sS -X POST -H 'Content-Type: application/json' --data-binary "
      "'{\"jsonrpc\":\"2.0\"}' http://127.0.0.1:8545/";
  const std::string text = render_console(run, {});
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    EXPECT_LE(columns_of(text.substr(begin, end - begin)), kScreenWidth)
        << text.substr(begin, end - begin);
    begin = end + 1;
  }
  EXPECT_TRUE(contains(text, " \\\n              --data-binary '{\"jsonrpc"))
      << "what is typed goes on behind a backslash: " << text;
}

TEST(Console, LongEvidenceIsCutInTheMiddle) {
  auto run = run_for_testing();
  const std::string text = "BEGIN" + std::string(5000, 'x') + "END";
  run.cases[0].findings[0].actual = text;
  run.cases[0].transcript[0].bytes = text;
  const std::string shown = render_console(run, {});
  for (const auto* row : {"    sent      BEGINxxx", "    got       BEGINxxx"}) {
    const auto begin = shown.find(row);
    ASSERT_NE(begin, std::string::npos) << row;
    const auto end = shown.find("\n    ", shown.find(" bytes", begin));
    std::string line = shown.substr(begin, shown.find("\n    expected", begin) - begin);
    std::erase_if(line, [](char c) { return c == ' ' || c == '\n'; });
    ASSERT_NE(end, std::string::npos) << "how much is left out is said";
    EXPECT_LT(line.size(), 1000U);
    EXPECT_EQ(line.substr(line.size() - 6), "xxxEND");
  }
}

TEST(Console, ControlCharactersOfAServerDoNotReachTheTerminal) {
  auto run = run_for_testing();
  run.cases[0].findings[0].actual = "\033[2J\a\r";
  run.cases[0].transcript[0].bytes = std::string("\0\033]0;title\a", 11);
  run.observations[0].value = "\033[31mred";
  const std::string shown = render_console(run, {false, false, true});
  for (const char control : {'\033', '\a', '\r', '\0'}) {
    EXPECT_EQ(shown.find(control), std::string::npos) << static_cast<int>(control);
  }
}

TEST(Console, OverHttpTheBodyIsWhatWasSent) {
  auto run = run_for_testing();
  run.cases[0].transcript[0].bytes = "POST / HTTP/1.1\r\nHost: h\r\n\r\n{\"id\":1}";
  EXPECT_EQ(render_console(run, {}), kPlain);
  run.cases[0].transcript[0].bytes = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  EXPECT_TRUE(contains(render_console(run, {}), "    sent      (nothing)\n"));
}

TEST(Console, TheGravestFindingOfARequirementIsTheOneShown) {
  auto run = run_for_testing();
  run.cases[0].findings[0].severity = corpus::Verdict::warn;
  const std::string text = render_console(run, {});
  EXPECT_TRUE(contains(text, "  id/string: The Response has the wrong id.\n"));
  EXPECT_TRUE(contains(text, "  also in id/number\n"));
}

TEST(Console, ManyCasesAreCounted) {
  auto run = run_for_testing();
  for (int i = 0; i < 9; ++i) {
    auto one = run.cases[1];
    one.id = "id/more-" + std::to_string(i);
    run.cases.push_back(one);
  }
  EXPECT_TRUE(contains(render_console(run, {}),
                       "  also in id/string, id/more-0, id/more-1, id/more-2, id/more-3, id/more-4 "
                       "and 4\n          more\n"));
}

TEST(Console, ATargetThatWasNotReachedIsNamedAllTheSame) {
  result::Run run;
  run.target.text = "http://127.0.0.1:1/";
  run.notes = {"cannot connect"};
  EXPECT_EQ(
      render_console(run, {}),
      "requirements  verdict     pass   warn   fail  not exercised  not applicable\n\ncannot "
      "connect\n\npartial  http://127.0.0.1:1/\nShows nothing.\n0 passed, 0 warned, 0 failed, "
      "0 not exercised, 0 not applicable\n0 of 0 applicable must exercised (0 cases in 0 ms)\n");
}

}  // namespace console_test
}  // namespace jrpcheck::reports
