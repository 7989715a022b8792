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

TEST(ReproduceOnStdio, TheLineCutsWhereTheRunDid) {
  const auto judgement =
      judge(Words{"--select", "robust/cut-inside-utf-8-sequence", "--", reference_program(),
                  "--stdio", "--fault", "pieces-decoded-alone"});
  ASSERT_EQ(judgement.cases.size(), 1U);
  ASSERT_EQ(judgement.cases.front().findings.size(), 1U);
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

TEST(ReproduceOverHttp, TheLineIsShortBehindALoginToo) {
  if (run_program({"/bin/sh", "-c", "command -v curl"}).exit_code != 0) {
    GTEST_SKIP() << "curl is not installed, and the lines need it";
  }
  RunningProgram server({reference_program(), "--http", std::to_string(free_port())});
  const std::string line = server.first_error_line();
  ASSERT_NE(line.find("http://"), std::string::npos) << line;
  const auto judgement = judge({"--select", "calibration/string-id", "--header",
                                "Authorization: Bearer hush", line.substr(line.find("http://"))});
  ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
  const std::string& typed = judgement.cases.front().reproduce;
  EXPECT_EQ(typed.rfind("curl -sS -i --json '{", 0), 0U) << typed;
  EXPECT_NE(typed.find(" -H \"Authorization: ${AUTHORIZATION}\""), std::string::npos) << typed;
  const auto shell = run_program({"/bin/sh", "-c", "AUTHORIZATION='Bearer hush'; " + typed});
  EXPECT_NE(shell.output.find("-32601"), std::string::npos) << shell.output << shell.error;
  server.send_signal(SIGTERM);
}

// Some servers serve one Host alone, and it need not be the one that is connected to.
TEST(ReproduceOverHttp, TheLineNamesTheHostOfTheRunAndOfTheCase) {
  const std::string port = std::to_string(free_port());
  const auto judgement =
      judge(Words{"--select", "http/foreign-host", "--select", "calibration/number-id", "--header",
                  "Host: localhost:" + port, "http://127.0.0.1:" + port + "/", "--",
                  reference_program(), "--http", port});
  ASSERT_EQ(judgement.cases.size(), 2U);
  for (const auto& one : judgement.cases) {
    const std::string host =
        one.id == "http/foreign-host" ? "foreign.example" : "localhost:" + port;
    EXPECT_NE(one.reproduce.find("-H 'Host: " + host + "'"), std::string::npos) << one.reproduce;
  }
}

// The reference server at a port of its own, as long as it lives.
class Listener {
 public:
  explicit Listener(const Words& transport, const Words& more = {})
      : port_(std::to_string(free_port())),
        program_(Words{reference_program()} + transport + Words{port_} + more) {
    EXPECT_NE(program_.first_error_line().find("listening"), std::string::npos);
  }
  ~Listener() { program_.send_signal(SIGTERM); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string at(const std::string& scheme, const std::string& path = "/") const {
    return scheme + "://127.0.0.1:" + port_ + path;
  }

 private:
  std::string port_;
  RunningProgram program_;
};

bool is_installed(const std::string& program) {
  return run_program({"/bin/sh", "-c", "command -v " + program}).exit_code == 0;
}

// What the line prints that is told with a finding against the requirement.
std::string printed_for(const std::string& requirement, const Words& words) {
  const auto judgement = judge(words);
  const auto charged = judgement.charged(requirement);
  EXPECT_FALSE(charged.empty()) << requirement << judgement.program.error;
  if (charged.empty()) return {};
  const auto shell = run_program({"/bin/sh", "-c", charged.front()->reproduce});
  return charged.front()->reproduce + "\n" + shell.output + shell.error;
}

void expect_within(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ReproduceOverEventStreams, TheLineShowsTheFault) {
  if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed, and the lines need it";
  const Listener server({"--sse"}, {"--fault", "sse-says-when-it-is-done"});
  const auto printed = printed_for("sse-event-json", {"--select", "sse/*", server.at("http")});
  expect_within(printed, "--max-time");
  expect_within(printed, "data: [DONE]");
}

TEST(ReproduceOverEventStreams, TheLineReadsTheStreamThatAnswersComeOn) {
  if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed, and the lines need it";
  const Listener server({"--sse"}, {"--fault", "sse-comment-in-latin-1"});
  const auto printed = printed_for("sse-utf8", {"--select", "sse/call", server.at("http", "/sse")});
  expect_within(printed, "event: endpoint");
  expect_within(printed, ": \xE9\n");
  expect_within(printed, "\"code\":-32601");
}

TEST(ReproduceInASession, TheLineOpensOneAndNamesIt) {
  if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed, and the lines need it";
  for (const std::string version : {"2025-06-18", "2026-07-28"}) {
    const Listener server({"--mcp", version, "--http"});
    const auto judgement = judge(
        {"--profile", "mcp-" + version, "--select", "calibration/number-id", server.at("http")});
    ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
    const auto& one = judgement.cases.front();
    EXPECT_EQ(one.verdict, "pass") << one.reason;
    const auto shell = run_program({"/bin/sh", "-c", one.reproduce});
    expect_within(one.reproduce + "\n" + shell.output + shell.error, "\"code\":-32601");
    EXPECT_EQ(one.reproduce.find("mcp_session_id") != std::string::npos, version == "2025-06-18");
  }
}

TEST(ReproduceInASession, TheLineShowsTheFault) {
  if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed, and the lines need it";
  const Listener server({"--mcp", "2025-11-25", "--http"}, {"--fault", "mcp-http-answer-as-text"});
  expect_within(printed_for("mcp-http-content-type", {"--profile", "mcp-2025-11-25", "--select",
                                                      "mcp/*", server.at("http")}),
                "text/plain");
}

TEST(ReproduceOnStdio, TheLineOfACaseAboutTheHandshakeHasNoOther) {
  const auto printed =
      printed_for("lsp-init-null-root",
                  {"--profile", "lsp", "--select", "lsp/initialize-without-a-folder", "--",
                   reference_program(), "--lsp", "--stdio", "--fault", "lsp-folder-needed"});
  expect_within(printed, "\"code\":-32600");
  EXPECT_EQ(printed.find("\"initialized\""), std::string::npos) << printed;
}

TEST(ReproduceOnStdio, TheLineAnswersWhatTheServerAsksAsItIsOpened) {
  const auto printed = printed_for(
      "lsp-progress-token-once",
      {"--profile", "lsp", "--select", "lsp/symbols-in-parts", "--", reference_program(), "--lsp",
       "--stdio", "--fault", "lsp-created-progress-begins-again"});
  const auto first = printed.find("\"kind\":\"begin\"");
  ASSERT_NE(first, std::string::npos) << printed;
  EXPECT_NE(printed.find("\"kind\":\"begin\"", first + 1), std::string::npos) << printed;
}

TEST(ReproduceOnStdio, TheLineAnswersWhatTheServerAsksInTheCase) {
  const auto judgement =
      judge({"--profile", "lsp", "--select", "lsp/symbols-in-parts", "--", reference_program(),
             "--lsp", "--stdio", "--variant", "lsp-hands-on-refusals"});
  ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
  const auto shell = run_program({"/bin/sh", "-c", judgement.cases.front().reproduce});
  expect_within(shell.output, "\"message\":\"Refused\"");
}

TEST(ReproduceOnStdio, TheLineOfACaseAboutTheEndOfTheProgramTellsItsExitCode) {
  std::vector<JudgedCase> charged;
  for (const std::string fault : {"lsp-exit-code-one", "lsp-exit-ignored"}) {
    const auto judgement =
        judge({"--timeout", "1", "--profile", "lsp", "--select", "lsp/exit-after-shutdown", "--",
               reference_program(), "--lsp", "--stdio", "--fault", fault});
    ASSERT_EQ(judgement.charged("lsp-exit-zero").size(), 1U) << judgement.program.error;
    charged.push_back(*judgement.charged("lsp-exit-zero").front());
  }
  const auto shells = start_all(charged);
  expect_printed(shells[0], "exit code 1\n");
  expect_printed(shells[1], "exit code 124\n");
}

// The package is Debian's, and so is the python3 that has it.
const std::string kDebianFirst = "PATH=/usr/bin:$PATH; ";

bool has_python_websockets() {
  return run_program({"/bin/sh", "-c", kDebianFirst + "python3 -c 'import websockets'"})
             .exit_code == 0;
}

TEST(ReproduceOverWebSocket, TheLineOfWholeMessagesBringsTheReplyBack) {
  if (!has_python_websockets()) GTEST_SKIP() << "python3-websockets is not installed";
  const Listener server({"--ws"});
  const Words answered = {kDelicate.begin(), kDelicate.end() - 2};  // the last ends its connection
  auto judgement = judge(answered + Words{server.at("ws")});
  EXPECT_GT(judgement.cases.size(), 12U);
  std::size_t in_python = 0;
  for (auto& one : judgement.cases) {
    in_python += one.reproduce.starts_with("python3 -c ") ? 1 : 0;
    one.reproduce = kDebianFirst + one.reproduce;
  }
  EXPECT_GT(in_python, 10U);
  for (const auto& shell : start_all(judgement.cases)) {
    ASSERT_FALSE(shell.one->replies.empty()) << shell.one->id;
    expect_printed(shell, shell.one->replies.front());
  }
}

TEST(ReproduceOverWebSocket, TheLineOfWholeMessagesShowsTheFault) {
  if (!has_python_websockets()) GTEST_SKIP() << "python3-websockets is not installed";
  const Listener server({"--ws"}, {"--fault", "reply-version-legacy"});
  const auto judgement = judge({"--select", "calibration/string-id", server.at("ws")});
  const auto charged = judgement.charged("res-version");
  ASSERT_EQ(charged.size(), 1U) << judgement.program.error;
  const std::string line = charged.front()->reproduce;
  EXPECT_EQ(line.rfind("python3 -c ", 0), 0U) << line;
  const auto shell = run_program({"/bin/sh", "-c", kDebianFirst + line});
  expect_within(shell.output, "\"jsonrpc\":\"1.0\"");
  EXPECT_EQ(shell.error, "");
}

TEST(ReproduceOverTls, TheLineShowsTheFault) {
  if (!is_installed("openssl")) GTEST_SKIP() << "openssl is not installed, and the lines need it";
  const Listener sockets({"--tls-self-signed", "--tcp"}, {"--fault", "socket-raw-line-feeds"});
  expect_within(printed_for("tcp-line-delimiter", {"--insecure", "--select", "tcp/line-break-in-id",
                                                   sockets.at("tls", "")}),
                "\"a\nb\"");
  const Listener websocket({"--tls-self-signed", "--ws"}, {"--fault", "ws-unmasked-served"});
  const auto printed = printed_for(
      "ws-unmasked-client", {"--insecure", "--select", "ws/unmasked-call", websocket.at("wss")});
  expect_within(printed, "HTTP/1.1 101 ");
  expect_within(printed, "\"code\":-32601");
}

// python3-websockets believes whom it likes: over TLS whole messages are frames as well.
TEST(ReproduceOverTls, TheLineOfWholeMessagesShowsTheFault) {
  if (!is_installed("openssl")) GTEST_SKIP() << "openssl is not installed, and the lines need it";
  const Listener server({"--tls-self-signed", "--ws"}, {"--fault", "reply-version-legacy"});
  const auto printed = printed_for(
      "res-version", {"--insecure", "--select", "calibration/string-id", server.at("wss")});
  expect_within(printed, "| openssl s_client ");
  expect_within(printed, "\"jsonrpc\":\"1.0\"");
}

TEST(ReproduceOverTls, TheLineBelievesWhomTheRunBelieves) {
  if (!is_installed("openssl")) GTEST_SKIP() << "openssl is not installed, and the lines need it";
  const TemporaryFolder folder;
  const auto made = run_program({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                                 "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                                 "/CN=h", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                                 folder.file("key"), "-out", folder.file("crt")});
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const Listener server({"--tls", folder.file("crt"), folder.file("key"), "--tcp"});
  const auto judgement = judge(
      {"--cacert", folder.file("crt"), "--select", "calibration/number-id", server.at("tls", "")});
  ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
  const std::string line = judgement.cases.front().reproduce;
  expect_within(line, " -CAfile ");
  expect_within(run_program({"/bin/sh", "-c", line}).output, "\"code\":-32601");
  std::string unbelieving = line;
  const auto option = unbelieving.find(" -CAfile ");
  ASSERT_NE(option, std::string::npos);
  unbelieving.erase(option, unbelieving.find_first_of(" ;", option + 9) - option);
  EXPECT_EQ(run_program({"/bin/sh", "-c", unbelieving}).output.find("-32601"), std::string::npos);
}

TEST(ReproduceOverHttps, TheLineBringsTheReplyBack) {
  if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed, and the lines need it";
  const Listener server({"--tls-self-signed", "--http"}, {"--fault", "reply-version-legacy"});
  const auto printed = printed_for(
      "res-version", {"--insecure", "--select", "calibration/string-id", server.at("https")});
  expect_within(printed, " --insecure ");
  expect_within(printed, "\"jsonrpc\":\"1.0\"");
}

}  // namespace reproduce_test
}  // namespace jrpcheck::testing
