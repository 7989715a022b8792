#include "cli/run_command.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/endpoint_options.hpp"
#include "cli/parse_words.hpp"
#include "cli/progress_line.hpp"
#include "cli/run_options.hpp"
#include "cli/version.hpp"
#include "corpus/corpus.hpp"
#include "reports/report.hpp"
#include "result/redact.hpp"
#include "run/runner.hpp"
#include "transport/byte_stream.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {
namespace {

Result<corpus::Corpus> load_selected_corpus(const RunOptions& options) {
  auto corpus = load_corpus(options.cases_folder);
  if (!corpus) return corpus;
  corpus = corpus::with_profile(*std::move(corpus), options.profile);
  if (!corpus) return Error{"--profile: " + corpus.error().message};
  if (auto ok = corpus::check_selection(options.run.selection, corpus->cases); !ok) {
    return ok.error();
  }
  return corpus;
}

bool wants_color(Color color, int descriptor) {
  if (color != Color::automatic) return color == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && ::isatty(descriptor) != 0;
}

// Standard output carries what was asked for: the report that names it, or else what a person
// reads.
void print_console(const result::Run& run, const RunOptions& options) {
  const bool taken = takes_standard_output(options.reports);
  const int descriptor = taken ? STDERR_FILENO : STDOUT_FILENO;
  (taken ? std::cerr : std::cout) << reports::render_console(
      run, {wants_color(options.color, descriptor), options.quiet, options.verbose});
}

ExitCode verdict_code(const result::Run& run, bool strict) {
  const bool bad = run.counts.fail > 0 || (strict && run.counts.warn > 0);
  return bad ? ExitCode::failed : ExitCode::ok;
}

}  // namespace

ExitCode run_command(const std::vector<std::string>& arguments) {
  auto parsed = parse_run_options(split_command_line(arguments));
  if (!parsed) return complain(ExitCode::usage, parsed.error().message);
  if (!parsed->help.empty()) {
    std::cout << parsed->help;
    return ExitCode::ok;
  }
  const RunOptions& options = parsed->options;
  const auto corpus = load_selected_corpus(options);
  if (!corpus) return complain(ExitCode::usage, corpus.error().message);

  transport::ignore_broken_pipes();
  auto guardian = transport::Guardian::start();  // forks, so before any thread
  if (!guardian) return complain(ExitCode::internal, guardian.error().message);
  ProgressLine progress(!options.quiet && ::isatty(STDERR_FILENO) != 0);
  auto run = run::run_corpus(*corpus, options.run, **guardian, progress);
  progress.clear();
  if (!run) {
    complain(ExitCode::unreachable, run.error().message);
    auto unreached = run::unreached_run(*corpus, options.run, run.error().message);
    unreached.tool_version = version();
    result::redact(unreached, secrets_of(options.run));
    const bool written = write_reports(unreached, options.reports);
    return written ? ExitCode::unreachable : ExitCode::internal;
  }
  run->tool_version = version();
  result::redact(*run, secrets_of(options.run));
  print_console(*run, options);
  if (!write_reports(*run, options.reports)) return ExitCode::internal;
  return verdict_code(*run, options.strict);
}

}  // namespace jrpcheck::cli
