#include "cli/commands.hpp"

#include "cli/completion_command.hpp"
#include "cli/explain_command.hpp"
#include "cli/fuzz_command.hpp"
#include "cli/lint_command.hpp"
#include "cli/list_command.hpp"
#include "cli/manual_command.hpp"
#include "cli/properties_command.hpp"
#include "cli/replay_command.hpp"
#include "cli/report_command.hpp"
#include "cli/run_command.hpp"
#include "cli/run_options.hpp"
#include "cli/selftest_command.hpp"

namespace jrpcheck::cli {

// Adding a command is one file and one line here.
const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands = {
      {"run", "judge an endpoint with the corpus", &run_command, &run_form},
      {"fuzz", "send an endpoint generated and mutated messages", &fuzz_command, &fuzz_form},
      {"properties", "try relations that hold for every server on generated messages",
       &properties_command, &properties_form},
      {"replay", "send a stored finding again", &replay_command, &replay_form},
      {"promote", "make a stored finding a case of the corpus", &promote_command, &promote_form},
      {"list", "list cases, requirements, profiles, formats or faults", &list_command, &list_form},
      {"explain", "tell what is known about one requirement or case", &explain_command,
       &explain_form},
      {"lint", "check corpus files", &lint_command, &lint_form},
      {"selftest", "hold the corpus against a server whose faults are known", &selftest_command,
       &selftest_form},
      {"report", "render or compare stored runs", &report_command, &report_form},
      {"completion", "print the completions for a shell", &completion_command, &completion_form},
      {"man", "print the manual page", &manual_command, &manual_form},
  };
  return commands;
}

std::vector<CommandForm> all_forms() {
  std::vector<CommandForm> forms;
  for (const auto& command : all_commands()) forms.push_back(command.form());
  return forms;
}

}  // namespace jrpcheck::cli
