#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/bytes.hpp"
#include "base/failure.hpp"
#include "base/interruption.hpp"
#include "cli/baseline.hpp"
#include "cli/commands.hpp"
#include "cli/dry_run.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/explain.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/law.hpp"
#include "cli/parse_words.hpp"
#include "cli/run_options.hpp"
#include "cli/run_screen.hpp"
#include "cli/signals.hpp"
#include "corpus/catalogue.hpp"
#include "corpus/corpus.hpp"
#include "corpus/read_file.hpp"
#include "judge/protocol.hpp"
#include "judge/rules/law.hpp"
#include "run/catalogue.hpp"
#include "run/recognise_protocol.hpp"
#include "run/runner.hpp"
#include "schema/published_schema.hpp"
#include "transport/byte_stream.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {
namespace {

// The schema that the user brings is that of whatever protocol the server is judged by.
Result<bool> bring_schema(const RunOptions& options, corpus::Corpus& corpus) {
  if (options.schema_file.empty()) return true;
  const auto text = corpus::read_file(options.schema_file);
  if (!text) return Error{"--schema: " + options.schema_file + ": " + text.error().message};
  if (const auto read = schema::PublishedSchema::load(*text); !read) {
    return Error{"--schema: " + options.schema_file + ": " + read.error().message};
  }
  corpus.published_schema = *text;
  return true;
}

// What a run asks, and what it is expected to show.
struct Plan {
  corpus::Corpus corpus;
  std::optional<result::Baseline> baseline;
};

// What only a schema or a rule charges shows in any of the profile's own cases: whoever selects it
// selects those.
void select_by_law(const corpus::Corpus& corpus, corpus::Selection& selection) {
  const auto law = judge::law_of(corpus);
  if (!law) return;
  const auto requirements = judge::requirements_of(**law);
  for (auto& pattern : selection.select) {
    if (corpus::check_selection({{pattern}, {}}, corpus.cases)) continue;
    const bool is_charged = std::any_of(
        requirements.begin(), requirements.end(),
        [&](const auto& requirement) { return corpus::matches_glob(pattern, requirement); });
    if (is_charged) pattern = corpus.profile.family + "/*";
  }
}

// What has been selected may be there, and be of another profile.
Error selection_error(const std::string& complaint, const RunOptions& options) {
  const auto whole = load_corpus(options.cases_folder);
  if (!whole) return Error{complaint};
  for (const auto& pattern : options.run.selection.select) {
    for (const auto& one : whole->cases) {
      if (!corpus::Selection{{pattern}, {}}.includes(one)) continue;
      const auto* requirement = whole->ledger.find(one.requirements.front());
      const auto profile = requirement ? profile_option(*whole, requirement->class_name) : "";
      if (profile.empty()) break;
      return Error{"'" + pattern + "' selects cases of a protocol on top: add " +
                   profile.substr(0, profile.size() - 1)};
    }
  }
  return Error{complaint};
}

Result<Plan> make_plan(RunOptions& options) {
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
  select_by_law(*corpus, options.run.selection);
  if (auto ok = corpus::check_selection(options.run.selection, corpus->cases); !ok) {
    return selection_error(ok.error().message, options);
  }
  plan.corpus = *std::move(corpus);
  if (auto ok = bring_schema(options, plan.corpus); !ok) return ok.error();
  const bool has_messages = !plan.corpus.profile.schemas.empty() || options.recognises;
  if (!options.schema_file.empty() && !has_messages) {
    return Error{"--schema: the profile '" + options.profile + "' has no messages of its own"};
  }
  return plan;
}

// Of a protocol of which a run would find out the version, the newest stands for it.
ExitCode tell_dry_run(Plan plan, const RunOptions& options) {
  const corpus::Profile& profile = plan.corpus.profile;
  if (!profile.versions.empty() && profile.version.empty()) {
    const std::string name = profile.family + "-" + profile.versions.back();
    auto corpus = corpus::with_profile(std::move(plan.corpus), name);
    if (!corpus) return complain(ExitCode::usage, corpus.error().message);
    plan.corpus = *std::move(corpus);
  }
  const auto text = without_secrets(dry_run(plan.corpus, options));
  std::cout << without_log_commands(to_visible_lines(text));
  std::cout.flush();
  return std::cout ? ExitCode::ok : ExitCode::internal;
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
                    result::RedactedRun& run) {
  if (!baseline) return true;
  bool written = true;
  if (options.update_baseline && !run->interrupted.empty()) {
    say("the baseline is not written: the run ended early");
  } else if (options.update_baseline) {
    const auto told = update_baseline(options.baseline, run, options.strict, *baseline);
    written = static_cast<bool>(told);
    say(told ? *told : told.error().message);
  }
  run.hold_against(*baseline, options.baseline, options.strict);
  return written;
}

ExitCode report_unreached(result::Run unreached, const RunOptions& options) {
  if (is_interrupted()) {
    unreached.interrupted = interrupted_before("the target was reached", unreached.unreached);
    unreached.unreached = unreached.interrupted;
    unreached.notes = {unreached.interrupted};
    unreached.verdict = result::RunVerdict::partial;  // nobody knows
  }
  unreached.tool_version = kVersion;
  complain(ExitCode::unreachable, unreached.unreached);
  const bool written = write_reports(without_secrets(std::move(unreached)), options.reports);
  if (is_signalled()) return interrupted_code();
  return written ? ExitCode::unreachable : ExitCode::internal;
}

// Without what it takes to go on there is no verdict, but a report that says so.
ExitCode report_failure(const Plan& plan, const RunOptions& options, const std::string& reason) {
  auto failed = run::unreached_run(plan.corpus, options.run, reason, result::RunVerdict::partial);
  failed.interrupted = reason;
  failed.tool_version = kVersion;
  write_reports(without_secrets(std::move(failed)), options.reports);
  return complain(ExitCode::internal, reason);
}

// A server of a protocol on top of JSON-RPC is judged by its law, where nobody asked for another.
Result<std::string> adopt_protocol(const std::string& name, const RunOptions& options,
                                   RunScreen& screen, Plan& plan) {
  auto corpus = load_corpus(options.cases_folder);
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), name);
  if (!corpus) return corpus.error();
  plan.corpus = *std::move(corpus);
  if (auto ok = bring_schema(options, plan.corpus); !ok) return ok.error();
  std::string note = note_of_recognition(plan.corpus.profile);
  if (!options.quiet) screen.interrupt([&note] { say(note); });
  return note;
}

