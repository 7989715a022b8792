// What is watched goes on as if nobody watched, and is judged.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_watch_test {

Words watch(const Words& options) { return Words{JRPCHECK_PROGRAM, "watch"} + options; }

// The server is judged as if nothing stood before it: what it is sent and what it says is the same.
TEST(Watch, ProgramThatIsWatchedIsJudgedAsWithout) {
  const TemporaryFolder folder;
  for (const std::string framing : {"lines", "content-length"}) {
    const auto server = Words{"--", reference_program(), "--stdio", "--framing", framing};
    const auto judgement =
        judge(Words{"--framing", framing, "--"} +
              watch(Words{"--report", "json=" + folder.file("watched.json")} + server));
    EXPECT_EQ(judgement.verdict, "conforms") << framing;
  }
}

TEST(Watch, ServersOnSocketsAreJudgedAsWithout) {
  for (const std::string door : {"http", "tcp", "ws"}) {
    const int port = free_port();
    RunningProgram server({reference_program(), "--" + door, std::to_string(port)});
    server.first_error_line();
    const int watched = free_port();
    const std::string target = door + "://127.0.0.1:" + std::to_string(port);
    RunningProgram watching(watch({"--listen", std::to_string(watched), target}));
    watching.first_error_line();
    const auto judgement = judge({door + "://127.0.0.1:" + std::to_string(watched)});
    EXPECT_EQ(judgement.verdict, "conforms") << door;
    watching.send_signal(SIGTERM);
    const auto told = watching.finish();
    // The corpus breaks every rule of clients; the server breaks none.
    EXPECT_EQ(told.exit_code, 1) << told.error;
    EXPECT_NE(told.error.find("  client  FAIL  cl-req-json"), std::string::npos);
    EXPECT_EQ(told.error.find("  server  FAIL"), std::string::npos) << door << told.error;
    EXPECT_FALSE(told.left_processes);
    server.send_signal(SIGTERM);
  }
}

// A client that keeps to the rules: calls, an unknown method, a Notification, a batch.
constexpr const char* kCarefulClient = R"(
import json, sys, urllib.request
def post(message):
    request = urllib.request.Request(sys.argv[1], json.dumps(message).encode(), {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
    with urllib.request.urlopen(request, timeout=20) as response:
        return response.headers.get("Content-Type", ""), response.read().decode()
def call(n, method): return {"jsonrpc": "2.0", "method": method, "params": [n, 1], "id": n}
for n in range(1, 4):
    kind, body = post(call(n, "subtract"))
    print(kind, body.count("data:"))
post(call(4, "nobody-has-this"))
post({"jsonrpc": "2.0", "method": "update", "params": [1]})
post([call(5, "subtract"), call(6, "subtract")])
)";

ProgramResult watch_event_streams(const Words& fault, std::string* heard) {
  RunningProgram server(Words{reference_program(), "--sse", "0"} + fault);
  const std::string listening = server.first_error_line();
  const int watched = free_port();
  RunningProgram watching(watch({"--listen", std::to_string(watched), "--fail-on", "warn",
                                 listening.substr(listening.rfind(' ') + 1)}));
  watching.first_error_line();
  const auto client = run_program({"/usr/bin/python3", "-c", kCarefulClient,
                                   "http://127.0.0.1:" + std::to_string(watched) + "/"});
  EXPECT_EQ(client.exit_code, 0) << client.error;
  *heard = client.output;
  watching.send_signal(SIGTERM);
  auto told = watching.finish();
  server.send_signal(SIGTERM);
  return told;
}

TEST(Watch, EventStreamsPassAndAreChargedWithNothing) {
  std::string heard;
  const auto told = watch_event_streams({}, &heard);
  EXPECT_EQ(told.exit_code, 0) << told.error;
  EXPECT_EQ(told.error.find("  client  "), std::string::npos) << told.error;
  EXPECT_EQ(told.error.find("  server  "), std::string::npos) << told.error;
  EXPECT_NE(told.error.find("6 calls (0 unanswered), 1 notification, 1 batch"), std::string::npos)
      << told.error;
  EXPECT_EQ(heard, "text/event-stream 1\ntext/event-stream 1\ntext/event-stream 1\n");
}

TEST(Watch, FaultsOfEventStreamsAreSeen) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"sse-answered-twice", "  server  FAIL  res-once"},
      {"sse-response-lost", "  server  FAIL  res-always"},
      {"sse-two-messages-in-an-event", "  server  FAIL  res-json"}};
  for (const auto& [fault, line] : faults) {
    std::string heard;
    const auto told = watch_event_streams({"--fault", fault}, &heard);
    EXPECT_EQ(told.exit_code, 1) << fault << told.error;
    EXPECT_NE(told.error.find(line), std::string::npos) << fault << told.error;
    EXPECT_EQ(told.error.find("  client  "), std::string::npos) << fault << told.error;
  }
}

