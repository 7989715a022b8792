// How a verdict is shown, and what the exit code makes of it.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/exit_code.hpp"
#include "cli/report_request.hpp"
#include "result/redact.hpp"
#include "result/run.hpp"

namespace jrpcheck::cli {

enum class Color { automatic, always, never };

/// Left to itself: where it is a terminal, and NO_COLOR is not set.
bool wants_color(Color color, int descriptor);

struct VerdictOptions {
  std::vector<ReportRequest> reports;
  Color color = Color::automatic;
  bool strict = false;
  bool require_conforms = false;  ///< --require conforms: every other verdict fails
  bool quiet = false;
  bool verbose = false;
  bool takes_baseline = false;   ///< the command has --baseline
  bool takes_selection = false;  ///< it has --select, and has run the cases itself
  std::string cases_folder;      ///< --cases; empty: none
};

/// The options as they are typed.
struct VerdictWords {
  std::vector<std::string> reports;
  std::string color = "auto";
  std::string require = "no-failure";
};

/// Declares --strict and --require.
void declare_strictness(CLI::App& app, VerdictWords& words, VerdictOptions& options);

/// Declares --color, --quiet and --verbose.
void declare_screen(CLI::App& app, VerdictWords& words, VerdictOptions& options);

Result<bool> interpret_verdict(const VerdictWords& words, VerdictOptions& options);

/// Standard output carries the report that names it, or else what a person reads. What cannot be
/// printed there goes to standard error: no verdict is lost. It names the reports that have been
/// `written`.
bool print_console(const result::RedactedRun& run, const VerdictOptions& options,
                   const std::vector<ReportRequest>& written = {});

ExitCode verdict_code(const result::Run& run, const VerdictOptions& options);

}  // namespace jrpcheck::cli
