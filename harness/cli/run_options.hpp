// The options of `jrpcheck run`, from the command line to what a run needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cli/command_form.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/report_request.hpp"
#include "corpus/profile.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

enum class Color { automatic, always, never };

struct RunOptions {
  run::Options run;
  std::vector<ReportRequest> reports;
  std::string cases_folder;
  std::string profile = std::string(corpus::kDefaultProfile);
  std::string baseline;          ///< --baseline; empty: none
  bool update_baseline = false;  ///< write it anew, by what this run shows
  microseconds max_time{0};      ///< of the whole run; 0: no limit
  Color color = Color::automatic;
  bool strict = false;
  bool require_conforms = false;  ///< --require conforms: a partial verdict fails as well
  bool quiet = false;
  bool verbose = false;
};

/// What the command line says. `help` is not empty when it asks for help, and holds it.
struct ParsedRun {
  RunOptions options;
  std::string help;
};

CommandForm run_form();

/// Reads the words of `jrpcheck run`. The error says which word is wrong and what is right.
Result<ParsedRun> parse_run_options(const CommandLine& line);

}  // namespace jrpcheck::cli
