// The whole way, from the command line to the report, over TCP and Unix sockets.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>

#include "testing/doors_for_testing.hpp"
#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_sockets_test {

Words reference_over_tcp(const Words& more) {
  const auto port = std::to_string(free_port());
  return Words{"tcp://127.0.0.1:" + port, "--", reference_program(), "--tcp", port} + more;
}

// What is spoken, behind which door.
class FramingOnASocket : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  const std::string& door() const { return std::get<0>(GetParam()); }
  const std::string& framing() const { return std::get<1>(GetParam()); }

  Words reference_behind_door(const Words& more = {}) const {
    return reference_behind(door_named(door()), folder_, Words{"--framing", framing()} + more);
  }

 private:
  TemporaryFolder folder_;
};

TEST_P(FramingOnASocket, IsFoundOutAndTheReferenceConforms) {
  auto judgement = judge(reference_behind_door());
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.counts["warn"], 0);
  EXPECT_EQ(judgement.target["transport"], door());
  EXPECT_EQ(judgement.target["framing"], framing());
}

// Values one behind the other are found in each of them.
TEST_P(FramingOnASocket, IsFoundOutBehindAMessageThatNobodyAskedFor) {
  auto judgement = judge(Words{"--select", "calibration/*", "--select", "json/*"} +
                         reference_behind_door({"--variant", "notification-at-start"}));
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.target["framing"], framing());
  EXPECT_EQ(listed(judgement.failing()), "");
}

INSTANTIATE_TEST_SUITE_P(, FramingOnASocket,
                         ::testing::Combine(::testing::Values("tcp", "unix", "tls"),
                                            ::testing::Values("lines", "content-length",
                                                              "concatenated", "length32")),
                         [](const auto& param_info) {
                           return std::get<0>(param_info.param) + "_" +
                                  test_name(std::get<1>(param_info.param));
                         });

TEST(ReferenceOverTcp, IsJudgedByTheAnswerThatShowsItsFramingToo) {
  for (const auto& [fault, requirement] :
       {std::pair("reply-without-version-at-first", "res-version"),
        std::pair("reply-cut-at-first", "res-json")}) {
    auto judgement = judge(reference_over_tcp({"--fault", fault}));
    EXPECT_EQ(listed(judgement.failing()), requirement);
  }
}

TEST(ReferenceOverAUnixSocket, ConformsBehindSocat) {
  if (std::system("command -v socat >/dev/null") != 0) GTEST_SKIP() << "there is no socat";
  const TemporaryFolder folder;
  const std::string path = folder.file("socket");
  const auto port = std::to_string(free_port());
  RunningProgram server({reference_program(), "--tcp", port});
  ASSERT_NE(server.first_error_line(), "");
  RunningProgram door(
      {"socat", "-d", "-d", "UNIX-LISTEN:" + path + ",fork", "TCP:127.0.0.1:" + port});
  ASSERT_NE(door.first_error_line().find("listening"), std::string::npos);
  // socat(1) waits for somebody to read what it says of each connection: no more than a few cases.
  auto judgement = judge({"--select", "calibration/*", "--select", "batch/*", "unix:" + path});
  for (auto* each : {&door, &server}) each->send_signal(SIGTERM);
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_GE(judgement.counts["pass"], 20);
}

TEST(ReferenceOverAUnixSocket, IsToldOfWhereEveryUserMayConnect) {
  if (std::getenv("TMPDIR") != nullptr) GTEST_SKIP() << "who gets there is not known";
  for (const auto& [mask, expected] : {std::pair("077", 0), std::pair("0", 1)}) {
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0711));
    const std::string path = folder.file("socket");
    const auto judgement = judge({"--select", "calibration/*", "unix:" + path, "--", "/bin/sh",
                                  "-c", "umask " + std::string(mask) + " && exec \"$@\"", "sh",
                                  reference_program(), "--unix", path});
    EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
    EXPECT_EQ(std::ranges::count(judgement.notes, "The permissions of " + path +
                                                      " let every user of this machine connect "
                                                      "to the server."),
              expected)
        << mask;
  }
}

