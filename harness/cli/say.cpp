#include "cli/say.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>
#include <sstream>

#include "base/bytes.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/text_layout.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kUsualWidth = 80;

// What is to be copied stays whole: a command.
std::string in_width(std::size_t width, const std::string& line) {
  if (!line.starts_with("  ")) return wrapped(line, 0, width);
  if (line.starts_with("  jrpcheck ")) return line;
  return "  " + wrapped(line.substr(2), 2, width);
}

std::string in_lines_of(std::size_t width, const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!result.empty()) result += "\n";
    result += in_width(width, line);
  }
  return result;
}

}  // namespace

std::size_t terminal_width() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsualWidth;
}

void say(const std::string& message) {
  const auto text = without_log_commands(to_visible_lines("jrpcheck: " + without_secrets(message)));
  const bool on_terminal = ::isatty(STDERR_FILENO) != 0;
  std::cerr << (on_terminal ? in_lines_of(terminal_width(), text) : text) << "\n" << std::flush;
}

ExitCode complain(ExitCode code, const std::string& message) {
  say(message);
  return code;
}

}  // namespace jrpcheck::cli
