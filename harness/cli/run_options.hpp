// The options of `jrpcheck run`, from the command line to what a run needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cli/report_request.hpp"
#include "corpus/profile.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

/// The words of a command line, cut at the first `--`.
struct CommandLine {
  std::vector<std::string> words;    ///< options and TARGET
  std::vector<std::string> command;  ///< the program and its arguments
  bool has_command = false;          ///< there was a `--`
};

CommandLine split_command_line(const std::vector<std::string>& arguments);

enum class Color { automatic, always, never };

struct RunOptions {
  run::Options run;
  std::vector<ReportRequest> reports;
  std::string cases_folder;
  std::string profile = std::string(corpus::kDefaultProfile);
  Color color = Color::automatic;
  bool strict = false;
  bool quiet = false;
  bool verbose = false;
};

/// What the command line says. `help` is not empty when it asks for help, and holds it.
struct ParsedRun {
  RunOptions options;
  std::string help;
};

/// Reads the words of `jrpcheck run`. The error says which word is wrong and what is right.
Result<ParsedRun> parse_run_options(const CommandLine& line);

}  // namespace jrpcheck::cli
