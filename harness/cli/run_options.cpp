#include "cli/run_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>

#include "run/roles.hpp"
#include "session/opening.hpp"

namespace jrpcheck::cli {
namespace {

// The options as they are typed, before anything is looked up or read.
struct Words {
  std::string target;
  std::string framing;
  std::string opening;
  std::string methods;
  std::string color = "auto";
  std::vector<std::string> reports;
  std::vector<std::string> headers;
  double timeout_seconds = 5;
  std::optional<int> jobs;
};

// The one table of options: what is parsed here is what --help shows.
void declare(CLI::App& app, Words& words, RunOptions& options) {
  app.add_option("TARGET", words.target, "http:// URL of the server");
  app.add_option("--framing", words.framing,
                 "how messages are told apart on stdio: lines, content-length or concatenated; "
                 "without it jrpcheck finds out");
  app.add_option("--report", words.reports,
                 "FORMAT=PATH: write a report, - for standard output; formats: " + format_names() +
                     "; markdown alone goes to $GITHUB_STEP_SUMMARY")
      ->allow_extra_args(false);
  app.add_option("--select", options.run.selection.select,
                 "only cases whose id, or a requirement of theirs, matches this pattern")
      ->allow_extra_args(false);
  app.add_option("--skip", options.run.selection.skip, "no case that matches this pattern")
      ->allow_extra_args(false);
  app.add_flag("--strict", options.strict, "warnings fail");
  app.add_option("--timeout", words.timeout_seconds, "seconds to wait for one answer")
      ->capture_default_str();
  app.add_option("--jobs", words.jobs,
                 "conversations side by side; default 4 over HTTP, 1 on stdio");
  app.add_option("--profile", options.profile,
                 "which JSON-RPC the server is judged by; jrpcheck list profiles names them")
      ->capture_default_str();
  app.add_option("--methods", words.methods, "file that names the methods that play roles");
  app.add_option("--opening", words.opening,
                 "handshake sent first: mcp, lsp or a file with a JSON Array of messages");
  app.add_option("--header", words.headers, "'Name: value' sent with every HTTP request")
      ->allow_extra_args(false);
  app.add_option(
      "--cases", options.cases_folder,
      "folder of case files that are added to the built-in corpus, or replace its files");
  app.add_option("--seed", options.run.seed, "number from which method names are made")
      ->check(CLI::NonNegativeNumber)  // it would be read as its complement otherwise
      ->capture_default_str();
  app.add_option("--color", words.color, "auto, always or never")->capture_default_str();
  app.add_flag("--quiet", options.quiet, "print the verdict and the numbers only");
  app.add_flag("--verbose", options.verbose,
               "print every finding, the observations and what was not exercised");
}

bool is_field_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c > ' ' && c < 0x7f && c != ':' && c != '"' && c != '(' && c != ')';
  });
}

Result<std::pair<std::string, std::string>> parse_header(const std::string& word) {
  const auto colon = word.find(':');
  const std::string name = word.substr(0, colon);
  if (colon == std::string::npos || !is_field_name(name) ||
      word.find_first_of("\r\n") != std::string::npos) {
    return Error{"--header takes 'Name: value', on one line"};
  }
  const auto begin = std::min(word.find_first_not_of(" \t", colon + 1), word.size());
  return std::pair{name, word.substr(begin)};
}

Result<bool> interpret_target(const CommandLine& line, const Words& words, run::Options& options) {
  options.command = line.command;
  if (line.has_command && line.command.empty()) return Error{"there is no program after --"};
  if (words.target.empty() && !line.has_command) {
    return Error{
        "what is to be judged? Give a URL (jrpcheck run http://127.0.0.1:8545/) or a program after "
        "-- (jrpcheck run -- node server.js)"};
  }
  if (!words.target.empty()) {
    auto target = transport::parse_target(words.target);
    if (!target) return target.error();
    options.target = *std::move(target);
  }
  if (!words.framing.empty()) {
    options.framing = wire::framing_named(words.framing);
    if (!options.framing) {
      return Error{"--framing: '" + words.framing +
                   "' is none of lines, content-length, concatenated"};
    }
    if (options.target) return Error{"--framing is for programs on stdio, not for HTTP"};
  }
  if (!words.headers.empty() && !options.target) {
    return Error{"--header is for HTTP targets, not for programs on stdio"};
  }
  for (const auto& word : words.headers) {
    auto header = parse_header(word);
    if (!header) return header.error();
    options.headers.push_back(*std::move(header));
  }
  return true;
}

