#include "transport/child_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "transport/process_for_testing.hpp"

namespace jrpcheck::transport {
namespace child_process_test {

using testing::read_line;
using testing::read_to_end;
using testing::shell;
using testing::soon;
using testing::WatchedProcess;

using Output = ChildProcess::Output;

class ChildProcessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ignore_broken_pipes();
    auto guardian = Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
  }

  std::unique_ptr<ChildProcess> start(const std::vector<std::string>& command,
                                      Output output = Output::piped) {
    auto started = ChildProcess::start(command, output, *guardian_);
    if (!started) throw std::runtime_error(started.error().message);
    return *std::move(started);
  }

  std::string error_of_starting(const std::vector<std::string>& command) {
    const auto started = ChildProcess::start(command, Output::piped, *guardian_);
    return started ? "it started" : started.error().message;
  }

  std::string end_of(const std::string& script) {
    const auto status = start(shell(script))->await_exit(soon());
    return status ? status->text() : "it did not end";
  }

  std::unique_ptr<Guardian> guardian_;
};

bool has_zombie_child() {
  siginfo_t info{};
  ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid != 0;
}

pid_t pid_from(const std::string& line) { return static_cast<pid_t>(std::stol(line)); }

TEST_F(ChildProcessTest, ArgumentsArriveUntouched) {
  const auto process = start(
      {"printf", "<%s>", "two words", "", "'\"", "$HOME;*|&", "line\nfeed", "\xC3\xA9", "-n"});
  EXPECT_EQ(read_to_end(process->stream()),
            "<two words><><'\"><$HOME;*|&><line\nfeed><\xC3\xA9><-n>");
}

TEST_F(ChildProcessTest, ProgramThatIsNotThereIsAnErrorThatNamesIt) {
  EXPECT_EQ(error_of_starting({"jrpcheck-no-such-program", "--flag"}),
            "cannot start 'jrpcheck-no-such-program': No such file or directory");
  EXPECT_EQ(error_of_starting({""}), "cannot start '': No such file or directory");
}

TEST_F(ChildProcessTest, FileThatIsNoProgramIsAnErrorThatNamesIt) {
  EXPECT_EQ(error_of_starting({"/etc/passwd"}), "cannot start '/etc/passwd': Permission denied");
  EXPECT_FALSE(has_zombie_child());
}

TEST_F(ChildProcessTest, ExitCodeIsTold) {
  EXPECT_EQ(end_of("exit 0"), "exited with code 0");
  EXPECT_EQ(end_of("exit 7"), "exited with code 7");
}

TEST_F(ChildProcessTest, SignalIsToldByNumberAndName) {
  EXPECT_EQ(end_of("kill -SEGV $$"), "was killed by signal 11 (Segmentation fault)");
  EXPECT_EQ(end_of("kill -KILL $$"), "was killed by signal 9 (Killed)");
}

TEST_F(ChildProcessTest, StatusIsKnownOnlyOnceItHasEnded) {
  const auto process = start({"cat"});
  EXPECT_FALSE(process->exit_status());
  EXPECT_FALSE(process->await_exit(Deadline::in(milliseconds(1))));
  process->stream().close_write();
  EXPECT_TRUE(process->await_exit(soon()));
  EXPECT_EQ(process->exit_status()->text(), "exited with code 0");
}

TEST_F(ChildProcessTest, FloodOnStandardErrorDoesNotStallTheProgramAndItsTailIsKept) {
  const auto process =
      start(shell("head -c 10485760 /dev/zero | tr '\\0' x >&2; echo last >&2; echo through"));
  EXPECT_EQ(read_to_end(process->stream()), "through\n");
  ASSERT_TRUE(process->await_exit(soon()));
  const std::string tail = process->standard_error_tail();
  EXPECT_EQ(tail, std::string(8192 - 5, 'x') + "last\n");
}

TEST_F(ChildProcessTest, TailHoldsWhatWasWrittenRightBeforeTheEnd) {
  const auto process = start(shell("echo 'cannot bind' >&2; exit 1"));
  ASSERT_TRUE(process->await_exit(soon()));
  EXPECT_EQ(process->standard_error_tail(), "cannot bind\n");
  EXPECT_EQ(process->standard_error_tail(), "cannot bind\n");
}

TEST_F(ChildProcessTest, DescendantThatGoesOnWritingIsNotListenedToForEver) {
  auto process = start(shell("setsid sh -c 'echo $$; exec yes >&2' & exit 0"));
  const WatchedProcess flood(pid_from(read_line(process->stream())));
  ASSERT_TRUE(process->await_exit(soon()));
  EXPECT_LE(process->standard_error_tail().size(), 8192U);
  process.reset();
  EXPECT_TRUE(flood.has_ended_by(soon()));  // nobody reads it any more
}

