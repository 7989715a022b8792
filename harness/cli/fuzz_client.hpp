// jrpcheck fuzz --client: the engine makes answers, and a client takes them.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/report_request.hpp"
#include "fuzz/limits.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

struct FuzzClientWords {
  bool is_client = false;
  bool has_driver = false;
  std::string door;
  std::string upstream_command;  ///< the real server that answers, where it is a program
  double patience = 1.5;
};

void declare_fuzz_client(CLI::App& app, FuzzClientWords& words);

/// The error says what of the options is about servers, or missing.
Result<bool> check_fuzz_client(const CLI::App& app, const FuzzClientWords& words,
                               const CommandLine& line);

struct FuzzClientPlan {
  FuzzClientWords words;
  run::Options endpoint;  ///< the client's command, and the real server that answers, if any
  fuzz::Limits limits;
  Clock::time_point end = Clock::time_point::max();
  std::string corpus_folder;
  std::string findings_folder;
  std::vector<std::string> engine_flags;
  std::vector<ReportRequest> reports;
};

ExitCode fuzz_client(const FuzzClientPlan& plan);

}  // namespace jrpcheck::cli
