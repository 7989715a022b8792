#include "cli/command_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/contains.hpp"
#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"

namespace jrpcheck::cli {
namespace command_form_test {

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

TEST(CommandForm, IsWhatIsDeclared) {
  const auto form = example();
  EXPECT_EQ(form.name, "paint");
  EXPECT_EQ(form.about, "Paints a target.");
  EXPECT_EQ(form.synopses,
            std::vector<std::string>{"jrpcheck paint [OPTIONS] TARGET -- COMMAND [ARG...]"});
  EXPECT_TRUE(form.takes_program);
  ASSERT_EQ(form.operands.size(), 1U);
  EXPECT_EQ(form.operands[0].value, "TARGET");
  ASSERT_EQ(form.options.size(), 3U);
  EXPECT_EQ(form.options[0].names, (std::vector<std::string>{"-h", "--help"}));
  EXPECT_EQ(form.options[0].value, "");
  EXPECT_EQ(form.options[1].names, (std::vector<std::string>{"-s", "--shade"}));
  EXPECT_EQ(form.options[1].value, "dark|light|FILE");
  EXPECT_EQ(form.options[1].about, "how; it's 'dark' [or not]: yes (default dark)");
  EXPECT_FALSE(form.options[1].is_many);
  EXPECT_EQ(form.options[2].value, "DIR");  // without what the check adds
  EXPECT_TRUE(form.options[2].is_many);
}

TEST(CommandForm, WithoutASynopsisOneIsMade) {
  CLI::App app;
  std::vector<std::string> files;
  app.name("jrpcheck paint");
  app.add_option("FILE", files, "what is painted");
  EXPECT_EQ(form_of(app).synopses, std::vector<std::string>{"jrpcheck paint [OPTIONS] FILE..."});
}

TEST(CommandForm, EachOfItsSynopsesHasALineOfTheHelp) {
  CLI::App app("Paints.\njrpcheck paint TARGET\njrpcheck paint --all [ROOM]");
  app.name("jrpcheck paint");
  EXPECT_TRUE(contains(render_help(form_of(app)),
                       "Usage: jrpcheck paint TARGET\n       jrpcheck paint --all [ROOM]\n"));
}

std::vector<std::string> words_for(const std::vector<std::string>& typed) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : complete(typed).words) words.push_back(word);
  return words;
}

TEST(Completion, FollowsFromTheWordThatStandsForTheValue) {
  const auto mixed = complete({"run", "--opening", ""});
  EXPECT_EQ(words_for({"run", "--opening", ""}),
            (std::vector<std::string>{"lsp", "mcp", "mcp-2025-03-26", "mcp-2025-06-18",
                                      "mcp-2025-11-25"}));
  EXPECT_EQ(mixed.kinds, "f");
  EXPECT_EQ(complete({"run", "--cases", ""}).kinds, "df");
  EXPECT_EQ(complete({"selftest", "--reference", ""}).kinds, "p");
  EXPECT_EQ(to_text(complete({"run", "--timeout", ""})), "\n\n");
  EXPECT_EQ(words_for({"run", "--select", "batch/all"}),
            (std::vector<std::string>{"batch/all-notifications"}));
  const auto profiles = words_for({"run", "--profile", ""});
  EXPECT_EQ(std::count(profiles.begin(), profiles.end(), "jsonrpc-2.0"), 1);
  EXPECT_EQ(words_for({"run", "--report", ""}).front(), "json=");
}

TEST(Completion, TellsWhereInTheWordAFileBegins) {
  EXPECT_EQ(complete({"run", "--report", "json=a/b"}).start, "json=");
  EXPECT_EQ(complete({"run", "--report", "json=a/b"}).kinds, "f");
  EXPECT_EQ(complete({"run", "--report=json=a/b"}).start, "--report=json=");
  EXPECT_EQ(complete({"run", "--methods=a/b"}).start, "--methods=");
  EXPECT_EQ(words_for({"run", "--color=al"}), (std::vector<std::string>{"--color=always"}));
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
  const auto page = render_manual({form});
  EXPECT_TRUE(contains(page, "\n\\&\\(aqQuoted\\(aq \\e at the beginning.\n")) << page;
  EXPECT_TRUE(contains(page, "\n\\&.not a request\n")) << page;
  EXPECT_TRUE(contains(page, ".nf\n  verbatim  \\(aqline\\(aq\n.fi\n")) << page;
  EXPECT_TRUE(contains(page, "\\fB\\-s\\fR, \\fB\\-\\-shade\\fR \\fIdark|light|FILE\\fR")) << page;
}

TEST(Completion, KnowsEveryCommandAndOption) {
  for (const auto& command : all_commands()) {
    const std::string name(command.name);
    const auto commands = words_for({name.substr(0, 2)});
    EXPECT_EQ(std::count(commands.begin(), commands.end(), name), 1) << name;
    const auto options = words_for({name, "-"});
    for (const auto& option : form_of(command).options) {
      for (const auto& each : option.names) {
        EXPECT_EQ(std::count(options.begin(), options.end(), each), 1) << name << " " << each;
      }
    }
  }
}

}  // namespace command_form_test
}  // namespace jrpcheck::cli
