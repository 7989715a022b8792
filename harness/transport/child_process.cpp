#include "transport/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>
#include <tuple>

#include "base/interruption.hpp"
#include "transport/descendants.hpp"

namespace jrpcheck::transport {
namespace {

constexpr milliseconds kBetweenLooks{250};  // for what it has started
constexpr std::size_t kTailBytes = 8U << 10;
// For one that was killed: the kernel is done with it by then, unless a device holds it.
constexpr milliseconds kMostForDying{1000};

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

// Those below a process, as far down as they are few: what servers have started, and what those
// that are gone have left.
std::size_t descendants_of(pid_t process) {
  constexpr std::size_t kFew = 8;
  const auto children = children_of(process);
  std::size_t all = children.size();
  if (all > kFew) return all;
  for (const pid_t each : children) all += descendants_of(each);
  return all;
}

// Ending thousands of processes takes the system seconds, which are to be over by the end of all.
// It never takes less again: what is to end now does not go on.
void keep_time_for_ending_all_below(const Guardian& guardian) try {
  constexpr microseconds kMost = milliseconds(5000);
  const auto number = static_cast<long long>(descendants_of(guardian.process()));
  const long long wanted = std::min<microseconds>(number * kToEndOne, kMost).count();
  long long kept = kept_for_ending;
  while (kept < wanted && !kept_for_ending.compare_exchange_weak(kept, wanted)) {
  }
} catch (const std::bad_alloc&) {
  // They are ended all the same.
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& command,
                                                          Output output, Guardian& guardian) {
  const bool piped = output != Output::noted;
  const bool shown = output == Output::shown;
  auto [input_reading, input_writing] = make_pipe();
  auto [output_reading, output_writing] = make_pipe();
  auto [error_reading, error_writing] = make_pipe();
  auto stop = make_pipe();  // before there is a process: what throws then would leave it behind
  const auto process = guardian.launch(
      command, {input_reading.get(), piped ? output_writing.get() : error_writing.get(),
                shown ? STDERR_FILENO : error_writing.get()});
  if (!process) return process.error();
  std::unique_ptr<ChildProcess> child(new ChildProcess(*process, guardian));
  std::tie(child->stop_reading_, child->stop_writing_) = std::move(stop);
  error_writing.reset();
  child->standard_error_ = std::move(error_reading);
  if (piped) {
    child->stream_ = make_pipe_stream(std::move(output_reading), std::move(input_writing));
  } else {
    child->silent_input_ = std::move(input_writing);
  }
  child->drainer_ = std::thread([self = child.get()] { self->drain(); });
  return child;
}

ChildProcess::ChildProcess(pid_t process, Guardian& guardian)
    : process_(process),
      guardian_(guardian),
      process_handle_(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))) {
  if (!process_handle_.is_open()) {
    const int error = errno;
    guardian_.release(process_);
    throw std::system_error(error, std::generic_category(), "cannot watch a process");
  }
}

ChildProcess::~ChildProcess() {
  guardian_.release(process_);
  stop_writing_.reset();
  if (drainer_.joinable()) drainer_.join();
}

void ChildProcess::note_end(Deadline deadline) {
  if (!await_readable(process_handle_.get(), deadline)) return;
  const std::lock_guard lock(mutex_);
  if (!exit_status_) exit_status_ = guardian_.status_of(process_);
}

std::optional<ExitStatus> ChildProcess::exit_status() {
  return await_exit(Deadline::firmly_in(microseconds(0)));
}

std::optional<ExitStatus> ChildProcess::await_exit(Deadline deadline) {
  {
    const std::lock_guard lock(mutex_);
    if (exit_status_) return exit_status_;
  }
  note_end(deadline);
  const std::lock_guard lock(mutex_);
  return exit_status_;
}

void ChildProcess::drain() {
  std::array<char, 16U << 10> buffer;
  std::array<pollfd, 2> polled{{{standard_error_.get(), POLLIN, 0}, {stop_reading_.get(), 0, 0}}};
  set_nonblocking(standard_error_.get());
  // Once nobody waits for more: what the pipe may still hold. A descendant that goes on writing is
  // not listened to for ever.
  std::optional<std::size_t> left;
  Deadline next_look = Deadline::firmly_in(kBetweenLooks);
  while (!left || *left > 0) {
    const int wait = next_look.remaining_ms();
    if (::poll(polled.data(), polled.size(), wait) < 0 && errno != EINTR) return;
    if (next_look.passed()) {
      keep_time_for_ending_all_below(guardian_);
      next_look = Deadline::firmly_in(kBetweenLooks);
    }
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

void ChildProcess::keep(std::string_view output) try {
  const std::lock_guard lock(mutex_);
  tail_.append(output);
  if (tail_.size() > kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
} catch (const std::bad_alloc&) {
  // It is read all the same: a program that nobody reads from stands still.
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
  // Where all is to end now it is told in both ways at once.
  const bool waits = stream_ && !is_interrupted();
  if (await_exit(Deadline::firmly_in(waits ? grace : microseconds(0)))) return;
  ::kill(-process_, SIGTERM);
  if (await_exit(Deadline::firmly_in(grace))) return;
  guardian_.kill(process_);
  note_end(Deadline::firmly_in(kMostForDying));
}

}  // namespace jrpcheck::transport
