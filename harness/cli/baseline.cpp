#include "cli/baseline.hpp"

#include <filesystem>

#include "base/number_of.hpp"
#include "cli/explain.hpp"
#include "cli/write_file.hpp"
#include "corpus/read_file.hpp"
#include "result/attribution.hpp"

namespace jrpcheck::cli {
namespace {

Error unknown_id(const std::string& where, const std::string& what, const std::string& id,
                 const corpus::Corpus& corpus) {
  std::string message = where + ": there is no " + what + " '" + id + "'";
  const auto closest = closest_ids(id, corpus);
  for (std::size_t i = 0; i < closest.size(); ++i) {
    message += (i == 0 ? "; did you mean " : ", ") + closest[i];
  }
  return Error{message + (closest.empty() ? "" : "?")};
}

Result<bool> check_ids(const result::Baseline& baseline, const corpus::Corpus& corpus) {
  for (const auto& [id, known] : baseline.cases) {
    const bool is_known = corpus.find(id) != nullptr || result::is_side_dialogue(id);
    if (!is_known) return unknown_id(known.where, "case", id, corpus);
    for (const auto& finding : known.findings) {
      if (corpus.ledger.find(finding.requirement) != nullptr) continue;
      return unknown_id(known.where + ": case '" + id + "'", "requirement", finding.requirement,
                        corpus);
    }
  }
  return true;
}

std::string count_text(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word;
}

}  // namespace

Result<result::Baseline> load_baseline(const std::string& file, bool may_be_missing,
                                       const corpus::Corpus& corpus) {
  std::error_code unknown;
  if (may_be_missing && !std::filesystem::exists(file, unknown)) return result::Baseline{};
  const auto text = corpus::read_file(file);
  if (!text) {
    const bool is_there = std::filesystem::exists(file, unknown);
    return Error{"the baseline '" + file + "' " + text.error().message +
                 (is_there ? "" : "; --update-baseline makes it")};
  }
  auto baseline = result::read_baseline(file, *text);
  if (!baseline) return baseline;
  if (auto checked = check_ids(*baseline, corpus); !checked) return checked.error();
  return baseline;
}

Result<std::string> update_baseline(const std::string& file, const result::RedactedRun& run,
                                    bool strict, result::Baseline& baseline) {
  const auto before = baseline.cases;
  baseline = result::updated_by(run, strict, std::move(baseline));
  if (auto written = write_file(file, result::write_baseline(baseline)); !written) {
    return written.error();
  }
  std::size_t added = 0;
  std::size_t removed = 0;
  for (const auto& each : baseline.cases) added += before.count(each.first) == 0 ? 1 : 0;
  for (const auto& each : before) removed += baseline.cases.count(each.first) == 0 ? 1 : 0;
  return "the baseline " + file + " lists " + number_of(baseline.cases.size(), "case") + ": " +
         count_text(added, "added, ") + count_text(removed, "removed");
}

}  // namespace jrpcheck::cli
