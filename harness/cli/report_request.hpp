// FORMAT=PATH: a report that a user asks for, read and written.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "result/redact.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace jrpcheck::cli {

struct ReportRequest {
  std::string format;
  std::string path;     ///< "-" is standard output
  bool append = false;  ///< the file holds what others wrote, which stays
};

/// The names of all formats, for help and errors.
std::string format_names();

/// Declares --report.
void declare_reports(CLI::App& app, std::vector<std::string>& words);

/// Reads FORMAT=PATH. `markdown` alone goes where GitHub shows it, when a step of its runs.
Result<ReportRequest> parse_report(const std::string& word);
Result<std::vector<ReportRequest>> parse_reports(const std::vector<std::string>& words);

/// An Error where one would be written over another, or behind it to standard output.
Result<bool> check_paths(const std::vector<ReportRequest>& requests);

/// Whether one of them goes to standard output, which then holds nothing else.
bool takes_standard_output(const std::vector<ReportRequest>& requests);

using RenderReport = std::function<std::string(const ReportRequest& request)>;

/// Renders and writes all of them; one that cannot be written keeps no other from being so. False
/// where one could not be written, which has been told. `written` gets the others.
bool write_reports(const std::vector<ReportRequest>& requests, const RenderReport& render,
                   std::vector<ReportRequest>* written = nullptr);
bool write_reports(const result::RedactedRun& run, const std::vector<ReportRequest>& requests,
                   std::vector<ReportRequest>* written = nullptr);

}  // namespace jrpcheck::cli
