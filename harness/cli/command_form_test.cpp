#include "cli/command_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/help_text.hpp"
#include "cli/manual.hpp"

namespace jrpcheck::cli {
namespace {

// Three lines declare a command with two options; everything else follows from them.
CommandForm example() {
  CLI::App app;
  std::string target;
  std::string shade = "dark";
  std::vector<std::string> files;
  app.name("jrpcheck paint");
  app.description("Paints a target.\njrpcheck paint [OPTIONS] TARGET -- COMMAND [ARG...]");
  app.footer("A paragraph.\n\n  jrpcheck paint it");
  app.add_option("TARGET", target, "what is painted");
  app.add_option("-s,--shade", shade, "how; it's 'dark' [or not]: yes")
      ->type_name("dark|light|FILE")
      ->capture_default_str();
  app.add_option("--from", files, "a folder")->type_name("DIR")->check(CLI::ExistingPath);
  return form_of(app);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandForm, IsWhatIsDeclared) {
  const auto form = example();
  EXPECT_EQ(form.name, "paint");
  EXPECT_EQ(form.about, "Paints a target.");
  EXPECT_EQ(form.synopsis, "jrpcheck paint [OPTIONS] TARGET -- COMMAND [ARG...]");
  EXPECT_TRUE(form.takes_program);
  ASSERT_EQ(form.operands.size(), 1U);
  EXPECT_EQ(form.operands[0].value, "TARGET");
  ASSERT_EQ(form.options.size(), 3U);
  EXPECT_EQ(form.options[0].names, (std::vector<std::string>{"-h", "--help"}));
  EXPECT_EQ(form.options[0].value, "");
  EXPECT_EQ(form.options[1].names, (std::vector<std::string>{"-s", "--shade"}));
  EXPECT_EQ(form.options[1].value, "dark|light|FILE");
  EXPECT_EQ(form.options[1].preset, "dark");
  EXPECT_FALSE(form.options[1].is_many);
  EXPECT_EQ(form.options[2].value, "DIR");  // without what the check adds
  EXPECT_TRUE(form.options[2].is_many);
}

TEST(CommandForm, WithoutASynopsisOneIsMade) {
  CLI::App app;
  std::vector<std::string> files;
  app.name("jrpcheck paint");
  app.add_option("FILE", files, "what is painted");
  EXPECT_EQ(form_of(app).synopsis, "jrpcheck paint [OPTIONS] FILE...");
}

TEST(ValueForm, IsReadFromTheWordThatStandsForIt) {
  const auto mixed = value_form("mcp|lsp|FILE");
  EXPECT_EQ(mixed.words, (std::vector<std::string>{"mcp", "lsp"}));
  EXPECT_TRUE(mixed.files);
  EXPECT_FALSE(mixed.folders);
  EXPECT_FALSE(value_form("SECONDS").is_guessable());
  EXPECT_FALSE(value_form("").is_guessable());
  EXPECT_TRUE(value_form("DIR").folders);
  EXPECT_TRUE(value_form("PROGRAM").programs);
  EXPECT_TRUE(value_form("PATTERN").ids);
  const auto profiles = value_form("PROFILE").words;
  EXPECT_EQ(std::count(profiles.begin(), profiles.end(), "jsonrpc-2.0"), 1);
  EXPECT_EQ(value_form("FORMAT=PATH").formats.front(), "json");
}

TEST(HelpText, HoldsWhatIsDeclared) {
  const auto help = render_help(example());
  EXPECT_EQ(help,
            "Paints a target.\n\n"
            "Usage: jrpcheck paint [OPTIONS] TARGET -- COMMAND [ARG...]\n\n"
            "  TARGET              what is painted\n\n"
            "Options:\n"
            "  -h, --help          print this and exit\n"
            "  -s, --shade dark|light|FILE\n"
            "                      how; it's 'dark' [or not]: yes (default dark)\n"
            "  --from DIR          a folder\n\n"
            "A paragraph.\n\n  jrpcheck paint it\n");
}

TEST(Manual, EscapesWhatItsMacrosWouldTake) {
  CommandForm form = example();
  form.about = "'Quoted' \\ at the beginning.";
  form.notes = ".not a request\n\n  verbatim  'line'";
  const auto page = render_manual({form}, "1.2");
  EXPECT_TRUE(contains(page, "\n\\&\\(aqQuoted\\(aq \\e at the beginning.\n")) << page;
  EXPECT_TRUE(contains(page, "\n\\&.not a request\n")) << page;
  EXPECT_TRUE(contains(page, ".nf\n  verbatim  \\(aqline\\(aq\n.fi\n")) << page;
  EXPECT_TRUE(contains(page, "\\fB\\-s\\fR, \\fB\\-\\-shade\\fR \\fIdark|light|FILE\\fR")) << page;
}

TEST(Completion, KnowsEveryCommandAndOption) {
  const auto commands = completed_commands();
  ASSERT_EQ(commands.size(), all_commands().size());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    EXPECT_EQ(commands[i].name, all_commands()[i].name);
    EXPECT_FALSE(commands[i].options.empty()) << commands[i].name;
  }
  for (const auto render :
       {&render_bash_completion, &render_zsh_completion, &render_fish_completion}) {
    const auto script = (*render)(commands);
    for (const auto& command : commands) {
      for (const auto& option : command.options) {
        const auto letters = option.names.back().substr(2);
        EXPECT_TRUE(contains(script, letters)) << command.name << " " << letters;
      }
    }
  }
}

TEST(Completion, QuotesDoNotEndTheScriptsOwn) {
  CompletedCommand command;
  command.name = "paint";
  command.summary = "it's: a [b] \\";
  command.options.push_back({{"--shade"}, "it's: a [b] \\", "X", value_form("X"), false});
  const auto zsh = render_zsh_completion({command});
  EXPECT_TRUE(contains(zsh, "'(--shade)--shade=[it'\\''s: a \\[b\\] \\\\]:X: _jrpcheck_any -'"))
      << zsh;
  const auto fish = render_fish_completion({command});
  EXPECT_TRUE(contains(fish, "-l shade -x -d 'it\\'s: a [b] \\\\'")) << fish;
}

}  // namespace
}  // namespace jrpcheck::cli
