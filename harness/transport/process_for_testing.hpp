// For tests: processes watched from outside, and streams read to their end.
#pragma once

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "transport/byte_stream.hpp"
#include "transport/descriptor.hpp"

namespace jrpcheck::transport::testing {

/// Long enough for any machine; what is awaited ends the wait.
inline Deadline soon() { return Deadline::in(std::chrono::seconds(20)); }

inline std::vector<std::string> shell(std::string script) {
  return {"/bin/sh", "-c", std::move(script)};
}

/// Everything that comes until the stream ends.
inline std::string read_to_end(ByteStream& stream) {
  std::string in;
  const Deadline deadline = soon();
  while (!deadline.passed()) {
    const Transfer done = stream.transfer({}, in, deadline);
    if (done.ended || done.timed_out) break;
  }
  return in;
}

/// The next line, without its end; lines must be read one by one as they are written.
inline std::string read_line(ByteStream& stream) {
  std::string in;
  const Deadline deadline = soon();
  while (in.find('\n') == std::string::npos) {
    const Transfer done = stream.transfer({}, in, deadline);
    if (done.ended || done.timed_out) break;
  }
  return in.substr(0, in.find('\n'));
}

/// A process seen from outside: a zombie that nobody reaps has ended all the same.
class WatchedProcess {
 public:
  explicit WatchedProcess(pid_t process)
      : handle_(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))) {}

  bool has_ended_by(Deadline deadline) const {
    if (!handle_.is_open()) return true;
    pollfd polled{handle_.get(), POLLIN, 0};
    int ready = 0;
    do {
      ready = ::poll(&polled, 1, deadline.remaining_ms());
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
  }
  bool is_running() const { return !has_ended_by(Deadline::in(microseconds(0))); }

 private:
  Descriptor handle_;
};

}  // namespace jrpcheck::transport::testing