TEST(ServerOverTcp, ThatServesOneCallAConnectionIsNotFailedForIt) {
  auto judgement = judge(reference_over_tcp({"--variant", "socket-one-call-a-connection"}));
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_EQ(judgement.counts["warn"], 0);
  EXPECT_GT(judgement.counts["pass"], 200);
}

TEST(ServerOverTcp, ThatClosesBehindItsThirdAnswerIsNotFailedForWhatWasSentBehind) {
  auto judgement = judge(reference_over_tcp({"--variant", "socket-three-calls-a-connection"}));
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(listed(judgement.failing()), "");
  EXPECT_EQ(judgement.counts["warn"], 0);
}

TEST(ServerOverTcp, ThatAnswersOnlyAtTheEndOfInputIsRefusedWithAReason) {
  const auto judgement =
      run_program(Words{jrpcheck_program(), "run", "--timeout", "0.3"} +
                  reference_over_tcp({"--variant", "socket-answers-at-the-end"}));
  EXPECT_EQ(judgement.exit_code, 3);
  EXPECT_NE(judgement.error.find("answers nothing until its client closes the sending side"),
            std::string::npos)
      << judgement.error;
}

// socat(1) is what the line needs.
TEST(ReproduceOverTcp, TheLineShowsTheFault) {
  if (std::system("command -v socat >/dev/null") != 0) GTEST_SKIP() << "there is no socat";
  const auto port = std::to_string(free_port());
  RunningProgram server({reference_program(), "--tcp", port, "--fault", "socket-raw-line-feeds"});
  EXPECT_NE(server.first_error_line(), "");
  const auto judgement = judge({"--select", "tcp/line-break-in-id", "tcp://127.0.0.1:" + port});
  const auto charged = judgement.charged("tcp-line-delimiter");
  const std::string line = charged.empty() ? "true" : charged.front()->reproduce;
  const auto printed = run_program({"/bin/sh", "-c", line}).output;
  server.send_signal(SIGTERM);
  EXPECT_EQ(charged.size(), 1U) << judgement.program.error;
  EXPECT_NE(printed.find("\"a\nb\""), std::string::npos) << printed;
}

TEST(ReproduceOverAUnixSocket, TheLineShowsTheFault) {
  if (std::system("command -v socat >/dev/null") != 0) GTEST_SKIP() << "there is no socat";
  const TemporaryFolder folder;
  const std::string path = folder.file("socket");
  RunningProgram server({reference_program(), "--unix", path, "--fault", "socket-raw-line-feeds"});
  EXPECT_NE(server.first_error_line(), "");
  const auto judgement = judge({"--select", "tcp/line-break-in-id", "unix:" + path});
  const auto charged = judgement.charged("tcp-line-delimiter");
  const std::string line = charged.empty() ? "true" : charged.front()->reproduce;
  const auto printed = run_program({"/bin/sh", "-c", line}).output;
  server.send_signal(SIGTERM);
  EXPECT_EQ(charged.size(), 1U) << judgement.program.error;
  EXPECT_NE(line.find("UNIX-CONNECT:"), std::string::npos) << line;
  EXPECT_NE(printed.find("\"a\nb\""), std::string::npos) << printed;
}

TEST(ReproduceOverTcp, TheLineOfAHalfCloseShowsTheFault) {
  if (std::system("command -v socat >/dev/null") != 0) GTEST_SKIP() << "there is no socat";
  for (const bool is_faulty : {true, false}) {
    const auto port = std::to_string(free_port());
    RunningProgram server(is_faulty ? Words{reference_program(), "--tcp", port, "--fault",
                                            "socket-half-close-drops-answer"}
                                    : Words{reference_program(), "--tcp", port});
    EXPECT_NE(server.first_error_line(), "");
    const auto judgement = judge({"--select", "tcp/half-close", "tcp://127.0.0.1:" + port});
    ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
    const auto printed = run_program({"/bin/sh", "-c", judgement.cases[0].reproduce}).output;
    server.send_signal(SIGTERM);
    EXPECT_EQ(judgement.charged("tcp-half-close").empty(), !is_faulty);
    EXPECT_EQ(printed.find("\"id\"") == std::string::npos, is_faulty) << printed;
  }
}

}  // namespace spine_sockets_test
}  // namespace jrpcheck::testing
