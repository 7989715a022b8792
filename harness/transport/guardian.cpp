#include "transport/guardian.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/contains.hpp"
#include "base/join.hpp"
#include "transport/byte_stream.hpp"
#include "transport/descendants.hpp"

namespace jrpcheck::transport {
namespace {

constexpr milliseconds kMostForOrphans{500};

bool send_whole(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool send_order(int socket, const GuardianOrder& order, const int* standard) {
  iovec part{const_cast<GuardianOrder*>(&order), sizeof order};
  alignas(cmsghdr) char control[CMSG_SPACE(kStandardDescriptors * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (standard != nullptr) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(kStandardDescriptors * sizeof(int));
    std::memcpy(CMSG_DATA(head), standard, kStandardDescriptors * sizeof(int));
  }
  ssize_t count = 0;
  do {
    count = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  return send_whole(socket, std::string_view(reinterpret_cast<const char*>(&order), sizeof order)
                                .substr(static_cast<std::size_t>(count)));
}

std::string name_of(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(in, name);
  return std::to_string(process) + (name.empty() ? "" : " (" + name + ")");
}

}  // namespace

std::string ExitStatus::text() const {
  if (!by_signal) return "exited with code " + std::to_string(value);
  return "was killed by signal " + std::to_string(value) + " (" + ::strsignal(value) + ")";
}

Result<std::unique_ptr<Guardian>> Guardian::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return Error{std::string("cannot make a socket: ") + std::strerror(errno)};
  }
  // Should the guardian be killed, what was below it comes to this process and not to init.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto others = children_of(::getpid());
  Descriptor theirs(ends[0]);
  Descriptor ours(ends[1]);
  const pid_t process = ::fork();
  if (process < 0) return Error{std::string("cannot start a process: ") + std::strerror(errno)};
  if (process == 0) guard(theirs.get());
  return std::unique_ptr<Guardian>(new Guardian(process, std::move(ours), std::move(others)));
}

Guardian::~Guardian() {
  orders_.reset();
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) kill_orphans();
}

// Of a guardian that was killed: what had left the programs that ended with it.
void Guardian::kill_orphans() {
  const auto deadline = Deadline::firmly_in(kMostForOrphans);
  std::vector<pid_t> orphans;
  do {
    orphans = children_of(::getpid());
    std::erase_if(orphans, [this](pid_t each) {
      return contains(others_, each) || ::waitpid(each, nullptr, WNOHANG) == each;
    });
    kill_trees(orphans, deadline);
    if (!orphans.empty()) wait_until(Deadline::firmly_in(milliseconds(1)));
  } while (!orphans.empty() && !deadline.passed());
}

std::optional<GuardianAnswer> Guardian::ask(GuardianOrder order, const std::string& text,
                                            const int* standard) {
  order.bytes = text.size();
  const std::lock_guard lock(mutex_);
  if (!send_order(orders_.get(), order, standard) || !send_whole(orders_.get(), text)) {
    return std::nullopt;
  }
  GuardianAnswer answer;
  ssize_t count = 0;
  do {
    count = ::recv(orders_.get(), &answer, sizeof answer, MSG_WAITALL);
  } while (count < 0 && errno == EINTR);
  if (count != static_cast<ssize_t>(sizeof answer)) return std::nullopt;
  const std::size_t named = std::min(answer.left, answer.left_processes.size());
  for (std::size_t i = 0; i < named; ++i) left_.push_back(name_of(answer.left_processes[i]));
  return answer;
}

Result<pid_t> Guardian::launch(const std::vector<std::string>& command,
                               const std::array<int, kStandardDescriptors>& standard) {
  std::string text;
  for (const auto& each : command) text.append(each.c_str(), each.size() + 1);
  for (char** each = environ; *each != nullptr; ++each) text.append(*each).push_back('\0');
  const auto answer = ask({.kind = GuardianOrder::Kind::launch, .arguments = command.size()}, text,
                          standard.data());
  if (!answer) return Error{"cannot start a process: what watches over them was killed"};
  if (answer->error == 0) return answer->process;
  if (!answer->has_forked) {  // which no other command would change
    throw std::system_error(answer->error, std::generic_category(), "cannot start a process");
  }
  return Error{"cannot start '" + command[0] + "': " + std::strerror(answer->error)};
}

std::optional<ExitStatus> Guardian::status_of(pid_t process) {
  const auto answer = ask({.kind = GuardianOrder::Kind::status, .process = process});
  // Those below a guardian that is no more were killed with it.
  if (!answer) return ExitStatus{true, SIGKILL};
  if (!answer->has_ended) return std::nullopt;
  return ExitStatus{answer->by_signal, answer->value};
}

void Guardian::kill(pid_t process) { ask({.kind = GuardianOrder::Kind::kill, .process = process}); }

void Guardian::release(pid_t process) {
  ask({.kind = GuardianOrder::Kind::release, .process = process});
}

Result<std::string> Guardian::make_folder(std::string path) {
  const auto answer = ask({.kind = GuardianOrder::Kind::make_folder}, path);
  if (!answer || answer->error != 0) {
    return Error{"cannot make the folder '" + path + "'" +
                 (answer ? std::string(": ") + std::strerror(answer->error) : "")};
  }
  path.replace(path.size() - answer->end_of_path.size(), std::string::npos,
               answer->end_of_path.data(), answer->end_of_path.size());
  return path;
}

std::string Guardian::left_behind() const {
  const std::lock_guard lock(mutex_);
  return joined(left_);
}

}  // namespace jrpcheck::transport
