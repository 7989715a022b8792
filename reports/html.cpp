#include "reports/html.hpp"

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace {

using result::Run;
using result::Verdict;

constexpr std::size_t kShownInPage = 400;

// A text of the run as HTML, with what is invisible made visible.
std::string shown_in_page(std::string_view text) {
  return escape_xml(to_visible(text, 4 * kShownInPage));
}

std::string meta(const Run& run) {
  std::string text = "<dl class=\"meta\">";
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, shown_in_page(value));
  };
  add("binding", binding_text(run.target));
  add("profile", run.profile);
  add("started", run.started);
  add("took", duration_text(run.duration));
  add("jrpcheck", run.tool_version);
  add("corpus", fmt::format("{} cases, {}", run.corpus_cases, run.corpus_hash.substr(0, 12)));
  add("seed", std::to_string(run.seed));
  return text + "</dl>";
}

struct Number {
  Verdict verdict;
  std::size_t count;
};

std::string html_numbers(const Run& run) {
  const auto& counts = run.counts;
  const Number html_numbers[] = {{Verdict::pass, counts.pass},
                                 {Verdict::warn, counts.warn},
                                 {Verdict::fail, counts.fail},
                                 {Verdict::not_exercised, counts.not_exercised},
                                 {Verdict::not_applicable, counts.not_applicable}};
  std::string text = "<div class=\"numbers\">";
  std::string bar;
  double at = 0;
  const double all = static_cast<double>(run.cases.empty() ? 1 : run.cases.size());
  for (const auto& each : html_numbers) {
    text += fmt::format("<p class=\"number{}\"><b>{}</b> {}</p>", each.count == 0 ? " zero" : "",
                        each.count, html_verdict(each.verdict));
    const double width = 1000.0 * static_cast<double>(each.count) / all;
    bar += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"8\"/>",
                       result::name_of(each.verdict), at, width);
    at += width;
  }
  return text +
         "</div>\n<svg class=\"bar\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" "
         "aria-hidden=\"true\">" +
         bar + "</svg>\n";
}

std::string notes(const Run& run) {
  const auto all = all_notes(run);
  if (all.empty()) return "";
  std::string text = "<ul class=\"notes\" aria-label=\"Notes\">";
  for (const auto& note : all) text += "<li>" + shown_in_page(note) + "</li>";
  return text + "</ul>\n";
}

std::string classes(const Run& run) {
  std::string text =
      "<section aria-labelledby=\"classes\"><h2 id=\"classes\">Classes <span class=\"quiet\">"
      "numbers of requirements</span></h2>\n<div class=\"panel scroll\" tabindex=\"0\" "
      "role=\"group\" aria-labelledby=\"classes\"><table class=\"classes\">"
      "<thead><tr><th scope=\"col\">class</th><th scope=\"col\">verdict</th><th scope=\"col\" "
      "class=\"n\">pass</th><th scope=\"col\" class=\"n\">warn</th><th scope=\"col\" "
      "class=\"n\">fail</th><th scope=\"col\" class=\"n\">not exercised</th><th scope=\"col\" "
      "class=\"n\">not applicable</th></tr></thead><tbody>";
  const auto number = [](std::size_t count) {
    return fmt::format("<td class=\"n{}\">{}</td>", count == 0 ? " zero" : "", count);
  };
  for (const auto& each : run.classes) {
    text +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}{}{}{}{}</tr>\n",
                    shown_in_page(each.name), html_verdict(each.verdict), number(each.counts.pass),
                    number(each.counts.warn), number(each.counts.fail),
                    number(each.counts.not_exercised), number(each.counts.not_applicable));
  }
  return text + "</tbody></table></div></section>\n";
}

// The plain ledger, which stays where scripting is off.
std::string ledger(const Run& run) {
  std::string text =
      "<section id=\"requirements\" aria-labelledby=\"ledger\"><h2 id=\"ledger\">Requirements</h2>"
      "\n<div class=\"panel\" id=\"ledger-body\"><table class=\"ledger\"><thead><tr>"
      "<th scope=\"col\">verdict</th><th scope=\"col\">requirement</th><th scope=\"col\">level</th>"
      "<th scope=\"col\">class</th><th scope=\"col\">what it asks</th></tr></thead><tbody>\n";
  for (const auto& each : run.requirements) {
    const auto& requirement = each.requirement;
    const std::string reason =
        each.reason.empty() ? ""
                            : "<br><span class=\"quiet\">" + shown_in_page(each.reason) + "</span>";
    text += fmt::format(
        "<tr id=\"req/{0}\"><td>{1}</td><th scope=\"row\"><code>{0}</code><br><span "
        "class=\"quiet\">{2}</span></th><td>{3}</td><td>{4}</td><td>{5}{6}</td></tr>\n",
        shown_in_page(requirement.id), html_verdict(each.verdict),
        shown_in_page(requirement.cited_clause()), corpus::name_of(requirement.level),
        shown_in_page(requirement.class_name), shown_in_page(requirement.text), reason);
  }
  return text + "</tbody></table></div></section>\n";
}

}  // namespace

std::string render_html(const Run& run) {
  const std::string title = fmt::format("{}: {} - jrpcheck", result::name_of(run.verdict),
                                        to_visible(run.target.text, kShownInPage));
  const std::string body =
      "<header class=\"head\"><div class=\"wide\">\n<p class=\"brand\"><b>jrpcheck</b> JSON-RPC "
      "2.0 "
      "conformance</p>\n<div class=\"top\">" +
      html_verdict(run.verdict) + "<h1><code>" + shown_in_page(run.target.text) +
      "</code></h1></div>\n<p class=\"must\">" + must_text(run) + "</p>\n" + meta(run) +
      html_numbers(run) + "</div></header>\n<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n" +
      notes(run) + classes(run) +
      "<div id=\"page\"></div>\n<noscript><p class=\"notes\">Findings, cases and the filter need "
      "scripting; the JSON report holds the same.</p></noscript>\n" +
      ledger(run) +
      "<div id=\"rest\"></div>\n</main>\n<footer><div class=\"wide\">Made by jrpcheck " +
      shown_in_page(run.tool_version) +
      ". What is not exercised is never counted as passed.</div></footer>\n";
  return html_document(title, body, render_compact_json(run));
}

}  // namespace jrpcheck::reports
