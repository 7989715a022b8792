#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/contains.hpp"
#include "cli/commands.hpp"
#include "cli/report_request.hpp"
#include "reports/report.hpp"
#include "reports/run_for_testing.hpp"
#include "result/conclude.hpp"

namespace jrpcheck::cli {
namespace report_command_test {

ExitCode report(const std::vector<std::string>& words) {
  return execute({"report", "", &declare_report}, words);
}

namespace fs = std::filesystem;

class ReportCommand : public ::testing::Test {
 protected:
  ReportCommand() {
    std::string name = (fs::temp_directory_path() / "jrpcheck-report-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~ReportCommand() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string store(const std::string& name, const result::Run& run) const {
    std::ofstream(path(name), std::ios::binary) << reports::render_json(run);
    return path(name);
  }

  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // What it says on standard error.
  static std::string complaint(const std::vector<std::string>& words, ExitCode expected) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(report(words), expected);
    return ::testing::internal::GetCapturedStderr();
  }

 private:
  fs::path folder_;
};

TEST_F(ReportCommand, OfASiteOnlyPagesThatAreNoMoreAreRemoved) {
  const auto stored = store("run.json", reports::run_for_testing());
  const auto site = "site=" + path("site");
  ASSERT_EQ(report({site, stored}), ExitCode::ok);
  for (const char* name : {"site/targets/gone.html", "site/targets/gone.svg",
                           "site/targets/own.json", "site/assets/own.png"}) {
    std::ofstream(path(name)) << "x";
  }
  ASSERT_EQ(report({site, stored}), ExitCode::ok);
  EXPECT_FALSE(fs::exists(path("site/targets/gone.html")));
  EXPECT_FALSE(fs::exists(path("site/targets/gone.svg")));
  EXPECT_TRUE(fs::exists(path("site/targets/own.json")));
  EXPECT_TRUE(fs::exists(path("site/assets/own.png")));
  EXPECT_TRUE(fs::exists(path("site/assets/site.js")));
}

TEST_F(ReportCommand, RendersAStoredRunAsTheRunItselfDid) {
  const auto run = reports::run_for_testing();
  const auto stored = store("run.json", run);
  std::vector<std::string> words;
  for (const auto& format : reports::kFormats) {
    words.push_back(std::string(format.name) + "=" + path(std::string(format.name)));
  }
  words.push_back(stored);
  EXPECT_EQ(report(words), ExitCode::ok);
  for (const auto& format : reports::kFormats) {
    EXPECT_EQ(text_of(std::string(format.name)), format.render(run)) << format.name;
  }
}

TEST_F(ReportCommand, ShowsNoVerdictThatIsNotThatOfTheCases) {
  auto run = reports::run_for_testing();
  run.verdict = result::RunVerdict::conforms;
  for (const char* report : {"markdown=", "site="}) {
    const std::string told =
        complaint({report + path("a"), store("better.json", run)}, ExitCode::usage);
    EXPECT_TRUE(contains(
        told, "better.json' is conforms, and of its cases 2 failed: one of them was changed"))
        << report;
    EXPECT_FALSE(contains(told, "jrpcheck judge")) << "it lacks what that takes";
  }
  run.conditions.emplace();
  EXPECT_TRUE(
      contains(complaint({"markdown=" + path("a"), store("better.json", run)}, ExitCode::usage),
               "judges it anew"));
  run = reports::run_for_testing();
  run.counts = {};
  for (auto& one : run.cases) {
    one.verdict = result::Verdict::pass;
    run.counts.add(one.verdict);
  }
  EXPECT_TRUE(
      contains(complaint({"markdown=" + path("a"), store("worse.json", run)}, ExitCode::usage),
               "worse.json' is fails, and of its cases none failed"));
}

TEST_F(ReportCommand, WritesNoReportOverAnother) {
  const auto stored = store("run.json", reports::run_for_testing());
  EXPECT_TRUE(contains(
      complaint({"markdown=" + path("a"), "junit=" + path("./a"), stored}, ExitCode::usage),
      "two reports would be written to"));
  EXPECT_FALSE(fs::exists(path("a")));
  EXPECT_EQ(report({"markdown=/dev/null", "junit=/dev/null", stored}), ExitCode::ok);
}

TEST_F(ReportCommand, ASiteIsAFolderAndNoStandardOutput) {
  const auto stored = store("run.json", reports::run_for_testing());
  EXPECT_TRUE(contains(complaint({"site=-", stored}, ExitCode::usage), "site= is a folder"));
  EXPECT_FALSE(fs::exists("-"));
}

TEST_F(ReportCommand, TakesACaseForAnIssueAlone) {
  const auto stored = store("run.json", reports::run_for_testing());
  EXPECT_TRUE(contains(
      complaint({"markdown=" + path("a.md"), "--case", "id/number", stored}, ExitCode::usage),
      "--case says which finding issue=FILE tells"));
}

TEST_F(ReportCommand, ComparesServers) {
  auto other = reports::run_for_testing();
  other.target.text = "another";
  EXPECT_EQ(report({"html=" + path("m.html"), "json=" + path("m.json"), "markdown=" + path("m.md"),
                    store("a.json", reports::run_for_testing()), store("b.json", other)}),
            ExitCode::ok);
  EXPECT_TRUE(contains(text_of("m.json"), "jrpcheck-comparison-1"));
  EXPECT_TRUE(contains(text_of("m.html"), "2 servers compared"));
  EXPECT_TRUE(contains(text_of("m.md"), "2 runs"));
}

TEST_F(ReportCommand, PutsShardsTogether) {
  auto first = reports::run_for_testing();
  auto second = first;
  first.cases.resize(2);
  second.cases.erase(second.cases.begin(), second.cases.begin() + 2);
  result::conclude(first, false);
  result::conclude(second, false);
  EXPECT_EQ(report({"tap=" + path("a.tap"), store("1.json", first), store("2.json", second)}),
            ExitCode::ok);
  EXPECT_TRUE(contains(text_of("a.tap"), "1..5\n"));
}

TEST_F(ReportCommand, WhatIsMissingOrWrongIsNamed) {
  const auto run = store("run.json", reports::run_for_testing());
  const auto usage = ExitCode::usage;
  EXPECT_TRUE(contains(complaint({run}, usage), "which report?"));
  EXPECT_TRUE(contains(complaint({"html=x"}, usage), "which run?"));
  const std::string unknown = complaint({"xml=x", run}, usage);
  EXPECT_TRUE(contains(unknown, "unknown format 'xml'"));
  EXPECT_TRUE(contains(unknown, "console, site, issue;"));
  EXPECT_FALSE(contains(unknown, "--report:"));
  EXPECT_TRUE(contains(complaint({"site=", run}, usage), "write site=FOLDER"));
  EXPECT_TRUE(contains(complaint({"html=" + path("x"), path("none.json")}, usage), "none.json"));
  EXPECT_TRUE(contains(complaint({"junit=" + path("x"), run, run}, usage),
                       "junit shows one run, and these are 2"));
  EXPECT_TRUE(contains(complaint({"html=" + path("no/such/x"), run}, ExitCode::internal),
                       "cannot be written"));
  std::ofstream(path("broken.json")) << "{\n \"schema\": 1}";
  EXPECT_TRUE(contains(complaint({"html=" + path("x"), path("broken.json")}, usage),
                       "broken.json:2:12: member \"schema\" must be a string"));
  EXPECT_FALSE(fs::exists(path("x")));
}

TEST_F(ReportCommand, MarkdownAloneIsAddedToTheSummaryOfAGithubStep) {
  const auto run = store("run.json", reports::run_for_testing());
  std::ofstream(path("summary.md")) << "what stood there\n";
  ::setenv("GITHUB_STEP_SUMMARY", path("summary.md").c_str(), 1);
  EXPECT_EQ(report({"markdown", run}), ExitCode::ok);
  ::unsetenv("GITHUB_STEP_SUMMARY");
  EXPECT_EQ(text_of("summary.md").rfind("what stood there\n## JSON-RPC 2.0: ", 0), 0U);
  EXPECT_FALSE(parse_report("markdown")) << "elsewhere a path is needed";
}

}  // namespace report_command_test
}  // namespace jrpcheck::cli
