#include "reports/html.hpp"

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/number_of.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/report.hpp"
#include "reports/summary.hpp"
#include "result/cause.hpp"

namespace jrpcheck::reports {
namespace {

using result::Counts;
using result::Run;
using result::Verdict;

constexpr std::size_t kShownInPage = 400;

// A text of the run as HTML, with what is invisible made visible.
std::string shown_in_page(std::string_view text) {
  return escape_xml(to_visible(text, 4 * kShownInPage));
}

std::string about(const Run& run) {
  std::string text =
      "<section id=\"about\" aria-labelledby=\"about-title\"><h2 id=\"about-title\">This run</h2>\n"
      "<dl class=\"panel meta\">";
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, shown_in_page(value));
  };
  add("started", run.started);
  add("took", duration_text(run.duration));
  add("binding", binding_text(run.target));
  add("profile", run.profile);
  add("left out", run.counts.not_applicable == 0
                      ? ""
                      : number_of(run.counts.not_applicable, "case") + " about other bindings");
  add("verdict rests on", must_text(run));
  add("jrpcheck", run.tool_version);
  add("corpus",
      fmt::format("{}, {}", number_of(run.corpus_cases, "case"), run.corpus_hash.substr(0, 12)));
  add("seed", std::to_string(run.seed));
  return text + "</dl></section>\n";
}

struct Number {
  Verdict verdict;
  std::size_t count;
  std::string_view place;  ///< where what it counts is listed
};

// A number leads to what it counts.
std::string number_element(const Number& number, std::size_t all) {
  const auto name = result::name_of(number.verdict);
  const bool is_whole = number.verdict == Verdict::pass;
  const std::string inside =
      fmt::format("<b>{}</b>{} {}", number.count, is_whole ? fmt::format(" of {}", all) : "",
                  html_verdict(number.verdict));
  if (number.count == 0) return "<li><span class=\"number zero\">" + inside + "</span></li>";
  return fmt::format("<li><a class=\"number is-{0}\" href=\"#{1}?verdict={0}\">{2}</a></li>", name,
                     number.place, inside);
}

// Of the cases that are about this target; the bar shows them all.
std::string html_numbers(const Run& run) {
  const auto& counts = run.counts;
  const Number numbers[] = {{Verdict::fail, counts.fail, "findings"},
                            {Verdict::warn, counts.warn, "findings"},
                            {Verdict::pass, counts.pass, "cases"},
                            {Verdict::not_exercised, counts.not_exercised, "cases"}};
  const std::size_t all = applicable_cases(run);
  std::string text = "<ul class=\"numbers\" aria-label=\"Cases\">";
  for (const auto& each : numbers) text += number_element(each, all);
  return text + "</ul>\n" + html_bar(counts);
}

// What no case can show is nothing that a server leaves undone.
Counts testable(const Run& run, const std::string& class_name) {
  Counts counts;
  for (const auto& each : run.requirements) {
    const bool is_untestable =
        each.verdict == Verdict::not_exercised && !each.requirement.status.empty();
    if (each.requirement.class_name == class_name && !is_untestable) counts.add(each.verdict);
  }
  return counts;
}

// What became of a class, in few words: its rules that are broken, or kept, of those that apply.
std::string class_words(const Counts& counts) {
  const std::size_t judged = counts.pass + counts.warn + counts.fail;
  if (counts.fail > 0) return fmt::format("{} of {} broken", counts.fail, judged);
  if (counts.not_exercised > 0)
    return fmt::format("{} of {} tried", judged, judged + counts.not_exercised);
  return counts.warn > 0 ? fmt::format("{} of {} warn", counts.warn, judged)
                         : fmt::format("{} kept", judged);
}

std::string class_links(const Run& run) {
  std::string text = "<ul class=\"of-classes\" aria-label=\"Classes of rules\">";
  for (const auto& each : run.classes) {
    const Counts counts = testable(run, each.name);
    if (counts.pass + counts.warn + counts.fail + counts.not_exercised == 0) continue;
    text +=
        fmt::format("<li><a class=\"{0}\" href=\"#findings?class={1}\"><b>{1}</b> {2}</a></li>",
                    result::name_of(each.verdict), shown_in_page(each.name), class_words(counts));
  }
  return text + "</ul>\n";
}

