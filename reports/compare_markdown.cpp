#include <fmt/format.h>

#include "base/bytes.hpp"
#include "reports/comparison.hpp"
#include "reports/markdown.hpp"
#include "reports/summary.hpp"

namespace jrpcheck::reports {
namespace {

constexpr std::size_t kShownTarget = 300;
constexpr std::size_t kCommentBudget = 60'000;  // a comment on GitHub may have 65,536 characters

std::string verdict_of(const result::RequirementResult* result) {
  return result == nullptr ? "" : markdown_symbol(result->verdict);
}

std::string header(const Comparison& comparison) {
  std::string text =
      "| | verdict | must exercised | pass | warn | fail | not exercised | not applicable |\n"
      "|---|---|--:|--:|--:|--:|--:|--:|\n";
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const auto* run = comparison.runs[i];
    const auto& counts = run->counts;
    const auto must = result::must_coverage(*run);
    text += fmt::format("| **{}** {} {} | {} | {} of {} | {} | {} | {} | {} | {} |\n",
                        escape_markdown(to_visible(comparison.names[i], kShownTarget)),
                        escape_markdown(to_visible(run->target.text, kShownTarget)),
                        escape_markdown(run->started), markdown_symbol(run->verdict),
                        must.exercised, must.applicable, counts.pass, counts.warn, counts.fail,
                        counts.not_exercised, counts.not_applicable);
  }
  return text + "\n";
}

// One row after the other, until the budget is used up.
class Table {
 public:
  explicit Table(std::string head, std::size_t budget) : text_(std::move(head)), budget_(budget) {}
  void add(const std::string& row) {
    if (text_.size() + row.size() > budget_) {
      ++left_out_;
    } else {
      text_ += row;
    }
  }
  std::string finish() const {
    return left_out_ == 0
               ? text_ + "\n"
               : text_ +
                     fmt::format("\n{} more did not fit; JSON and HTML have all.\n\n", left_out_);
  }

 private:
  std::string text_;
  std::size_t budget_;
  std::size_t left_out_ = 0;
};

std::string markdown_side(const result::CaseResult* one) {
  if (one == nullptr) return "";
  const std::string account = short_account(*one);
  return markdown_symbol(one->verdict) + (account.empty() ? "" : " " + escape_markdown(account));
}

std::string markdown_changes(const Comparison& comparison) {
  if (comparison.changes.empty()) return "No case changed.\n";
  Table table("| change | case | before | after |\n|---|---|---|---|\n", kCommentBudget);
  for (const auto& each : comparison.changes) {
    table.add(fmt::format("| {} | {} | {} | {} |\n", name_of(each.change), escape_markdown(each.id),
                          markdown_side(each.before), markdown_side(each.after)));
  }
  return table.finish();
}

std::string matrix(const Comparison& comparison) {
  std::string head = "| requirement | clause |";
  std::string rule = "|---|---|";
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    head += fmt::format(" {} |", escape_markdown(to_visible(comparison.names[i], kShownTarget)));
    rule += "---|";
  }
  Table table(head + "\n" + rule + "\n", kCommentBudget);
  std::size_t agree = 0;
  for (const auto& row : comparison.requirements) {
    if (row.agrees()) {
      ++agree;
      continue;
    }
    std::string line = fmt::format("| {} | {} |", escape_markdown(row.requirement->id),
                                   escape_markdown(row.requirement->cited_clause()));
    for (const auto* each : row.results) line += " " + verdict_of(each) + " |";
    table.add(line + "\n");
  }
  const std::string rest = fmt::format("{} requirement{} say{} the same everywhere.\n", agree,
                                       agree == 1 ? "" : "s", agree == 1 ? "s" : "");
  return agree == comparison.requirements.size() ? rest : table.finish() + rest;
}

}  // namespace

std::string render_comparison_markdown(const Comparison& comparison) {
  const std::string summary = escape_markdown(summary_of(comparison)) + "\n\n";
  if (comparison.is_difference) {
    return "## JSON-RPC 2.0: before and after\n\n" + summary + header(comparison) +
           markdown_changes(comparison);
  }
  return fmt::format("## JSON-RPC 2.0: {} runs\n\n", comparison.runs.size()) + summary +
         header(comparison) + matrix(comparison);
}

}  // namespace jrpcheck::reports
