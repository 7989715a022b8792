// The line that a report prints for a finding: typed into a shell it brings the same back.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace reproduce_test {

// Messages that a shell could change on their way, among plain ones.
const Words kDelicate = {"--select", "calibration/number-id", "--select", "id/quotes-on-error",
                         "--select", "id/non-ascii-on-error", "--select", "json/white-space",
                         "--select", "json/escaped-id",       "--select", "json/nul-in-string",
                         "--select", "robust/name-as-*",      "--select", "robust/long-method-name",
                         "--select", "robust/binary-bytes"};

struct Shell {
  const JudgedCase* one;
  std::unique_ptr<RunningProgram> program;
};

// Started side by side, because each keeps its pipe open for a second.
std::vector<Shell> start_all(const std::vector<JudgedCase>& cases) {
  std::vector<Shell> shells;
  shells.reserve(cases.size());
  for (const auto& one : cases) {
    shells.push_back(
        {&one, std::make_unique<RunningProgram>(Words{"/bin/sh", "-c", one.reproduce})});
  }
  return shells;
}

void expect_printed(const Shell& shell, const std::string& evidence) {
  const auto result = shell.program->finish();
  const auto printed = result.output + result.error;
  EXPECT_NE(printed.find(evidence), std::string::npos)
      << shell.one->id << "\n"
      << shell.one->reproduce.substr(0, 500) << "\n"
      << printed.substr(0, 500);
}

void expect_lines_bring_the_replies_back(const Judgement& judgement) {
  EXPECT_GT(judgement.cases.size(), 12U);
  for (const auto& shell : start_all(judgement.cases)) {
    ASSERT_FALSE(shell.one->replies.empty()) << shell.one->id;
    const auto& reply = shell.one->replies.front();
    const auto head_end = reply.find("\r\n\r\n");
    expect_printed(shell, head_end == std::string::npos ? reply : reply.substr(head_end + 4));
  }
}

TEST(ReproduceOnStdio, TheLineBringsTheReplyBack) {
  expect_lines_bring_the_replies_back(judge(kDelicate + on_stdio("ordinary")));
}

TEST(ReproduceOnStdio, TheLineShowsTheFault) {
  const auto judgement =
      judge(Words{"--select", "calibration/number-id"} + on_stdio("omits-version"));
  ASSERT_EQ(judgement.charged("res-version").size(), 1U);
  for (const auto& shell : start_all(judgement.cases)) {
    expect_printed(shell, shell.one->findings.front().actual);
  }
}

TEST(ReproduceOnStdio, TheLineKillsTheServerAgain) {
  const auto judgement =
      judge(Words{"--select", "json/truncated", "--select", "json/nul-in-string", "--select",
                  "robust/binary-bytes", "--select", "robust/unclosed-*"} +
            on_stdio("dies-on-not-json"));
  EXPECT_EQ(judgement.charged("rob-survives").size(), 5U);
  for (const auto& shell : start_all(judgement.cases)) {
    expect_printed(shell, "SyntaxError: that is not JSON");
  }
}

TEST(ReproduceOnStdio, TheLineFramesMessagesAsTheRunDid) {
  const auto judgement = judge(Words{"--select", "calibration/number-id", "--", reference_program(),
                                     "--stdio", "--framing", "content-length"});
  ASSERT_EQ(judgement.cases.size(), 1U);
  const auto shell = run_program({"/bin/sh", "-c", judgement.cases.front().reproduce});
  EXPECT_EQ(shell.output.rfind("Content-Length: ", 0), 0U) << shell.output << shell.error;
  EXPECT_NE(shell.output.find("-32601"), std::string::npos);
}

TEST(ReproduceOverHttp, TheLineBringsTheReplyBack) {
  if (run_program({"/bin/sh", "-c", "command -v curl"}).exit_code != 0) {
    GTEST_SKIP() << "curl is not installed, and the lines need it";
  }
  RunningProgram server({misbehaving_program(), "--ordinary", "--http", "0"});
  const std::string line = server.first_error_line();
  ASSERT_NE(line.find("http://"), std::string::npos) << line;
  expect_lines_bring_the_replies_back(judge(kDelicate + Words{line.substr(line.find("http://"))}));
  server.send_signal(SIGKILL);
}

TEST(ReproduceOverHttp, TheLineIsShortAndAGetKeepsItsBody) {
  const std::string port = std::to_string(free_port());
  const auto judgement =
      judge(Words{"--select", "http/get-with-a-call", "--select", "calibration/number-id",
                  "http://127.0.0.1:" + port + "/", "--", reference_program(), "--http", port});
  ASSERT_EQ(judgement.cases.size(), 2U);
  for (const auto& one : judgement.cases) {
    const bool is_get = one.id == "http/get-with-a-call";
    const std::string begin =
        is_get ? "printf '{\"jsonrpc\":" : "curl -sS -i --json '{\"jsonrpc\":";
    EXPECT_EQ(one.reproduce.rfind(begin, 0), 0U) << one.reproduce;
    EXPECT_EQ(one.reproduce.find(" -X GET ") != std::string::npos, is_get) << one.reproduce;
    EXPECT_EQ(one.reproduce.find(" --data-binary @- ") != std::string::npos, is_get)
        << one.reproduce;
  }
}

}  // namespace reproduce_test
}  // namespace jrpcheck::testing
