// The guardian's own process. It has one thread, and nothing open but the socket of its orders.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "transport/descendants.hpp"
#include "transport/descriptor.hpp"
#include "transport/guardian_orders.hpp"

namespace jrpcheck::transport {
namespace {

// What has been killed is gone by then, unless it cannot be killed.
constexpr milliseconds kMostForEnding{1000};
constexpr int kLookAgainMs = 5;
// Of so many one has always just ended, and looking at all takes the time that they need for it.
constexpr std::size_t kMany = 64;

struct Launch {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::vector<Descriptor> descriptors;
};

bool read_whole(int descriptor, char* into, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::read(descriptor, into, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    into += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// Runs between fork and exec: only async-signal-safe calls, in memory that is shared.
[[noreturn]] void become(const Launch& launch, pid_t guardian, volatile int& error) {
  ::setpgid(0, 0);
  // Were the guardian killed, nobody would end this any more.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != guardian) ::_exit(127);
  for (int each = 0; each < static_cast<int>(kStandardDescriptors); ++each) {
    ::dup2(launch.descriptors[static_cast<std::size_t>(each)].get(), each);
  }
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvpe(launch.arguments[0], launch.arguments.data(), launch.environment.data());
  error = errno;
  ::_exit(127);
}

class GuardianProcess {
 public:
  GuardianProcess(int orders, int child_ends) : orders_(orders), child_ends_(child_ends) {}

  void serve() {
    for (;;) {
      pollfd polled[] = {{orders_, POLLIN, 0}, {child_ends_, POLLIN, 0}};
      if (::poll(polled, 2, -1) < 0 && errno != EINTR) return;
      if (polled[1].revents != 0) {
        note_child_ends();
        reap_orphans();
      }
      if (polled[0].revents != 0 && !serve_one()) return;
    }
  }

  void end_everything() {
    servers_.clear();
    end_orphans();
    std::error_code failed;
    for (const auto& folder : folders_) std::filesystem::remove_all(folder, failed);
  }

 private:
  bool serve_one();
  GuardianAnswer launch(const GuardianOrder& order, std::string text,
                        std::vector<Descriptor> descriptors);
  GuardianAnswer status_of(pid_t process) const;
  GuardianAnswer release(pid_t process);
  GuardianAnswer make_folder(std::string path);
  std::vector<pid_t> end_orphans(std::set<pid_t> killed = {});
  std::vector<pid_t> reap_orphans();
  void note_child_ends() const {
    signalfd_siginfo info{};
    while (::read(child_ends_, &info, sizeof info) > 0) {
    }
  }

  int orders_;
  int child_ends_;
  std::vector<pid_t> servers_;  // that have been started and not been released
  std::vector<std::string> folders_;
};

// An order with the descriptors that come with its first byte.
bool receive(int socket, GuardianOrder& order, std::vector<Descriptor>& descriptors) {
  iovec part{&order, sizeof order};
  alignas(cmsghdr) char control[CMSG_SPACE(kStandardDescriptors * sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t count = 0;
  do {
    count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (head != nullptr && head->cmsg_type == SCM_RIGHTS) {
    const std::size_t sent = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < sent; ++i) {
      int each = -1;
      std::memcpy(&each, CMSG_DATA(head) + i * sizeof each, sizeof each);
      descriptors.emplace_back(each);
    }
  }
  const auto got = static_cast<std::size_t>(count);
  return read_whole(socket, reinterpret_cast<char*>(&order) + got, sizeof order - got);
}

bool GuardianProcess::serve_one() {
  using Kind = GuardianOrder::Kind;
  GuardianOrder order;
  std::vector<Descriptor> descriptors;
  if (!receive(orders_, order, descriptors)) return false;
  std::string text(order.bytes, '\0');
  if (!read_whole(orders_, text.data(), text.size())) return false;
  GuardianAnswer answer;
  switch (order.kind) {
    case Kind::launch:
      answer = launch(order, std::move(text), std::move(descriptors));
      break;
    case Kind::status:
      answer = status_of(order.process);
      break;
    case Kind::kill:
      kill_trees({order.process}, Deadline::firmly_in(kMostForEnding));
      ::kill(-order.process, SIGKILL);
      break;
    case Kind::release:
      answer = release(order.process);
      break;
    case Kind::make_folder:
      answer = make_folder(std::move(text));
      break;
  }
  return ::send(orders_, &answer, sizeof answer, MSG_NOSIGNAL) == sizeof answer;
}

GuardianAnswer GuardianProcess::launch(const GuardianOrder& order, std::string text,
                                       std::vector<Descriptor> descriptors) {
  Launch launch;
  launch.descriptors = std::move(descriptors);
  for (std::size_t at = 0; at < text.size(); at += std::strlen(text.data() + at) + 1) {
    auto& words = launch.arguments.size() < order.arguments ? launch.arguments : launch.environment;
    words.push_back(text.data() + at);
  }
  launch.arguments.push_back(nullptr);
  launch.environment.push_back(nullptr);
  GuardianAnswer answer;
  if (launch.descriptors.size() != kStandardDescriptors) {
    answer.error = EMFILE;  // they did not find room here
    return answer;
  }
  const pid_t self = ::getpid();
  volatile int error = 0;
  // become() does nothing but what a child that shares the memory may do.
  answer.process = ::vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (answer.process == 0) become(launch, self, error);  // NOLINT(clang-analyzer-unix.Vfork)
  answer.has_forked = answer.process > 0;
  answer.error = answer.has_forked ? error : errno;
  if (!answer.has_forked) return answer;
  if (answer.error != 0) {
    ::waitpid(answer.process, nullptr, 0);
  } else {
    servers_.push_back(answer.process);
  }
  return answer;
}

// It is made here, so that none is there of which nobody knows.
GuardianAnswer GuardianProcess::make_folder(std::string path) {
  GuardianAnswer answer;
  if (::mkdtemp(path.data()) == nullptr) {
    answer.error = errno;
    return answer;
  }
  path.copy(answer.end_of_path.data(), answer.end_of_path.size(),
            path.size() - answer.end_of_path.size());
  folders_.push_back(std::move(path));
  return answer;
}

// The process is left as a zombie, so that its number stays taken as long as signals are sent to
// the group of that number.
GuardianAnswer GuardianProcess::status_of(pid_t process) const {
  GuardianAnswer answer;
  siginfo_t info{};
  const auto id = static_cast<id_t>(process);
  if (::waitid(P_PID, id, &info, WEXITED | WNOWAIT | WNOHANG) != 0) return answer;
  answer.has_ended = info.si_pid == process;
  answer.by_signal = info.si_code != CLD_EXITED;
  answer.value = info.si_status;
  return answer;
}

GuardianAnswer GuardianProcess::release(pid_t process) {
  auto killed = kill_trees({process}, Deadline::firmly_in(kMostForEnding));
  ::kill(-process, SIGKILL);
  std::erase(servers_, process);
  GuardianAnswer answer;
  // Whose they were cannot be told while another server runs.
  const auto left = servers_.empty() ? end_orphans(std::move(killed)) : reap_orphans();
  if (!servers_.empty()) return answer;
  answer.left = left.size();
  std::copy_n(left.begin(), std::min(left.size(), answer.left_processes.size()),
              answer.left_processes.begin());
  return answer;
}

// Those of its children that are no servers and have not ended.
std::vector<pid_t> GuardianProcess::reap_orphans() {
  std::vector<pid_t> left;
  for (const pid_t each : children_of(::getpid())) {
    if (contains(servers_, each)) continue;
    if (::waitpid(each, nullptr, WNOHANG) == 0) left.push_back(each);
  }
  return left;
}

// `killed`: what has been killed already, and may be there still.
std::vector<pid_t> GuardianProcess::end_orphans(std::set<pid_t> killed) {
  auto left = reap_orphans();
  const auto number = static_cast<long long>(left.size());
  const auto deadline = Deadline::firmly_in(kMostForEnding + number * kToEndOne);
  while (!left.empty() && !deadline.passed()) {
    std::vector<pid_t> alive;
    std::ranges::copy_if(left, std::back_inserter(alive),
                         [&](pid_t each) { return !killed.contains(each); });
    kill_trees(alive, deadline);
    killed = {left.begin(), left.end()};
    pollfd polled{child_ends_, POLLIN, 0};
    ::poll(&polled, left.size() < kMany ? 1 : 0, kLookAgainMs);  // until one has ended
    note_child_ends();
    left = reap_orphans();
  }
  return left;
}

// The descriptors of this process that are open; all that may be where the system does not tell.
std::vector<int> descriptors() {
  std::vector<int> open;
  std::error_code failed;
  std::filesystem::directory_iterator each("/proc/self/fd", failed);
  for (; !failed && each != std::filesystem::directory_iterator(); each.increment(failed)) {
    open.push_back(std::atoi(each->path().filename().c_str()));
  }
  if (!open.empty() && !failed) return open;
  open.resize(static_cast<std::size_t>(std::min<long>(::sysconf(_SC_OPEN_MAX), 65536)));
  std::iota(open.begin(), open.end(), 0);
  return open;
}

// What a program would not inherit the guardian must not hold open: not the other end of its own
// socket, and not the standard output that somebody waits to see closed. The rest is passed on.
void close_what_is_ours(int kept) {
  for (const int each : descriptors()) {
    const int flags = ::fcntl(each, F_GETFD);
    const bool is_ours = each <= STDERR_FILENO || (flags & FD_CLOEXEC) != 0;
    if (flags >= 0 && is_ours && each != kept) ::close(each);
  }
  // Whatever is received is not to be in the place of what it will become.
  while (::open("/dev/null", O_RDWR | O_CLOEXEC) < STDERR_FILENO) {
  }
}

}  // namespace

void guard(int orders) {
  ::setsid();
  ::prctl(PR_SET_NAME, "jrpcheck-guard");
  // What loses its parent below this process becomes its child.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Whoever ends both this process and the one that it serves does not mean to leave anything.
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  close_what_is_ours(orders);
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  GuardianProcess process(orders, ::signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC));
  process.serve();
  process.end_everything();
  ::_exit(0);
}

}  // namespace jrpcheck::transport
