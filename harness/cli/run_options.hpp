// The options of `jrpcheck run`, from the command line to what a run needs.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/verdict_options.hpp"
#include "corpus/profile.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

struct RunOptions : VerdictOptions {
  RunOptions() { takes_baseline = takes_selection = true; }

  run::Options run;
  std::string profile = std::string(corpus::kDefaultProfile);
  std::string schema_file;       ///< --schema; empty: none
  bool dry_run = false;          ///< --dry-run
  bool recognises = false;       ///< nobody said which protocol it is: that is found out
  std::string baseline;          ///< --baseline; empty: none
  bool update_baseline = false;  ///< rewrite it from this run's failures
  Clock::time_point end = Clock::time_point::max();  ///< of the whole run, by --max-time
};

/// What the command line says; the error says which word is wrong and what is right.
using ReadRunOptions = std::function<Result<RunOptions>(const CommandLine& line)>;

ReadRunOptions declare_run_options(CLI::App& app);

}  // namespace jrpcheck::cli
