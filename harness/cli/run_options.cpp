#include "cli/run_options.hpp"

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/law.hpp"
#include "cli/parse_words.hpp"
#include "cli/shard_options.hpp"

namespace jrpcheck::cli {
namespace {

// The options as they are typed, before anything is looked up or read.
struct RunWords : VerdictWords {
  EndpointWords endpoint;
  std::optional<int> jobs;
  double max_seconds = 600;
  ShardWords shard;
  std::vector<std::string> allowed;
  const CLI::Option* profile = nullptr;
};

constexpr std::string_view kRunNotes =
    "TARGET alone: a server that runs already. -- COMMAND alone: a program on stdio. Both: "
    "jrpcheck\n"
    "starts the program, waits until TARGET answers, and starts the program again when it dies.\n\n"
    "Exit codes:\n"
    "  0    nothing fails\n"
    "  1    something fails, differs from --baseline, or does not conform under --require "
    "conforms\n"
    "  2    wrong usage, or an error in the corpus\n"
    "  3    the target could not be started or reached, or speaks no JSON-RPC\n"
    "  4    an error in jrpcheck itself, such as a report that cannot be written\n"
    "  128+ interrupted: 128 plus the number of the signal";

void declare(CLI::App& app, RunWords& words, RunOptions& options) {
  app.description(
      "Judges a JSON-RPC 2.0 server with the conformance corpus.\n"
      "jrpcheck run [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]");
  app.footer(std::string(kRunNotes));
  declare_endpoint(app, words.endpoint);
  declare_reports(app, words.reports);
  app.add_option("--select", options.run.selection.select,
                 "run only cases whose id or requirement matches; * stands for any text")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  app.add_option("--skip", options.run.selection.skip,
                 "leave out cases whose id or requirement matches")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  declare_strictness(app, words, options);
  app.add_option("--jobs", words.jobs,
                 "connections used at the same time, on stdio programs; default 4, on stdio as "
                 "many as save time")
      ->type_name("N");
  declare_max_time(
      app, "seconds until the whole run ends; cases that have not run by then are not exercised",
      words.max_seconds);
  words.profile = app.add_option("--profile", options.profile,
                                 "the rules to judge by; jrpcheck list profiles shows them all")
                      ->type_name("PROFILE")
                      ->capture_default_str();
  declare_allow(app, words.allowed);
  app.add_flag("--dry-run", options.dry_run,
               "print what would be sent, and send nothing; starts no program");
  app.add_option("--schema", options.schema_file,
                 "published JSON Schema of the protocol, such as MCP's schema.json: where it and "
                 "the built-in one differ, that is told")
      ->type_name("FILE");
  declare_cases(app, options.cases_folder);
  app.add_option("--baseline", options.baseline,
                 "file of known failures; only differences from it fail; see "
                 "docs/baseline-and-shards.md")
      ->type_name("FILE");
  app.add_flag("--update-baseline", options.update_baseline,
               "rewrite the baseline file from the failures of this run");
  declare_shard(app, words.shard);
  app.add_option("--seed", options.run.seed, "the same seed makes the same method names")
      ->type_name("N")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  declare_screen(app, words, options);
}

Result<bool> interpret_jobs(const RunWords& words, run::Options& options) {
  options.jobs = words.jobs.value_or(0);
  if (words.jobs && (options.jobs < 1 || options.jobs > 64)) {
    return Error{"--jobs takes a number from 1 to 64"};
  }
  return true;
}

Result<RunOptions> interpret(const CommandLine& line, const RunWords& words, RunOptions options) {
  if (auto ok = interpret_endpoint(line, words.endpoint, options.run); !ok) return ok.error();
  if (auto ok = interpret_jobs(words, options.run); !ok) return ok.error();
  options.run.allowed.insert(words.allowed.begin(), words.allowed.end());
  const auto end = end_of_work(line, words.max_seconds);
  if (!end) return end.error();
  options.end = *end;
  auto shard = interpret_shard(words.shard);
  if (!shard) return shard.error();
  options.run.shard = *shard;
  // Who brings cases knows of which protocol they are.
  options.recognises = may_be_recognised(words.endpoint) && words.profile->count() == 0 &&
                       options.cases_folder.empty();
  if (auto ok = interpret_verdict(words, options); !ok) return ok.error();
  if (options.require_conforms && options.run.shard) {
    return Error{"--require conforms takes a run of all cases: a shard alone never conforms"};
  }
  if (options.update_baseline && options.baseline.empty()) {
    return Error{"--update-baseline needs --baseline FILE, which it writes"};
  }
  if (options.update_baseline && options.run.shard) {
    return Error{"--update-baseline takes a run of all cases: a shard knows only its own"};
  }
  return options;
}

}  // namespace

ReadRunOptions declare_run_options(CLI::App& app) {
  auto words = std::make_shared<RunWords>();
  auto options = std::make_shared<RunOptions>();
  declare(app, *words, *options);
  return [words, options](const CommandLine& line) { return interpret(line, *words, *options); };
}

}  // namespace jrpcheck::cli
