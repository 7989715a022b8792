// The commands of jrpcheck.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_form.hpp"
#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

struct Command {
  std::string_view name;
  std::string_view summary;
  /// Does what the words behind the name ask for.
  ExitCode (*execute)(const std::vector<std::string>& arguments);
  /// What it takes.
  CommandForm (*form)();
};

/// All of them, in the order in which a user should meet them.
const std::vector<Command>& all_commands();

/// What each of them takes, in the same order.
std::vector<CommandForm> all_forms();

/// What the program does, in one sentence.
inline constexpr std::string_view kProgramSummary = "judges JSON-RPC 2.0 servers";

}  // namespace jrpcheck::cli