TEST_F(ChildProcessTest, NotedOutputIsKeptWithStandardError) {
  const auto process = start(shell("echo out; echo err >&2"), Output::noted);
  ASSERT_TRUE(process->await_exit(soon()));
  EXPECT_EQ(process->standard_error_tail(), "out\nerr\n");
}

// Some serve for no longer than it lasts. timeout(1) says by 124 that no end came.
TEST_F(ChildProcessTest, InputOfANotedProgramStaysOpenAndEmpty) {
  const auto process = start(shell("timeout 0.1 cat; echo $?"), Output::noted);
  ASSERT_TRUE(process->await_exit(soon()));
  EXPECT_EQ(process->standard_error_tail(), "124\n");
}

TEST_F(ChildProcessTest, DestructionLeavesNoGrandchildAndNoZombie) {
  auto process = start(shell("sleep 1000 & echo $!; wait"));
  const WatchedProcess grandchild(pid_from(read_line(process->stream())));
  ASSERT_TRUE(grandchild.is_running());
  process.reset();
  EXPECT_TRUE(grandchild.has_ended_by(soon()));
  EXPECT_FALSE(has_zombie_child());
}

TEST_F(ChildProcessTest, GrandchildIsEndedAlsoWhenItsParentHasLeftBefore) {
  auto process = start(shell("sleep 1000 & echo $!"));
  const WatchedProcess grandchild(pid_from(read_line(process->stream())));
  ASSERT_TRUE(process->await_exit(soon()));
  EXPECT_TRUE(grandchild.is_running());
  process.reset();
  EXPECT_TRUE(grandchild.has_ended_by(soon()));
  EXPECT_FALSE(has_zombie_child());
}

TEST_F(ChildProcessTest, EndOfInputIsEnoughForAProgramThatReads) {
  const auto process = start({"cat"});
  process->end(std::chrono::seconds(20));
  EXPECT_EQ(process->exit_status()->text(), "exited with code 0");
}

TEST_F(ChildProcessTest, TerminationIsAskedForBeforeItIsForced) {
  const auto process = start(shell("trap 'exit 3' TERM; echo ready; sleep 1000 & wait"));
  ASSERT_EQ(read_line(process->stream()), "ready");
  process->end(milliseconds(300));
  EXPECT_EQ(process->exit_status()->text(), "exited with code 3");
}

TEST_F(ChildProcessTest, ProgramThatIgnoresTerminationIsKilledAfterTheGrace) {
  const auto process = start(shell("trap '' TERM; echo ready; while :; do sleep 1000; done"));
  ASSERT_EQ(read_line(process->stream()), "ready");
  const auto begin = Clock::now();
  process->end(milliseconds(30));
  EXPECT_EQ(process->exit_status()->text(), "was killed by signal 9 (Killed)");
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(ChildProcessTest, MebibyteThroughCatNeedsOneLoopAndDoesNotDeadlock) {
  const auto process = start({"cat"});
  std::string sent;
  for (int i = 0; sent.size() < 1U << 20; ++i) sent += std::to_string(i) + ' ';
  std::string_view out = sent;
  std::string in;
  const Deadline deadline = soon();
  while (in.size() < sent.size() && !deadline.passed()) {
    const Transfer done = process->stream().transfer(out, in, deadline);
    out.remove_prefix(done.written);
    ASSERT_FALSE(done.broken || done.ended);
  }
  EXPECT_TRUE(in == sent);
}

TEST_F(ChildProcessTest, SilenceIsTimedOutAndNothingElse) {
  const auto process = start({"cat"});
  std::string in;
  const Transfer done = process->stream().transfer({}, in, Deadline::in(milliseconds(5)));
  EXPECT_TRUE(done.timed_out);
  EXPECT_FALSE(done.received || done.ended || done.broken);
}

TEST_F(ChildProcessTest, ClosedInputIsBrokenAndOutputIsStillRead) {
  const auto process = start(shell("exec <&-; echo ready; echo more"));
  ASSERT_TRUE(process->await_exit(soon()));
  std::string in;
  EXPECT_TRUE(process->stream().transfer("lost", in, soon()).broken);
  EXPECT_EQ(in + read_to_end(process->stream()), "ready\nmore\n");
}

TEST_F(ChildProcessTest, StartsWithItsStreamsInPlaceWhereOurOwnAreClosed) {
  const auto echoes = [this] {
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
    const auto process = start({"cat"});
    std::string in;
    process->stream().transfer("there", in, soon());
    process->stream().close_write();
    return in + read_to_end(process->stream()) == "there";
  };
  EXPECT_EXIT(std::_Exit(echoes() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

}  // namespace child_process_test
}  // namespace jrpcheck::transport