// By whose law the server is judged, and what the report says of that. The run where it cannot be:
// the server was not reached.
std::optional<result::Run> settle_law(Plan& plan, RunOptions& options,
                                      transport::Guardian& guardian, RunScreen& progress,
                                      std::string& note) {
  run::Options as_given = options.run;
  run::adopt(plan.corpus.profile, options.run);
  Result<std::string> settled = std::string();
  std::string hint;
  if (options.recognises) {
    progress.begin(run::beginning_of(options.run), options.run.start_bound());
    auto recognised = run::recognise_protocol(options.run, guardian);
    if (!recognised.unreached.empty()) {
      return run::unreached_run(plan.corpus, options.run, recognised.unreached, recognised.ending);
    }
    // What one that keeps silent has been waited for is not waited for again.
    options.run.silence = {recognised.waited, progress.last_seen()};
    as_given.heard_in = options.run.heard_in = recognised.heard_in;
    options.run.first_calls = std::move(recognised.first_calls);
    hint = std::move(recognised.hint);
    if (!recognised.profile.empty())
      settled = adopt_protocol(recognised.profile, options, progress, plan);
  }
  if (settled && settled->empty()) {
    auto version = settle_version(plan.corpus, options.run, guardian);
    if (version && !version->unjudgeable.empty()) {
      auto unjudged = run::unreached_run(plan.corpus, options.run, version->unjudgeable);
      unjudged.answered = "it answers, and in no version that is known here";
      return unjudged;
    }
    if (!version) return run::unreached_run(plan.corpus, options.run, version.error().message);
    settled = std::move(version->note);
  }
  if (!settled) return run::unreached_run(plan.corpus, options.run, settled.error().message);
  note = settled->empty() ? std::move(hint) : *settled;
  if (plan.corpus.profile.name != options.profile) {
    options.run = as_given;
    run::adopt(plan.corpus.profile, options.run);
  }
  return std::nullopt;
}

// Where the two schemas differ is what whoever brings one wants to know.
void tell_differences(const RunOptions& options, result::Run& run) {
  if (options.schema_file.empty()) return;
  std::set<std::string> told;  // each once, however many messages show it
  for (const auto& each : run.observations) {
    const bool is_new = each.id == judge::kSchemasDiffer && told.insert(each.value).second;
    if (is_new) run.notes.push_back("The schema " + options.schema_file + ": " + each.value);
  }
  if (told.empty()) {
    run.notes.push_back("By the schema " + options.schema_file +
                        " nothing that was said is judged otherwise.");
  }
}

