#include "testing/terminal_for_testing.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace jrpcheck::testing {
namespace {

constexpr int kPatienceMs = 100'000;

// False at the end: a terminal whose other side is gone gives an error.
bool read_more(int terminal, std::string& shown) {
  pollfd waited{terminal, POLLIN, 0};
  if (::poll(&waited, 1, kPatienceMs) <= 0) return false;
  char bytes[4096];
  const auto count = ::read(terminal, bytes, sizeof bytes);
  if (count > 0) shown.append(bytes, static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

TerminalResult run_on_terminal(const std::vector<std::string>& words, const std::string& until) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 80;
  int terminal = -1;
  const pid_t process = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (process == 0) {
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  TerminalResult result;
  bool is_interrupted = false;
  while (read_more(terminal, result.shown)) {
    if (until.empty() || is_interrupted || result.shown.find(until) == std::string::npos) continue;
    is_interrupted = true;
    ::kill(process, SIGINT);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  ::close(terminal);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::vector<std::string> lines_left(const std::string& shown) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    if (c == '\n') {
      lines.emplace_back();
    } else if (c == '\033') {
      const auto end = shown.find_first_of("mK", i);
      if (end == std::string::npos) return lines;
      if (shown[end] == 'K') lines.back().clear();
      i = end;
    } else if (c != '\r') {
      lines.back().push_back(c);
    }
  }
  return lines;
}

}  // namespace jrpcheck::testing
