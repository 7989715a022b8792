// The line that a report prints for a finding: typed into a shell it brings the same back.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace {

// Messages that a shell could change on their way, among plain ones.
const Words kDelicate = {
    "--select", "calibration/number-id",     "--select", "id/quotes-on-error",
    "--select", "id/non-ascii-on-error",     "--select", "json/white-space",
    "--select", "robust/name-as-*",          "--select", "robust/pipelined-calls",
    "--select", "robust/prototype-in-params"};

// All lines at once: each keeps its pipe open for a second.
void expect_lines_bring_evidence_back(const Judgement& judgement, const std::string& evidence,
                                      std::size_t at_least) {
  std::vector<const JudgedCase*> cases;
  std::vector<std::unique_ptr<RunningProgram>> shells;
  for (const auto& one : judgement.cases) {
    if (one.findings.empty()) continue;
    cases.push_back(&one);
    shells.push_back(std::make_unique<RunningProgram>(Words{"/bin/sh", "-c", one.reproduce}));
  }
  EXPECT_GE(cases.size(), at_least);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto shell = shells[i]->finish();
    const auto printed = shell.output + shell.error;
    const auto& actual = cases[i]->findings.front().actual;
    EXPECT_NE(actual.find(evidence), std::string::npos) << cases[i]->id << ": " << actual;
    EXPECT_NE(printed.find(evidence), std::string::npos)
        << cases[i]->id << "\n"
        << cases[i]->reproduce.substr(0, 500) << "\n"
        << printed.substr(0, 500);
  }
}

TEST(ReproduceOnStdio, TheLineShowsTheWrongReply) {
  expect_lines_bring_evidence_back(judge(kDelicate + on_stdio("swaps-codes")), R"("code":-32603)",
                                   8);
}

TEST(ReproduceOnStdio, TheLineKillsTheServerAgain) {
  const Words some = {"--select", "json/truncated*",    "--select", "robust/binary-bytes",
                      "--select", "json/nul-in-string", "--select", "robust/deep-*"};
  expect_lines_bring_evidence_back(judge(some + on_stdio("dies-on-not-json")),
                                   "SyntaxError: that is not JSON", 4);
}

TEST(ReproduceOnStdio, TheLineFramesMessagesAsTheRunDid) {
  const auto judgement = judge(Words{"--select", "calibration/number-id", "--", reference_program(),
                                     "--stdio", "--framing", "content-length"});
  ASSERT_EQ(judgement.cases.size(), 1U);
  const auto shell = run_program({"/bin/sh", "-c", judgement.cases.front().reproduce});
  EXPECT_EQ(shell.output.rfind("Content-Length: ", 0), 0U) << shell.output << shell.error;
  EXPECT_NE(shell.output.find("-32601"), std::string::npos);
}

TEST(ReproduceOverHttp, TheLineShowsTheWrongReply) {
  if (run_program({"/bin/sh", "-c", "command -v curl"}).exit_code != 0) {
    GTEST_SKIP() << "curl is not installed, and the lines need it";
  }
  RunningProgram server({misbehaving_program(), "--swaps-codes", "--http", "0"});
  const std::string line = server.first_error_line();
  const std::string url = line.substr(line.find("http://"));
  expect_lines_bring_evidence_back(judge(kDelicate + Words{url}), R"("code":-32603)", 7);
  server.send_signal(SIGKILL);
}

}  // namespace
}  // namespace jrpcheck::testing