TEST(Watch, ExitCodeOfTheProgramIsPassedOn) {
  EXPECT_EQ(run_program(watch({"--", "sh", "-c", "exit 7"})).exit_code, 7);
  EXPECT_EQ(run_program(watch({"--", "sh", "-c", "kill -9 $$"})).exit_code, 128 + SIGKILL);
  const auto absent = run_program(watch({"--", "/nowhere/server"}));
  EXPECT_EQ(absent.exit_code, 3) << absent.error;
}

TEST(Watch, ServerThatCannotBeReachedIsToldByTheExitCode) {
  for (const auto& [fail_on, code] : {std::pair("fail", 3), std::pair("never", 0)}) {
    const int watched = free_port();
    RunningProgram watching(watch({"--listen", std::to_string(watched), "--fail-on", fail_on,
                                   "http://127.0.0.1:" + std::to_string(free_port()) + "/"}));
    watching.first_error_line();
    EXPECT_EQ(
        run_program({JRPCHECK_PROGRAM, "run", "http://127.0.0.1:" + std::to_string(watched) + "/"})
            .exit_code,
        3);
    watching.send_signal(SIGTERM);
    const auto told = watching.finish();
    EXPECT_EQ(told.exit_code, code) << told.error;
  }
}

TEST(Watch, FindingsMayDecideTheExitCode) {
  const std::string wrong = "echo '{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":1}'";
  EXPECT_EQ(run_program(watch({"--", "sh", "-c", wrong})).exit_code, 0);
  EXPECT_EQ(run_program(watch({"--fail-on", "fail", "--", "sh", "-c", wrong})).exit_code, 1);
}

TEST(Watch, StandardOutputAndErrorOfTheProgramAreItsOwn) {
  const auto told = run_program(watch({"--", "sh", "-c", "echo out; echo err >&2"}));
  EXPECT_EQ(told.output, "out\n");
  EXPECT_NE(told.error.find("err\n"), std::string::npos);
}

// Its standard error is a pipe that is full, and that nobody reads.
constexpr const char* kNobodyReads = R"(
import os, subprocess, sys
reading, writing = os.pipe()
os.set_blocking(writing, False)
try:
    while True: os.write(writing, b"x" * 4096)
except BlockingIOError: os.set_blocking(writing, True)
call = b'{"jsonrpc":"2.0","id":1,"method":"get_data"}\n'
watched = subprocess.run(sys.argv[1:], input=call, stdout=subprocess.PIPE, stderr=writing, timeout=60)
print(watched.returncode, watched.stdout.count(b'"id":1'))
)";

TEST(Watch, WhoDoesNotReadWhatIsToldIsNotWaitedForWithoutEnd) {
  const auto told = run_program(Words{"/usr/bin/python3", "-c", kNobodyReads} +
                                watch({"--", reference_program(), "--stdio"}));
  EXPECT_EQ(told.output, "0 1\n") << told.error;
}

TEST(Watch, TerminalIsLeftAsItWas) {
  constexpr const char* kScript = R"(
import fcntl, os, subprocess, sys
terminal, output = os.openpty()
before = fcntl.fcntl(output, fcntl.F_GETFL)
subprocess.run([sys.argv[1], "watch", "--", "cat"], input=b"", stdout=output,
               stderr=subprocess.DEVNULL)
print(fcntl.fcntl(output, fcntl.F_GETFL) == before)
)";
  const auto told = run_program({"/usr/bin/python3", "-c", kScript, JRPCHECK_PROGRAM});
  EXPECT_EQ(told.output, "True\n") << told.error;
}

TEST(Watch, FullDiskStopsTheRecordingAlone) {
  const auto told = run_program(watch({"--record", "/dev/full", "--", "sh", "-c", "echo '{}'"}));
  EXPECT_EQ(told.output, "{}\n");
  EXPECT_NE(told.error.find("/dev/full cannot be written to, nothing more is recorded"),
            std::string::npos)
      << told.error;
  const auto nowhere =
      run_program(watch({"--record", "/nowhere/x", "--", "sh", "-c", "echo '{}'"}));
  EXPECT_EQ(nowhere.output, "{}\n");
  EXPECT_NE(
      nowhere.error.find("/nowhere/x cannot be written to, nothing is recorded: No such file"),
      std::string::npos)
      << nowhere.error;
}

