#include "cli/stored_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/bytes.hpp"
#include "cli/captures.hpp"
#include "corpus/read_file.hpp"
#include "reports/comparison.hpp"
#include "reports/run_reader.hpp"

namespace jrpcheck::cli {

// What was not judged has a verdict of its own.
Result<bool> check_verdict(const result::Run& run, const std::string& file) {
  const auto failed = std::ranges::count_if(
      run.cases, [](const auto& one) { return one.verdict == result::Verdict::fail; });
  const bool says_so = run.verdict == result::RunVerdict::fails;
  if (!result::was_judged(run.verdict) || says_so == (failed > 0)) return true;
  const bool can_be_judged = run.conditions && run.was_reached();
  return Error{
      "the verdict of the run '" + file + "' is " + std::string(result::name_of(run.verdict)) +
      ", and of its cases " + (failed == 0 ? "none" : std::to_string(failed)) +
      " failed: one of them was changed" +
      (can_be_judged ? "; jrpcheck judge " + shell_quote(file) + " judges it anew by what was said"
                     : std::string())};
}

Result<std::vector<result::Run>> read_runs(const std::vector<std::string>& files) {
  std::vector<result::Run> runs;
  for (const auto& file : files) {
    const auto text = corpus::read_file(file);
    if (!text) return Error{"the run '" + file + "' " + text.error().message};
    if (kind_of_text(*text) == FileKind::finding) return no_run_but_a_finding(file);
    auto run = reports::read_run(file, *text);
    if (!run) return run.error();
    run->name = std::filesystem::path(file).stem().string();
    runs.push_back(*std::move(run));
  }
  return runs;
}

Result<std::vector<result::Run>> read_runs_to_show(const std::vector<std::string>& files) {
  auto runs = read_runs(files);
  for (std::size_t i = 0; runs && i < runs->size(); ++i) {
    if (auto ok = check_verdict((*runs)[i], files[i]); !ok) return ok.error();
  }
  return runs;
}

Result<bool> check_reports(const std::vector<ReportRequest>& requests, std::size_t runs) {
  for (const auto& request : requests) {
    if (runs == 1 || reports::find_comparison_format(request.format) != nullptr) continue;
    return Error{request.format + " shows one run, and these are " + std::to_string(runs) +
                 "; html, markdown and json compare several"};
  }
  return true;
}

bool write_reports_of(std::vector<result::RedactedRun> runs,
                      const std::vector<ReportRequest>& requests) {
  if (runs.size() == 1) return write_reports(runs.front(), requests);
  std::vector<result::Run> compared;
  compared.reserve(runs.size());
  for (auto& each : runs) compared.push_back(std::move(each).release());
  const auto comparison = reports::compare(compared);
  return write_reports(requests, [&](const ReportRequest& request) {
    return reports::find_comparison_format(request.format)->render(comparison);
  });
}

}  // namespace jrpcheck::cli
