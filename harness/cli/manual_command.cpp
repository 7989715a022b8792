#include "cli/manual_command.hpp"

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/manual.hpp"
#include "cli/parse_words.hpp"
#include "cli/version.hpp"
#include "cli/write_file.hpp"

namespace jrpcheck::cli {
namespace {

void declare(CLI::App& app) {
  app.name("jrpcheck man");
  app.description("Prints the manual page, in the macros of man(7).");
  app.footer("  jrpcheck man | man -l -");
}

}  // namespace

CommandForm manual_form() {
  CLI::App app;
  declare(app);
  return form_of(app);
}

ExitCode manual_command(const std::vector<std::string>& arguments) {
  CLI::App app;
  declare(app);
  if (const auto code = parse_words(app, arguments)) return *code;
  const auto written = print_text(render_manual(all_forms(), version()));
  return written ? ExitCode::ok : complain(ExitCode::internal, written.error().message);
}

}  // namespace jrpcheck::cli
