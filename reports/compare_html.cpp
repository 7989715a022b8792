#include <fmt/format.h>

#include "base/bytes.hpp"
#include "reports/comparison.hpp"
#include "reports/evidence.hpp"
#include "reports/html.hpp"

namespace jrpcheck::reports {
namespace {

using result::Verdict;

constexpr std::size_t kShownInComparison = 400;

std::string shown_in_comparison(std::string_view text) {
  return escape_xml(to_visible(text, kShownInComparison));
}

// The name in the first column, where it came from below it.
std::string league_row(const Comparison& comparison, std::size_t place) {
  const auto& run = *comparison.runs[place];
  const auto& counts = run.counts;
  const auto number = [](Verdict verdict, std::size_t count) {
    return fmt::format("<td class=\"n{}\"><span class=\"of\">{} </span>{}</td>",
                       count == 0 ? " zero" : "", words_of(verdict), count);
  };
  const std::string& name = comparison.names[place];
  const std::string target =
      name == run.target.text ? "" : "<code>" + shown_in_comparison(run.target.text) + "</code>";
  return fmt::format(
      "<tr><td class=\"rank\">{}</td><th scope=\"row\"><b>{}</b>{}</th><td "
      "class=\"word\">{}</td><td "
      "class=\"share\">{}</td>{}{}{}{}</tr>\n",
      place + 1, shown_in_comparison(name), target, html_verdict(run.verdict),
      result::was_judged(run.verdict) ? html_bar(counts) : "", number(Verdict::fail, counts.fail),
      number(Verdict::warn, counts.warn), number(Verdict::pass, counts.pass),
      number(Verdict::not_exercised, counts.not_exercised));
}

std::string league(const Comparison& comparison) {
  std::string text = fmt::format(
      "<section aria-labelledby=\"league\"><h2 id=\"league\">{}</h2>\n<div class=\"panel\"><table "
      "class=\"league\"><thead><tr><th scope=\"col\"><span class=\"away\">place</span></th><th "
      "scope=\"col\">{}</th><th scope=\"col\">verdict</th><th scope=\"col\">cases</th><th "
      "scope=\"col\" class=\"n\">fail</th><th scope=\"col\" class=\"n\">warn</th><th "
      "scope=\"col\" class=\"n\">pass</th><th scope=\"col\" class=\"n\">not exercised</th></tr>"
      "</thead><tbody>\n",
      comparison.is_difference ? "Runs"
                               : "Servers <span class=\"quiet\">fewest failures first</span>",
      comparison.is_difference ? "run" : "server");
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) text += league_row(comparison, i);
  return text + "</tbody></table></div></section>\n";
}

std::string html_bytes(std::string_view label, std::string_view kind, std::string_view text) {
  return fmt::format("<div class=\"bytes {}\"><div class=\"label\">{}</div><pre>{}</pre></div>",
                     kind, label, shown_in_comparison(text));
}

// One glyph; the script opens what is behind it.
std::string cell(const result::RequirementResult* result, std::string_view name) {
  if (result == nullptr)
    return "<td><i class=\"cell none\"><span class=\"away\">not asked</span></i></td>";
  const auto verdict = result::name_of(result->verdict);
  const bool has_account = result->verdict != Verdict::pass;
  if (!has_account) {
    return fmt::format("<td><i class=\"cell {0}\"><span class=\"away\">{0}</span></i></td>",
                       verdict);
  }
  return fmt::format(
      "<td><button type=\"button\" class=\"cell {0}\" tabindex=\"-1\" aria-label=\"{0}, {1}, {2}\">"
      "</button></td>",
      verdict, shown_in_comparison(name), shown_in_comparison(result->requirement.id));
}

std::string matrix_row(const Comparison& comparison, const ComparedRequirement& row) {
  const auto& requirement = *row.requirement;
  const std::size_t fails = row.count(Verdict::fail);
  std::string text = fmt::format(
      "<tr id=\"req/{0}\"><th scope=\"row\"><span class=\"id\">{0}</span><span class=\"text\">{1}"
      "</span></th><td class=\"n{2}\">{3}</td>",
      shown_in_comparison(requirement.id), shown_in_comparison(requirement.text),
      fails == 0 ? " zero" : "", fails);
  for (std::size_t i = 0; i < row.results.size(); ++i) {
    text += cell(row.results[i], comparison.names[i]);
  }
  return text + "</tr>\n";
}

std::string rules_matrix(const Comparison& comparison) {
  std::string text =
      "<section aria-labelledby=\"rules\"><h2 id=\"rules\">Rules <span class=\"quiet\">what most "
      "break comes first</span></h2>\n<div id=\"page\"></div>\n<div class=\"panel matrix-panel\" "
      "tabindex=\"0\" role=\"group\" aria-labelledby=\"rules\"><table class=\"matrix\"><thead><tr>"
      "<th scope=\"col\" class=\"corner\">rule</th><th scope=\"col\" class=\"n\">fail</th>";
  for (const auto& name : comparison.names) {
    text += fmt::format("<th scope=\"col\" class=\"server\"><span>{}</span></th>",
                        shown_in_comparison(name));
  }
  text += "</tr></thead><tbody>\n";
  for (const auto* row : worst_first(comparison)) text += matrix_row(comparison, *row);
  text +=
      "</tbody></table><p class=\"empty\" id=\"no-rule\" hidden>The filter hides all rules.</p>"
      "</div>\n<ul class=\"legend\" aria-label=\"Signs\">";
  for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::pass, Verdict::not_exercised,
                                Verdict::not_applicable}) {
    text += fmt::format("<li><i class=\"cell {}\"></i>{}</li>", result::name_of(verdict),
                        words_of(verdict));
  }
  return text + "</ul></section>\n";
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
                            html_bytes("Sent", "", sent_for(*one, finding)),
                            html_bytes("Expected", "expected", finding.expected),
                            html_bytes("Got", "got", finding.actual));
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
      "class=\"changes\"><thead><tr><th scope=\"col\">case</th><th scope=\"col\">change</th><th "
      "scope=\"col\">before</th><th scope=\"col\">after</th></tr></thead><tbody>\n";
  for (const auto& each : comparison.changes) {
    text += fmt::format("<tr id=\"case/{0}\"><th scope=\"row\">{0}</th><td>{1}</td>{2}{3}</tr>\n",
                        shown_in_comparison(each.id), html_verdict(each.change),
                        html_side(each.before), html_side(each.after));
  }
  return text + "</tbody></table></div></section>\n";
}

}  // namespace

std::string render_comparison_html(const Comparison& comparison) {
  const std::string title = comparison.is_difference
                                ? std::string("Before and after")
                                : fmt::format("{} servers compared", comparison.runs.size());
  const std::string body =
      "<header class=\"head\"><div class=\"wide\">\n<p class=\"brand\"><b>jrpcheck</b> "
      "<span>JSON-RPC 2.0 conformance</span></p><div class=\"top\"><h1>" +
      title + "</h1></div>\n<p class=\"summary\">" + shown_in_comparison(summary_of(comparison)) +
      "</p></div></header>\n<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n" +
      league(comparison) + (comparison.is_difference ? html_changes(comparison) : "") +
      rules_matrix(comparison) +
      "</main>\n<footer><div class=\"wide\">Made by jrpcheck. What is not exercised is never "
      "counted as passed.</div></footer>\n";
  return html_document(title + " - jrpcheck", body, render_compact_comparison_json(comparison));
}

}  // namespace jrpcheck::reports
