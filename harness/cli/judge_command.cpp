#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "base/failure.hpp"
#include "base/join.hpp"
#include "cli/captures.hpp"
#include "cli/commands.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/parse_words.hpp"
#include "cli/signals.hpp"
#include "cli/stored_runs.hpp"
#include "cli/verdict_options.hpp"
#include "result/merge.hpp"
#include "run/judge_again.hpp"
#include "traffic/account.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kJudgeNotes =
    "  jrpcheck judge run.json                                the verdict of this version\n"
    "  jrpcheck judge traffic.jsonl session.har               traffic that was recorded\n"
    "  jrpcheck judge --profile mcp session.har               by the rules of a protocol as well\n"
    "  jrpcheck judge --report html=report.html run.json      and a report on it\n"
    "  jrpcheck judge --report markdown=- a.json b.json       several servers beside each other\n"
    "\n"
    "Nothing is sent. A run that this version made has the same verdict again; one of an earlier\n"
    "version is judged by the rules of this one. Shards of one run are put together.\n"
    "Recorded traffic is judged by the rules that need no cause, for the client and for the "
    "server:\n"
    "envelopes, ids, answers, silence, batches, framing. What did not occur is not exercised, so "
    "its\n"
    "verdict is fails or partial. It is read as jrpcheck watch --record writes it, as HAR 1.2, as "
    ".io\n"
    "vectors (>> and <<), as the LSP trace of an editor in JSON, and as mcpsnoop and lsptrace "
    "write\n"
    "it. A line that cannot be read is named, and nothing is said to be unanswered for want of "
    "it.\n"
    "A HAR may have 128 MiB.\n"
    "Exit codes: 0 nothing fails, 1 something fails (with --require conforms: or a verdict is\n"
    "partial), 2 usage error or a file that cannot be judged, 3 the target of a run had not been\n"
    "reached, 4 an error of jrpcheck's own, such as a report that cannot be written.";

struct JudgeOptions : VerdictOptions {
  VerdictWords words;
  std::string profile;  // of recorded traffic
  std::vector<std::string> files;
};

Result<result::Run> judge_again(const result::Run& stored, const std::string& file,
                                const std::string& cases_folder) {
  auto corpus = load_corpus(cases_folder);
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), stored.profile);
  if (!corpus) return Error{file + ": " + corpus.error().message};
  auto run = run::judge_again(stored, *corpus);
  if (!run) return Error{file + ": " + run.error().message};
  run->tool_version = kVersion;
  return run;
}

// By what recorded traffic is judged.
Result<corpus::Corpus> corpus_of_traffic(const JudgeOptions& options) {
  const bool has_profile = !options.profile.empty();
  auto corpus = load_corpus(options.cases_folder);
  if (corpus) {
    corpus = corpus::with_profile(*std::move(corpus),
                                  has_profile ? options.profile : corpus::kDefaultProfile);
  }
  if (!corpus) return Error{(has_profile ? "--profile: " : "") + corpus.error().message};
  return corpus;
}

// One file: a run that was stored, or traffic that was recorded.
Result<result::Run> judge_file(const std::string& file, const JudgeOptions& options,
                               bool& is_unreached) {
  const auto& cases_folder = options.cases_folder;
  const auto kind = kind_of_file(file);
  if (!kind) return kind.error();
  if (*kind == FileKind::finding) return no_run_but_a_finding(file);
  // What begins like a run and is none is told where it departs.
  const bool is_run = *kind == FileKind::run || *kind == FileKind::of_a_schema;
  if (is_run && !options.profile.empty()) {
    return Error{"--profile is for recorded traffic; " + file +
                 " is a run, which says by which profile it is judged"};
  }
  if (is_run) {
    const auto stored = read_runs({file});
    if (!stored) {
      return Error{stored.error().message +
                   ": what jrpcheck run --report json=FILE writes can be judged"};
    }
    is_unreached = !stored->front().was_reached();
    return judge_again(stored->front(), file, cases_folder);
  }
  const auto corpus = corpus_of_traffic(options);
  if (!corpus) return corpus.error();
  auto captured = judge_capture(file, *corpus);
  if (!captured) return captured.error();
  return (*std::move(captured)).release();
}

ExitCode judge(const JudgeOptions& options) {
  if (options.files.empty()) {
    return complain(ExitCode::usage,
                    "what is to be judged? Name files that --report json=FILE or jrpcheck watch "
                    "--record FILE has written, or captures of other programs");
  }
  take_file_limits_for_errors();
  std::vector<result::Run> judged;
  for (const auto& file : options.files) {
    bool is_unreached = false;
    auto run = judge_file(file, options, is_unreached);
    if (!run) {
      return complain(is_unreached ? ExitCode::unreachable : ExitCode::usage, run.error().message);
    }
    judged.push_back(*std::move(run));
  }
  auto merged = result::merge_shards(std::move(judged));
  if (!merged) return complain(ExitCode::usage, merged.error().message);
  auto runs = result::RedactedRun::stored(*std::move(merged));
  if (auto ok = check_reports(options.reports, runs.size()); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  bool done = true;
  ExitCode code = ExitCode::ok;
  for (const auto& run : runs) {
    done = print_console(run, options) && done;
    code = std::max(code, verdict_code(run, options));
  }
  done = write_reports_of(std::move(runs), options.reports) && done;
  return done ? code : ExitCode::internal;
}

// Of several files none is told of without the others.
ExitCode report_failure(const JudgeOptions& options, const std::string& failure) {
  if (const auto corpus = corpus_of_traffic(options); corpus) {
    traffic::Origin origin;
    origin.target = joined(options.files);
    origin.transport = "capture";
    auto run = traffic::unjudged_run(*corpus, std::move(origin), failure);
    run.tool_version = kVersion;
    write_reports(without_secrets(std::move(run)), options.reports);
  }
  return complain(ExitCode::internal, failure);
}

}  // namespace

Action declare_judge(CLI::App& app) {
  auto options = std::make_shared<JudgeOptions>();
  app.description(
      "Judges stored runs again, from what was said in them, and recorded traffic.\n"
      "jrpcheck judge [OPTIONS] FILE...");
  app.footer(std::string(kJudgeNotes));
  app.add_option("FILE", options->files,
                 "runs that --report json=FILE has written, or recorded traffic")
      ->type_name("FILE");
  app.add_option("--profile", options->profile,
                 "the rules to judge recorded traffic by (default jsonrpc-2.0)")
      ->type_name("PROFILE");
  declare_reports(app, options->words.reports);
  declare_strictness(app, options->words, *options);
  declare_cases(app, options->cases_folder);
  declare_screen(app, options->words, *options);
  return [options](const CommandLine&) {
    if (auto ok = interpret_verdict(options->words, *options); !ok) {
      return complain(ExitCode::usage, ok.error().message);
    }
    ExitCode code = ExitCode::internal;
    const std::string failure = failure_of_command([&] { code = judge(*options); });
    return failure.empty() ? code : report_failure(*options, failure);
  };
}

}  // namespace jrpcheck::cli