std::string notes_element(const std::vector<std::string>& notes) {
  if (notes.empty()) return "";
  std::string text = "<ul class=\"notes\" aria-label=\"Notes\">";
  for (const auto& note : notes) text += "<li>" + shown_in_page(on_one_line(note)) + "</li>";
  return text + "</ul>\n";
}

std::string classes(const Run& run) {
  std::string text =
      "<section id=\"classes\" aria-labelledby=\"classes-title\"><h2 id=\"classes-title\">Classes "
      "<span class=\"quiet\">numbers of requirements</span></h2>\n<div class=\"panel scroll\" "
      "tabindex=\"0\" role=\"group\" aria-labelledby=\"classes-title\"><table class=\"classes\">"
      "<thead><tr><th scope=\"col\">class</th><th scope=\"col\">verdict</th><th scope=\"col\" "
      "class=\"n\">fail</th><th scope=\"col\" class=\"n\">warn</th><th scope=\"col\" "
      "class=\"n\">pass</th><th scope=\"col\" class=\"n\">not exercised</th></tr></thead><tbody>";
  const auto number = [](std::size_t count) {
    return fmt::format("<td class=\"n{}\">{}</td>", count == 0 ? " zero" : "", count);
  };
  for (const auto& each : run.classes) {
    const Counts counts = testable(run, each.name);
    text += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}{}{}{}</tr>\n",
                        shown_in_page(each.name), html_verdict(each.verdict), number(counts.fail),
                        number(counts.warn), number(counts.pass), number(counts.not_exercised));
  }
  return text + "</tbody></table></div></section>\n";
}

// The plain ledger, which stays where scripting is off.
std::string ledger(const Run& run) {
  std::string text =
      "<section id=\"requirements\" class=\"list\" aria-labelledby=\"ledger\"><h2 "
      "id=\"ledger\">Requirements</h2>"
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

namespace {

std::string head(const Run& run) {
  const std::string leading = result::leading_cause(run, result::causes_of(run));
  std::string text =
      "<header class=\"head\"><div class=\"wide\">\n<p class=\"brand\"><b>jrpcheck</b> "
      "<span>JSON-RPC 2.0 conformance</span></p>\n<div class=\"top\">" +
      html_verdict(run.verdict) + "<h1><code>" + shown_in_page(run.target.text) +
      "</code></h1></div>\n<p class=\"summary\">" + shown_in_page(summary_of(run)) + "</p>\n";
  if (!leading.empty()) text += "<p class=\"leading\">" + shown_in_page(leading) + ".</p>\n";
  if (result::was_judged(run.verdict)) text += html_numbers(run) + class_links(run);
  return text + "</div></header>\n";
}

}  // namespace

std::string render_html(const Run& run) {
  const std::string title = fmt::format("{}: {} - jrpcheck", result::name_of(run.verdict),
                                        to_visible(run.target.text, kShownInPage));
  // Where nothing was judged, the notes are what there is to read.
  const std::string notes = notes_element(other_notes(run));
  const bool notes_first = !result::was_judged(run.verdict);
  const std::string body =
      head(run) + "<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n" +
      notes_element(urgent_notes(run)) + (notes_first ? notes : "") +
      "<div id=\"page\"></div>\n<noscript><p class=\"notes\">Findings, cases and the filter need "
      "scripting; the JSON report holds the same.</p></noscript>\n" +
      (notes_first ? "" : notes + classes(run)) + ledger(run) + "<div id=\"rest\"></div>\n" +
      about(run) + "</main>\n<footer><div class=\"wide\">Made by jrpcheck " +
      shown_in_page(run.tool_version) +
      ". What is not exercised is never counted as passed.</div></footer>\n";
  return html_document(title, body, render_compact_json(run));
}

}  // namespace jrpcheck::reports
