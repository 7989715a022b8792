#include "cli/stdio_relay.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "cli/parse_words.hpp"
#include "client/relay_words.hpp"

namespace jrpcheck::cli {
namespace {

constexpr int kForClosing = 300;  // milliseconds
constexpr int kTerminated = 128 + SIGTERM;

// Until one end has no more, or the other takes none.
void carry(int from, int to) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t size = ::read(from, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    for (ssize_t done = 0; done < size;) {
      const ssize_t written =
          ::write(to, buffer.data() + done, static_cast<std::size_t>(size - done));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return;
      done += written;
    }
  }
}

constexpr const char* kOnStandardError =
    "error: this is no failure; servers may write to standard error what they like\n";

// A handler of a signal finds them here alone.
char path_of_note[sizeof(sockaddr_un::sun_path) + client::kRelayNote.size() + 1] = {};
volatile std::sig_atomic_t is_noted = 0;

// By which end it was ended first; only what a handler of a signal may call.
void note(std::string_view word) {
  if (is_noted != 0) return;
  is_noted = 1;
  const int file = ::open(path_of_note, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  char line[32] = {};
  const std::size_t size = std::min(word.size(), sizeof line - 1);
  std::memcpy(line, word.data(), size);
  line[size] = '\n';
  [[maybe_unused]] const auto written = ::write(file, line, size + 1);
  ::close(file);
}

// Who closes the input and sends the signal at once may be seen in the other order.
void take_termination(int) {
  pollfd input{STDIN_FILENO, POLLRDHUP, 0};
  ::poll(&input, 1, kForClosing);
  const bool was_closed = (input.revents & (POLLHUP | POLLRDHUP)) != 0;
  note(was_closed ? client::kRelayWasClosed : client::kRelayWasTerminated);
  ::_exit(kTerminated);
}

void prepare_note(const std::string& path) {
  const std::string file = path + std::string(client::kRelayNote);
  std::copy(file.begin(), file.end(), path_of_note);
  struct sigaction action {};
  action.sa_handler = &take_termination;
  ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

std::vector<std::string> stdio_relay() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return {program.string(), std::string(kRelayCommand)};
}

ExitCode relay_stdio(const std::string& path, bool writes_errors) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return complain(ExitCode::usage, "a path too long");
  std::copy(path.begin(), path.end(), address.sun_path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return complain(ExitCode::unreachable, "nobody listens at " + path);
  }
  prepare_note(path);
  if (writes_errors) std::fputs(kOnStandardError, stderr);
  std::thread([socket] {
    carry(STDIN_FILENO, socket);
    note(client::kRelayWasClosed);
    ::shutdown(socket, SHUT_WR);
  }).detach();
  carry(socket, STDOUT_FILENO);
  std::_Exit(0);  // the other direction may wait for ever
}

}  // namespace jrpcheck::cli
