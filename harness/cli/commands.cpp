#include "cli/commands.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "cli/help.hpp"
#include "cli/overwriting.hpp"
#include "cli/parse_words.hpp"

namespace jrpcheck::cli {

// A new command is one file, and one line here and in the header.
const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands = {
      {"run", "judge a server with the corpus", &declare_run},
      {"methods", "find methods of known behaviour, for --methods", &declare_methods},
      {"fuzz", "send generated and mutated messages to a server", &declare_fuzz},
      {"properties", "test generated messages for what holds for every server",
       &declare_properties},
      {"watch", "stand between a client and a server, and judge both", &declare_watch},
      {"client", "judge a client by what it makes of odd answers", &declare_client},
      {"replay", "send a stored finding again", &declare_replay},
      {"promote", "make a stored finding a case of the corpus", &declare_promote},
      {"list", "list cases, scenarios, requirements, profiles, formats or faults", &declare_list},
      {"explain", "tell what is known about requirements and cases", &declare_explain},
      {"lint", "check corpus files", &declare_lint},
      {"selftest", "judge a server with known faults, to test the corpus", &declare_selftest},
      {"report", "render or compare stored runs", &declare_report},
      {"judge", "judge stored runs again, and recorded traffic", &declare_judge},
      {"completion", "print the completions for a shell", &declare_completion},
      {"man", "print the manual page", &declare_manual},
  };
  return commands;
}

CommandForm form_of(const Command& command) {
  CLI::App app({}, "jrpcheck " + std::string(command.name));
  command.declare(app);
  return form_of(app);
}

ExitCode execute(const Command& command, const std::vector<std::string>& arguments) {
  CLI::App app({}, "jrpcheck " + std::string(command.name));
  const Action action = command.declare(app);
  const CommandForm form = form_of(app);
  const CommandLine line =
      form.takes_program ? split_command_line(arguments) : CommandLine{arguments, {}, false};
  const auto parsed = parse_words(app, line.words);
  if (!parsed) return complain(ExitCode::usage, parsed.error().message);
  if (*parsed != Parsed::options) {
    std::cout << render_help(form);
    return ExitCode::ok;
  }
  if (auto ok = check_that_nothing_is_lost(app); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  return action(line);
}

CommandLine split_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  line.words.assign(arguments.begin(), dashes);
  line.has_command = dashes != arguments.end();
  if (line.has_command) line.command.assign(std::next(dashes), arguments.end());
  return line;
}

}  // namespace jrpcheck::cli
