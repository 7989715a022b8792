#include <map>
#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>
#include "base/join.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/parse_words.hpp"
#include "cli/write_file.hpp"

namespace jrpcheck::cli {
namespace {

// Text as roff shows it unchanged: no escapes, no requests, and hyphens that can be copied.
std::string escaped(std::string_view text) {
  static const std::map<char, std::string_view> escapes = {
      {'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
  const bool is_request = !text.empty() && (text.front() == '.' || text.front() == '\'');
  std::string safe = is_request ? "\\&" : "";
  for (const char c : text) {
    const auto escape = escapes.find(c);
    safe += escape == escapes.end() ? std::string_view(&c, 1) : escape->second;
  }
  return safe;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string verbatim(const std::string& lines) { return ".PP\n.nf\n" + lines + ".fi\n"; }

// Paragraphs are filled; lines that begin with a space stay as they are.
std::string paragraphs(const std::string& text) {
  std::string page;
  std::string verbatim_lines;
  bool in_paragraph = false;
  const auto end_verbatim = [&] {
    if (!verbatim_lines.empty()) page += verbatim(verbatim_lines);
    verbatim_lines.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == ' ') {
      if (!line.empty()) verbatim_lines += escaped(line) + "\n";
      in_paragraph = false;
      continue;
    }
    end_verbatim();
    if (!in_paragraph) page += ".PP\n";
    in_paragraph = true;
    page += escaped(line) + "\n";
  }
  end_verbatim();
  return page;
}

std::string manual_entry(const OptionForm& option, bool is_operand) {
  std::string label = joined(option.names, ", ", is_operand ? italic : bold);
  if (!is_operand && !option.value.empty()) label += " " + italic(option.value);
  return ".TP\n" + label + "\n" + escaped(option.about) + "\n";
}

std::string section(const CommandForm& command) {
  std::string text = ".SS " + escaped(command.synopses.front()) + "\n";
  for (std::size_t i = 1; i < command.synopses.size(); ++i) {
    text += bold(command.synopses[i]) + "\n.PP\n";
  }
  text += escaped(command.about) + "\n";
  for (const auto& operand : command.operands) text += manual_entry(operand, true);
  for (const auto& option : command.options) text += manual_entry(option, false);
  return text + paragraphs(command.notes);
}

// What holds for every command, and stands in no option's line.
constexpr std::string_view kEnd =
    R"(.SH EXIT STATUS
.TP
.B 0
nothing fails, or \fBjrpcheck replay\fR finds it fixed
.TP
.B 1
at least one case fails, a property or a campaign found something, nothing could be tested, or with \fB\-\-strict\fR warns
.TP
.B 2
usage or corpus error, also a pattern that matches nothing
.TP
.B 3
the target could not be started or reached, or speaks no JSON\-RPC; reports are written all the same
.TP
.B 4
an error of jrpcheck\(aqs own, such as a report that cannot be written
.TP
.B 128 and more
interrupted: 128 and the number of the signal
.SH SIGNALS
The first SIGINT, SIGTERM or SIGHUP ends a command that talks to a server as soon as can be, with
findings and reports written and servers ended. The second ends it at once. A signal that is
ignored, as under
.BR nohup ,
stays so.
.SH ENVIRONMENT
.TP
.B NO_COLOR
When it is set and not empty, the output has no colours unless they are asked for.
.TP
.B GITHUB_STEP_SUMMARY
The file that \fB\-\-report markdown\fR adds to when it names none.
)";

}  // namespace

std::string render_manual(const std::vector<CommandForm>& commands) {
  std::string page = ".TH JRPCHECK 1 \"\" \"jrpcheck " + std::string(kVersion) +
                     "\" \"User Commands\"\n.SH NAME\njrpcheck \\- " + escaped(kProgramSummary) +
                     "\n.SH SYNOPSIS\n";
  for (const auto& command : commands) {
    for (const auto& synopsis : command.synopses) {
      if (&command != &commands.front() || &synopsis != &command.synopses.front()) page += ".br\n";
      page += escaped(synopsis) + "\n";
    }
  }
  page += ".SH DESCRIPTION\n" +
          escaped(
              "A conformance suite and fuzzer for JSON-RPC. It sends a corpus of cases to a server "
              "over\nHTTP or standard input and output, holds what comes back against the "
              "specification, and\nsays clause by clause what is kept, what is violated and what "
              "was not exercised.") +
          "\n.SH COMMANDS\n";
  for (const auto& command : commands) page += section(command);
  return page + std::string(kEnd);
}

Action declare_manual(CLI::App& app) {
  app.description("Prints the manual page, in the macros of man(7).");
  app.footer("  jrpcheck man | man -l -");
  return [](const CommandLine&) {
    std::vector<CommandForm> forms;
    for (const auto& command : all_commands()) forms.push_back(form_of(command));
    const auto written = print_text(render_manual(forms));
    return written ? ExitCode::ok : complain(ExitCode::internal, written.error().message);
  };
}

}  // namespace jrpcheck::cli
