// The lines of cases that are about more than messages: about the pieces in which they come, about
// connections and how those end. Against the server with the fault a line shows something else than
// against the one without.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace reproduce_bytes_test {

bool is_installed(const std::string& program) {
  return run_program({"/bin/sh", "-c", "command -v " + program}).exit_code == 0;
}

// A way to the reference server, and what is asked there.
struct Asked {
  std::string case_id;
  std::string requirement;
  std::string fault;
  /// Comes more often from the server without the fault.
  std::string sign = "\"code\":-32601";
};

struct Way {
  std::string scheme;
  Words door;  ///< before the port
  Words options = {};
};

std::string printed_by(const std::string& line, const Words& server) {
  RunningProgram program(server);
  EXPECT_NE(program.first_error_line(), "");
  // Whatever never ends shows so within these seconds.
  const auto result = run_program({"timeout", "20", "/bin/sh", "-c", line});
  program.send_signal(SIGTERM);
  return result.output + result.error;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The line that a run against the server with the fault prints for its finding.
std::string line_for(const Asked& asked, const Way& way, const std::string& port) {
  const std::string path = way.scheme == "tcp" || way.scheme == "tls" ? "" : "/";
  const Words server = Words{reference_program()} + way.door + Words{port, "--fault", asked.fault};
  const auto judgement = judge(way.options +
                               Words{"--timeout", "1", "--select", asked.case_id,
                                     way.scheme + "://127.0.0.1:" + port + path, "--"} +
                               server);
  for (const auto* one : judgement.charged(asked.requirement)) {
    if (one->id == asked.case_id) return one->reproduce;
  }
  ADD_FAILURE() << asked.requirement << judgement.program.error;
  return "true";
}

void expect_shown(const Asked& asked, const Way& way) {
  const auto port = std::to_string(free_port());
  const auto line = line_for(asked, way, port);
  const Words sound = Words{reference_program()} + way.door + Words{port};
  const auto from_sound = printed_by(line, sound);
  // Whether the end of what socat(1) says comes together with the rest is a matter of moments.
  constexpr int kMostTries = 4;
  std::string from_faulty;
  for (int i = 0; i < kMostTries; ++i) {
    from_faulty = printed_by(line, sound + Words{"--fault", asked.fault});
    if (count(from_faulty, asked.sign) < count(from_sound, asked.sign)) return;
  }
  ADD_FAILURE() << asked.fault << "\n"
                << line.substr(0, 2000) << "\n"
                << from_faulty.substr(0, 2000) << "\n"
                << from_sound.substr(0, 2000);
}

const Way kHttp{"http", {"--http"}};
const Way kTcp{"tcp", {"--tcp"}};
const Way kTls{"tls", {"--tls-self-signed", "--tcp"}, {"--insecure"}};
const Way kWs{"ws", {"--ws"}};

const std::string kWhole = "ключ 鍵 🔑";

TEST(ReproduceInPiecesOverHttp, TheLineCutsWhereTheRunDid) {
  if (!is_installed("socat")) GTEST_SKIP() << "socat is not installed, and the lines need it";
  for (const std::string id : {"robust/byte-by-byte", "robust/pieces-of-seven-bytes"}) {
    expect_shown({id, "rob-split", "http-pieces-decoded-alone", kWhole}, kHttp);
  }
  expect_shown({"http/head-and-body-in-pieces", "http-head-split", "http-head-in-one-segment-only"},
               kHttp);
  expect_shown({"http/body-apart-from-head", "http-head-split", "http-one-segment-only"}, kHttp);
}

TEST(ReproduceInPiecesOverHttp, TheLineCutsBehindTlsToo) {
  if (!is_installed("openssl")) GTEST_SKIP() << "openssl is not installed, and the lines need it";
  expect_shown({"robust/pieces-of-seven-bytes", "rob-split", "http-pieces-decoded-alone", kWhole},
               {"https", {"--tls-self-signed", "--http"}, {"--insecure"}});
}

TEST(ReproduceOnOneConnection, TheLineSendsAllRequestsOnIt) {
  if (!is_installed("socat")) GTEST_SKIP() << "socat is not installed, and the lines need it";
  expect_shown({"http/calls-on-one-connection", "http-keep-alive", "http-closes-after-error"},
               kHttp);
  expect_shown({"http/chunked", "http-chunked", "http-chunked-unread"}, kHttp);
}

TEST(ReproduceOnOneConnection, TheLineHidesWhatMayBeASecret) {
  const auto port = std::to_string(free_port());
  const auto judgement =
      judge(Words{"--select", "robust/byte-by-byte", "--header", "X-Key: hush-hush",
                  "http://127.0.0.1:" + port + "/", "--", reference_program(), "--http", port});
  ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
  const auto& line = judgement.cases.front().reproduce;
  EXPECT_NE(line.find(" \"X-Key: ${X_KEY}\""), std::string::npos) << line;
  EXPECT_EQ(line.find("hush-hush"), std::string::npos) << line;
}

// The connection that was opened last, whichever that is, gets all the answers.
TEST(ReproduceSideBySide, TheLineSaysWhichConnectionWasAnswered) {
  if (!is_installed("socat")) GTEST_SKIP() << "socat is not installed, and the lines need it";
  const Way lines{"tcp", {"--framing", "lines", "--tcp"}, {"--framing", "lines"}};
  const auto port = std::to_string(free_port());
  const std::string fault = "socket-answers-the-last-connection";
  const auto line = line_for({"tcp/calls-side-by-side", "tcp-isolation", fault}, lines, port);
  const Words sound = Words{reference_program()} + lines.door + Words{port};
  const auto answered = [&](const Words& server) {
    const auto printed = printed_by(line, server);
    std::size_t connections = 0;
    for (const std::string which : {"1: {", "2: {", "3: {", "4: {"}) {
      if (count(printed, which) > 0) ++connections;
    }
    return connections;
  };
  EXPECT_EQ(answered(sound), 4U) << line;
  EXPECT_LT(answered(sound + Words{"--fault", fault}), 4U) << line;
}

// Of the ids that the line sends, how many come back.
std::size_t ids_within(const std::string& line, const std::string& printed) {
  const std::string member = "\"id\":";
  std::size_t found = 0;
  for (auto at = line.find(member); at != std::string::npos; at = line.find(member, at + 1)) {
    const auto id = line.substr(at, line.find('}', at) + 1 - at);
    if (count(printed, id) > 0) ++found;
  }
  return found;
}

TEST(ReproduceSideBySide, TheLineHasCallsOverHttpMeet) {
  if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed, and the lines need it";
  const auto port = std::to_string(free_port());
  const std::string fault = "calls-in-flight-crossed";
  const auto line = line_for({"robust/concurrent-calls", "rob-concurrent", fault}, kHttp, port);
  const Words sound = Words{reference_program()} + kHttp.door + Words{port};
  EXPECT_EQ(ids_within(line, printed_by(line, sound)), 3U) << line;
  EXPECT_LT(ids_within(line, printed_by(line, sound + Words{"--fault", fault})), 3U) << line;
}

TEST(ReproduceSideBySide, TheLineHoldsTheConnectionsThatTheRunHeld) {
  if (!is_installed("socat")) GTEST_SKIP() << "socat is not installed, and the lines need it";
  expect_shown({"tcp/half-message-beside", "tcp-isolation", "socket-half-message-stops-others"},
               kTcp);
  expect_shown({"tcp/http-request", "tcp-foreign", "socket-http-request-fatal"}, kTcp);
}

TEST(ReproduceInPiecesOverTcp, TheLineCutsWhereTheRunDid) {
  if (!is_installed("socat")) GTEST_SKIP() << "socat is not installed, and the lines need it";
  expect_shown({"tcp/call-and-a-half", "tcp-coalesced", "socket-forgets-the-tail"}, kTcp);
}

TEST(ReproduceReset, TheLineResetsTheConnection) {
  if (!is_installed("socat") || !is_installed("python3")) {
    GTEST_SKIP() << "the lines need socat and python3";
  }
  const Asked before{"tcp/reset-before-the-answers", "tcp-client-reset",
                     "socket-client-reset-fatal"};
  expect_shown(before, kTcp);
  expect_shown(before, kTls);
  expect_shown(
      {"tcp/reset-within-an-answer", "tcp-client-reset", "socket-reset-within-answer-fatal"}, kTcp);
  expect_shown({"ws/reset-before-the-answers", "ws-isolation", "ws-client-reset-fatal"}, kWs);
}

TEST(ReproduceHalfClose, TheLineClosesTheSendingSideOverTls) {
  if (!is_installed("socat")) GTEST_SKIP() << "socat is not installed, and the lines need it";
  expect_shown({"tcp/half-close", "tcp-half-close", "socket-half-close-drops-answer"}, kTls);
  expect_shown({"tls/half-close", "tls-half-close", "tls-close-notify-ends-all"}, kTls);
}

TEST(ReproduceOverWebSocket, TheLineSaysWhatItNeeds) {
  const auto port = std::to_string(free_port());
  const auto judgement = judge({"--select", "calibration/number-id", "ws://127.0.0.1:" + port + "/",
                                "--", reference_program(), "--ws", port});
  ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
  const auto& line = judgement.cases.front().reproduce;
  ASSERT_EQ(line.rfind("python3 -c ", 0), 0U) << line;
  const TemporaryFolder folder;
  write_file(folder.file("websockets.py"), "raise ImportError\n");
  const auto shell = run_program({"/bin/sh", "-c", line}, {"PYTHONPATH=" + folder.file("")});
  EXPECT_EQ(shell.error, "this needs the package websockets, of Debian python3-websockets\n");
}

}  // namespace reproduce_bytes_test
}  // namespace jrpcheck::testing