TEST(Watch, QuietTellsTheVerdictAndTheNumbersAlone) {
  const Words server = {"--", "sh", "-c", "echo '{\"result\":1,\"id\":1}'"};
  EXPECT_NE(run_program(watch(server)).error.find("  server  FAIL"), std::string::npos);
  const auto told = run_program(watch(Words{"--quiet"} + server));
  EXPECT_EQ(told.error.find("  server  FAIL"), std::string::npos) << told.error;
  EXPECT_NE(told.error.find("0 calls (0 unanswered)"), std::string::npos) << told.error;
  EXPECT_NE(told.error.find("\nfails"), std::string::npos) << told.error;
}

// The server takes no notice of the end of its input, nor of SIGTERM, and owes an answer.
TEST(Watch, TimeThatIsUpEndsItAndChargesNoAnswerThatWasUnderWay) {
  const TemporaryFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  const auto told = run_program(
      Words{"sh", "-c",
            "mkfifo \"$0\"; exec 3<>\"$0\"; echo '{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":1}' "
            ">&3; exec \"$@\" <&3",
            folder.file("input")} +
      watch({"--max-time", "4", "--fail-on", "warn", "--framing", "lines", "--", "sh", "-c",
             "trap '' TERM; read line; while :; do sleep 1; done"}));
  // The bound is a second; the machine may be busy.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(7));
  EXPECT_NE(told.error.find("stopped by --max-time"), std::string::npos) << told.error;
  EXPECT_NE(told.error.find("1 call (1 unanswered)"), std::string::npos) << told.error;
  EXPECT_EQ(told.error.find("  server  "), std::string::npos) << told.error;
  EXPECT_EQ(told.exit_code, 128 + SIGKILL) << told.error;
  EXPECT_FALSE(told.left_processes);
  EXPECT_EQ(run_program(watch({"--max-time", "-1", "--", "true"})).exit_code, 2);
}

// As Emacs ends every language server.
TEST(Watch, WhoKillsItsGroupGetsTheReportAllTheSame) {
  const TemporaryFolder folder;
  const auto report = folder.file("report.json");
  RunningProgram watching(watch({"--report", "json=" + report, "--framing", "lines", "--", "sh",
                                 "-c", "echo '{\"result\":1,\"id\":1}'; echo >&9; exec sleep 60"}));
  ASSERT_TRUE(watching.await_output("result"));
  ASSERT_TRUE(watching.await_word());
  watching.kill_group();
  const auto told = watching.finish();
  EXPECT_EQ(told.exit_code, 128 + SIGKILL);
  EXPECT_TRUE(contains(told.error, "\nfails")) << told.error;
  EXPECT_TRUE(contains(read_file(report), "\"verdict\": \"fails\""));
  EXPECT_FALSE(told.left_processes);
}

TEST(Watch, WhatIsRecordedIsJudgedAgain) {
  const TemporaryFolder folder;
  const auto file = folder.file("traffic.jsonl");
  run_program(watch({"--record", file, "--", "sh", "-c", "echo '{\"result\":1,\"id\":1}'"}));
  const auto judged = run_program({JRPCHECK_PROGRAM, "judge", file});
  EXPECT_EQ(judged.exit_code, 1) << judged.error;
  EXPECT_NE(judged.output.find("res-version"), std::string::npos);
}

TEST(Watch, MistakesOfUsageAreNamed) {
  EXPECT_EQ(run_program(watch({})).exit_code, 2);
  EXPECT_EQ(run_program(watch({"http://127.0.0.1:1/"})).exit_code, 2);
  EXPECT_EQ(run_program(watch({"--listen", "x", "http://127.0.0.1:1/"})).exit_code, 2);
  const auto port = run_program(watch({"--listen", "127.0.0.1:99999", "http://127.0.0.1:1/"}));
  EXPECT_EQ(port.exit_code, 2);
  EXPECT_NE(port.error.find("from 0 to 65535"), std::string::npos) << port.error;
  EXPECT_EQ(run_program(watch({"--report", "json=-", "--", "true"})).exit_code, 2);
}

}  // namespace spine_watch_test
}  // namespace jrpcheck::testing
