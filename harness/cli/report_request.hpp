// FORMAT=PATH: a report that a user asks for, read and written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "result/run.hpp"

namespace jrpcheck::cli {

struct ReportRequest {
  std::string format;
  std::string path;     ///< "-" is standard output
  bool append = false;  ///< the file holds what others wrote, which stays
};

/// The names of all formats, for help and errors.
std::string format_names();

/// Reads FORMAT=PATH. `markdown` alone goes where GitHub shows it, when a step of its runs.
Result<ReportRequest> parse_report(const std::string& word);

/// Whether one of them goes to standard output, which then holds nothing else.
bool takes_standard_output(const std::vector<ReportRequest>& requests);

/// Renders and writes all of them. False where one could not be written, which has been told.
bool write_reports(const result::Run& run, const std::vector<ReportRequest>& requests);

/// Writes the rendered text to where it was asked for.
Result<bool> write_report(const ReportRequest& request, std::string_view text);

}  // namespace jrpcheck::cli
