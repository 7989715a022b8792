#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/parse_words.hpp"
#include "cli/signals.hpp"
#include "cli/stored_runs.hpp"
#include "cli/verdict_options.hpp"
#include "result/merge.hpp"
#include "run/judge_again.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kJudgeNotes =
    "  jrpcheck judge run.json                                the verdict of this version\n"
    "  jrpcheck judge --report html=report.html run.json      and a report on it\n"
    "  jrpcheck judge --report markdown=- a.json b.json       several servers beside each other\n"
    "\n"
    "Nothing is sent. A run that this version made has the same verdict again; one of an earlier\n"
    "version is judged by the rules of this one. Shards of one run are put together.\n"
    "Exit codes: 0 nothing fails, 1 something fails (with --require conforms: or a verdict is\n"
    "partial), 2 usage error or a file that cannot be judged, 3 the target of a run had not been\n"
    "reached, 4 an error of jrpcheck's own, such as a report that cannot be written.";

struct JudgeOptions : VerdictOptions {
  VerdictWords words;
  std::string cases_folder;
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

ExitCode judge(const JudgeOptions& options) {
  if (options.files.empty()) {
    return complain(ExitCode::usage, "which run? Name files that --report json=FILE has written");
  }
  take_file_limits_for_errors();
  const auto stored = read_runs(options.files);
  if (!stored) {
    return complain(ExitCode::usage, stored.error().message +
                                         "\njrpcheck judge takes what jrpcheck run --report "
                                         "json=FILE has written");
  }
  std::vector<result::Run> judged;
  for (std::size_t i = 0; i < stored->size(); ++i) {
    const auto& one = (*stored)[i];
    auto run = judge_again(one, options.files[i], options.cases_folder);
    if (!run) {
      return complain(one.was_reached() ? ExitCode::usage : ExitCode::unreachable,
                      run.error().message);
    }
    judged.push_back(*std::move(run));
  }
  auto runs = result::merge_shards(std::move(judged));
  if (!runs) return complain(ExitCode::usage, runs.error().message);
  if (auto ok = check_reports(options.reports, runs->size()); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  bool done = true;
  ExitCode code = ExitCode::ok;
  for (const auto& run : *runs) {
    done = print_console(run, options) && done;
    code = std::max(code, verdict_code(run, options));
  }
  done = write_reports_of(*runs, options.reports) && done;
  return done ? code : ExitCode::internal;
}

}  // namespace

Action declare_judge(CLI::App& app) {
  auto options = std::make_shared<JudgeOptions>();
  app.description(
      "Judges stored runs again, from what was said in them.\n"
      "jrpcheck judge [OPTIONS] RUN.json...");
  app.footer(std::string(kJudgeNotes));
  app.add_option("RUN.json", options->files, "runs that --report json=FILE has written")
      ->type_name("FILE");
  declare_reports(app, options->words.reports);
  declare_strictness(app, options->words, *options);
  declare_cases(app, options->cases_folder);
  declare_screen(app, options->words, *options);
  return [options](const CommandLine&) {
    if (auto ok = interpret_verdict(options->words, *options); !ok) {
      return complain(ExitCode::usage, ok.error().message);
    }
    return judge(*options);
  };
}

}  // namespace jrpcheck::cli
