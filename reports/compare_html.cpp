#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/names.hpp"
#include "reports/comparison.hpp"
#include "reports/evidence.hpp"
#include "reports/html.hpp"

namespace jrpcheck::reports {
namespace {

constexpr std::size_t kShownInComparison = 400;

std::string shown_in_comparison(std::string_view text) {
  return escape_xml(to_visible(text, kShownInComparison));
}

std::string head_cells(const Comparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    text += fmt::format("<th scope=\"col\">{}</th>", column_name(i));
  }
  return text;
}

std::string runs_table(const Comparison& comparison) {
  std::string text =
      "<section aria-labelledby=\"runs\"><h2 id=\"runs\">Runs</h2>\n<div class=\"panel scroll\" "
      "tabindex=\"0\" role=\"group\" aria-labelledby=\"runs\"><table><thead><tr><th "
      "scope=\"col\">run</th>"
      "<th scope=\"col\">target</th><th scope=\"col\">verdict</th><th scope=\"col\" "
      "class=\"n\">must exercised</th><th scope=\"col\" class=\"n\">pass"
      "</th><th scope=\"col\" class=\"n\">warn</th><th scope=\"col\" class=\"n\">fail</th>"
      "<th scope=\"col\" class=\"n\">not exercised</th><th scope=\"col\" class=\"n\">not "
      "applicable</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const auto& run = *comparison.runs[i];
    const auto& counts = run.counts;
    const auto must = result::must_coverage(run);
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}<code>{}</code><br><span class=\"quiet\">{} &middot; "
        "jrpcheck {} &middot; corpus {}</span></td><td>{}</td><td class=\"n\">{} of {}</td><td "
        "class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        column_name(i),
        run.name.empty() ? "" : "<strong>" + shown_in_comparison(run.name) + "</strong><br>",
        shown_in_comparison(run.target.text), shown_in_comparison(run.started),
        shown_in_comparison(run.tool_version), shown_in_comparison(run.corpus_hash.substr(0, 12)),
        html_verdict(run.verdict), must.exercised, must.applicable, counts.pass, counts.warn,
        counts.fail, counts.not_exercised, counts.not_applicable);
  }
  return text + "</tbody></table></div></section>\n";
}

std::string bytes(std::string_view label, std::string_view kind, std::string_view text) {
  return fmt::format("<div class=\"bytes {}\"><div class=\"label\">{}</div><pre>{}</pre></div>",
                     kind, label, shown_in_comparison(text));
}

// The verdict, and behind it what was wrong.
std::string cell(const result::Run& run, const result::RequirementResult* result) {
  if (result == nullptr) return "<td class=\"quiet\">not asked</td>";
  const auto* finding = gravest_finding(run, result->requirement.id);
  if (finding == nullptr) {
    const std::string reason =
        result->reason.empty()
            ? ""
            : "<br><span class=\"quiet\">" + shown_in_comparison(result->reason) + "</span>";
    return "<td>" + html_verdict(result->verdict) + reason + "</td>";
  }
  return fmt::format(
      "<td><details><summary>{} <span class=\"tag\">why</span></summary><p>{}</p>{}{}"
      "</details></td>",
      html_verdict(result->verdict), shown_in_comparison(judge::sentence_of(*finding)),
      bytes("Expected", "expected", finding->expected), bytes("Got", "got", finding->actual));
}

std::string matrix_rows(const Comparison& comparison, bool agreeing) {
  std::string text;
  for (const auto& row : comparison.requirements) {
    if (row.agrees() != agreeing) continue;
    const auto& requirement = *row.requirement;
    const std::string clause = requirement.cited_clause();
    text += fmt::format(
        "<tr id=\"req/{0}\"><th scope=\"row\"><details><summary>{0}</summary><p>{1}</p></details>"
        "<span class=\"tag\">{2}{3}</span></th>",
        shown_in_comparison(requirement.id), shown_in_comparison(requirement.text),
        clause.empty() ? "" : shown_in_comparison(clause) + " &middot; ",
        corpus::name_of(requirement.level));
    for (std::size_t i = 0; i < row.results.size(); ++i) {
      text += cell(*comparison.runs[i], row.results[i]);
    }
    text += "</tr>\n";
  }
  return text;
}

