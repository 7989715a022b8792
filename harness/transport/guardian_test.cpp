#include "transport/guardian.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "transport/child_process.hpp"
#include "transport/process_for_testing.hpp"

namespace jrpcheck::transport {
namespace {

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

// A process group of one that does nothing until it is killed.
pid_t fork_idle_group() {
  const pid_t process = ::fork();
  if (process == 0) {
    ::setpgid(0, 0);
    // A program, because a mere copy of this process would keep the guardian's pipe open.
    ::execlp("sleep", "sleep", "1000", nullptr);
    ::_exit(127);
  }
  ::setpgid(process, process);
  return process;
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

TEST(Guardian, KillsTheProgramsOfAProcessThatIsKilled) {
  std::vector<WatchedProcess> watched;
  kill_holder(
      [](const auto& await_death) {
        auto guardian = Guardian::start();
        if (!guardian) ::_exit(7);
        auto program = ChildProcess::start(shell("sleep 1000 & echo \"$$ $!\"; wait"),
                                           ChildProcess::Output::piped, **guardian);
        if (!program) ::_exit(6);
        const std::string line = read_line((*program)->stream());
        const auto space = line.find(' ');
        await_death(Pair{static_cast<pid_t>(std::stol(line.substr(0, space))),
                         static_cast<pid_t>(std::stol(line.substr(space + 1)))});
      },
      watched);
  for (const auto& each : watched) EXPECT_TRUE(each.has_ended_by(soon()));
}

TEST(Guardian, LeavesAloneWhatHasBeenReleased) {
  std::vector<WatchedProcess> watched;
  const auto started = kill_holder(
      [](const auto& await_death) {
        auto guardian = Guardian::start();
        if (!guardian) ::_exit(7);
        const pid_t released = fork_idle_group();
        const pid_t kept = fork_idle_group();
        (*guardian)->watch(released);
        (*guardian)->watch(kept);
        (*guardian)->release(released);
        await_death(Pair{released, kept});
      },
      watched);
  // They would be killed in the order in which they were named.
  EXPECT_TRUE(watched[1].has_ended_by(soon()));
  EXPECT_TRUE(watched[0].is_running());
  ::kill(started[0], SIGKILL);
}

TEST(Guardian, KillsWhatIsStillWatchedWhenItIsDestroyed) {
  auto guardian = Guardian::start();
  ASSERT_TRUE(guardian);
  const pid_t process = fork_idle_group();
  (*guardian)->watch(process);
  guardian->reset();
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

}  // namespace
}  // namespace jrpcheck::transport
