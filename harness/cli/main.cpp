// jrpcheck: conformance suite for JSON-RPC.
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/explain_command.hpp"
#include "cli/fuzz_command.hpp"
#include "cli/lint_command.hpp"
#include "cli/list_command.hpp"
#include "cli/properties_command.hpp"
#include "cli/replay_command.hpp"
#include "cli/report_command.hpp"
#include "cli/run_command.hpp"
#include "cli/selftest_command.hpp"
#include "cli/version.hpp"

namespace {

using jrpcheck::cli::ExitCode;

// Adding a command is one file and one line here.
struct Command {
  std::string_view name;
  std::string_view summary;
  ExitCode (*execute)(const std::vector<std::string>& arguments);
};

constexpr Command kCommands[] = {
    {"run", "judge an endpoint with the corpus", &jrpcheck::cli::run_command},
    {"fuzz", "send an endpoint generated and mutated messages", &jrpcheck::cli::fuzz_command},
    {"properties", "try relations that hold for every server on generated messages",
     &jrpcheck::cli::properties_command},
    {"replay", "send a stored finding again", &jrpcheck::cli::replay_command},
    {"promote", "make a stored finding a case of the corpus", &jrpcheck::cli::promote_command},
    {"list", "list cases, requirements, profiles, formats or faults", &jrpcheck::cli::list_command},
    {"explain", "tell what is known about one requirement or case",
     &jrpcheck::cli::explain_command},
    {"lint", "check corpus files", &jrpcheck::cli::lint_command},
    {"selftest", "hold the corpus against a server whose faults are known",
     &jrpcheck::cli::selftest_command},
    {"report", "render or compare stored runs", &jrpcheck::cli::report_command},
};

void print_usage(std::ostream& out) {
  out << "jrpcheck judges JSON-RPC 2.0 servers.\n\n"
         "  jrpcheck run http://127.0.0.1:8545/                      a server that runs already\n"
         "  jrpcheck run -- node server.js                           a program on stdio\n"
         "  jrpcheck run http://127.0.0.1:8545/ -- node server.js    a server that jrpcheck "
         "starts\n"
         "\nCommands (each has --help):\n";
  for (const auto& command : kCommands) {
    out << "  " << command.name << std::string(12 - command.name.size(), ' ') << command.summary
        << "\n";
  }
}

ExitCode execute(const std::vector<std::string>& words) {
  if (words.empty()) {
    print_usage(std::cerr);
    return ExitCode::usage;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print_usage(std::cout);
    return ExitCode::ok;
  }
  if (words[0] == "--version") {
    std::cout << "jrpcheck " << jrpcheck::cli::version() << "\n";
    return ExitCode::ok;
  }
  for (const auto& command : kCommands) {
    if (words[0] == command.name) return command.execute({words.begin() + 1, words.end()});
  }
  std::cerr << "jrpcheck: unknown command '" << words[0] << "'; see jrpcheck --help\n";
  return ExitCode::usage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(execute({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << "jrpcheck: internal error: " << error.what() << "\n";
    return static_cast<int>(ExitCode::internal);
  }
}