std::string matrix(const Comparison& comparison, std::string_view id, std::string_view title,
                   bool agreeing) {
  const std::string rows = matrix_rows(comparison, agreeing);
  std::string text =
      fmt::format("<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1}</h2>\n", id, title);
  if (rows.empty()) return text + "<p class=\"panel empty\">None.</p></section>\n";
  text += fmt::format(
      "<div class=\"panel scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"{}\"><table "
      "class=\"matrix\"><thead><tr><th scope=\"col\">requirement</th>{}</tr></thead><tbody>\n",
      id, head_cells(comparison));
  return text + rows + "</tbody></table></div></section>\n";
}

std::string html_side(const result::CaseResult* one) {
  if (one == nullptr) return "<td class=\"quiet\">not there</td>";
  std::string text = "<td>" + html_verdict(one->verdict);
  if (one->findings.empty()) {
    return text + (one->reason.empty() ? "" : "<br>" + shown_in_comparison(one->reason)) + "</td>";
  }
  const auto& finding = one->findings.front();
  return text + fmt::format(" <details><summary><code>{}</code>: {}</summary>{}{}{}</details></td>",
                            shown_in_comparison(finding.requirement),
                            shown_in_comparison(judge::sentence_of(finding)),
                            bytes("Sent", "", sent_in_step(*one, finding.step)),
                            bytes("Expected", "expected", finding.expected),
                            bytes("Got", "got", finding.actual));
}

std::string_view class_of(Change change) {
  return name_at({"fail", "pass", "warn", "not-exercised", "not-exercised"}, change);
}

std::string html_changes(const Comparison& comparison) {
  std::string text =
      "<section aria-labelledby=\"changes\"><h2 id=\"changes\">Cases that changed</h2>\n";
  if (comparison.changes.empty()) {
    return text + "<p class=\"panel empty\">No case changed.</p></section>\n";
  }
  text +=
      "<div class=\"panel scroll\" tabindex=\"0\" role=\"group\" "
      "aria-labelledby=\"changes\"><table "
      "class=\"matrix\"><thead><tr><th scope=\"col\">case</th><th scope=\"col\">change</th><th "
      "scope=\"col\">before (A)</th><th scope=\"col\">after (B)</th></tr></thead><tbody>\n";
  for (const auto& each : comparison.changes) {
    text += fmt::format(
        "<tr id=\"case/{0}\"><th scope=\"row\">{0}</th><td><span class=\"verdict {1}\">{2}</span>"
        "</td>{3}{4}</tr>\n",
        shown_in_comparison(each.id), class_of(each.change), name_of(each.change),
        html_side(each.before), html_side(each.after));
  }
  return text + "</tbody></table></div></section>\n";
}

}  // namespace

std::string render_comparison_html(const Comparison& comparison) {
  const std::string title = comparison.is_difference
                                ? std::string("Before and after")
                                : fmt::format("{} runs compared", comparison.runs.size());
  std::string body = fmt::format(
      "<header class=\"head\"><div class=\"wide\"><p class=\"brand\"><b>jrpcheck</b> JSON-RPC 2.0 "
      "conformance</p><div class=\"top\"><h1 class=\"title\">{}</h1></div></div></header>\n<main "
      "id=\"main\" class=\"wide\" tabindex=\"-1\">\n",
      title);
  body += runs_table(comparison);
  if (comparison.is_difference) body += html_changes(comparison);
  body += matrix(comparison, "differ", "Requirements on which they differ", false);
  body += matrix(comparison, "agree", "Requirements on which they agree", true);
  body +=
      "</main>\n<footer><div class=\"wide\">Made by jrpcheck. What is not exercised is never "
      "counted as passed.</div></footer>\n";
  return html_document(title + " - jrpcheck", body, "{}");
}

}  // namespace jrpcheck::reports
