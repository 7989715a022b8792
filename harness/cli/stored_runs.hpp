// Stored runs, and reports on one or several of them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/report_request.hpp"
#include "result/redact.hpp"
#include "result/run.hpp"

namespace jrpcheck::cli {

/// Reads files that --report json=FILE has written; each run is named after its file. The error
/// says which file is wrong, where, and why.
Result<std::vector<result::Run>> read_runs(const std::vector<std::string>& files);

/// Whether the verdict of a run that is shown as it is is that of its cases.
Result<bool> check_verdict(const result::Run& run, const std::string& file);

/// Reads runs that are shown as they are.
Result<std::vector<result::Run>> read_runs_to_show(const std::vector<std::string>& files);

/// Whether so many runs can be shown in these formats: one in any, several in those that compare.
Result<bool> check_reports(const std::vector<ReportRequest>& requests, std::size_t runs);

/// Writes the reports on one run, or on several beside each other. False where one could not be
/// written, which has been told.
bool write_reports_of(std::vector<result::RedactedRun> runs,
                      const std::vector<ReportRequest>& requests);

}  // namespace jrpcheck::cli
