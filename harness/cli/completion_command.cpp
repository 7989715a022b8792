#include "cli/completion_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/parse_words.hpp"
#include "cli/write_file.hpp"

namespace jrpcheck::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string (*render)(const std::vector<CompletedCommand>& commands);
};

constexpr Shell kShells[] = {
    {"bash", &render_bash_completion},
    {"zsh", &render_zsh_completion},
    {"fish", &render_fish_completion},
};

std::string names_of_shells() {
  std::string names;
  for (const auto& shell : kShells) names += (names.empty() ? "" : "|") + std::string(shell.name);
  return names;
}

void declare(CLI::App& app, std::string& shell) {
  app.name("jrpcheck completion");
  app.description("Prints what completes the words of jrpcheck in a shell.");
  app.footer(
      "  jrpcheck completion bash > ~/.local/share/bash-completion/completions/jrpcheck\n"
      "  jrpcheck completion zsh > \"${fpath[1]}/_jrpcheck\"\n"
      "  jrpcheck completion fish > ~/.config/fish/completions/jrpcheck.fish");
  app.add_option("SHELL", shell, "the shell that is to read it")->type_name(names_of_shells());
}

}  // namespace

CommandForm completion_form() {
  CLI::App app;
  std::string shell;
  declare(app, shell);
  return form_of(app);
}

ExitCode completion_command(const std::vector<std::string>& arguments) {
  CLI::App app;
  std::string name;
  declare(app, name);
  if (const auto code = parse_words(app, arguments)) return *code;
  const auto* shell = std::find_if(std::begin(kShells), std::end(kShells),
                                   [&](const Shell& each) { return each.name == name; });
  if (shell == std::end(kShells)) {
    return complain(ExitCode::usage,
                    "which shell? jrpcheck completion takes one of " + names_of_shells());
  }
  const auto written = print_text(shell->render(completed_commands()));
  return written ? ExitCode::ok : complain(ExitCode::internal, written.error().message);
}

}  // namespace jrpcheck::cli
