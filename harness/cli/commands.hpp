// The commands of jrpcheck, a row each.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

/// The words of a command line, cut at the first `--` where the command takes a program.
struct CommandLine {
  std::vector<std::string> words;    ///< options and TARGET
  std::vector<std::string> command;  ///< the program and its arguments
  bool has_command = false;          ///< there was a `--`
  Clock::time_point begun = Clock::now();
};

CommandLine split_command_line(const std::vector<std::string>& arguments);

/// What a command does, once its options have been parsed.
using Action = std::function<ExitCode(const CommandLine& line)>;

struct Command {
  std::string_view name;
  std::string_view summary;
  /// Declares description, notes and options; the action holds what they are parsed into.
  Action (*declare)(CLI::App& app);
};

/// All of them, in the order in which a user should meet them.
const std::vector<Command>& all_commands();

/// What it takes.
CommandForm form_of(const Command& command);

/// Parses the words behind the command's name and does what they ask for.
ExitCode execute(const Command& command, const std::vector<std::string>& arguments);

/// What the program does, in one sentence.
inline constexpr std::string_view kProgramSummary = "judges JSON-RPC 2.0 servers and clients";

inline constexpr std::string_view kVersion = JRPCHECK_VERSION;

Action declare_run(CLI::App& app);
Action declare_methods(CLI::App& app);
Action declare_fuzz(CLI::App& app);
Action declare_properties(CLI::App& app);
Action declare_watch(CLI::App& app);
Action declare_client(CLI::App& app);
Action declare_replay(CLI::App& app);
Action declare_promote(CLI::App& app);
Action declare_list(CLI::App& app);
Action declare_explain(CLI::App& app);
Action declare_lint(CLI::App& app);
Action declare_selftest(CLI::App& app);
Action declare_report(CLI::App& app);
Action declare_judge(CLI::App& app);
Action declare_completion(CLI::App& app);
Action declare_manual(CLI::App& app);

}  // namespace jrpcheck::cli
