#include "transport/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace jrpcheck::transport {
namespace {

constexpr std::size_t kTailBytes = 8U << 10;

struct ChildDescriptors {
  int input, output, error;
  int report;  // takes errno when exec fails
};

// Runs between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* arguments, const ChildDescriptors& descriptors,
                         Guardian& guardian) {
  ::setpgid(0, 0);
  // Told by the child itself: were this process killed now, before it could tell, the child's copy
  // of the guardian's pipe would still keep the guardian reading until exec.
  guardian.watch(::getpid());
  ::dup2(descriptors.input, STDIN_FILENO);
  ::dup2(descriptors.output, STDOUT_FILENO);
  ::dup2(descriptors.error, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const auto count = ::write(descriptors.report, &error, sizeof error);
  ::_exit(127);
}

// 0 when the program was executed, else the errno of the attempt.
int exec_error(int report) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(report, &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof error) ? error : 0;
}

bool await_readable(int descriptor, Deadline deadline) {
  pollfd polled{descriptor, POLLIN, 0};
  for (;;) {
    const int ready = ::poll(&polled, 1, deadline.next_look_ms());
    if (ready > 0) return true;
    if (ready == 0 && deadline.passed()) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

std::size_t pipe_capacity(int descriptor) {
  const int size = ::fcntl(descriptor, F_GETPIPE_SZ);
  return size > 0 ? static_cast<std::size_t>(size) : 1U << 20;
}

}  // namespace

std::string ExitStatus::text() const {
  if (!by_signal) return "exited with code " + std::to_string(value);
  return "was killed by signal " + std::to_string(value) + " (" + ::strsignal(value) + ")";
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& command,
                                                          Output output, Guardian& guardian) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);

  const bool piped = output == Output::piped;
  auto [input_reading, input_writing] = make_pipe();
  auto [output_reading, output_writing] = make_pipe();
  auto [error_reading, error_writing] = make_pipe();
  auto [report_reading, report_writing] = make_pipe();
  const ChildDescriptors descriptors{input_reading.get(),
                                     piped ? output_writing.get() : error_writing.get(),
                                     error_writing.get(), report_writing.get()};
  // A fork copies the tables of all pages, which for a large corpus takes longer than the program
  // takes to start; become() does nothing but what a child that shares them may do.
  const pid_t process = ::vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (process < 0) return Error{std::string("cannot start a process: ") + std::strerror(errno)};
  // NOLINTNEXTLINE(clang-analyzer-unix.Vfork)
  if (process == 0) become(arguments.data(), descriptors, guardian);
  ::setpgid(process, process);  // both sides set it, so that neither can be too late

  std::unique_ptr<ChildProcess> child(new ChildProcess(process, guardian));
  report_writing.reset();
  error_writing.reset();
  if (const int error = exec_error(report_reading.get()); error != 0) {
    return Error{"cannot start '" + command[0] + "': " + std::strerror(error)};
  }
  child->standard_error_ = std::move(error_reading);
  if (piped) {
    child->stream_ = make_pipe_stream(std::move(output_reading), std::move(input_writing));
  }
  child->drainer_ = std::thread([self = child.get()] { self->drain(); });
  return child;
}

ChildProcess::ChildProcess(pid_t process, Guardian& guardian)
    : process_(process),
      guardian_(guardian),
      process_handle_(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))) {
  std::tie(stop_reading_, stop_writing_) = make_pipe();
}

ChildProcess::~ChildProcess() {
  kill_all();
  guardian_.release(process_);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  stop_writing_.reset();
  if (drainer_.joinable()) drainer_.join();
}

void ChildProcess::kill_all() const {
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);  // it may have left its group
}

// The end is noted and the process is left as a zombie, so that its number stays taken as long as
// signals are sent to the group of that number.
void ChildProcess::note_end(int options) {
  const std::lock_guard lock(mutex_);
  if (exit_status_) return;
  siginfo_t info{};
  int result = 0;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOWAIT | options);
  } while (result < 0 && errno == EINTR);
  if (result != 0 || info.si_pid != process_) return;
  exit_status_ = ExitStatus{info.si_code != CLD_EXITED, info.si_status};
}

std::optional<ExitStatus> ChildProcess::exit_status() {
  note_end(WNOHANG);
  const std::lock_guard lock(mutex_);
  return exit_status_;
}

std::optional<ExitStatus> ChildProcess::await_exit(Deadline deadline) {
  if (auto status = exit_status()) return status;
  await_readable(process_handle_.get(), deadline);
  return exit_status();
}

void ChildProcess::drain() {
  std::array<char, 16U << 10> buffer;
  std::array<pollfd, 2> polled{{{standard_error_.get(), POLLIN, 0}, {stop_reading_.get(), 0, 0}}};
  set_nonblocking(standard_error_.get());
  // Once nobody waits for more: what the pipe may still hold. A descendant that goes on writing is
  // not listened to for ever.
  std::optional<std::size_t> left;
  while (!left || *left > 0) {
    if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    if (!left && polled[1].revents != 0) left = pipe_capacity(standard_error_.get());
    const std::size_t most = std::min(buffer.size(), left.value_or(buffer.size()));
    const ssize_t count = ::read(standard_error_.get(), buffer.data(), most);
    if (count == 0 || (count < 0 && left)) return;
    if (count > 0) {
      keep({buffer.data(), static_cast<std::size_t>(count)});
      if (left) *left -= static_cast<std::size_t>(count);
    }
  }
}

void ChildProcess::keep(std::string_view output) {
  const std::lock_guard lock(mutex_);
  tail_.append(output);
  if (tail_.size() > kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
}

std::string ChildProcess::standard_error_tail() {
  if (exit_status() && drainer_.joinable()) {
    stop_writing_.reset();
    drainer_.join();
  }
  const std::lock_guard lock(mutex_);
  return tail_;
}

void ChildProcess::end(microseconds grace) {
  if (stream_) stream_->close_write();
  if (await_exit(Deadline::firmly_in(stream_ ? grace : microseconds(0)))) return;
  ::kill(-process_, SIGTERM);
  if (await_exit(Deadline::firmly_in(grace))) return;
  kill_all();
  note_end(0);
}

}  // namespace jrpcheck::transport
