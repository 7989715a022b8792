#include "cli/report_request.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/join.hpp"
#include "cli/parse_words.hpp"
#include "cli/write_file.hpp"
#include "reports/report.hpp"

namespace jrpcheck::cli {
namespace {

Result<bool> write_report(const ReportRequest& request, std::string_view text) {
  if (request.path == "-") return print_text(text);
  return request.append ? append_to_file(request.path, text) : write_file(request.path, text);
}

}  // namespace

void declare_reports(CLI::App& app, std::vector<std::string>& words) {
  app.add_option("--report", words,
                 "write a report; a PATH of - is standard output; formats: " + format_names() +
                     "; markdown alone goes to $GITHUB_STEP_SUMMARY")
      ->type_name("FORMAT=PATH")
      ->allow_extra_args(false);
}

std::string format_names() { return joined(reports::kFormats, ", ", &reports::Format::name); }

Result<ReportRequest> parse_report(const std::string& word) {
  const auto equals = word.find('=');
  ReportRequest request{word.substr(0, equals), ""};
  if (equals != std::string::npos) request.path = word.substr(equals + 1);
  if (reports::find_format(request.format) == nullptr) {
    return Error{"unknown format '" + request.format + "'; there are " + format_names()};
  }
  // GitHub shows what a step adds to this file.
  if (const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
      equals == std::string::npos && request.format == "markdown" && summary != nullptr) {
    request.path = summary;
    request.append = true;
  }
  if (request.path == "/dev/stdout") request.path = "-";
  if (request.path.empty()) {
    const bool is_for_github = equals == std::string::npos && request.format == "markdown";
    return Error{"write FORMAT=PATH, such as " + request.format + "=report." + request.format +
                 ", or " + request.format + "=- for standard output" +
                 (is_for_github ? "; alone it takes GITHUB_STEP_SUMMARY, which is not set" : "")};
  }
  return request;
}

bool takes_standard_output(const std::vector<ReportRequest>& requests) {
  return std::ranges::any_of(requests,
                             [](const ReportRequest& request) { return request.path == "-"; });
}

Result<bool> check_paths(const std::vector<ReportRequest>& requests) {
  std::set<std::filesystem::path> paths;
  for (const auto& each : requests) {
    // Devices take whatever comes, and so does what each report is added to.
    if (each.append || each.path.starts_with("/dev/")) continue;
    if (paths.insert(std::filesystem::path(each.path).lexically_normal()).second) continue;
    return Error{"two reports would be written to '" + each.path + "'"};
  }
  return true;
}

Result<std::vector<ReportRequest>> parse_reports(const std::vector<std::string>& words) {
  std::vector<ReportRequest> requests;
  for (const auto& word : words) {
    auto request = parse_report(word);
    if (!request) return Error{"--report: " + request.error().message};
    requests.push_back(*std::move(request));
  }
  if (auto ok = check_paths(requests); !ok) return Error{"--report: " + ok.error().message};
  return requests;
}

bool write_reports(const std::vector<ReportRequest>& requests, const RenderReport& render,
                   std::vector<ReportRequest>* written_ones) {
  bool all_written = true;
  for (const auto& request : requests) {
    const auto written = write_report(request, render(request));
    if (written) {
      if (written_ones != nullptr) written_ones->push_back(request);
      continue;
    }
    all_written = false;
    complain(ExitCode::internal, written.error().message);
  }
  return all_written;
}

bool write_reports(const result::RedactedRun& run, const std::vector<ReportRequest>& requests,
                   std::vector<ReportRequest>* written) {
  const auto render = [&](const ReportRequest& request) {
    return reports::find_format(request.format, request.path)->render(run);
  };
  return write_reports(requests, render, written);
}

}  // namespace jrpcheck::cli
