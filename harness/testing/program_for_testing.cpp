#include "testing/program_for_testing.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace jrpcheck::testing {
namespace {

constexpr int kLifeline = 9;
constexpr int kLongestRun = 120'000;  // ms; a test that takes longer has failed
constexpr int kAfterlife = 2'000;
constexpr int kWord = 10'000;

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return ends;
}

[[noreturn]] void become(const std::vector<std::string>& words,
                         const std::vector<std::string>& environment) {
  for (const auto& each : environment) {
    const auto equals = each.find('=');
    ::setenv(each.substr(0, equals).c_str(), each.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

bool is_readable(int descriptor, int timeout_ms) {
  pollfd polled{descriptor, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&polled, 1, timeout_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

// False at the end.
bool read_piece(int descriptor, std::string& text) {
  char piece[65536];
  const ssize_t count = ::read(descriptor, piece, sizeof piece);
  if (count > 0) text.append(piece, static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& words,
                               const std::vector<std::string>& environment) {
  const auto output = make_pipe();
  const auto error = make_pipe();
  const auto lifeline = make_pipe();
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("no process");
  if (process_ == 0) {
    ::setpgid(0, 0);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output[1], STDOUT_FILENO);
    ::dup2(error[1], STDERR_FILENO);
    // A descriptor that has the number already would stay closed on exec.
    const int spare = ::fcntl(lifeline[1], F_DUPFD_CLOEXEC, kLifeline + 1);
    ::dup2(spare, kLifeline);
    become(words, environment);
  }
  for (const int end : {output[1], error[1], lifeline[1]}) ::close(end);
  output_ = output[0];
  error_ = error[0];
  lifeline_ = lifeline[0];
}

RunningProgram::~RunningProgram() {
  if (process_ > 0) finish();
  for (const int each : {output_, error_, lifeline_}) ::close(each);
}

bool RunningProgram::await_word() {
  std::string word;
  return is_readable(lifeline_, kWord) && read_piece(lifeline_, word);
}

std::string RunningProgram::first_error_line() {
  auto end = std::string::npos;
  while ((end = error_text_.find('\n')) == std::string::npos) {
    if (!is_readable(error_, kWord) || !read_piece(error_, error_text_)) return {};
  }
  return error_text_.substr(0, end);
}

bool RunningProgram::await_output(const std::string& part) {
  while (output_text_.find(part) == std::string::npos) {
    if (!is_readable(output_, kWord) || !read_piece(output_, output_text_)) return false;
  }
  return true;
}

void RunningProgram::send_signal(int signal) const { ::kill(process_, signal); }

void RunningProgram::kill_group() const { ::kill(-process_, SIGKILL); }

ProgramResult RunningProgram::finish() {
  ProgramResult result;
  result.output = output_text_;
  result.error = error_text_;
  std::array<pollfd, 2> polled{{{output_, POLLIN, 0}, {error_, POLLIN, 0}}};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kLongestRun);
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      ::kill(process_, SIGKILL);
      break;
    }
    if (::poll(polled.data(), polled.size(), static_cast<int>(left.count())) <= 0) continue;
    for (auto& each : polled) {
      auto& text = each.fd == output_ ? result.output : result.error;
      if (each.revents != 0 && !read_piece(each.fd, text)) each.fd = -1;
    }
  }
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  std::string words;
  bool alive = true;
  while (alive && is_readable(lifeline_, kAfterlife)) alive = read_piece(lifeline_, words);
  result.left_processes = alive;
  return result;
}

ProgramResult run_program(const std::vector<std::string>& words,
                          const std::vector<std::string>& environment) {
  return RunningProgram(words, environment).finish();
}

ListeningPort::ListeningPort() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 8) != 0 ||
      ::getsockname(listener_, generic, &size) != 0) {
    throw std::runtime_error("no port");
  }
  number_ = ntohs(address.sin_port);
}

ListeningPort::~ListeningPort() { ::close(listener_); }

int free_port() {
  constexpr int kFirst = 10'000;
  constexpr int kCount = 20'000;
  static int tried = 0;
  const int begin = static_cast<int>(::getpid()) * 37;
  for (int i = 0; i < kCount; ++i) {
    const int port = kFirst + (begin + tried++) % kCount;
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const int bound = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    ::close(probe);
    if (bound == 0) return port;
  }
  throw std::runtime_error("no free port");
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "jrpcheck-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace jrpcheck::testing
