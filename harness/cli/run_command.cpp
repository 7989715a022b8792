#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/interruption.hpp"
#include "cli/baseline.hpp"
#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/parse_words.hpp"
#include "cli/run_options.hpp"
#include "cli/run_screen.hpp"
#include "cli/signals.hpp"
#include "cli/write_file.hpp"
#include "corpus/corpus.hpp"
#include "result/redact.hpp"
#include "run/runner.hpp"
#include "transport/byte_stream.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {
namespace {

// What a run asks, and what it is expected to show.
struct Plan {
  corpus::Corpus corpus;
  std::optional<result::Baseline> baseline;
};

Result<Plan> make_plan(const RunOptions& options) {
  Plan plan;
  auto corpus = load_corpus(options.cases_folder);
  if (!corpus) return corpus.error();
  if (!options.baseline.empty()) {
    auto baseline = load_baseline(options.baseline, options.update_baseline, *corpus);
    if (!baseline) return baseline.error();
    plan.baseline = *std::move(baseline);
  }
  corpus = corpus::with_profile(*std::move(corpus), options.profile);
  if (!corpus) return Error{"--profile: " + corpus.error().message};
  if (auto ok = corpus::check_selection(options.run.selection, corpus->cases); !ok) {
    return ok.error();
  }
  plan.corpus = *std::move(corpus);
  return plan;
}

std::set<std::string> flaky_cases(const std::optional<result::Baseline>& baseline) {
  std::set<std::string> ids;
  if (!baseline) return ids;
  for (const auto& [id, known] : baseline->cases) {
    if (known.flaky) ids.insert(id);
  }
  return ids;
}

// Holds the run against its baseline, or rewrites that one; false when it cannot be written.
bool apply_baseline(const RunOptions& options, std::optional<result::Baseline>& baseline,
                    result::Run& run) {
  if (!baseline) return true;
  bool written = true;
  if (options.update_baseline && !run.interrupted.empty()) {
    written = false;
    complain(ExitCode::internal, "the baseline stays as it was: the run was interrupted");
  } else if (options.update_baseline) {
    const auto told = update_baseline(options.baseline, run, options.strict, *baseline);
    written = static_cast<bool>(told);
    std::cerr << "jrpcheck: " << (told ? *told : told.error().message) << "\n";
  }
  result::hold_against(*baseline, options.baseline, options.strict, run);
  return written;
}

ExitCode report_unreached(result::Run unreached, const RunOptions& options) {
  if (is_interrupted()) {
    unreached.interrupted = run::interruption_text() + " before the target was reached";
    unreached.unreached = unreached.interrupted;
    unreached.notes = {unreached.interrupted};
    unreached.verdict = result::RunVerdict::partial;  // nobody knows
  }
  unreached.tool_version = kVersion;
  const auto secrets = secrets_of(options.run);
  complain(ExitCode::unreachable, result::redacted(unreached.unreached, secrets));
  result::redact(unreached, secrets);
  const bool written = write_reports(unreached, options.reports);
  if (is_signalled()) return interrupted_code();
  return written ? ExitCode::unreachable : ExitCode::internal;
}

// Without what it takes to go on there is no verdict, but a report that says so.
ExitCode report_failure(const Plan& plan, const RunOptions& options, const std::string& reason) {
  auto failed = run::unreached_run(plan.corpus, options.run, reason, result::RunVerdict::partial);
  failed.interrupted = reason;
  failed.tool_version = kVersion;
  result::redact(failed, secrets_of(options.run));
  write_reports(failed, options.reports);
  return complain(ExitCode::internal, reason);
}

ExitCode judge(Plan plan, RunOptions options) {
  end_of_time = options.end;
  options.run.flaky = flaky_cases(plan.baseline);
  run::adopt(plan.corpus.profile, options.run);
  transport::ignore_broken_pipes();
  auto guardian = transport::Guardian::start();  // forks, so before any thread
  if (!guardian) return complain(ExitCode::internal, guardian.error().message);
  heed_interruptions();
  take_file_limits_for_errors();
  // No thread has begun that a signal could wake in place of this one.
  RunScreen progress(options.quiet                  ? RunScreen::Kind::none
                     : ::isatty(STDERR_FILENO) != 0 ? RunScreen::Kind::live
                                                    : RunScreen::Kind::log);
  result::Run run;
  try {
    run = run::run_corpus(plan.corpus, options.run, **guardian, progress);
  } catch (const std::bad_alloc&) {
    return report_failure(plan, options, "jrpcheck has run out of memory");
  } catch (const std::system_error& error) {
    return report_failure(plan, options,
                          std::string("jrpcheck cannot go on: ") + error.code().message());
  }
  progress.end();
  name_what_is_left(**guardian);
  if (!run.unreached.empty()) return report_unreached(std::move(run), options);
  run.tool_version = kVersion;
  result::redact(run, secrets_of(options.run));
  const bool kept = apply_baseline(options, plan.baseline, run);
  std::vector<ReportRequest> reports;
  const bool written = write_reports(run, options.reports, &reports);
  const bool printed = print_console(run, options, reports);
  if (is_signalled()) return interrupted_code();
  if (!run.failure.empty()) return complain(ExitCode::internal, run.failure);
  if (!printed || !written || !kept) return ExitCode::internal;
  return verdict_code(run, options);
}

}  // namespace

Action declare_run(CLI::App& app) {
  return [read = declare_run_options(app)](const CommandLine& line) {
    auto options = read(line);
    if (!options) return complain(ExitCode::usage, options.error().message);
    auto plan = make_plan(*options);
    if (!plan) return complain(ExitCode::usage, plan.error().message);
    return judge(*std::move(plan), *std::move(options));
  };
}

}  // namespace jrpcheck::cli