void tell_of_names_without_effect(const corpus::Profile& profile,
                                  const std::set<std::string>& allowed, result::Run& run) {
  if (!run.conditions) return;
  const auto catalogue = run::catalogue_from(profile, run.conditions->catalogue, {});
  for (auto& note : names_without_effect(profile, allowed, catalogue.get())) {
    run.notes.push_back(std::move(note));
  }
}

// What is met while nothing is known of the server yet.
void tell_on(RunScreen& screen, RunOptions& options) {
  options.run.tell_seen = [&screen](const std::string& what) { screen.seen(what); };
  if (options.quiet) return;
  options.run.tell_guess = [&screen](const std::string& guess) {
    screen.interrupt([&guess] { say(guess); });
  };
}

// What a run has shown: written, and told.
ExitCode conclude(result::Run run, Plan& plan, const RunOptions& options) {
  tell_differences(options, run);
  tell_of_names_without_effect(plan.corpus.profile, options.run.allowed, run);
  run.tool_version = kVersion;
  auto redacted = without_secrets(std::move(run));
  const bool kept = apply_baseline(options, plan.baseline, redacted);
  std::vector<ReportRequest> reports;
  const bool written = write_reports(redacted, options.reports, &reports);
  const bool printed = print_console(redacted, options, reports);
  if (is_signalled()) return interrupted_code();
  if (!redacted->failure.empty()) return complain(ExitCode::internal, redacted->failure);
  if (!printed || !written || !kept) return ExitCode::internal;
  const ExitCode code = verdict_code(redacted, options);
  // Who wanted a baseline has none.
  const bool is_left = options.update_baseline && !redacted->interrupted.empty();
  return is_left && code == ExitCode::ok ? ExitCode::failed : code;
}

// Whoever kept silent while its protocol was looked for, and answers after all, has come up since:
// it is asked again. The run where it cannot be judged; `run` else.
std::optional<result::Run> ask(Plan& plan, RunOptions& options, transport::Guardian& guardian,
                               RunScreen& screen, std::string& note, result::Run& run) {
  if (auto unreached = settle_law(plan, options, guardian, screen, note)) return unreached;
  bool answers_after_all = false;
  if (options.run.silence.waited > microseconds(0)) {
    options.run.answers_after_all = [&answers_after_all] { answers_after_all = true; };
  }
  run = run::run_corpus(plan.corpus, options.run, guardian, screen);
  options.run.answers_after_all = nullptr;
  if (!answers_after_all) return std::nullopt;
  if (auto unreached = settle_law(plan, options, guardian, screen, note)) return unreached;
  run = run::run_corpus(plan.corpus, options.run, guardian, screen);
  return std::nullopt;
}

ExitCode ask_and_conclude(Plan& plan, RunOptions& options) {
  const auto guardian = guard_what_is_started();
  // No thread has begun that a signal could wake in place of this one.
  RunScreen screen(options.quiet                  ? RunScreen::Kind::none
                   : ::isatty(STDERR_FILENO) != 0 ? RunScreen::Kind::live
                                                  : RunScreen::Kind::log);
  tell_on(screen, options);
  std::string note;
  result::Run run;
  auto unreached = ask(plan, options, *guardian, screen, note, run);
  screen.end();
  if (unreached) return report_unreached(*std::move(unreached), options);
  name_what_is_left(*guardian);
  if (!run.unreached.empty()) return report_unreached(std::move(run), options);
  if (!note.empty()) run.notes.insert(run.notes.begin(), note);
  return conclude(std::move(run), plan, options);
}

// What a run holds may leave no memory for a report on it; without that run there is some.
ExitCode judge(Plan plan, RunOptions options) {
  end_of_time = options.end;
  options.run.flaky = flaky_cases(plan.baseline);
  ExitCode code = ExitCode::internal;
  const std::string failure = failure_of_command([&] { code = ask_and_conclude(plan, options); });
  return failure.empty() ? code : report_failure(plan, options, failure);
}

}  // namespace

Action declare_run(CLI::App& app) {
  return [read = declare_run_options(app)](const CommandLine& line) {
    auto options = read(line);
    if (!options) return complain(ExitCode::usage, options.error().message);
    auto plan = make_plan(*options);
    if (!plan) return complain(ExitCode::usage, plan.error().message);
    if (options->dry_run) return tell_dry_run(*std::move(plan), *options);
    return judge(*std::move(plan), *std::move(options));
  };
}

}  // namespace jrpcheck::cli
