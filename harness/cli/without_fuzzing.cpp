// The commands that are left out of a program built with -DJRPCHECK_FUZZ=OFF.
#include <CLI/CLI.hpp>
#include <string>

#include "cli/commands.hpp"
#include "cli/parse_words.hpp"

namespace jrpcheck::cli {
namespace {

// Whatever else was asked for, this is the answer.
Action declare_absent(CLI::App& app) {
  app.description("Is no part of this program: it was built with -DJRPCHECK_FUZZ=OFF.");
  app.footer("Exit code: 2");
  app.allow_extras();
  const std::string name = app.get_name();
  return [name](const CommandLine&) {
    return complain(ExitCode::usage, name +
                                         " is no part of this program: it was built with "
                                         "-DJRPCHECK_FUZZ=OFF; build it without that option, or "
                                         "take a release");
  };
}

}  // namespace

Action declare_fuzz(CLI::App& app) { return declare_absent(app); }
Action declare_properties(CLI::App& app) { return declare_absent(app); }
Action declare_replay(CLI::App& app) { return declare_absent(app); }
Action declare_promote(CLI::App& app) { return declare_absent(app); }

}  // namespace jrpcheck::cli
