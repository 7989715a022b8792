#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/parse_words.hpp"
#include "cli/report_request.hpp"
#include "cli/signals.hpp"
#include "cli/stored_runs.hpp"
#include "reports/report.hpp"
#include "result/merge.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kReportNotes =
    "  jrpcheck report html=report.html run.json           one run, in any format\n"
    "  jrpcheck report html=report.html shard-*.json       shards of one run, merged\n"
    "  jrpcheck report html=matrix.html a.json b.json      several servers side by side\n"
    "  jrpcheck report markdown=- before.json after.json   two runs of one server: what "
    "changed\n\n"
    "A PATH of - is standard output; badge=FILE.svg draws the badge. Several runs can be compared\n"
    "in html, markdown and json.\n"
    "Exit codes: 0 all was written, 2 wrong usage or a file that is no run, 4 a report cannot be\n"
    "written.";

struct ReportWords {
  std::vector<ReportRequest> requests;
  std::vector<std::string> files;
};

// A word that names a format is a report; one that names a file is a run, whatever its name holds.
Result<ReportWords> sort_words(const std::vector<std::string>& arguments) {
  ReportWords words;
  for (const auto& word : arguments) {
    const auto format = word.substr(0, word.find('='));
    std::error_code unknown;
    const bool is_file = std::filesystem::exists(word, unknown);
    const bool is_report = reports::find_format(format) != nullptr && !is_file;
    if (!is_report && (is_file || word.find('=') == std::string::npos)) {
      words.files.push_back(word);
      continue;
    }
    auto request = parse_report(word);
    if (!request) return request.error();
    words.requests.push_back(*std::move(request));
  }
  if (words.requests.empty()) return Error{"which report? Write FORMAT=PATH, such as html=a.html"};
  if (words.files.empty())
    return Error{"which run? Name files that --report json=FILE has written"};
  return words;
}

ExitCode report(const std::vector<std::string>& all_words) {
  const auto words = sort_words(all_words);
  if (!words)
    return complain(ExitCode::usage, words.error().message + "; see jrpcheck report --help");
  take_file_limits_for_errors();
  auto stored = read_runs(words->files);
  if (!stored) return complain(ExitCode::usage, stored.error().message);
  const auto runs = result::merge_shards(*std::move(stored));
  if (!runs) return complain(ExitCode::usage, runs.error().message);
  if (auto ok = check_reports(words->requests, runs->size()); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  return write_reports_of(*runs, words->requests) ? ExitCode::ok : ExitCode::internal;
}

}  // namespace

Action declare_report(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.description(
      "Renders runs that were stored with --report json=FILE.\n"
      "jrpcheck report FORMAT=PATH... RUN.json...");
  app.footer(std::string(kReportNotes));
  app.add_option("FORMAT=PATH|RUN.json", *words,
                 "reports to write, and the runs they are about; formats: " + format_names())
      ->type_name("FORMAT=PATH|FILE");
  return [words](const CommandLine&) { return report(*words); };
}

}  // namespace jrpcheck::cli
