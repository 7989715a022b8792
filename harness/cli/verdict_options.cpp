#include "cli/verdict_options.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "cli/parse_words.hpp"
#include "cli/write_file.hpp"
#include "reports/report.hpp"

namespace jrpcheck::cli {
namespace {

Result<Color> parse_color(const std::string& word) {
  if (word == "auto") return Color::automatic;
  if (word == "always") return Color::always;
  if (word == "never") return Color::never;
  return Error{"--color: '" + word + "' is none of auto, always, never"};
}

}  // namespace

bool wants_color(Color color, int descriptor) {
  if (color != Color::automatic) return color == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && ::isatty(descriptor) != 0;
}

void declare_strictness(CLI::App& app, VerdictWords& words, VerdictOptions& options) {
  app.add_flag("--strict", options.strict, "treat warnings as failures");
  app.add_option("--require", words.require,
                 "what exit code 0 requires: that nothing fails, or that the verdict is conforms")
      ->type_name("conforms|no-failure")
      ->capture_default_str();
}

void declare_screen(CLI::App& app, VerdictWords& words, VerdictOptions& options) {
  app.add_option("--color", words.color, "colours on the terminal")
      ->type_name("auto|always|never")
      ->capture_default_str();
  app.add_flag("--quiet", options.quiet, "print the verdict and the numbers only");
  app.add_flag("--verbose", options.verbose,
               "also print every finding, all observations and what was not exercised");
}

Result<bool> interpret_verdict(const VerdictWords& words, VerdictOptions& options) {
  const auto color = parse_color(words.color);
  if (!color) return color.error();
  options.color = *color;
  options.require_conforms = words.require == "conforms";
  if (!options.require_conforms && words.require != "no-failure") {
    return Error{"--require: '" + words.require + "' is none of conforms, no-failure"};
  }
  if (options.quiet && options.verbose) return Error{"--quiet and --verbose exclude each other"};
  auto reports = parse_reports(words.reports);
  if (!reports) return reports.error();
  options.reports = *std::move(reports);
  return true;
}

bool print_console(const result::RedactedRun& run, const VerdictOptions& options,
                   const std::vector<ReportRequest>& written) {
  const bool taken = takes_standard_output(options.reports);
  const int descriptor = taken ? STDERR_FILENO : STDOUT_FILENO;
  reports::ConsoleOptions shown{wants_color(options.color, descriptor),
                                options.quiet,
                                options.verbose,
                                {},
                                options.takes_baseline,
                                options.takes_selection,
                                options.cases_folder};
  for (const auto& each : written) {
    if (each.path != "-") shown.written.push_back(each.format + " " + each.path);
  }
  const auto text = reports::render_console(run, shown);
  if (!taken) {
    const auto printed = print_text(text);
    if (printed) return true;
    complain(ExitCode::internal, printed.error().message);
  }
  std::cerr << text;
  return taken;
}

ExitCode verdict_code(const result::Run& run, const VerdictOptions& options) {
  const bool bad = run.baseline ? !run.baseline->holds()
                                : run.counts.fail > 0 || (options.strict && run.counts.warn > 0);
  const bool too_little = options.require_conforms && run.verdict != result::RunVerdict::conforms;
  return bad || too_little ? ExitCode::failed : ExitCode::ok;
}

}  // namespace jrpcheck::cli