Result<bool> interpret_numbers(const Words& words, run::Options& options) {
  constexpr double kMostSeconds = 3600;
  if (!std::isfinite(words.timeout_seconds) || words.timeout_seconds < 0.001 ||
      words.timeout_seconds > kMostSeconds) {
    return Error{"--timeout takes seconds from 0.001 to 3600"};
  }
  options.timeout = microseconds(static_cast<long long>(words.timeout_seconds * 1e6));
  options.jobs = words.jobs.value_or(0);
  if (words.jobs && (options.jobs < 1 || options.jobs > 64)) {
    return Error{"--jobs takes a number from 1 to 64"};
  }
  return true;
}

Result<bool> interpret_files(const Words& words, run::Options& options) {
  options.opening_name = words.opening;
  auto opening = session::opening_named(words.opening);
  if (!opening) return opening.error();
  options.opening = *std::move(opening);
  if (words.methods.empty()) return true;
  auto roles = run::load_methods_file(words.methods);
  if (!roles) return roles.error();
  options.roles = *std::move(roles);
  return true;
}

Result<Color> parse_color(const std::string& word) {
  if (word == "auto") return Color::automatic;
  if (word == "always") return Color::always;
  if (word == "never") return Color::never;
  return Error{"--color: '" + word + "' is none of auto, always, never"};
}

// Names no word in full: what stands behind a misspelt --header may be a secret.
Error unexpected(const std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (option == words.end()) return Error{"there is more than one TARGET; see jrpcheck run --help"};
  return Error{"there is no option '" + option->substr(0, option->find('=')) +
               "'; see jrpcheck run --help"};
}

Result<RunOptions> interpret(const CommandLine& line, const Words& words, RunOptions options) {
  if (auto ok = interpret_target(line, words, options.run); !ok) return ok.error();
  if (auto ok = interpret_numbers(words, options.run); !ok) return ok.error();
  if (auto ok = interpret_files(words, options.run); !ok) return ok.error();
  const auto color = parse_color(words.color);
  if (!color) return color.error();
  options.color = *color;
  if (options.quiet && options.verbose) return Error{"--quiet and --verbose exclude each other"};
  for (const auto& word : words.reports) {
    auto report = parse_report(word);
    if (!report) return report.error();
    options.reports.push_back(*std::move(report));
  }
  return options;
}

}  // namespace

CommandLine split_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  line.words.assign(arguments.begin(), dashes);
  line.has_command = dashes != arguments.end();
  if (line.has_command) line.command.assign(std::next(dashes), arguments.end());
  return line;
}

Result<ParsedRun> parse_run_options(const CommandLine& line) {
  CLI::App app{
      "Judges a JSON-RPC 2.0 server with the conformance corpus.\n"
      "jrpcheck run [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]",
      "jrpcheck run"};
  app.footer(
      "TARGET alone is a server that runs already; -- COMMAND alone is a program on stdio; both\n"
      "together: jrpcheck starts the program, waits for TARGET, and starts it again when it dies.\n"
      "Exit codes: 0 nothing fails, 1 something fails, 2 usage or corpus error, 3 the target "
      "could\n"
      "not be started or reached, 4 an error of jrpcheck's own.");
  Words words;
  RunOptions options;
  declare(app, words, options);
  auto reversed = line.words;
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return ParsedRun{{}, app.help()};
  } catch (const CLI::ExtrasError&) {
    return unexpected(app.remaining());
  } catch (const CLI::ParseError& error) {
    return Error{std::string(error.what()) + "; see jrpcheck run --help"};
  }
  auto interpreted = interpret(line, words, std::move(options));
  if (!interpreted) return interpreted.error();
  return ParsedRun{*std::move(interpreted), {}};
}

}  // namespace jrpcheck::cli
