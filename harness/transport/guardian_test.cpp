#include "transport/guardian.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "transport/child_process.hpp"
#include "transport/descendants.hpp"
#include "transport/process_for_testing.hpp"

namespace jrpcheck::transport {
namespace guardian_test {

using testing::read_line;
using testing::shell;
using testing::soon;
using testing::WatchedProcess;

using Pair = std::array<pid_t, 2>;

// Reads what another process of this test has written; false when it ended without.
template <typename T>
bool read_value(int descriptor, T& value) {
  ssize_t count = 0;
  do {
    count = ::read(descriptor, &value, sizeof value);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof value);
}

template <typename T>
void write_value(int descriptor, const T& value) {
  if (::write(descriptor, &value, sizeof value) != static_cast<ssize_t>(sizeof value)) ::_exit(9);
}

// Runs `hold` in a process of its own, which is killed once `hold` has returned the processes that
// it started and this process has begun to watch them.
template <typename Hold>
Pair kill_holder(Hold hold, std::vector<WatchedProcess>& watched) {
  auto [told_reading, told_writing] = make_pipe();
  auto [go_reading, go_writing] = make_pipe();
  const pid_t holder = ::fork();
  if (holder == 0) {
    told_reading.reset();
    go_writing.reset();
    hold([tell = told_writing.get(), wait = go_reading.get()](const auto& started) {
      write_value(tell, started);
      char go = 0;
      read_value(wait, go);
      ::kill(::getpid(), SIGKILL);
    });
    ::_exit(8);
  }
  told_writing.reset();
  Pair started{};
  EXPECT_TRUE(read_value(told_reading.get(), started));
  for (const pid_t each : started) watched.emplace_back(each);
  for (const auto& each : watched) EXPECT_TRUE(each.is_running());
  write_value(go_writing.get(), 'g');
  int status = 0;
  ::waitpid(holder, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return started;
}

Pair pair_from(const std::string& line) {
  const auto space = line.find(' ');
  return {static_cast<pid_t>(std::stol(line.substr(0, space))),
          static_cast<pid_t>(std::stol(line.substr(space + 1)))};
}

// Starts a program that prints two processes, and is killed with it.
template <typename Before>
auto holder_of(const std::string& script, Before before) {
  return [script, before](const auto& await_death) {
    auto guardian = Guardian::start();
    if (!guardian) ::_exit(7);
    auto program = ChildProcess::start(shell(script), ChildProcess::Output::piped, **guardian);
    if (!program) ::_exit(6);
    const auto started = pair_from(read_line((*program)->stream()));
    before();
    await_death(started);
  };
}

// In a session of its own, without a parent that lives, and with no variable of the environment.
constexpr const char* kDaemon =
    "(env -i setsid /bin/sh -c 'trap \"\" HUP TERM INT; echo \"$$\" >&3; exec sleep 1000' "
    "3>&1 >/dev/null & ) | { read daemon; echo \"$$ $daemon\"; cat >/dev/null; }";

TEST(Guardian, KillsTheProgramsOfAProcessThatIsKilled) {
  std::vector<WatchedProcess> watched;
  kill_holder(holder_of("sleep 1000 & echo \"$$ $!\"; wait", [] {}), watched);
  for (const auto& each : watched) EXPECT_TRUE(each.has_ended_by(soon()));
}

TEST(Guardian, KillsDaemonsOfAProcessThatIsKilled) {
  std::vector<WatchedProcess> watched;
  kill_holder(holder_of(kDaemon, [] {}), watched);
  for (const auto& each : watched) EXPECT_TRUE(each.has_ended_by(soon()));
}

TEST(Guardian, RemovesAFolderOfAProcessThatIsKilled) {
  std::string around = (std::filesystem::temp_directory_path() / "jrpcheck-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(around.data()), nullptr);
  std::vector<WatchedProcess> watched;
  kill_holder(
      [&](const auto& await_death) {
        auto guardian = Guardian::start();
        if (!guardian) ::_exit(7);
        const auto folder = (*guardian)->make_folder(around + "/folder-XXXXXX");
        if (!folder) ::_exit(5);
        auto program = ChildProcess::start(shell("touch '" + *folder + "/cache'; " + kDaemon),
                                           ChildProcess::Output::piped, **guardian);
        if (!program) ::_exit(6);
        await_death(pair_from(read_line((*program)->stream())));
      },
      watched);
  const auto deadline = soon();
  while (!std::filesystem::is_empty(around) && !deadline.passed()) std::this_thread::yield();
  EXPECT_TRUE(std::filesystem::is_empty(around));
  std::filesystem::remove_all(around);
}

TEST(Guardian, TakesNoNoticeOfTheSignalsThatEndTheProcessItServes) {
  std::vector<WatchedProcess> watched;
  const auto signal_all = [] {
    for (const pid_t guardian : children_of(::getpid())) {
      for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::kill(guardian, signal);
    }
  };
  kill_holder(holder_of(kDaemon, signal_all), watched);
  for (const auto& each : watched) EXPECT_TRUE(each.has_ended_by(soon()));
}

TEST(Guardian, ProgramsEndWithAGuardianThatIsKilled) {
  auto guardian = Guardian::start();
  ASSERT_TRUE(guardian);
  auto program = ChildProcess::start(shell("echo up; exec sleep 1000"), ChildProcess::Output::piped,
                                     **guardian);
  ASSERT_TRUE(program);
  read_line((*program)->stream());
  for (const pid_t each : children_of(::getpid())) ::kill(each, SIGKILL);
  ASSERT_TRUE((*program)->await_exit(soon()));
  EXPECT_EQ((*program)->exit_status()->text(), "was killed by signal 9 (Killed)");
  const auto another =
      ChildProcess::start(shell("exit 0"), ChildProcess::Output::piped, **guardian);
  ASSERT_FALSE(another);
  EXPECT_EQ(another.error().message, "cannot start a process: what watches over them was killed");
}

TEST(Guardian, DaemonsEndWithAProcessWhoseGuardianIsKilled) {
  auto [told_reading, told_writing] = make_pipe();
  auto [go_reading, go_writing] = make_pipe();
  const pid_t holder = ::fork();
  if (holder == 0) {
    go_writing.reset();
    {
      auto guardian = Guardian::start();
      if (!guardian) ::_exit(7);
      auto program = ChildProcess::start(shell(kDaemon), ChildProcess::Output::piped, **guardian);
      if (!program) ::_exit(6);
      write_value(told_writing.get(), pair_from(read_line((*program)->stream()))[1]);
      char go = 0;
      read_value(go_reading.get(), go);
      for (const pid_t each : children_of(::getpid())) ::kill(each, SIGKILL);
    }
    ::_exit(0);
  }
  pid_t daemon = 0;
  ASSERT_TRUE(read_value(told_reading.get(), daemon));
  const WatchedProcess watched(daemon);
  write_value(go_writing.get(), 'g');
  EXPECT_TRUE(watched.has_ended_by(soon()));
  int status = 0;
  ::waitpid(holder, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

class DaemonOfAProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    auto guardian = Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
  }
  std::unique_ptr<ChildProcess> start(const std::string& script) {
    auto started = ChildProcess::start(shell(script), ChildProcess::Output::piped, *guardian_);
    if (!started) throw std::runtime_error(started.error().message);
    return *std::move(started);
  }
  std::unique_ptr<Guardian> guardian_;
};

TEST_F(DaemonOfAProgram, EndsWithTheProgram) {
  auto program = start(kDaemon);
  const WatchedProcess daemon(pair_from(read_line(program->stream()))[1]);
  EXPECT_TRUE(daemon.is_running());
  program.reset();
  EXPECT_TRUE(daemon.has_ended_by(Deadline::in(microseconds(0)))) << "it was waited for";
  EXPECT_EQ(guardian_->left_behind(), "");
}

TEST_F(DaemonOfAProgram, EndsWithTheLastProgramWhereItsOwnHasEndedBefore) {
  auto other = start("echo up; exec cat");
  read_line(other->stream());
  const std::string script(kDaemon);
  auto program = start(script.substr(0, script.rfind("cat >/dev/null")) + "}");
  const WatchedProcess daemon(pair_from(read_line(program->stream()))[1]);
  ASSERT_TRUE(program->await_exit(soon()));
  program.reset();
  EXPECT_TRUE(daemon.is_running()) << "it may be the other's";
  other.reset();
  EXPECT_TRUE(daemon.has_ended_by(Deadline::in(microseconds(0))));
}

TEST_F(DaemonOfAProgram, EndsThoughItStartsAnotherAllTheTime) {
  auto program = start(
      "chain() { sleep 0.01; (chain) & exit; }; (chain >/dev/null 2>&1 </dev/null) & "
      "echo up; exec cat");
  read_line(program->stream());
  program.reset();
  guardian_.reset();
  // What was dying as the guardian went has come to this process, which is a subreaper as well.
  const Deadline deadline = soon();
  while (!children_of(::getpid()).empty() && !deadline.passed()) ::waitpid(-1, nullptr, WNOHANG);
  EXPECT_TRUE(children_of(::getpid()).empty());
}

}  // namespace guardian_test
}  // namespace jrpcheck::transport
