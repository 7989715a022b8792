#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "cli/commands.hpp"
#include "cli/parse_words.hpp"
#include "cli/report_request.hpp"
#include "cli/signals.hpp"
#include "cli/site_folder.hpp"
#include "cli/stored_runs.hpp"
#include "cli/write_file.hpp"
#include "corpus/read_file.hpp"
#include "reports/issue.hpp"
#include "reports/report.hpp"
#include "result/merge.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kReportNotes =
    "  jrpcheck report html=report.html run.json           one run, in any format\n"
    "  jrpcheck report html=report.html shard-*.json       shards of one run, merged\n"
    "  jrpcheck report html=matrix.html a.json b.json      several servers side by side\n"
    "  jrpcheck report markdown=- before.json after.json   two runs of one server: what "
    "changed\n"
    "  jrpcheck report site=public build/targets/runs      the site of all that scripts/targets "
    "kept\n"
    "  jrpcheck report issue=- run.json --case id/spaces   a finding as a report to who maintains "
    "it\n\n"
    "A PATH of - is standard output; badge=FILE.svg draws the badge. Several runs can be compared\n"
    "in html, markdown and json.\n"
    "Exit codes: 0 all was written, 2 wrong usage or a file that is no run, 4 a report cannot be\n"
    "written.";

struct ReportWords {
  std::vector<ReportRequest> requests;
  std::vector<std::string> files;
  std::string site;   ///< the folder of site=FOLDER
  std::string issue;  ///< the file of issue=FILE
};

// What is written after "NAME=", where the word is that.
bool take_place(const std::string& word, std::string_view name, std::string& place) {
  const std::string beginning = std::string(name) + "=";
  if (!word.starts_with(beginning) || word.size() == beginning.size()) return false;
  place = word.substr(beginning.size());
  return true;
}

// A word that names a format is a report; one that names a file is a run, whatever its name holds.
Result<ReportWords> sort_words(const std::vector<std::string>& arguments) {
  ReportWords words;
  for (const auto& word : arguments) {
    if (take_place(word, "site", words.site) || take_place(word, "issue", words.issue)) continue;
    const auto format = word.substr(0, word.find('='));
    std::error_code unknown;
    const bool is_file = std::filesystem::exists(word, unknown);
    const bool is_report = reports::find_format(format) != nullptr && !is_file;
    if (!is_report && (is_file || word.find('=') == std::string::npos)) {
      words.files.push_back(word);
      continue;
    }
    for (const std::string_view place : {"site=FOLDER", "issue=FILE"}) {
      if (!place.starts_with(format + "=")) continue;
      return Error{"write " + std::string(place) + ", with a name behind the ="};
    }
    auto request = parse_report(word);
    const bool is_known = reports::find_format(format) != nullptr;
    if (!request) return Error{request.error().message + (is_known ? "" : ", site, issue")};
    words.requests.push_back(*std::move(request));
  }
  const bool is_asked = !words.requests.empty() || !words.site.empty() || !words.issue.empty();
  if (!is_asked) return Error{"which report? Write FORMAT=PATH, such as html=a.html"};
  if (words.site == "-") return Error{"site= is a folder: give it a name"};
  if (words.files.empty())
    return Error{"which run? Name files that --report json=FILE has written"};
  return words;
}

ExitCode report_site(const ReportWords& words) {
  const auto records = read_records(words.files);
  if (!records) return complain(ExitCode::usage, records.error().message);
  const auto written = write_site(words.site, reports::render_site(*records));
  if (!written) return complain(ExitCode::internal, written.error().message);
  return ExitCode::ok;
}

// What was judged is described beside the run, where scripts/targets made it.
Result<std::optional<targets::Target>> description_beside(const std::string& file) {
  const auto path = std::filesystem::path(file).replace_extension(".target.json").string();
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return std::optional<targets::Target>();
  const auto text = corpus::read_file(path);
  if (!text) return Error{"'" + path + "' " + text.error().message};
  auto target = targets::read_target(path, *text);
  if (!target) return target.error();
  return std::optional<targets::Target>(*std::move(target));
}

ExitCode report_issue(const ReportWords& words, const std::string& case_id) {
  if (case_id.empty()) {
    return complain(ExitCode::usage, "which finding? Write --case ID, such as --case batch/empty");
  }
  if (words.files.size() != 1) return complain(ExitCode::usage, "issue= is about one run");
  const auto runs = read_runs_to_show(words.files);
  if (!runs) return complain(ExitCode::usage, runs.error().message);
  const auto about = description_beside(words.files.front());
  if (!about) return complain(ExitCode::usage, about.error().message);
  const auto text = reports::render_issue(runs->front(), case_id, *about);
  if (!text) return complain(ExitCode::usage, text.error().message);
  const auto written = words.issue == "-" ? print_text(*text) : write_file(words.issue, *text);
  return written ? ExitCode::ok : complain(ExitCode::internal, written.error().message);
}

struct ReportOptions {
  std::vector<std::string> words;
  std::string case_id;
};

ExitCode report(const ReportOptions& options) {
  const auto words = sort_words(options.words);
  if (!words)
    return complain(ExitCode::usage, words.error().message + "; see jrpcheck report --help");
  if (!options.case_id.empty() && words->issue.empty()) {
    return complain(ExitCode::usage, "--case says which finding issue=FILE tells");
  }
  if (auto ok = check_paths(words->requests); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  take_file_limits_for_errors();
  if (!words->site.empty() || !words->issue.empty()) {
    const bool is_alone = words->requests.empty() && (words->site.empty() || words->issue.empty());
    if (!is_alone) return complain(ExitCode::usage, "site= and issue= are written alone");
    return words->site.empty() ? report_issue(*words, options.case_id) : report_site(*words);
  }
  auto stored = read_runs_to_show(words->files);
  if (!stored) return complain(ExitCode::usage, stored.error().message);
  auto merged = result::merge_shards(*std::move(stored));
  if (!merged) return complain(ExitCode::usage, merged.error().message);
  auto runs = result::RedactedRun::stored(*std::move(merged));
  if (auto ok = check_reports(words->requests, runs.size()); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  return write_reports_of(std::move(runs), words->requests) ? ExitCode::ok : ExitCode::internal;
}

}  // namespace

Action declare_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  app.description(
      "Renders runs that were stored with --report json=FILE.\n"
      "jrpcheck report FORMAT=PATH... RUN.json...");
  app.footer(std::string(kReportNotes));
  app.add_option("FORMAT=PATH|RUN.json", options->words,
                 "reports to write, and the runs they are about; formats: " + format_names() +
                     ", site (a folder), issue")
      ->type_name("FORMAT=PATH|FILE");
  app.add_option("--case", options->case_id, "the case whose finding issue= tells")
      ->type_name("ID");
  return [options](const CommandLine&) { return report(*options); };
}

}  // namespace jrpcheck::cli
