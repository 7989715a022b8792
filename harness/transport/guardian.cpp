#include "transport/guardian.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

namespace jrpcheck::transport {
namespace {

// An order is a process group: positive to watch it, negative to release it.
[[noreturn]] void guard(int orders) {
  ::setsid();
  std::vector<pid_t> watched;
  for (;;) {
    pid_t order = 0;
    const ssize_t count = ::read(orders, &order, sizeof order);
    if (count < 0 && errno == EINTR) continue;
    if (count != static_cast<ssize_t>(sizeof order)) break;
    if (order > 0) {
      watched.push_back(order);
    } else {
      watched.erase(std::remove(watched.begin(), watched.end(), -order), watched.end());
    }
  }
  for (const pid_t group : watched) ::kill(-group, SIGKILL);
  ::_exit(0);
}

// The guardian must hold nothing else open: not the other end of its own pipe, and not the
// standard output that somebody waits to see closed.
void close_all_but(int kept) {
  const long limit = std::min<long>(::sysconf(_SC_OPEN_MAX), 65536);
  for (int each = 0; each < limit; ++each) {
    if (each != kept) ::close(each);
  }
}

}  // namespace

Result<std::unique_ptr<Guardian>> Guardian::start() {
  auto [reading, writing] = make_pipe();
  const pid_t process = ::fork();
  if (process < 0) return Error{std::string("cannot start a process: ") + std::strerror(errno)};
  if (process == 0) {
    close_all_but(reading.get());
    guard(reading.get());
  }
  return std::unique_ptr<Guardian>(new Guardian(process, std::move(writing)));
}

Guardian::~Guardian() {
  orders_.reset();
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Guardian::watch(pid_t process_group) {
  [[maybe_unused]] const auto count = ::write(orders_.get(), &process_group, sizeof process_group);
}

void Guardian::release(pid_t process_group) { watch(-process_group); }

}  // namespace jrpcheck::transport
