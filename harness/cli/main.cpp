// jrpcheck: conformance suite for JSON-RPC.
#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "base/memory.hpp"
#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/say.hpp"
#include "cli/stdio_relay.hpp"
#include "cli/suggestions.hpp"

namespace {

using jrpcheck::cli::all_commands;
using jrpcheck::cli::complain;
using jrpcheck::cli::ExitCode;

void print_usage(std::ostream& out) {
  out << "jrpcheck " << jrpcheck::cli::kProgramSummary
      << ".\n\n"
         "  jrpcheck run http://127.0.0.1:8545/                    a server that runs\n"
         "  jrpcheck run -- node server.js                         a program on stdio\n"
         "  jrpcheck run http://127.0.0.1:8545/ -- node server.js  a server, started here\n"
         "\nCommands (each has --help):\n";
  for (const auto& command : all_commands()) {
    out << "  " << command.name << std::string(12 - command.name.size(), ' ') << command.summary
        << "\n";
  }
  out << "\njrpcheck --version prints the version.\n";
}

// A word in the place of a command.
ExitCode complain_unknown(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& command : all_commands()) names.emplace_back(command.name);
  const std::string instead = jrpcheck::cli::instead_of_command(word, names);
  // A target without `run` before it.
  jrpcheck::cli::keep_secret(jrpcheck::result::secrets_of_command({word}));
  const bool may_hold_password = word.find('@') != std::string::npos;
  return complain(ExitCode::usage, "unknown command '" + (may_hold_password ? "..." : word) + "'" +
                                       (instead.empty() ? "; see jrpcheck --help" : instead));
}

ExitCode dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    print_usage(std::cerr);
    return ExitCode::usage;
  }
  const bool is_help = words[0] == "help";
  if (words[0] == "--help" || words[0] == "-h" || (is_help && words.size() == 1)) {
    print_usage(std::cout);
    return ExitCode::ok;
  }
  if (words[0] == "--version") {
    std::cout << "jrpcheck " << jrpcheck::cli::kVersion << "\n";
    return ExitCode::ok;
  }
  if (words[0] == "__complete") {  // asked by the scripts of the shells
    std::cout << to_text(jrpcheck::cli::complete({words.begin() + 1, words.end()}));
    return ExitCode::ok;
  }
  if (words[0] == jrpcheck::cli::kRelayCommand && words.size() >= 2) {  // started by clients
    return jrpcheck::cli::relay_stdio(words[1], words.size() > 2);
  }
  // `help run` is `run --help`.
  const std::string& name = words[is_help ? 1 : 0];
  for (const auto& command : all_commands()) {
    if (name != command.name) continue;
    return is_help ? execute(command, {"--help"})
                   : execute(command, {words.begin() + 1, words.end()});
  }
  return complain_unknown(name);
}

// Not where nobody reads any more, as behind `head`, or it was closed from the beginning.
bool has_lost_output() {
  std::cout.flush();
  pollfd output{STDOUT_FILENO, 0, 0};
  return !std::cout && ::poll(&output, 1, 0) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  jrpcheck::keep_no_large_blocks();
  ExitCode code = ExitCode::internal;
  const auto failure = jrpcheck::failure_of([&] { code = dispatch({argv + 1, argv + argc}); });
  if (!failure.empty()) code = complain(ExitCode::internal, failure);
  if (code != ExitCode::internal && has_lost_output()) {
    code = complain(ExitCode::internal, "standard output cannot be written to");
  }
  return static_cast<int>(code);
}
